"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useMemo, useState } from "react";
import { LineChart } from "@/components/charts/line-chart";
import { formatPoints, shortId } from "@/components/ui/format";
import { SectionHead } from "@/components/ui/page";
import type { StageName, TrainingRecord, TrainingView } from "@/server/training/contract";
import { isSilent, linesOf, METRICS } from "./curve-metrics";
import { useStageName } from "./stage-steps";

/** What is smaller is the rounding of 0. */
const NOTHING = 1e-9;

function number(exact: number): string {
	const value = Math.abs(exact) < NOTHING ? 0 : exact;
	const text = value !== 0 && Math.abs(value) < 0.01 ? value.toExponential(1) : value.toFixed(3);
	return text.replaceAll("-", "\u2212");
}

const STAGES = ["sft", "opd", "rl"] as const satisfies readonly StageName[];
const whole = (value: number): string => value.toFixed(0);
const points = (value: number): string => formatPoints(value / 100);

interface StageCurvesProps {
	stage: StageName;
	name: string;
	records: readonly TrainingRecord[];
	steps: number;
	/** What the dev sample scored before the first step; of the first stage. */
	start: TrainingRecord["sample"];
}

function StageCurves({ stage, name, records, steps, start }: StageCurvesProps) {
	const t = useTranslations("training.curves");
	const [at, setAt] = useState<number | null>(null);
	const charts = useMemo(() => METRICS[stage].map((metric) => ({ metric, lines: linesOf(metric, records, start) })), [stage, records, start]);
	const shown = charts.filter(({ metric, lines }) => !isSilent(metric, lines));
	return (
		<section className="border-line border-t pb-4">
			<SectionHead title={t("title", { stage: name })} meta={at === null ? t("meta") : t("atStep", { step: at })} />
			<div className="grid grid-cols-4 gap-x-6 gap-y-4 max-md:grid-cols-1 max-xl:grid-cols-2">
				{shown.map(({ metric, lines }) => {
					const format = metric.key === "reasoning" ? whole : metric.share ? points : number;
					const newest = lines[0]?.points.at(-1)?.[1];
					const title = t(metric.key);
					return (
						<LineChart
							key={metric.key}
							title={title}
							{...(metric.lines ? { names: metric.lines.map((line) => t(`line.${line}`)) } : {})}
							series={lines}
							xMax={steps}
							at={at}
							onPoint={setAt}
							format={format}
							spoken={t("spoken", { name: title, count: lines[0]?.points.length ?? 0, value: newest === undefined ? "–" : format(newest) })}
						/>
					);
				})}
			</div>
			{shown.length < charts.length && <p className="mt-3 text-12 text-ink-3">{t("noReasoning")}</p>}
		</section>
	);
}

/** Who scores what the curves show, and why it is not who scores runs: with the names of both versions once the data is made. */
function ScoredBy({ card }: { card: TrainingView["card"] }) {
	const t = useTranslations("training.curves");
	const bold = (chunks: ReactNode) => <b className="font-semibold text-ink">{chunks}</b>;
	return (
		<p className="max-w-[72em] border-line border-t py-2.5 text-12 text-ink-2">
			{card ? t.rich("scoredBy", { reward: shortId(card.rewardJudge), evaluation: card.evaluationJudge, b: bold }) : t.rich("scoredByUnnamed", { b: bold })}{" "}
			{t("scoredWhy")}
		</p>
	);
}

/** The curves of every stage that has begun, the newest stage first. */
export function Curves({ training, records }: { training: TrainingView; records: readonly TrainingRecord[] }) {
	const t = useTranslations("training.curves");
	const nameOf = useStageName(training.recipe);
	const stages = training.progress?.stages ?? [];
	const byStage = useMemo(() => new Map(STAGES.map((stage) => [stage, records.filter((record) => record.stage === stage)])), [records]);
	const start = training.progress?.start ?? null;
	const begun = stages.filter(({ stage }) => (byStage.get(stage) ?? []).length > 0).toReversed();
	if (begun.length === 0)
		return (
			<>
				<ScoredBy card={training.card} />
				{start && <StageCurves stage="sft" name={nameOf("sft")} records={[]} steps={1} start={start} />}
				<p className="border-line border-t py-3 text-13 text-ink-2">{t("waiting")}</p>
			</>
		);
	return (
		<>
			<ScoredBy card={training.card} />
			{begun.map(({ stage, steps }) => (
				<StageCurves
					key={stage}
					stage={stage}
					name={nameOf(stage)}
					records={byStage.get(stage) ?? []}
					steps={steps}
					start={stage === stages[0]?.stage ? start : null}
				/>
			))}
			<p className="border-line border-t py-2 text-12 text-ink-3">{t("keepBest")}</p>
		</>
	);
}
