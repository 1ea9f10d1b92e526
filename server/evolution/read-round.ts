import { isAllowed, type Role } from "@/server/auth/contract";
import { compareDone, findRunMap, ruleOf, toDigest, toScores } from "./comparisons";
import { roundName } from "./early-stop-state";
import { errors } from "./errors";
import * as repository from "./evolution.repository";
import { listFindings } from "./finding.repository";
import { currentGatePolicy, listAcknowledgements } from "./gate.repository";
import { stateBefore } from "./judge-round";
import { isStalled, landedOf, personOf, releaseOf, somebody } from "./overview-facts";
import type { EvolutionDeps } from "./ports";
import { comparePrediction } from "./predict";
import { listProposals } from "./proposal.repository";
import { readProposals } from "./read-proposal";
import type { EvolutionRow, ProposalRow, RoundRow } from "./rows";
import { lastRevision } from "./save-proposal";
import type { RoundDetail } from "./views.contract";

/** A round with its five steps: what was diagnosed, confirmed, edited, evaluated and checked, by whom and when. */
export async function readRound(
	deps: EvolutionDeps,
	input: { workspaceId: string; round: string; evolutionId?: string; viewer: { roles: readonly Role[] } },
): Promise<RoundDetail> {
	const { workspaceId } = input;
	const found = await findRound(deps, input);
	const evolution = await repository.getEvolution(deps.db, found.evolutionId);
	const rounds = await repository.listRounds(deps.db, evolution.id);
	const [rows, summaries, findings, releases] = await Promise.all([
		listProposals(deps.db, workspaceId, { roundId: found.id }),
		readProposals(deps, { workspaceId, roundId: found.id }),
		listFindings(deps.db, { roundId: found.id, status: ["proposed", "accepted", "modified", "rejected", "addressed"] }),
		deps.listReleases(workspaceId),
	]);
	const decided = findings.filter((f) => f.decidedById !== null);
	const askers = await repository.listRequesters(deps.db, [...new Set(findings.flatMap((f) => f.taskId ?? []))]);
	const people = await deps.people([
		...new Set([
			found.closedById ?? "",
			...askers,
			...releases.map((r) => r.createdById),
			...decided.flatMap((f) => f.decidedById ?? []),
			...rows.flatMap((p) => p.landedById ?? []),
		]),
	]);
	const scores = await roundScores(deps, evolution, found, rounds);
	const before = rounds.find((r) => r.index === found.index - 1);
	return {
		id: found.id,
		index: found.index,
		name: roundName(found.index),
		status: found.status,
		evolution: { id: evolution.id, slug: evolution.slug, title: evolution.title, status: evolution.status },
		commit: found.headCommit,
		baseCommit: before?.headCommit ?? evolution.baseCommit,
		openedAt: found.openedAt,
		closedAt: found.closedAt,
		closedBy: personOf(people, found.closedById),
		unattended: found.unattended,
		standing: found.standing,
		...scores,
		findings: {
			runId: findings[0]?.runId ?? null,
			at: findings[0]?.createdAt ?? null,
			diagnosedBy: askers.map((id) => somebody(people, id)),
			proposed: findings.filter((f) => f.status === "proposed").length,
			accepted: findings.filter((f) => ["accepted", "modified", "addressed"].includes(f.status)).length,
			rejected: findings.filter((f) => f.status === "rejected").length,
			decidedBy: [...new Set(decided.flatMap((f) => f.decidedById ?? []))].map((id) => somebody(people, id)),
			lastDecidedAt: decided.map((f) => f.decidedAt).sort((a, b) => Number(b) - Number(a))[0] ?? null,
		},
		proposals: summaries,
		landed: rows.filter((p) => p.status === "landed").map((p) => landedOf(p, { people })),
		release: releaseOf(found, releases, people),
		prediction: await sumPredictions(deps, workspaceId, rows),
		may: mayDo(evolution, found, rows, input.viewer.roles),
	};
}

async function findRound(deps: EvolutionDeps, input: { workspaceId: string; round: string; evolutionId?: string }): Promise<RoundRow> {
	const direct = await repository.findRound(deps.db, input.workspaceId, input.round);
	if (direct) return direct;
	const index = Number(/^(?:evo\.?)?(\d{1,4})$/i.exec(input.round === "base" ? "0" : input.round)?.[1] ?? Number.NaN);
	const all = await repository.listEvolutions(deps.db, input.workspaceId);
	const evolution = input.evolutionId ? all.find((e) => e.id === input.evolutionId || e.slug === input.evolutionId) : all[0];
	const round = evolution && (await repository.listRounds(deps.db, evolution.id)).find((r) => r.index === index);
	if (!round) throw errors.roundUnknown();
	return round;
}

async function roundScores(deps: EvolutionDeps, evolution: EvolutionRow, round: RoundRow, rounds: RoundRow[]) {
	const policy = await currentGatePolicy(deps.db, evolution.workspaceId);
	const anchor = stateBefore(rounds, evolution.reopenings, round.index).anchor;
	const testId = (index: number) => rounds.find((r) => r.index === index)?.testRunId ?? null;
	const runs = await findRunMap(deps, [round.devRunId, round.testRunId, ...round.regressionRunIds, testId(0), testId(anchor)]);
	const runOf = (id: string | null) => (id ? runs.get(id) : undefined);
	const compare = async (index: number) => (round.index === 0 ? null : compareDone(deps, runOf(testId(index)), runOf(round.testRunId), ruleOf(policy.content)));
	const [base, against] = [await compare(0), await compare(anchor)];
	const acknowledged = await listAcknowledgements(deps.db, evolution.workspaceId, round.testRunId ? [round.testRunId] : []);
	const people = await deps.people(acknowledged.map((a) => a.userId));
	const [dev, test] = [runOf(round.devRunId), runOf(round.testRunId)];
	return {
		stalled: isStalled(round, runs),
		dev: dev ? toScores(dev) : null,
		test: test ? toScores(test) : null,
		regression: round.regressionRunIds.flatMap((id) => {
			const run = runs.get(id);
			return run ? [{ suiteKey: run.suiteKey, runId: id, status: run.status }] : [];
		}),
		againstBaseline: base && toDigest(base, "base"),
		againstAnchor: against && toDigest(against, roundName(anchor)),
		alarms: (against?.alarms ?? []).map((alarm) => {
			const row = acknowledged.find((a) => a.baseRunId === against?.baseRunId && a.category === alarm.category);
			return {
				...alarm,
				runId: against?.runId ?? "",
				baseRunId: against?.baseRunId ?? "",
				acknowledged: row ? { by: somebody(people, row.userId), reason: row.reason, at: row.createdAt } : null,
			};
		}),
	};
}

async function sumPredictions(deps: EvolutionDeps, workspaceId: string, rows: readonly ProposalRow[]): Promise<RoundDetail["prediction"]> {
	const landed = rows.filter((p) => p.status === "landed");
	if (landed.length === 0) return null;
	const policy = await currentGatePolicy(deps.db, workspaceId);
	const total = { predictedFixes: 0, happened: 0, predictedBreaks: 0, happenedBreaks: 0, surpriseBreaks: 0 };
	for (const proposal of landed) {
		const revision = lastRevision(proposal);
		const runs = await findRunMap(deps, [revision.devRunId, revision.baseRunId]);
		const comparison = await compareDone(deps, runs.get(revision.baseRunId ?? ""), runs.get(revision.devRunId ?? ""), ruleOf(policy.content));
		if (!comparison) continue;
		const { fixes, breaks } = comparePrediction(revision.manifest, comparison);
		total.predictedFixes += revision.manifest.predictedFixes.length;
		total.happened += fixes.happened.length;
		total.predictedBreaks += revision.manifest.predictedBreaks.length;
		total.happenedBreaks += breaks.happened.length;
		total.surpriseBreaks += breaks.surprise.length;
	}
	return total;
}

function mayDo(evolution: EvolutionRow, round: RoundRow, rows: readonly ProposalRow[], roles: readonly Role[]): RoundDetail["may"] {
	const role = isAllowed("round.close", roles) ? [] : ["reviewers-only"];
	const close = [
		...role,
		...(evolution.status === "closed" ? ["evolution-closed"] : []),
		...(round.status === "open" ? [] : ["round-not-open"]),
		...(rows.some((p) => p.status === "landed") ? [] : ["round-empty"]),
	];
	const evaluate = [...role, ...(round.status === "closing" ? [] : ["round-not-closing"])];
	return { close: { ok: close.length === 0, reasons: close }, evaluate: { ok: evaluate.length === 0, reasons: evaluate } };
}
