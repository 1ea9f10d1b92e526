import { runRequest } from "./close-round";
import { compareDone, ruleOf } from "./comparisons";
import type { GateResult, HoldoutCounts } from "./contract";
import { evaluateGate, type GateSuite } from "./evaluate-gate";
import { currentGatePolicy, listAcknowledgements } from "./gate.repository";
import type { EvolutionDeps, RunRequest, RunView } from "./ports";
import type { EvolutionRow, RoundRow } from "./rows";

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
 * The gate of a closed round against its reference. `start` queues the runs that are missing (making a release); without it
 * only what is there is read (showing the gate).
 */
export async function assessGate(
	deps: EvolutionDeps,
	input: {
		evolution: EvolutionRow;
		round: RoundRow;
		reference: GateReference;
		start: { requestedById: string } | null;
		holdout: HoldoutCounts | null;
		holdoutReadings: number;
	},
): Promise<GateAssessment> {
	const { evolution, round, reference } = input;
	const policy = await currentGatePolicy(deps.db, evolution.workspaceId);
	const own = await deps.evaluation.findSuiteVersion(evolution.suiteVersionId);
	const harness = { commit: round.headCommit ?? "", treeId: round.treeId ?? "" };
	const rule = ruleOf(policy.content);
	const suites: GateSuite[] = [];
	const used: RunView[] = [];
	const alarms: GateAlarm[] = [];
	for (const [key, standing] of Object.entries(policy.content.suites)) {
		if (standing === "informational") continue;
		const version = key === own?.key ? own : await deps.evaluation.currentSuiteVersion(evolution.workspaceId, key);
		if (!version) continue;
		const find = (h: { commit: string; treeId: string }) => findOrStart(deps, evolution, h, version.id, input.start);
		const [run, base] = [await find(harness), await find(reference)];
		used.push(...[run, base].filter((r): r is RunView => r !== null));
		const comparison = await compareDone(deps, base ?? undefined, run ?? undefined, rule);
		const acknowledged = run && base ? await acknowledgedCategories(deps, evolution, run, base) : [];
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

async function findOrStart(
	deps: EvolutionDeps,
	evolution: EvolutionRow,
	harness: { commit: string; treeId: string },
	suiteVersionId: string,
	start: { requestedById: string } | null,
): Promise<RunView | null> {
	const request: RunRequest = {
		...runRequest(evolution, harness, { split: "test", reason: "release", requestedById: start?.requestedById ?? "" }),
		suiteVersionId,
	};
	return start ? deps.evaluation.ensureRun(request) : deps.evaluation.findEqualRun(request);
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
async function acknowledgedCategories(deps: EvolutionDeps, evolution: EvolutionRow, run: RunView, base: RunView): Promise<string[]> {
	const rows = await listAcknowledgements(deps.db, evolution.workspaceId, [run.id]);
	return rows.filter((row) => row.baseRunId === base.id).map((row) => row.category);
}
