import { compareDone, ruleOf } from "./comparisons";
import type { GateResult, HoldoutCounts } from "./contract";
import { evaluateGate, type GateSuite } from "./evaluate-gate";
import { currentGatePolicy, listAcknowledgements } from "./gate.repository";
import type { EvolutionDeps, RunRequest, RunView } from "./ports";
import type { EvolutionRow, RoundRow } from "./rows";

/** What the runs of both sides of a gate have in common. */
export type GateConditions = Pick<EvolutionRow, "workspaceId" | "suiteVersionId" | "judgeVersionId" | "trials" | "seed">;

/** What acts on one side of a gate: a harness under a policy. */
export interface GateSide {
	commit: string;
	treeId: string;
	policyVersionId: string;
}

export interface GateReference {
	/** `v3`, or `base`. */
	name: string;
	commit: string;
	treeId: string;
}

/** A category alarm of the pair that the gate compares; it is acknowledged for exactly this pair. */
export interface GateAlarm {
	suite: string;
	category: string;
	dimension: "accuracy" | "effectiveness";
	fixed: number;
	broken: number;
	cases: number;
	runId: string;
	baseRunId: string;
	acknowledged: boolean;
}

export interface GateAssessment {
	result: GateResult;
	alarms: GateAlarm[];
	against: string;
	/** Runs that the decision rests on. */
	runIds: string[];
	/** Runs that are still under way. */
	running: string[];
}

/** What a round is released against: the last release, else the evolution's baseline. */
export async function gateReference(deps: EvolutionDeps, evolution: EvolutionRow): Promise<GateReference> {
	const last = (await deps.listReleases(evolution.workspaceId)).find((r) => r.current);
	if (last) return { name: last.tag, commit: last.commit, treeId: last.treeId };
	return { name: "base", commit: evolution.baseCommit, treeId: await deps.harness.treeOf(evolution.workspaceId, evolution.baseCommit) };
}

/**
 * The policy that a harness of this evolution would be released with: a checkpoint that is in force stays in force, since
 * only a release of its own changes the policy; else the evolution's.
 */
export async function releasePolicy(deps: EvolutionDeps, evolution: EvolutionRow): Promise<string> {
	const { id } = await deps.registry.currentPolicy(evolution.workspaceId);
	if (id === evolution.policyVersionId) return id;
	const { policy } = await deps.registry.describe({ policyVersionId: id, judgeVersionId: evolution.judgeVersionId });
	return policy.kind === "checkpoint" ? id : evolution.policyVersionId;
}

interface GateStep {
	/** Queues the runs that are missing (making a release); null reads only what is there (showing the gate). */
	start: { requestedById: string } | null;
	holdout: HoldoutCounts | null;
	holdoutReadings: number;
}

/** The gate of a closed round against its reference. */
export async function assessGate(
	deps: EvolutionDeps,
	input: GateStep & { evolution: EvolutionRow; round: RoundRow; reference: GateReference },
): Promise<GateAssessment> {
	const { evolution, round, reference, ...step } = input;
	const policyVersionId = await releasePolicy(deps, evolution);
	const candidate = { commit: round.headCommit ?? "", treeId: round.treeId ?? "", policyVersionId };
	return assessPair(deps, { conditions: evolution, candidate, reference: { ...reference, policyVersionId }, ...step });
}

/** The gate of one harness and policy against another, by the workspace's gate policy. */
export async function assessPair(
	deps: EvolutionDeps,
	input: GateStep & { conditions: GateConditions; candidate: GateSide; reference: GateSide & { name: string } },
): Promise<GateAssessment> {
	const { conditions, candidate, reference } = input;
	const { workspaceId } = conditions;
	const policy = await currentGatePolicy(deps.db, workspaceId);
	const own = await deps.evaluation.findSuiteVersion(conditions.suiteVersionId);
	const rule = ruleOf(policy.content);
	const suites: GateSuite[] = [];
	const used: RunView[] = [];
	const alarms: GateAlarm[] = [];
	for (const [key, standing] of Object.entries(policy.content.suites)) {
		if (standing === "informational") continue;
		const version = key === own?.key ? own : await deps.evaluation.currentSuiteVersion(workspaceId, key);
		if (!version) continue;
		const find = (side: GateSide) => findOrStart(deps, { ...conditions, suiteVersionId: version.id }, side, input.start);
		const [run, base] = [await find(candidate), await find(reference)];
		used.push(...[run, base].filter((r): r is RunView => r !== null));
		const comparison = await compareDone(deps, base ?? undefined, run ?? undefined, rule);
		const acknowledged = run && base ? await acknowledgedCategories(deps, workspaceId, run, base) : [];
		for (const alarm of comparison?.alarms ?? [])
			alarms.push({ ...alarm, suite: key, runId: run?.id ?? "", baseRunId: base?.id ?? "", acknowledged: acknowledged.includes(alarm.category) });
		suites.push({ key, state: stateOf(run, base), coverage: coverageOf(run, base), noise: run?.summary?.noise ?? null, comparison, acknowledged });
	}
	const result = evaluateGate({
		policy: policy.content,
		policyVersion: policy.version,
		suites,
		holdout: input.holdout,
		holdoutReadings: input.holdoutReadings,
	});
	return {
		result,
		alarms,
		against: reference.name,
		runIds: [...new Set(used.map((r) => r.id))],
		running: [...new Set(used.filter((r) => r.status !== "done").map((r) => r.id))],
	};
}

async function findOrStart(deps: EvolutionDeps, conditions: GateConditions, side: GateSide, start: { requestedById: string } | null): Promise<RunView | null> {
	const request = pairRequest(conditions, side, { split: "test", reason: "release", requestedById: start?.requestedById ?? "" });
	return start ? deps.evaluation.ensureRun(request) : deps.evaluation.findEqualRun(request);
}

/** The request for a run of one side. */
export function pairRequest(
	{ workspaceId, suiteVersionId, judgeVersionId, trials, seed }: GateConditions,
	{ commit, treeId, policyVersionId }: GateSide,
	rest: Pick<RunRequest, "split" | "reason" | "requestedById">,
): RunRequest {
	return { workspaceId, suiteVersionId, judgeVersionId, trials, seed, commit, treeId, policyVersionId, ...rest };
}

function stateOf(run: RunView | null, base: RunView | null): GateSuite["state"] {
	if (!run) return "none";
	if (run.status !== "done") return "running";
	return base && base.status !== "done" ? "running" : "done";
}

/** The lower of the two: a comparison is as good as its worse half. */
function coverageOf(run: RunView | null, base: RunView | null): number | null {
	const known = [run?.summary?.coverage, base?.summary?.coverage].filter((c): c is number => c !== undefined);
	return known.length === 0 ? null : Math.min(...known);
}

/** Alarms of exactly this pair of runs that a reviewer acknowledged. */
async function acknowledgedCategories(deps: EvolutionDeps, workspaceId: string, run: RunView, base: RunView): Promise<string[]> {
	const rows = await listAcknowledgements(deps.db, workspaceId, [run.id]);
	return rows.filter((row) => row.baseRunId === base.id).map((row) => row.category);
}
