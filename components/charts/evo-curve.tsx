"use client";

import dynamic from "next/dynamic";
import Link from "next/link";
import { type CSSProperties, type ReactNode, useMemo, useState } from "react";
import { cn } from "@/components/ui/cn";
import type { PlotColumn, PlotData } from "./evo-option";
import { PlotSkeleton } from "./plot-skeleton";

/** A curve of one or two points keeps the room that its next rounds will take, instead of one column as wide as the page. */
const MIN_SLOTS = 4;
const EMPTY: PlotColumn = { accuracy: null, effectiveness: null, hollow: false };

const EvoPlot = dynamic(() => import("./evo-plot"), { ssr: false, loading: () => <PlotSkeleton /> });

export interface CurveColumn extends PlotColumn {
	key: string;
	title: string;
	/** Where it stands, as sign and word. */
	state: ReactNode;
	/** The sign alone, for 390 px. */
	sign: ReactNode;
	note: ReactNode;
	/** Shown beside the column on hover and focus; words, never markup from data. */
	tip: ReactNode;
	/** What a screen reader hears on the column. */
	spoken: string;
	href: string;
}

export interface CurveRow {
	key: string;
	label: ReactNode;
	cells: readonly ReactNode[];
}

/**
 * The Evo curve: header, plot and figures share one grid of columns, so that a number stands under its point. Each column is a
 * link to its round; hover and keyboard focus show what is behind it.
 */
export function EvoCurve({
	columns,
	rows,
	recommended,
	stopAfter,
	label,
}: {
	columns: readonly CurveColumn[];
	rows: readonly CurveRow[];
	recommended: number | null;
	stopAfter: number | null;
	label: string;
}) {
	const [active, setActive] = useState<number | null>(null);
	const slots = Math.max(columns.length, MIN_SLOTS);
	const data = useMemo<PlotData>(
		() => ({ columns: [...columns, ...Array.from({ length: slots - columns.length }, () => EMPTY)], best: null, stopAfter, baseline: 0 }),
		[columns, slots, stopAfter],
	);
	const shown = active === null ? undefined : columns[active];
	return (
		<div className="overflow-x-auto">
			<figure
				style={{ "--n": slots } as CSSProperties}
				className="relative grid min-w-[calc(26px+var(--n)*52px)] grid-cols-[26px_repeat(var(--n),minmax(0,1fr))] text-12 md:min-w-[calc(96px+var(--n)*96px)] md:grid-cols-[96px_repeat(var(--n),minmax(0,1fr))]"
			>
				{recommended !== null && (
					<div aria-hidden style={{ gridColumn: recommended + 2 }} className="row-[1/20] rounded-4 bg-accent-soft opacity-60 max-md:row-[1/3]" />
				)}
				{columns.map((column, index) => (
					<div key={column.key} style={{ gridColumn: index + 2 }} className="relative row-1 min-w-0 px-1 pt-1.5 pb-2 text-center max-md:px-0 max-md:pt-1">
						<b className="block truncate font-semibold text-13 max-md:text-12 max-md:leading-4">{column.title}</b>
						<span className="flex h-3.5 items-center justify-center md:hidden">{column.sign}</span>
						<span className="flex min-h-[18px] items-center justify-center whitespace-nowrap max-md:hidden">{column.state}</span>
						<span className="block min-h-4 truncate text-ink-3 leading-4 max-md:hidden">{column.note}</span>
					</div>
				))}
				<div className="relative col-[1/-1] row-2 h-[236px] md:h-[356px]">
					<EvoPlot data={data} label={label} />
					<div className="absolute inset-y-0 right-0 left-[26px] grid grid-cols-[repeat(var(--n),minmax(0,1fr))] md:left-[96px]">
						{columns.map((column, index) => (
							<Link
								key={column.key}
								href={column.href}
								aria-label={column.spoken}
								onMouseEnter={() => setActive(index)}
								onMouseLeave={() => setActive(null)}
								onFocus={() => setActive(index)}
								onBlur={() => setActive(null)}
								className="group relative block focus-visible:outline-offset-[-2px]"
							>
								<span aria-hidden className="absolute inset-y-0 left-1/2 hidden w-px bg-line-ctl group-hover:block group-focus-visible:block max-md:hidden" />
							</Link>
						))}
					</div>
					{shown && active !== null && (
						<div
							role="tooltip"
							style={
								active >= slots / 2
									? { right: `${((slots - active - 0.5) / slots) * 100}%` }
									: { left: `calc(96px + (100% - 96px) * ${(active + 0.5) / slots})` }
							}
							className="pointer-events-none absolute bottom-2 z-10 mx-3 max-w-[340px] rounded-6 border border-line-2 bg-pop px-2.5 py-2 shadow-pop max-md:hidden"
						>
							{shown.tip}
						</div>
					)}
				</div>
				{rows.map((row, rowIndex) => (
					<div key={row.key} className="contents max-md:hidden">
						<div style={{ gridRow: rowIndex + 3 }} className="col-1 border-line border-t py-1.5 pr-2 text-ink-2 max-md:hidden">
							{row.label}
						</div>
						{row.cells.length < slots && (
							<div aria-hidden style={{ gridRow: rowIndex + 3, gridColumn: `${row.cells.length + 2} / -1` }} className="border-line border-t max-md:hidden" />
						)}
						{row.cells.map((cell, index) => (
							<div
								key={columns[index]?.key ?? index}
								style={{ gridRow: rowIndex + 3, gridColumn: index + 2 }}
								className={cn("relative min-w-0 border-line border-t px-1 py-1.5 text-center max-md:hidden")}
							>
								{cell}
							</div>
						))}
					</div>
				))}
			</figure>
		</div>
	);
}
