"use client";

import dynamic from "next/dynamic";
import type { PointerEvent, ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { LINE_FRAME, type LineSeries, valueAt } from "./line-data";
import { PlotSkeleton } from "./plot-skeleton";

const LinePlot = dynamic(() => import("./line-plot"), { ssr: false, loading: () => <PlotSkeleton /> });

/**
 * A small line chart with its name and its newest values above it. Charts that share `at` show the same x: the pointer on
 * one of them reads all.
 */
export function LineChart({
	title,
	names,
	series,
	xMax,
	at,
	onPoint,
	format,
	spoken,
}: {
	title: ReactNode;
	/** What the lines are, where there are two. */
	names?: readonly string[];
	series: readonly LineSeries[];
	xMax: number;
	at: number | null;
	onPoint: (x: number | null) => void;
	format: (value: number) => string;
	/** What a screen reader hears. */
	spoken: string;
}) {
	const shown = series.map((line) => (at === null ? line.points.at(-1)?.[1] : valueAt(line, at)));
	const move = (event: PointerEvent<HTMLElement>) => {
		const box = event.currentTarget.getBoundingClientRect();
		const share = (event.clientX - box.left - LINE_FRAME.left) / Math.max(1, box.width - LINE_FRAME.left - LINE_FRAME.right);
		onPoint(share < 0 || share > 1 ? null : Math.round(share * xMax));
	};
	return (
		<figure className="min-w-0">
			<figcaption className="flex items-baseline gap-2 text-12">
				<b className="min-w-0 truncate font-semibold">{title}</b>
				<span className="ml-auto whitespace-nowrap tabular-nums">
					{series.map((line, index) => (
						<span key={line.tone} title={names?.[index]}>
							{index > 0 && <span className="text-ink-3"> / </span>}
							{names && <span className="sr-only">{names[index]} </span>}
							<span className={cn(line.tone === "first" ? "text-(--s-acc)" : "text-(--s-eff)")}>{shown[index] === undefined ? "–" : format(shown[index])}</span>
						</span>
					))}
				</span>
			</figcaption>
			<div className="relative mt-1 h-21" onPointerMove={move} onPointerLeave={() => onPoint(null)}>
				<LinePlot series={series} xMax={xMax} label={spoken} />
				{at !== null && (
					<i
						aria-hidden
						className="pointer-events-none absolute top-1 bottom-1 border-line-ctl border-l border-dotted"
						style={{ left: `calc(${LINE_FRAME.left}px + (100% - ${LINE_FRAME.left + LINE_FRAME.right}px) * ${Math.min(1, at / Math.max(1, xMax))})` }}
					/>
				)}
			</div>
		</figure>
	);
}
