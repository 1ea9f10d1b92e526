import type { Interval } from "@/server/evaluation/contract";
import { findRunMap } from "./comparisons";
import * as repository from "./evolution.repository";
import type { EvolutionDeps, RunView } from "./ports";
import { listProposals } from "./proposal.repository";
import { headOf } from "./require-evolution";
import { type EvolutionRow, lastRevisionOf, type ProposalRow, type RoundRow } from "./rows";

/** What editing has come to in a campaign: what it gains, what it costs, and what it could not mend. */
export interface EditRecord {
	evolutionId: string;
	title: string;
	status: EvolutionRow["status"];
	head: { commit: string; treeId: string };
	earlyStop: { strikes: number; stale: number; patience: number; stopped: boolean };
	/** Closed rounds in order, the baseline first; AVG on test, null where it was not measured. */
	rounds: { index: number; avg: number | null; closedAt: Date | null; testRunId: string | null }[];
	/** Over the last rounds; null before a round was closed. */
	edits: {
		rounds: number;
		landings: number;
		/** AVG on test at the end minus AVG before, per landing; paired by case. */
		gain: Interval;
		/** Episodes and time that evaluating these edits took, evidence and closings together. */
		episodes: number;
		wallMs: number;
	} | null;
	/** Failures on dev at the last closing, and those that at least `attempts` proposals meant to mend. Null without a dev run. */
	stuck: { failures: number; stuck: number; attempts: number } | null;
}

/** Runs that edits caused: each once. */
async function costOf(deps: EvolutionDeps, rounds: readonly RoundRow[], proposals: readonly ProposalRow[]): Promise<{ episodes: number; wallMs: number }> {
	const ids = [
		...rounds.flatMap((round) => [round.devRunId, round.testRunId, ...round.regressionRunIds, ...round.variantRunIds]),
		...proposals.map((proposal) => lastRevisionOf(proposal)?.devRunId),
	];
	const runs = [...(await findRunMap(deps, ids)).values()];
	return {
		episodes: runs.reduce((sum, run) => sum + run.done, 0),
		wallMs: runs.reduce((sum, run) => sum + (run.summary?.wallMs ?? 0), 0),
	};
}

async function describeEdits(
	deps: EvolutionDeps,
	closed: readonly RoundRow[],
	proposals: readonly ProposalRow[],
	window: number,
): Promise<EditRecord["edits"]> {
	const last = closed.filter((round) => round.index > 0).slice(-window);
	const [first, end] = [last[0], last.at(-1)];
	const before = first && closed.find((round) => round.index === first.index - 1);
	if (!before?.testRunId || !end?.testRunId) return null;
	const runs = await findRunMap(deps, [before.testRunId, end.testRunId]);
	if ([...runs.values()].some((run: RunView) => run.status !== "done") || runs.size === 0) return null;
	const own = proposals.filter((proposal) => last.some((round) => round.id === proposal.roundId));
	const landings = own.filter((proposal) => proposal.status === "landed").length;
	if (landings === 0) return null;
	// What the earlier point loses against the later one, turned around: the gain of the later.
	const { avg } = await deps.evaluation.gap(before.testRunId, end.testRunId);
	const gain = { value: -avg.value / landings, low: -avg.high / landings, high: -avg.low / landings };
	return { rounds: last.length, landings, gain, ...(await costOf(deps, last, own)) };
}

/** Failures of the newest dev run of a closing, and how many of them proposals have meant to mend again and again. */
async function describeStuck(
	deps: EvolutionDeps,
	closed: readonly RoundRow[],
	proposals: readonly ProposalRow[],
	attempts: number,
): Promise<EditRecord["stuck"]> {
	const devRunId = closed.findLast((round) => round.index > 0)?.devRunId;
	if (!devRunId || (await findRunMap(deps, [devRunId])).get(devRunId)?.status !== "done") return null;
	const failed = [...new Set((await deps.evaluation.readFailures(devRunId)).map(({ caseId }) => caseId))];
	const tried = new Map<string, number>();
	for (const proposal of proposals) {
		if (proposal.status === "draft") continue;
		for (const id of new Set(lastRevisionOf(proposal)?.manifest.predictedFixes ?? [])) tried.set(id, (tried.get(id) ?? 0) + 1);
	}
	return { failures: failed.length, stuck: failed.filter((id) => (tried.get(id) ?? 0) >= attempts).length, attempts };
}

/**
 * The record of the newest evolution under the policy in force, since edits gain for whom they were tried with; of the newest
 * where no evolution has that policy, null where there is none. `rounds` and `attempts` are the caller's rule.
 */
export async function readEditRecord(deps: EvolutionDeps, input: { workspaceId: string; rounds: number; attempts: number }): Promise<EditRecord | null> {
	const [evolutions, inForce] = await Promise.all([repository.listEvolutions(deps.db, input.workspaceId), deps.registry.currentPolicy(input.workspaceId)]);
	const evolution = evolutions.find(({ policyVersionId }) => policyVersionId === inForce.id) ?? evolutions[0];
	if (!evolution) return null;
	const [rounds, proposals, commit] = await Promise.all([
		repository.listRounds(deps.db, evolution.id),
		listProposals(deps.db, input.workspaceId, { evolutionId: evolution.id }),
		headOf(deps, evolution),
	]);
	const closed = rounds.filter((round) => round.status === "closed");
	const runs = await findRunMap(
		deps,
		closed.map((round) => round.testRunId),
	);
	const standing = closed.findLast((round) => round.standing)?.standing;
	return {
		evolutionId: evolution.id,
		title: evolution.title,
		status: evolution.status,
		head: { commit, treeId: await deps.harness.treeOf(input.workspaceId, commit) },
		earlyStop: {
			strikes: standing?.strikes ?? 0,
			stale: standing?.stale ?? 0,
			patience: evolution.patience,
			stopped: evolution.status === "stopped",
		},
		rounds: closed.map(({ index, closedAt, testRunId }) => ({
			index,
			avg: runs.get(testRunId ?? "")?.summary?.avg.value ?? null,
			closedAt,
			testRunId,
		})),
		edits: await describeEdits(deps, closed, proposals, input.rounds),
		stuck: await describeStuck(deps, closed, proposals, input.attempts),
	};
}
