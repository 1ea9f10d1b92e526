import { LRUCache } from "lru-cache";
import type { Comparison } from "@/server/evaluation/contract";
import { canonicalJson } from "@/server/kernel/hash";
import type { GatePolicy } from "./contract";
import type { RoundComparison } from "./early-stop-state";
import { currentGatePolicy } from "./gate.repository";
import type { ComparisonDigest, RoundScores } from "./overview.contract";
import type { ComparisonRule, EvolutionDeps, RunView } from "./ports";

/** A run changes after its end only by retried errors, which end it anew; between two ends a comparison stays as it is. */
const cache = new LRUCache<string, Comparison>({ max: 300 });

export const ruleOf = (policy: GatePolicy): ComparisonRule => ({
	deltaPoints: policy.deltaPoints,
	marginPoints: policy.marginPoints,
	alpha: policy.alpha,
	alarmMinNet: policy.alarmMinNet,
	alarmMinShare: policy.alarmMinShare,
});

/** The comparison of two runs under the workspace's rule; null where one is not done. */
export async function compareDone(deps: EvolutionDeps, base: RunView | undefined, run: RunView | undefined, rule: ComparisonRule): Promise<Comparison | null> {
	if (base?.status !== "done" || run?.status !== "done") return null;
	const ended = ({ id, finishedAt }: RunView) => `${id}@${finishedAt?.getTime()}`;
	const key = `${ended(base)}/${ended(run)}/${canonicalJson(rule)}`;
	const known = cache.get(key);
	if (known) return known;
	const comparison = await deps.evaluation.compare(base.id, run.id, rule);
	cache.set(key, comparison);
	return comparison;
}

/** The comparison of two runs by id under the rule in force; null where one is not done or not known. */
export async function compareRuns(deps: EvolutionDeps, workspaceId: string, baseRunId: string | null, runId: string | null): Promise<Comparison | null> {
	const runs = await findRunMap(deps, [baseRunId, runId]);
	return compareDone(deps, runs.get(baseRunId ?? ""), runs.get(runId ?? ""), ruleOf((await currentGatePolicy(deps.db, workspaceId)).content));
}

/** Runs by id. */
export async function findRunMap(deps: EvolutionDeps, ids: readonly (string | null | undefined)[]): Promise<Map<string, RunView>> {
	const wanted = [...new Set(ids.filter((id): id is string => typeof id === "string"))];
	if (wanted.length === 0) return new Map();
	return new Map((await deps.evaluation.findRuns(wanted)).map((run) => [run.id, run]));
}

export function toRoundComparison(comparison: Comparison): RoundComparison {
	const pick = (d: "accuracy" | "effectiveness") => {
		const { verdict, delta, nonInferior } = comparison.dimensions[d];
		return { verdict, delta, nonInferior };
	};
	return { accuracy: pick("accuracy"), effectiveness: pick("effectiveness"), avgDelta: comparison.avgDelta };
}

/** A comparison in digest, named after what it is compared with. */
export function toDigest(comparison: Comparison, against: string): ComparisonDigest {
	const pick = (d: "accuracy" | "effectiveness") => {
		const { delta, low, high, p, verdict } = comparison.dimensions[d];
		return { delta, low, high, p, verdict };
	};
	const { accuracy, effectiveness } = comparison.dimensions;
	return {
		against,
		baseRunId: comparison.baseRunId,
		runId: comparison.runId,
		accuracy: pick("accuracy"),
		effectiveness: pick("effectiveness"),
		avgDelta: comparison.avgDelta,
		...(comparison.avgInterval ? { avgInterval: comparison.avgInterval } : {}),
		fixed: new Set([...accuracy.fixed, ...effectiveness.fixed]).size,
		broken: new Set([...accuracy.broken, ...effectiveness.broken]).size,
	};
}

export function toScores(run: RunView): RoundScores {
	const { summary } = run;
	return {
		runId: run.id,
		runNumber: run.number,
		status: run.status,
		done: run.done,
		planned: run.planned,
		cases: summary?.cases ?? null,
		coverage: summary?.coverage ?? null,
		standing: summary?.standing ?? null,
		accuracy: summary?.accuracy ?? null,
		effectiveness: summary?.effectiveness ?? null,
		avg: summary?.avg ?? null,
		noise: summary?.noise ?? null,
	};
}
