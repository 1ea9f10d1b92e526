import type { DatabaseOrTransaction } from "@/server/db/client";
import { emitEvent, recordAudit } from "@/server/workspace";
import { type Actor, SERVICE_ACTORS } from "@/server/workspace/contract";
import { compareDone, findRunMap, ruleOf, toRoundComparison } from "./comparisons";
import { roundName } from "./early-stop-state";
import { errors } from "./errors";
import * as repository from "./evolution.repository";
import { currentGatePolicy } from "./gate.repository";
import { judgeRound, stateBefore } from "./judge-round";
import { reconcileLandings } from "./land-proposal";
import { ROW_VARIANTS, withoutCases } from "./measure-pair";
import type { EvolutionDeps, RunRequest, RunView } from "./ports";
import { listProposals } from "./proposal.repository";
import { headOf } from "./require-evolution";
import type { EvolutionRow, RoundRow } from "./rows";

const LOCK_MS = 30_000;

/**
 * Closes the open round at the head of the branch and opens the next one. Its runs are queued by the rule
 * `closing-regression`, which follows the event; its standing comes when they are done.
 */
export async function closeRound(deps: EvolutionDeps, input: { workspaceId: string; roundId: string; actor: Actor; unattended?: boolean }): Promise<void> {
	const { workspaceId, roundId, actor } = input;
	const found = await repository.findRound(deps.db, workspaceId, roundId);
	if (!found) throw errors.roundUnknown();
	await reconcileLandings(deps, workspaceId, found.evolutionId);
	await deps.db.$transaction(
		async (tx) => {
			const evolution = await repository.lockEvolution(tx, found.evolutionId);
			const round = await repository.getRound(tx, roundId);
			if (evolution.status === "closed") throw errors.evolutionClosed();
			if (round.status !== "open") throw errors.roundNotOpen(round.status);
			const landed = await listProposals(tx, workspaceId, { roundId, status: ["landed"] });
			if (landed.length === 0) throw errors.roundEmpty();
			const headCommit = await headOf(deps, evolution);
			const treeId = await deps.harness.treeOf(workspaceId, headCommit);
			await repository.updateRound(tx, roundId, {
				status: "closing",
				headCommit,
				treeId,
				closedById: actor.id,
				unattended: input.unattended ?? false,
			});
			await repository.insertRound(tx, evolution.id, round.index + 1);
			await emitEvent(tx, workspaceId, { type: "round.closed", roundId, evolutionId: evolution.id, commit: headCommit });
			await recordAudit(tx, {
				workspaceId,
				actor,
				action: "round.close",
				subject: `${evolution.branch} ${roundName(round.index)} at ${headCommit.slice(0, 10)}`,
				detail: { proposals: landed.map((p) => p.number), unattended: input.unattended ?? false },
			});
		},
		{ timeout: LOCK_MS },
	);
	await deps.publish(`evolution:${workspaceId}`);
}

/** The request for one run of an evolution: everything but harness, split and reason is the evolution's own. */
export function runRequest(
	evolution: EvolutionRow,
	harness: { commit: string; treeId: string },
	rest: Pick<RunRequest, "split" | "reason" | "requestedById">,
): RunRequest {
	return {
		workspaceId: evolution.workspaceId,
		suiteVersionId: evolution.suiteVersionId,
		policyVersionId: evolution.policyVersionId,
		judgeVersionId: evolution.judgeVersionId,
		trials: evolution.trials,
		seed: evolution.seed,
		...harness,
		...rest,
	};
}

/** Suites of the gate policy besides the evolution's own, in their newest versions. */
async function regressionSuites(deps: EvolutionDeps, evolution: EvolutionRow): Promise<{ id: string; key: string }[]> {
	const { content } = await currentGatePolicy(deps.db, evolution.workspaceId);
	const own = await deps.evaluation.findSuiteVersion(evolution.suiteVersionId);
	const keys = Object.entries(content.suites).filter(([key, standing]) => key !== own?.key && standing !== "informational");
	const versions = await Promise.all(keys.map(([key]) => deps.evaluation.currentSuiteVersion(evolution.workspaceId, key)));
	return versions.flatMap((v) => (v ? [v] : []));
}

/** Queues (or finds) the runs of a round that is being closed: dev, test and the regression suites. Safe to repeat. */
export async function evaluateRound(deps: EvolutionDeps, roundId: string, requestedById: string): Promise<void> {
	const round = await repository.getRound(deps.db, roundId);
	if (round.status !== "closing" || !round.headCommit || !round.treeId) return;
	const evolution = await repository.getEvolution(deps.db, round.evolutionId);
	const harness = { commit: round.headCommit, treeId: round.treeId };
	const reason = round.index === 0 ? ("baseline" as const) : ("round" as const);
	const dev = await deps.evaluation.ensureRun(runRequest(evolution, harness, { split: "dev", reason, requestedById }));
	const test = await deps.evaluation.ensureRun(runRequest(evolution, harness, { split: "test", reason, requestedById }));
	const others: string[] = [];
	for (const suite of await regressionSuites(deps, evolution)) {
		const request = { ...runRequest(evolution, harness, { split: "test", reason, requestedById }), suiteVersionId: suite.id };
		// A suite without a test case stops no round: the gate says that it has no run.
		const run = await deps.evaluation.ensureRun(request).catch(withoutCases);
		if (run) others.push(run.id);
	}
	const variantRunIds = round.index === 0 ? [] : await startVariants(deps, evolution, harness, requestedById);
	await repository.updateRound(deps.db, roundId, { devRunId: dev.id, testRunId: test.id, regressionRunIds: others, variantRunIds });
	await deps.publish(`evolution:${evolution.workspaceId}`);
	await settleRounds(deps, evolution.id);
}

/**
 * T2 and T3 of a round: how much of what `test` shows is left in other names, words and order, and when tools fail. They
 * come after the runs that the standing waits for. The baseline does without: a newcomer's first point should not wait.
 */
async function startVariants(
	deps: EvolutionDeps,
	evolution: EvolutionRow,
	harness: { commit: string; treeId: string },
	requestedById: string,
): Promise<string[]> {
	const ids: string[] = [];
	for (const { plan } of await deps.evaluation.planVariants(evolution.workspaceId, evolution.seed)) {
		const request = { ...runRequest(evolution, harness, { split: "test", reason: "round", requestedById }), trials: ROW_VARIANTS, variants: plan };
		const run = await deps.evaluation.ensureRun(request).catch(withoutCases);
		if (run) ids.push(run.id);
	}
	return ids;
}

const usable = (run: RunView | undefined) => run?.summary?.standing !== undefined && run.summary.standing !== "indecisive";

/** Gives every round whose runs are done its standing, in order; stops the evolution where the rule says so. Safe to repeat. */
export async function settleRounds(deps: EvolutionDeps, evolutionId: string): Promise<void> {
	for (;;) {
		const rounds = await repository.listRounds(deps.db, evolutionId);
		const next = rounds.find((r) => r.status === "closing");
		if (!next || !(await settleRound(deps, evolutionId, next, rounds))) return;
	}
}

async function settleRound(deps: EvolutionDeps, evolutionId: string, round: RoundRow, rounds: RoundRow[]): Promise<boolean> {
	const evolution = await repository.getEvolution(deps.db, evolutionId);
	const runs = await findRunMap(deps, [round.devRunId, round.testRunId, ...round.regressionRunIds, ...rounds.map((r) => r.testRunId)]);
	const waiting = [round.devRunId, round.testRunId, ...round.regressionRunIds].map((id) => (id ? runs.get(id) : undefined));
	if (waiting.some((run) => run?.status !== "done")) return false;
	const { content: policy } = await currentGatePolicy(deps.db, evolution.workspaceId);
	const before = stateBefore(rounds, evolution.reopenings, round.index);
	const runOf = (index: number) => runs.get(rounds.find((r) => r.index === index)?.testRunId ?? "");
	const compareWith = async (index: number) => {
		if (round.index === 0 || !usable(runOf(index)) || !usable(runOf(round.index))) return null;
		const comparison = await compareDone(deps, runOf(index), runOf(round.index), ruleOf(policy));
		return comparison && comparison.invalid === null ? toRoundComparison(comparison) : null;
	};
	const standing = judgeRound({
		index: round.index,
		before,
		againstBaseline: await compareWith(0),
		againstAnchor: await compareWith(before.anchor),
		policy,
		patience: evolution.patience,
	});
	const sparse = standing.stopped && round.testRunId ? await deps.evaluation.countSparse(round.testRunId) : null;
	const changed = await deps.db.$transaction(async (tx) => {
		const current = await repository.lockEvolution(tx, evolutionId);
		if ((await repository.getRound(tx, round.id)).status !== "closing") return false;
		await repository.updateRound(tx, round.id, { status: "closed", standing, closedAt: deps.clock.now() });
		if (standing.stopped && current.status === "active") await stop(deps, tx, current, round.index, standing, sparse);
		return true;
	});
	await deps.publish(`evolution:${evolution.workspaceId}`);
	return changed;
}

async function stop(
	deps: EvolutionDeps,
	tx: DatabaseOrTransaction,
	evolution: EvolutionRow,
	afterRound: number,
	standing: { strikes: number; stale: number },
	sparse: { alone: number; failures: number } | null,
): Promise<void> {
	const { strikes, stale } = standing;
	await repository.updateEvolution(tx, evolution.id, {
		status: "stopped",
		stoppedAt: deps.clock.now(),
		stoppedAfter: afterRound,
		stopReason: { afterRound, strikes, stale, sparse },
	});
	await emitEvent(tx, evolution.workspaceId, { type: "evolution.stopped", evolutionId: evolution.id });
	await recordAudit(tx, {
		workspaceId: evolution.workspaceId,
		actor: SERVICE_ACTORS.system,
		action: "evolution.stop",
		subject: `${evolution.branch} after ${roundName(afterRound)}`,
		reason: `${strikes} strike(s) and ${stale} stale round(s) reach the patience of ${evolution.patience}`,
	});
}
