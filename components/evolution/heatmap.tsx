"use client";

import { TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import type { CSSProperties } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { cn } from "@/components/ui/cn";
import { formatDelta, formatPoints, langOf } from "@/components/ui/format";
import { SectionHead } from "@/components/ui/page";
import { Segmented } from "@/components/ui/segmented";
import "./heat.css";
import { useRoundName } from "./names";
import type { Dimension, HeatCell, HeatRow, Overview } from "./types";

/** How strongly a change is tinted: 20 points and more get the full colour. */
function strength(delta: number): number {
	return Math.min(Math.abs(delta) / 0.2, 1);
}

function Diamond() {
	return (
		<svg viewBox="0 0 6 6" aria-hidden="true" className="sig">
			<path d="M3 0 6 3 3 6 0 3z" />
		</svg>
	);
}

function Cell({ cell, base, strong, side }: { cell: HeatCell | undefined; base: boolean; strong: boolean; side: "shown" | "hidden" }) {
	const t = useTranslations("evolution.heat");
	if (!cell || cell.value === null)
		return (
			<td className="none" data-side={side}>
				<span>{t("notEvaluated")}</span>
			</td>
		);
	const value = strong ? <b className="font-semibold">{formatPoints(cell.value)}</b> : formatPoints(cell.value);
	if (base)
		return (
			<td className="base" data-side={side}>
				{value}
			</td>
		);
	const delta = cell.delta ?? 0;
	const flat = cell.fixed === 0 && cell.broken === 0 && delta === 0;
	const tone = delta > 0 ? "up" : delta < 0 ? "down" : "eq";
	return (
		<td
			data-side={side}
			className={cn(tone, (cell.significant || cell.alarm) && "s")}
			style={{ "--m": strength(delta) } as CSSProperties}
			title={t("flips", { fixed: cell.fixed, broken: cell.broken })}
		>
			{cell.alarm ? (
				<>
					<TriangleAlert className="alarm" aria-hidden />
					<span className="sr-only">{t(cell.acknowledged ? "alarmAcknowledged" : "alarm")} </span>
				</>
			) : (
				cell.significant && (
					<>
						<Diamond />
						<span className="sr-only">{t("significantShort")} </span>
					</>
				)
			)}
			{value} <em>{flat ? "=" : formatDelta(delta)}</em>
		</td>
	);
}

function Row({ row, strong, narrow }: { row: HeatRow; strong: boolean; narrow: Dimension }) {
	const t = useTranslations("evolution.heat");
	const { categoryTitle } = useWorkspace();
	const name = row.category === null ? t("all") : categoryTitle(row.category);
	const cells = (dimension: Dimension) =>
		row[dimension].map((cell, index) => (
			<Cell key={`${dimension}-${index.toString()}`} cell={cell} base={index === 0} strong={strong} side={narrow === dimension ? "shown" : "hidden"} />
		));
	return (
		<tr>
			<th scope="row" title={name} lang={langOf(name)}>
				{strong ? <b>{name}</b> : name}
				<span>{row.cases}</span>
			</th>
			{cells("accuracy")}
			<td className="gap" />
			{cells("effectiveness")}
		</tr>
	);
}

/** The five tints from worse to better, as the legend shows them. */
function Ramp() {
	return (
		<span aria-hidden className="inline-flex gap-px">
			{["bg-down-heat", "bg-down-soft", "bg-sub", "bg-up-soft", "bg-up-heat"].map((tint) => (
				<i key={tint} className={cn("h-3 w-[22px] rounded-2", tint)} />
			))}
		</span>
	);
}

/** Category × round, for both dimensions side by side (one at a time at 390 px). */
export function Heatmap({ heatmap }: { heatmap: Overview["heatmap"] }) {
	const t = useTranslations("evolution.heat");
	const c = useTranslations("common");
	const roundName = useRoundName();
	const [narrow, setNarrow] = useQueryState("dim", parseAsStringLiteral(["accuracy", "effectiveness"] as const).withDefault("accuracy"));
	const all = heatmap.rows.filter((row) => row.category === null);
	const categories = heatmap.rows.filter((row) => row.category !== null);
	const columns = heatmap.rounds.length * 2 + 2;
	const head = (dimension: Dimension) =>
		heatmap.rounds.map((round) => (
			<th key={`${dimension}-${round}`} scope="col" data-side={narrow === dimension ? "shown" : "hidden"}>
				{roundName(round)}
			</th>
		));
	return (
		<section>
			<SectionHead title={t("title")} meta={t("meta")}>
				<Segmented
					className="md:hidden"
					label={t("dimension")}
					value={narrow}
					onValueChange={(value) => void setNarrow(value === "effectiveness" ? "effectiveness" : "accuracy")}
					options={[
						{ value: "accuracy", label: c("accuracy") },
						{ value: "effectiveness", label: c("effectiveness") },
					]}
				/>
				<span className="inline-flex items-center gap-1.5 text-ink-2">
					{t("worse")}
					<Ramp />
					{t("better")}
				</span>
				<span className="text-ink-2">{t("pale")}</span>
				<span className="inline-flex items-center gap-1.5 text-ink-2">
					<svg width="6" height="6" viewBox="0 0 6 6" aria-hidden="true">
						<path d="M3 0 6 3 3 6 0 3z" fill="var(--ink)" />
					</svg>
					{t("significant")}
				</span>
				<span className="inline-flex items-center gap-1.5 text-ink-2">
					<TriangleAlert className="size-3 text-down" aria-hidden />
					{t("alarmLegend")}
				</span>
			</SectionHead>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that can scroll must take the keyboard */}
			<section aria-label={t("title")} tabIndex={0} className={cn("overflow-x-auto px-0.5", heatmap.rounds.length === 1 && "max-w-[520px]")}>
				<table className="heat" style={{ minWidth: `${columns * 24}px` }}>
					<colgroup>
						<col className="w-[202px] max-md:w-[98px]" />
						{head("accuracy").map((cell, index) => (
							<col key={cell.key} className={cn(index === 0 && "md:w-[60px]", narrow !== "accuracy" && "max-md:hidden")} />
						))}
						<col className="w-3.5 max-md:hidden" />
						{head("effectiveness").map((cell, index) => (
							<col key={cell.key} className={cn(index === 0 && "md:w-[60px]", narrow !== "effectiveness" && "max-md:hidden")} />
						))}
					</colgroup>
					<thead>
						<tr className="group">
							<td className="gap" />
							<th colSpan={heatmap.rounds.length} style={{ textAlign: "left" }}>
								<b>{c("accuracy")}</b>
							</th>
							<td className="gap" />
							<th colSpan={heatmap.rounds.length} style={{ textAlign: "left" }}>
								<b>{c("effectiveness")}</b>
							</th>
						</tr>
						<tr>
							<td className="corner" />
							{head("accuracy")}
							<td className="gap" />
							{head("effectiveness")}
						</tr>
					</thead>
					<tbody>
						{all.map((row) => (
							<Row key="all" row={row} strong narrow={narrow} />
						))}
						<tr className="brk">
							<td colSpan={columns} />
						</tr>
						{categories.map((row) => (
							<Row key={row.category} row={row} strong={false} narrow={narrow} />
						))}
					</tbody>
				</table>
			</section>
		</section>
	);
}
