"use client";

import { useEffect, useRef } from "react";
import { type ChartOption, init } from "./echarts";
import { evoOption, type PlotData } from "./evo-option";
import { usePalette } from "./palette";

/** The drawn part of the curve. Loaded apart from the page; its words and figures stand outside as HTML. */
export default function EvoPlot({ data, label }: { data: PlotData; label: string }) {
	const host = useRef<HTMLDivElement>(null);
	const chart = useRef<ReturnType<typeof init> | null>(null);
	const palette = usePalette();

	useEffect(() => {
		const element = host.current;
		if (!element || !palette) return;
		chart.current ??= init(element, null, { renderer: "svg" });
		const draw = () => {
			const gutter = element.clientWidth < 560 ? 26 : 96;
			chart.current?.setOption<ChartOption>(evoOption(data, palette, { gutter }), { notMerge: true });
		};
		draw();
		const observer = new ResizeObserver(() => {
			chart.current?.resize();
			draw();
		});
		observer.observe(element);
		return () => observer.disconnect();
	}, [data, palette]);

	useEffect(
		() => () => {
			chart.current?.dispose();
			chart.current = null;
		},
		[],
	);

	return <div ref={host} role="img" aria-label={label} className="absolute inset-0" />;
}
