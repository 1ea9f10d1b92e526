import { assessGate, gateReference } from "./assess-gate";
import { compareDone, findRunMap, ruleOf, toDigest, toRoundComparison, toScores } from "./comparisons";
import { describeRobustness, newestGap } from "./describe-robustness";
import { recommendRound, roundName } from "./early-stop-state";
import * as repository from "./evolution.repository";
import { countFindings, listFindings } from "./finding.repository";
import { currentGatePolicy, listAcknowledgements } from "./gate.repository";
import { stateBefore } from "./judge-round";
import type { EvolutionOverview, OverviewRound } from "./overview.contract";
import { isStalled, landedOf, type OverviewFacts, personOf, type RoundFacts, releaseOf, releasesOf, somebody } from "./overview-facts";
import { buildHeatmap } from "./overview-heatmap";
import { earlyStopView, headlineOf, waitingFor } from "./overview-words";
import type { EvolutionDeps } from "./ports";
import { listProposals, listReviews } from "./proposal.repository";
import { headOf, requireEvolution } from "./require-evolution";
import type { EvolutionRow } from "./rows";

/** Everything the Evolution page draws, for the person who asks (their roles decide what waits for them). */
export async function loadOverview(
	deps: EvolutionDeps,
	input: { workspaceId: string; evolutionId?: string; viewer: { id: string; roles: readonly string[] } },
): Promise<EvolutionOverview> {
	const all = await repository.listEvolutions(deps.db, input.workspaceId);
	const evolutions = all.map(({ id, number, slug, title, status, createdAt }) => ({ id, number, slug, title, status, createdAt }));
	const evolution = input.evolutionId ? await requireEvolution(deps, input.workspaceId, input.evolutionId) : all[0];
	if (!evolution) return emptyOverview(evolutions, input.viewer);
	const facts = await gather(deps, evolution);
	const rounds = describeRounds(evolution, facts);
	const [gate, head, { policy, judge }, suite, tasks, findingsOpen, findingsAccepted, findingsRejected] = await Promise.all([
		describeGate(deps, evolution, rounds, facts),
		headOf(deps, evolution),
		deps.registry.describe(evolution),
		deps.evaluation.findSuiteVersion(evolution.suiteVersionId),
		repository.listTasks(deps.db, evolution.id, { status: ["queued", "running"] }),
		countFindings(deps.db, evolution.id, ["proposed"]),
		countFindings(deps.db, evolution.id, ["accepted", "modified"]),
		countFindings(deps.db, evolution.id, ["rejected"]),
	]);
	const counts = {
		findingsOpen,
		findingsAccepted,
		findingsRejected,
		inReview: facts.proposals.filter((p) => p.status === "in-review").length,
		drafts: facts.proposals.filter((p) => p.status === "draft").length,
	};
	return {
		evolutions,
		evolution: {
			...refOf(evolution),
			branch: evolution.branch,
			baseCommit: evolution.baseCommit,
			headCommit: head,
			policy,
			judge,
			suite: { key: suite?.key ?? "", version: suite?.version ?? 0 },
			trials: evolution.trials,
			seed: evolution.seed,
			createdBy: somebody(facts.people, evolution.createdById),
		},
		gap: newestGap(rounds),
		headline: headlineOf(rounds, gate?.result.verdict ?? null),
		rounds,
		heatmap: buildHeatmap(rounds, facts),
		earlyStop: earlyStopView(evolution, rounds, facts),
		gate,
		waiting: waitingFor({ evolution, rounds, facts, counts, gate, viewer: input.viewer, head, tasks: tasks.length, names: facts.people }),
		counts,
		tasks: tasks.map((t) => ({ id: t.id, kind: t.kind, status: t.status === "running" ? "running" : "queued", startedAt: t.startedAt ?? t.createdAt })),
	};
}

const refOf = ({ id, number, slug, title, status, createdAt }: EvolutionRow) => ({ id, number, slug, title, status, createdAt });

function emptyOverview(evolutions: EvolutionOverview["evolutions"], viewer: { roles: readonly string[] }): EvolutionOverview {
	const mine = viewer.roles.includes("operator") || viewer.roles.includes("reviewer");
	return {
		evolutions,
		evolution: null,
		headline: { kind: "no-evolution" },
		gap: null,
		rounds: [],
		heatmap: { rounds: [], rows: [] },
		earlyStop: null,
		gate: null,
		waiting: [{ kind: "start-evolution", role: "operator", person: null, mine, count: 1, landed: 0, subjectId: null, subject: null, since: null }],
		counts: { findingsOpen: 0, findingsAccepted: 0, findingsRejected: 0, inReview: 0, drafts: 0 },
		tasks: [],
	};
}

async function gather(deps: EvolutionDeps, evolution: EvolutionRow): Promise<OverviewFacts> {
	const { db } = deps;
	const [rounds, proposals, releases, policy, openFindings] = await Promise.all([
		repository.listRounds(db, evolution.id),
		listProposals(db, evolution.workspaceId, { evolutionId: evolution.id }),
		deps.listReleases(evolution.workspaceId),
		currentGatePolicy(db, evolution.workspaceId),
		listFindings(db, { evolutionId: evolution.id, status: ["proposed", "accepted", "modified"] }),
	]);
	const runs = await findRunMap(
		deps,
		rounds.flatMap((r) => [r.devRunId, r.testRunId]),
	);
	const rule = ruleOf(policy.content);
	const comparisons = new Map<number, RoundFacts>();
	const testOf = (index: number) => runs.get(rounds.find((r) => r.index === index)?.testRunId ?? "");
	for (const round of rounds) {
		if (round.index === 0 || round.status !== "closed") continue;
		const anchor = stateBefore(rounds, evolution.reopenings, round.index).anchor;
		comparisons.set(round.index, {
			anchor,
			againstBaseline: await compareDone(deps, testOf(0), testOf(round.index), rule),
			againstAnchor: await compareDone(deps, testOf(anchor), testOf(round.index), rule),
		});
	}
	const reviews = await listReviews(
		db,
		proposals.map((p) => p.id),
	);
	const ids = [
		evolution.createdById,
		...releases.map((r) => r.createdById),
		...evolution.reopenings.map((r) => r.byId),
		...rounds.flatMap((r) => r.closedById ?? []),
	];
	const people = await deps.people([...new Set([...ids, ...proposals.flatMap((p) => [...p.authorIds, p.landedById ?? ""]), ...reviews.map((r) => r.userId)])]);
	const acknowledgements = await listAcknowledgements(
		db,
		evolution.workspaceId,
		rounds.flatMap((r) => r.testRunId ?? []),
	);
	const robustness = await describeRobustness(deps, rounds);
	return { rounds, runs, proposals, reviews, releases, people, acknowledgements, comparisons, robustness, openFindings };
}

function describeRounds(evolution: EvolutionRow, facts: OverviewFacts): OverviewRound[] {
	const scored = facts.rounds.flatMap((r) => {
		const avg = facts.runs.get(r.testRunId ?? "")?.summary?.avg.value;
		const base = facts.comparisons.get(r.index)?.againstBaseline;
		return r.status === "closed" && r.index > 0 && avg !== undefined && r.standing?.againstBaseline
			? [{ index: r.index, avg, againstBaseline: base ? toRoundComparison(base) : null }]
			: [];
	});
	const recommended = recommendRound(scored);
	const last = facts.rounds.filter((r) => r.status === "closed" && r.standing).at(-1);
	const anchor = last?.standing?.anchorAfter ?? "base";
	return facts.rounds.map((round): OverviewRound => {
		const runOf = (id: string | null) => (id ? facts.runs.get(id) : undefined);
		const [dev, test] = [runOf(round.devRunId), runOf(round.testRunId)];
		const compared = facts.comparisons.get(round.index);
		const name = roundName(round.index);
		return {
			id: round.id,
			index: round.index,
			name,
			status: round.status,
			stalled: isStalled(round, facts.runs),
			commit: round.headCommit,
			openedAt: round.openedAt,
			closedAt: round.closedAt,
			closedBy: personOf(facts.people, round.closedById),
			unattended: round.unattended,
			dev: dev ? toScores(dev) : null,
			test: test ? toScores(test) : null,
			robustness: facts.robustness.get(round.id) ?? [],
			standing: round.standing,
			eligible: round.standing?.eligible ?? false,
			recommended: round.index === recommended,
			anchor: round.status === "closed" && name === anchor,
			released: releasesOf(round, facts.releases).map(({ tag, at, current }) => ({ tag, at, current })),
			stopped: evolution.status === "stopped" && evolution.stoppedAfter === round.index,
			againstBaseline: compared?.againstBaseline ? toDigest(compared.againstBaseline, "base") : null,
			againstAnchor: compared?.againstAnchor ? toDigest(compared.againstAnchor, roundName(compared.anchor)) : null,
			landed: facts.proposals.filter((p) => p.status === "landed" && p.roundId === round.id).map((p) => landedOf(p, facts)),
		};
	});
}

/**
 * The gate of the recommended round, else of the last closed one; read only, it starts nothing. A round that was released
 * keeps the gate of its release: assessed now, it would be compared with itself.
 */
async function describeGate(deps: EvolutionDeps, evolution: EvolutionRow, rounds: OverviewRound[], facts: OverviewFacts): Promise<EvolutionOverview["gate"]> {
	const closed = rounds.filter((r) => r.index > 0 && r.status === "closed");
	const candidate = closed.find((r) => r.recommended) ?? closed.at(-1);
	const row = facts.rounds.find((r) => r.id === candidate?.id);
	if (!candidate || !row) return null;
	const release = releaseOf(row, facts.releases, facts.people);
	if (release) return { candidate: candidate.name, against: release.against, result: release.gate, release };
	const reference = await gateReference(deps, evolution);
	const { result, against } = await assessGate(deps, {
		evolution,
		round: row,
		reference,
		start: null,
		holdout: null,
		holdoutReadings: await deps.countHoldoutReadings(evolution.id),
	});
	return { candidate: candidate.name, against, result, release: null };
}
