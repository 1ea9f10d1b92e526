"use client";

import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { formatCount, formatShare } from "@/components/ui/format";
import type { StageName, TrainingRecord, TrainingView } from "@/server/training/contract";
import { isOpen } from "./training-status";

const STAGES = ["sft", "opd", "rl"] as const satisfies readonly StageName[];

interface Step {
	key: string;
	name: string;
	state: "pending" | "now" | "done" | "skipped" | "stopped";
	/** In [0, 1], where it is under way. */
	share: number;
	note: ReactNode;
}

/** What a stage is called under a recipe. */
export function useStageName(recipe: TrainingView["recipe"]): (stage: StageName) => string {
	const t = useTranslations("training.stages");
	return (stage) => (stage === "opd" ? t("opd") : t(`${stage}.${recipe}`));
}

function useSteps(training: TrainingView, records: readonly TrainingRecord[]): Step[] {
	const t = useTranslations("training.stages");
	const locale = useLocale();
	const nameOf = useStageName(training.recipe);
	const { progress, card, status } = training;
	const over = !isOpen(status);
	const planned = progress?.stages ?? [];
	const atWork = over ? ("stopped" as const) : ("now" as const);
	const made = planned.length > 0;
	const data: Step = {
		key: "data",
		name: t("data"),
		state: made ? "done" : progress ? atWork : "pending",
		share: progress ? progress.cases.done / Math.max(1, progress.cases.total) : 0,
		note: card ? t("examples", { examples: formatCount(card.examples), decisions: formatCount(card.decisions) }) : progress ? t("cases", progress.cases) : "",
	};
	const value = (record: TrainingRecord): string => {
		if (record.stage === "rl") return formatShare(record.droppedShare ?? 0, locale, 0);
		return (record.kl ?? record.loss).toFixed(3);
	};
	const stages = STAGES.map((stage): Step => {
		const plan = planned.find((one) => one.stage === stage);
		const last = records.findLast((record) => record.stage === stage);
		const base = { key: stage, name: nameOf(stage), share: plan && last ? last.step / plan.steps : 0 };
		if (made && !plan) return { ...base, state: "skipped", note: "" };
		if (!plan || !last) return { ...base, state: "pending", note: "" };
		const note = t(`state.${stage}`, { value: value(last) });
		if (last.step >= plan.steps) return { ...base, state: "done", note };
		return { ...base, state: atWork, note: `${t("step", { step: last.step, steps: plan.steps })} · ${note}` };
	});
	return [data, ...stages];
}

/** How far a training is: its data, then its stages, each with what it came to. */
export function StageSteps({ training, records }: { training: TrainingView; records: readonly TrainingRecord[] }) {
	const t = useTranslations("training.stages");
	const steps = useSteps(training, records);
	return (
		<ol aria-label={t("label")} className="grid grid-cols-4 gap-x-2.5 gap-y-3 max-md:grid-cols-1">
			{steps.map((step, index) => (
				<li key={step.key} aria-current={step.state === "now" ? "step" : undefined} className="min-w-0 text-12">
					<span aria-hidden className="mb-1.5 flex h-[3px] bg-line">
						<i
							className={cn("block", step.state === "now" ? "bg-accent-mark" : step.state === "done" ? "bg-ink-3" : "bg-unsure")}
							style={{ width: step.state === "done" ? "100%" : step.state === "now" || step.state === "stopped" ? `${step.share * 100}%` : 0 }}
						/>
					</span>
					<b className="font-semibold text-13">
						{index + 1} {step.name}
					</b>{" "}
					<span className={cn(step.state === "done" ? "text-up" : step.state === "stopped" ? "text-unsure" : "text-ink-3")}>
						{step.state !== "now" && t(step.state)}
					</span>
					<span className="block text-ink-2 tabular-nums">{step.note}</span>
				</li>
			))}
		</ol>
	);
}
