import { isAllowed, type Permission, type Role } from "@/server/auth/contract";
import type { Comparison } from "@/server/evaluation/contract";
import type { Phrases } from "@/server/kernel/phrase.contract";
import { compareDone, findRunMap, ruleOf, toScores } from "./comparisons";
import type { ProposalStatus } from "./contract";
import { roundName } from "./early-stop-state";
import { errors } from "./errors";
import * as repository from "./evolution.repository";
import { listFindings } from "./finding.repository";
import { currentGatePolicy } from "./gate.repository";
import { findObstacles } from "./land-proposal";
import { type People, personOf, somebody } from "./overview-facts";
import type { EvolutionDeps, RunView } from "./ports";
import { comparePrediction } from "./predict";
import * as proposals from "./proposal.repository";
import { nextStatus, type ProposalAction } from "./proposal-state";
import { headOf } from "./require-evolution";
import type { EvolutionRow, ProposalRow } from "./rows";
import { lastRevision } from "./save-proposal";
import type { ProposalDetail, ProposalSummary } from "./views.contract";

interface SummaryFacts {
	evolutions: Map<string, EvolutionRow>;
	rounds: Map<string, number>;
	findings: Map<string, { id: string; number: number; title: string }>;
	phrases: Map<string, Phrases>;
	unresolved: Map<string, number>;
	people: People;
	runs: Map<string, RunView>;
}

async function summaryFacts(deps: EvolutionDeps, workspaceId: string, rows: readonly ProposalRow[]): Promise<SummaryFacts> {
	const evolutionIds = [...new Set(rows.map((p) => p.evolutionId))];
	const evolutions = new Map((await repository.listEvolutions(deps.db, workspaceId)).map((e) => [e.id, e]));
	const rounds = new Map<string, number>();
	for (const id of evolutionIds) for (const round of await repository.listRounds(deps.db, id)) rounds.set(round.id, round.index);
	const findings = await listFindings(deps.db, { ids: [...new Set(rows.flatMap((p) => p.findingIds))] });
	return {
		evolutions,
		rounds,
		findings: new Map(findings.map((f) => [f.id, { id: f.id, number: f.number, title: f.title }])),
		phrases: new Map(findings.map((f) => [f.id, f.evidence.phrases])),
		unresolved: await proposals.countUnresolved(
			deps.db,
			rows.map((p) => p.id),
		),
		people: await deps.people([...new Set(rows.flatMap((p) => [...p.authorIds, p.requestedById]))]),
		runs: await findRunMap(
			deps,
			rows.flatMap((p) => [lastRevision(p).devRunId, lastRevision(p).baseRunId]),
		),
	};
}

function toSummary(proposal: ProposalRow, facts: SummaryFacts): ProposalSummary {
	const revision = lastRevision(proposal);
	const evolution = facts.evolutions.get(proposal.evolutionId);
	const avg = (id: string | null) => (id ? facts.runs.get(id)?.summary?.avg.value : undefined);
	const [after, before] = [avg(revision.devRunId), avg(revision.baseRunId)];
	return {
		id: proposal.id,
		number: proposal.number,
		title: proposal.title,
		status: proposal.status,
		engine: proposal.engine,
		authors: proposal.authorIds.map((id) => somebody(facts.people, id)),
		evolution: { id: proposal.evolutionId, slug: evolution?.slug ?? "", title: evolution?.title ?? "", branch: evolution?.branch ?? "" },
		round: roundName(facts.rounds.get(proposal.roundId) ?? 0),
		files: revision.manifest.files.length,
		findings: proposal.findingIds.flatMap((id) => facts.findings.get(id) ?? []),
		phrases: Object.assign({}, ...proposal.findingIds.map((id) => facts.phrases.get(id)), revision.manifest.phrases) as Phrases,
		unresolved: facts.unresolved.get(proposal.id) ?? 0,
		unattended: proposal.unattended,
		avgDelta: after !== undefined && before !== undefined ? after - before : null,
		createdAt: proposal.createdAt,
		updatedAt: proposal.updatedAt,
		landedAt: proposal.landedAt,
	};
}

/** Proposals, newest first. */
export async function readProposals(
	deps: EvolutionDeps,
	input: { workspaceId: string; evolutionId?: string; roundId?: string; status?: ProposalStatus[] },
): Promise<ProposalSummary[]> {
	const { workspaceId, ...filter } = input;
	const rows = await proposals.listProposals(deps.db, workspaceId, filter);
	const facts = await summaryFacts(deps, workspaceId, rows);
	return rows.map((p) => toSummary(p, facts));
}

/** A proposal with its diff, evidence, conversation, and what the person who asks may do, each refusal with its reason. */
export async function readProposal(
	deps: EvolutionDeps,
	input: { workspaceId: string; proposal: string; viewer: { id: string; roles: readonly Role[] } },
): Promise<ProposalDetail> {
	const { workspaceId, viewer } = input;
	const byNumber = /^#?\d{1,9}$/.test(input.proposal);
	const proposal = byNumber
		? await proposals.findProposalByNumber(deps.db, workspaceId, Number(input.proposal.replace("#", "")))
		: await proposals.findProposal(deps.db, workspaceId, input.proposal);
	if (!proposal) throw errors.proposalUnknown();
	const evolution = await repository.getEvolution(deps.db, proposal.evolutionId);
	const revision = lastRevision(proposal);
	const [facts, head, comments, reviews, conflicts, diff, files, evidence] = await Promise.all([
		summaryFacts(deps, workspaceId, [proposal]),
		headOf(deps, evolution),
		proposals.listComments(deps.db, proposal.id),
		proposals.listReviews(deps.db, [proposal.id]),
		proposals.findConflicts(deps.db, proposal.id),
		deps.harness.diff(workspaceId, revision.baseCommit, revision.commit),
		deps.harness.readFiles(workspaceId, revision.commit),
		readEvidence(deps, proposal),
	]);
	const problems = await deps.harness.validate(workspaceId, files);
	const others = [
		...comments.flatMap((c) => [c.userId, c.resolvedById ?? ""]),
		...reviews.map((r) => r.userId),
		...proposal.revisions.map((r) => r.authorId),
		proposal.landedById ?? "",
	];
	const people = new Map([...facts.people, ...(await deps.people([...new Set(others)]))]);
	const indexOf = (id: string) => proposal.revisions.find((r) => r.id === id)?.index ?? 0;
	return {
		...toSummary(proposal, facts),
		requestedBy: somebody(people, proposal.requestedById),
		branchHead: head,
		baseMoved: revision.baseCommit !== head && proposal.status !== "landed",
		revisions: proposal.revisions.map(({ authorId, proposalId: _p, ...r }) => ({ ...r, author: somebody(people, authorId) })),
		diff,
		problems,
		evidence,
		checks: checksOf(evidence, problems.filter((p) => p.severity === "error").length, facts.unresolved.get(proposal.id) ?? 0),
		comments: comments.map(({ proposalId: _p, revisionId, userId, resolvedById, ...c }) => ({
			...c,
			revision: indexOf(revisionId),
			author: somebody(people, userId),
			resolvedBy: personOf(people, resolvedById),
		})),
		reviews: reviews.map(({ proposalId: _p, revisionId, userId, ...r }) => ({ ...r, revision: indexOf(revisionId), author: somebody(people, userId) })),
		conflicts,
		landedCommit: proposal.landedCommit,
		landedBy: personOf(people, proposal.landedById),
		may: await whatMay(deps, { evolution, proposal, head, viewer, errors: problems.filter((p) => p.severity === "error").length }),
	};
}

async function readEvidence(deps: EvolutionDeps, proposal: ProposalRow): Promise<ProposalDetail["evidence"]> {
	const revision = lastRevision(proposal);
	const runs = await findRunMap(deps, [revision.devRunId, revision.baseRunId]);
	const [run, base] = [runs.get(revision.devRunId ?? ""), runs.get(revision.baseRunId ?? "")];
	if (!run || !base) return null;
	const { content } = await currentGatePolicy(deps.db, proposal.workspaceId);
	const comparison = await compareDone(deps, base, run, ruleOf(content));
	const pair = <T>(pick: (summary: NonNullable<RunView["summary"]>) => T) =>
		run.summary && base.summary ? { before: pick(base.summary), after: pick(run.summary) } : null;
	return {
		run: toScores(run),
		base: toScores(base),
		comparison,
		prediction: comparison && comparePrediction(revision.manifest, comparison),
		hookRetries: pair((s) => s.hookRetries),
		latencyP50Ms: pair((s) => s.latencyMs.p50),
		noise: run.summary?.noise ?? null,
	};
}

/** What a reviewer should see checked before landing; the rules that forbid are in `may`, and what blocks here is what they look at. */
function checksOf(evidence: ProposalDetail["evidence"], wrong: number, unresolved: number): ProposalDetail["checks"] {
	const comparison: Comparison | null = evidence?.comparison ?? null;
	const standing = evidence?.run.standing ?? null;
	const bad = comparison
		? (["accuracy", "effectiveness"] as const).filter((d) => comparison.dimensions[d].verdict === "regressed" || !comparison.dimensions[d].nonInferior)
		: [];
	const surprises = evidence?.prediction?.breaks.surprise.length ?? 0;
	return [
		{ id: "valid", blocks: true, ok: wrong === 0, label: "The harness validates", detail: `${wrong}` },
		{
			id: "decisive",
			blocks: true,
			ok: standing === null ? null : standing !== "indecisive",
			label: "The run is decisive",
			detail: `${evidence?.run.coverage ?? ""}`,
		},
		{ id: "not-worse", blocks: false, ok: comparison ? bad.length === 0 : null, label: "No dimension regressed, both non-inferior", detail: bad.join(", ") },
		{
			id: "alarms",
			blocks: false,
			ok: comparison ? comparison.alarms.length === 0 : null,
			label: "No category alarm",
			detail: comparison?.alarms.map((a) => a.category).join(", ") ?? "",
		},
		{ id: "surprises", blocks: false, ok: evidence?.prediction ? surprises === 0 : null, label: "No break that nobody predicted", detail: `${surprises}` },
		{ id: "threads", blocks: false, ok: unresolved === 0, label: "Every thread is resolved", detail: `${unresolved}` },
	];
}

async function whatMay(
	deps: EvolutionDeps,
	input: { evolution: EvolutionRow; proposal: ProposalRow; head: string; viewer: { id: string; roles: readonly Role[] }; errors: number },
): Promise<ProposalDetail["may"]> {
	const { evolution, proposal, head, viewer } = input;
	const revision = lastRevision(proposal);
	const role = (permission: Permission) => (isAllowed(permission, viewer.roles) ? [] : [permission === "review.decide" ? "reviewers-only" : "editors-only"]);
	const status = (action: ProposalAction) => (nextStatus(proposal.status, action) ? [] : ["proposal-status"]);
	const closed = evolution.status === "closed" ? ["evolution-closed"] : [];
	const moved = revision.baseCommit === head ? [] : ["base-moved"];
	const say = (reasons: string[]) => ({ ok: reasons.length === 0, reasons });
	const obstacles = await findObstacles(deps, { evolution, proposal, userId: viewer.id, head });
	return {
		edit: say([...role("proposal.edit"), ...status("save-revision")]),
		submit: say([...role("proposal.submit"), ...status("submit"), ...closed, ...moved, ...(input.errors > 0 ? ["harness-invalid"] : [])]),
		update: say([...role("proposal.edit"), ...status("updated"), ...(moved.length === 0 ? ["base-current"] : [])]),
		withdraw: say([
			...role("proposal.edit"),
			...status("withdraw"),
			...(proposal.authorIds.includes(viewer.id) || isAllowed("review.decide", viewer.roles) ? [] : ["not-author"]),
		]),
		requestChanges: say([...role("review.decide"), ...status("request-changes")]),
		reject: say([...role("review.decide"), ...status("reject")]),
		land: say([...role("review.decide"), ...obstacles]),
	};
}

/** What a landed proposal said of itself, and who approved it. */
export async function readApproval(
	deps: EvolutionDeps,
	workspaceId: string,
	proposalId: string,
): Promise<{ summary: string; files: string[]; approvedBy: string | null }> {
	const proposal = await proposals.findProposal(deps.db, workspaceId, proposalId);
	if (!proposal) throw errors.proposalUnknown();
	const { manifest } = lastRevision(proposal);
	const people = await deps.people(proposal.landedById ? [proposal.landedById] : []);
	return { summary: manifest.summary, files: manifest.files, approvedBy: personOf(people, proposal.landedById)?.name ?? null };
}
