"use client";

import { useEffect, useRef } from "react";
import { type ChartOption, init } from "./echarts";
import { LINE_FRAME, type LineSeries } from "./line-data";
import { type Palette, usePalette } from "./palette";

const tick = (value: number): string => {
	const size = Math.abs(value);
	if (size !== 0 && (size < 0.001 || size >= 10_000)) return value.toExponential(0);
	return String(Number(value.toPrecision(3)));
};

function lineOption(series: readonly LineSeries[], xMax: number, palette: Palette): ChartOption {
	return {
		animation: false,
		backgroundColor: "transparent",
		grid: { left: LINE_FRAME.left, right: LINE_FRAME.right, top: 6, bottom: 4 },
		xAxis: { type: "value", min: 0, max: Math.max(1, xMax), show: false },
		yAxis: {
			type: "value",
			scale: true,
			splitNumber: 2,
			axisLine: { show: false },
			axisTick: { show: false },
			splitLine: { show: true, lineStyle: { color: palette.grid, width: 1 } },
			axisLabel: { color: palette.ink3, fontSize: 11, fontFamily: palette.font, margin: 6, formatter: tick },
		},
		series: series.map(({ tone, points }) => ({
			type: "line" as const,
			data: points.map(([x, y]) => [x, y]),
			// Few points are shown as such: a line alone would hide where something was measured.
			showSymbol: points.length <= 12,
			symbol: tone === "first" ? "circle" : "rect",
			symbolSize: 5,
			silent: true,
			lineStyle: { width: 1.5, color: tone === "first" ? palette.accuracy : palette.effectiveness },
			itemStyle: { color: tone === "first" ? palette.accuracy : palette.effectiveness },
		})),
	};
}

/** The drawn part of a small line chart. Loaded apart from the page; its words and figures stand outside as HTML. */
export default function LinePlot({ series, xMax, label }: { series: readonly LineSeries[]; xMax: number; label: string }) {
	const host = useRef<HTMLDivElement>(null);
	const chart = useRef<ReturnType<typeof init> | null>(null);
	const palette = usePalette();

	useEffect(() => {
		const element = host.current;
		if (!element || !palette) return;
		chart.current ??= init(element, null, { renderer: "svg" });
		chart.current.setOption<ChartOption>(lineOption(series, xMax, palette), { notMerge: true });
		const observer = new ResizeObserver(() => chart.current?.resize());
		observer.observe(element);
		return () => observer.disconnect();
	}, [series, xMax, palette]);

	useEffect(
		() => () => {
			chart.current?.dispose();
			chart.current = null;
		},
		[],
	);

	return <div ref={host} role="img" aria-label={label} className="absolute inset-0" />;
}
