"use client";

import { CircleAlert, CircleCheck } from "lucide-react";
import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { formatInterval, formatPoints } from "@/components/ui/format";
import { SectionHead } from "@/components/ui/page";
import { Table, Td, Th, Tr } from "@/components/ui/table";
import type { GapView, RobustnessRow } from "@/server/evolution/contract";
import { useRoundName } from "./names";
import type { Overview } from "./types";

/** An interval that does not reach zero: variants cost points, and not by chance. */
const costs = ({ avg }: GapView) => avg.low > 0;

/** T1−T2 as one line under the headline: does the agent still follow the harness in other names, words and order? */
export function GapLine({ gap }: { gap: GapView }) {
	const t = useTranslations("evolution.gap");
	const locale = useLocale();
	const roundName = useRoundName();
	const { path } = useWorkspace();
	const Sign = costs(gap) ? CircleAlert : CircleCheck;
	return (
		<p className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5 text-13">
			<Sign className={`size-3.5 self-center ${costs(gap) ? "text-down" : "text-up"}`} aria-hidden />
			<b className="font-semibold">{t("value", { value: formatPoints(gap.avg.value), range: formatInterval(gap.avg.low, gap.avg.high, locale) })}</b>
			<span className="text-ink-2">{t(costs(gap) ? "costs" : "holds", { round: roundName(gap.round) })}</span>
			{gap.heldOut && (
				<span className="text-ink-3">
					{t("heldOut", { value: formatPoints(gap.heldOut.value), range: formatInterval(gap.heldOut.low, gap.heldOut.high, locale) })}
				</span>
			)}
			<Link href={path("runs", gap.runId)} className="link">
				{t("open")}
			</Link>
			{gap.measuring && <span className="text-ink-3">{t("measuring")}</span>}
		</p>
	);
}

const ROWS = ["inside-envelope", "held-out-paraphrases", "tools", "prompts"] as const;

function Figures({ row }: { row: RobustnessRow }) {
	const t = useTranslations("evolution.gap");
	const figures: [string, ReactNode][] = [];
	if (row.suite === "t3-tool") {
		if (row.recovery !== null) figures.push([t("figure.rc"), formatPoints(row.recovery)]);
		if (row.toolRationality !== null) figures.push([t("figure.tc"), formatPoints(row.toolRationality)]);
	}
	if (row.suite === "t3-prompt") {
		if (row.limitsKept !== null) figures.push([t("figure.fi"), formatPoints(row.limitsKept)]);
		if (row.completion !== null) figures.push([t("figure.tco"), formatPoints(row.completion)]);
	}
	return figures.map(([name, value]) => (
		<span key={name} className="mr-3 whitespace-nowrap">
			<span className="text-ink-3">{name}</span> {value}
		</span>
	));
}

/** T2 and T3 of the newest round that has them, each with what it loses against T1 on the same cases. */
export function RobustnessStrip({ overview }: { overview: Overview }) {
	const t = useTranslations("evolution.gap");
	const locale = useLocale();
	const roundName = useRoundName();
	const { path } = useWorkspace();
	const round = overview.rounds.findLast(({ robustness }) => robustness.length > 0);
	if (!round) return null;
	const rows = ROWS.flatMap((name) => round.robustness.find((row) => row.row === name) ?? []);
	return (
		<section className="border-line border-t px-6 pb-5 max-md:px-4">
			<SectionHead title={t("title")} meta={t("meta", { round: roundName(round.name) })} />
			<div className="overflow-x-auto">
				<Table aria-label={t("title")}>
					<thead>
						<tr>
							<Th>{t("column.suite")}</Th>
							<Th numeric>{t("column.avg")}</Th>
							<Th numeric>{t("column.gap")}</Th>
							<Th className="max-md:hidden">{t("column.figures")}</Th>
							<Th>{t("column.run")}</Th>
						</tr>
					</thead>
					<tbody>
						{rows.map((row) => (
							<Tr key={row.row}>
								<Td>{t(`row.${row.row as (typeof ROWS)[number]}`)}</Td>
								<Td numeric>{row.avg ? formatPoints(row.avg.value) : t("running")}</Td>
								<Td numeric>
									{row.gap ? (
										<>
											<b className="font-semibold">{formatPoints(row.gap.value)}</b>{" "}
											<span className="text-11 text-ink-3">{formatInterval(row.gap.low, row.gap.high, locale)}</span>
										</>
									) : (
										"–"
									)}
								</Td>
								<Td className="max-md:hidden">
									<Figures row={row} />
								</Td>
								<Td>
									<Link href={path("runs", row.runId)} className="link">
										R-{row.runNumber}
									</Link>
								</Td>
							</Tr>
						))}
					</tbody>
				</Table>
			</div>
			<p className="mt-2 max-w-[76em] text-12 text-ink-3">{t("reading")}</p>
		</section>
	);
}
