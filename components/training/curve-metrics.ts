import type { LineSeries } from "@/components/charts/line-data";
import type { StageName, TrainingRecord } from "@/server/training/contract";

/** What the two lines of a chart are called: keys under `training.curves.line`. */
type LineName = "t1" | "t2" | "mean" | "std" | "tool" | "reply";

interface Metric {
	/** Key of its name under `training.curves`. */
	key: "loss" | "gradientNorm" | "kl" | "sample" | "accuracy" | "effectiveness" | "skill" | "tool" | "advantage" | "droppedShare" | "clipShare" | "reasoning";
	lines?: readonly [LineName, LineName];
	/** A proportion: drawn and written × 100, as everywhere. */
	share?: true;
	values: (record: TrainingRecord) => readonly (number | null | undefined)[];
}

const loss: Metric = { key: "loss", values: (record) => [record.loss] };
const gradientNorm: Metric = { key: "gradientNorm", values: (record) => [record.gradientNorm] };
const sample: Metric = { key: "sample", share: true, lines: ["t1", "t2"], values: (record) => [record.sample?.t1, record.sample?.t2] };
const reward = (key: "accuracy" | "effectiveness" | "skill" | "tool"): Metric => ({ key, share: true, values: (record) => [record.rewards?.[key]] });

/** Which curves a stage has, in the order of the page. */
export const METRICS: Record<StageName, readonly Metric[]> = {
	sft: [sample, loss, gradientNorm],
	opd: [sample, { key: "kl", values: (record) => [record.kl] }, gradientNorm],
	rl: [
		sample,
		reward("accuracy"),
		reward("effectiveness"),
		reward("skill"),
		reward("tool"),
		{ key: "advantage", lines: ["mean", "std"], values: (record) => [record.advantage?.mean, record.advantage?.std] },
		{ key: "droppedShare", share: true, values: (record) => [record.droppedShare] },
		{ key: "clipShare", share: true, values: (record) => [record.clipShare] },
		loss,
		gradientNorm,
		{ key: "reasoning", lines: ["tool", "reply"], values: (record) => [record.reasoningTokens?.tool, record.reasoningTokens?.reply] },
	],
};

/**
 * The lines of a metric over the records of one stage, in the unit of the screen; values that were not measured leave no point. `start` is what the dev
 * sample scored before the first step.
 */
export function linesOf(metric: Metric, records: readonly TrainingRecord[], start: TrainingRecord["sample"] = null): LineSeries[] {
	const tones = metric.lines ? (["first", "second"] as const) : (["first"] as const);
	return tones.map((tone, index) => ({
		tone,
		points: [
			...(metric.key === "sample" && start ? [[0, index === 0 ? start.t1 : start.t2] as const] : []),
			...records.map((record) => [record.step, metric.values(record)[index]] as const),
		].flatMap(([step, value]) => (typeof value === "number" ? [[step, metric.share ? value * 100 : value] as const] : [])),
	}));
}

/** Whether a policy that does not reason has only zeros to show. */
export const isSilent = (metric: Metric, lines: readonly LineSeries[]): boolean =>
	metric.key === "reasoning" && lines.every(({ points }) => points.every(([, value]) => value === 0));

const COLUMNS = [
	"stage",
	"step",
	"loss",
	"gradientNorm",
	"kl",
	"accuracy",
	"effectiveness",
	"skill",
	"tool",
	"advantageMean",
	"advantageStd",
	"droppedShare",
	"clipShare",
	"reasoningTool",
	"reasoningReply",
	"t1",
	"t2",
] as const;

/** The curves as a table: one row a step. */
export function curveTable(records: readonly TrainingRecord[]): { header: readonly string[]; rows: (string | number | null)[][] } {
	const rows = records.map(({ stage, step, rewards, advantage, reasoningTokens, sample: measured, ...own }) => [
		stage,
		step,
		own.loss,
		own.gradientNorm,
		own.kl,
		...(["accuracy", "effectiveness", "skill", "tool"] as const).map((key) => rewards?.[key] ?? null),
		advantage?.mean ?? null,
		advantage?.std ?? null,
		own.droppedShare,
		own.clipShare,
		reasoningTokens?.tool ?? null,
		reasoningTokens?.reply ?? null,
		measured?.t1 ?? null,
		measured?.t2 ?? null,
	]);
	return { header: COLUMNS, rows };
}
