import { roundName } from "./early-stop-state";
import type { EvolutionOverview, OverviewRound, Waiting } from "./overview.contract";
import type { OverviewFacts } from "./overview-facts";
import type { EvolutionRow } from "./rows";
import { lastRevisionOf } from "./rows";

/** The sentence on top of the page, as a kind with its figures. Pure. */
export function headlineOf(rounds: readonly OverviewRound[], gate: "pass" | "fail" | "inconclusive" | null): EvolutionOverview["headline"] {
	const baseline = rounds.find((r) => r.index === 0);
	if (baseline?.status !== "closed") return { kind: "evaluating-baseline" };
	const best = rounds.find((r) => r.recommended);
	if (best?.againstBaseline) {
		const pick = ({ delta, low, high }: { delta: number; low: number; high: number }) => ({ delta, low, high });
		return {
			kind: "recommended",
			round: best.name,
			accuracy: pick(best.againstBaseline.accuracy),
			effectiveness: pick(best.againstBaseline.effectiveness),
			released: best.released.find((r) => r.current)?.tag ?? null,
			gate,
		};
	}
	const closed = rounds.filter((r) => r.index > 0 && r.status === "closed").length;
	return closed > 0 ? { kind: "none-better", rounds: closed } : { kind: "baseline-only" };
}

/** The early stop in words: which rounds count, against which anchor, and why it stopped. Pure. */
export function earlyStopView(evolution: EvolutionRow, rounds: readonly OverviewRound[], facts: OverviewFacts): EvolutionOverview["earlyStop"] {
	const closed = rounds.filter((r) => r.index > 0 && r.standing);
	const last = closed.at(-1);
	const lastIndex = last?.index ?? 0;
	const reset = evolution.reopenings.some((r) => r.afterRound >= lastIndex);
	return {
		patience: evolution.patience,
		strikes: reset ? 0 : (last?.standing?.strikes ?? 0),
		stale: reset ? 0 : (last?.standing?.stale ?? 0),
		stopped: evolution.status === "stopped",
		stoppedAt: evolution.stoppedAt,
		stoppedAfter: evolution.stoppedAfter === null ? null : roundName(evolution.stoppedAfter),
		anchor: last?.standing?.anchorAfter ?? "base",
		steps: closed.flatMap((round) => {
			const digest = round.againstAnchor;
			if (!digest || !round.standing) return [];
			const pick = (d: "accuracy" | "effectiveness") => ({ delta: digest[d].delta, p: digest[d].p, verdict: digest[d].verdict });
			return [{ round: round.name, effect: round.standing.effect, accuracy: pick("accuracy"), effectiveness: pick("effectiveness"), against: digest.against }];
		}),
		sparse: sparseWords(evolution),
		reopened: evolution.reopenings.map((r) => ({
			by: { id: r.byId, name: facts.people.get(r.byId)?.name ?? r.byId },
			reason: r.reason,
			at: r.at,
			afterRound: roundName(r.afterRound),
		})),
	};
}

/** Said only where it is so: at least half of the remaining failures are alone in their category. */
function sparseWords(evolution: EvolutionRow) {
	const sparse = evolution.stopReason?.sparse ?? null;
	return sparse && sparse.failures > 0 && sparse.alone * 2 >= sparse.failures ? sparse : null;
}

interface WaitingInput {
	evolution: EvolutionRow;
	rounds: readonly OverviewRound[];
	facts: OverviewFacts;
	counts: EvolutionOverview["counts"];
	gate: EvolutionOverview["gate"];
	viewer: { id: string; roles: readonly string[] };
	head: string;
	tasks: number;
	names: OverviewFacts["people"];
}

type Draft = Omit<Waiting, "mine" | "count" | "landed" | "person"> & { count?: number; landed?: number; personId?: string };

/** What waits for whom, in the order of the loop. Pure. */
export function waitingFor(input: WaitingInput): Waiting[] {
	const { evolution, viewer, names } = input;
	const drafts = evolution.status === "closed" ? [] : [...waitingFindings(input), ...waitingProposals(input), ...waitingRounds(input)];
	const isRole = (role: Draft["role"]) => role !== null && (viewer.roles.includes(role) || (role === "operator" && viewer.roles.includes("reviewer")));
	return drafts.map(({ personId, count, landed, ...rest }) => ({
		...rest,
		count: count ?? 1,
		landed: landed ?? 0,
		person: personId ? { id: personId, name: names.get(personId)?.name ?? personId } : null,
		mine: personId ? personId === viewer.id : isRole(rest.role),
	}));
}

/** Changes that landed after the diagnosis whose findings wait: it speaks of the harness before them. Pure. */
export function landedSinceDiagnosis({ openFindings, proposals }: Pick<OverviewFacts, "openFindings" | "proposals">): number {
	const diagnosed = openFindings.filter((f) => f.status === "proposed" && !f.engine.startsWith("trigger:"));
	if (diagnosed.length === 0) return 0;
	const newest = Math.max(...diagnosed.map((f) => f.createdAt.getTime()));
	return proposals.filter((p) => p.landedAt !== null && p.landedAt.getTime() > newest).length;
}

function waitingFindings({ evolution, rounds, facts, counts, tasks }: WaitingInput): Draft[] {
	const baselineDone = rounds[0]?.status === "closed";
	const open = rounds.find((r) => r.status === "open");
	const busy = facts.proposals.some((p) => p.roundId === open?.id && !["withdrawn", "rejected"].includes(p.status));
	const since = facts.openFindings[0]?.createdAt ?? null;
	if (counts.findingsOpen > 0)
		return [
			{
				kind: "confirm-findings",
				role: "operator",
				count: counts.findingsOpen,
				landed: landedSinceDiagnosis(facts),
				subjectId: evolution.id,
				subject: null,
				since,
			},
		];
	if (evolution.status !== "active" || tasks > 0) return [];
	if (counts.findingsAccepted > 0 && !busy)
		return [{ kind: "propose-edits", role: "operator", count: counts.findingsAccepted, subjectId: evolution.id, subject: null, since }];
	if (baselineDone && counts.findingsAccepted === 0 && !busy)
		return [{ kind: "diagnose", role: "operator", subjectId: evolution.id, subject: null, since: open?.openedAt ?? null }];
	return [];
}

function waitingProposals({ facts, head }: WaitingInput): Draft[] {
	return facts.proposals.flatMap((p): Draft[] => {
		const base = { subjectId: p.id, subject: `#${p.number}`, since: p.updatedAt };
		const moved = lastRevisionOf(p)?.baseCommit !== head;
		const author = p.authorIds.at(-1) ?? p.requestedById;
		if (p.status === "in-review" && moved) return [{ kind: "update-proposal", role: null, personId: author, ...base }];
		if (p.status === "in-review") return [{ kind: "review-proposal", role: "reviewer", ...base }];
		if (p.status === "changes-requested" || p.status === "conflict") return [{ kind: "revise-proposal", role: null, personId: author, ...base }];
		return p.status === "draft" ? [{ kind: "finish-draft", role: null, personId: author, ...base }] : [];
	});
}

function waitingRounds({ evolution, rounds, facts, gate }: WaitingInput): Draft[] {
	const found: Draft[] = [];
	const open = rounds.find((r) => r.status === "open");
	if (open && open.landed.length > 0 && evolution.status === "active")
		found.push({
			kind: "close-round",
			role: "reviewer",
			count: open.landed.length,
			subjectId: open.id,
			subject: open.name,
			since: open.landed[0]?.landedAt ?? null,
		});
	for (const { id, name, openedAt } of rounds.filter((r) => r.stalled))
		found.push({ kind: "evaluate-again", role: "reviewer", subjectId: id, subject: name, since: openedAt });
	for (const round of rounds) {
		const comparison = facts.comparisons.get(round.index)?.againstAnchor;
		const raised = new Set(comparison?.alarms.map((a) => a.category));
		for (const a of facts.acknowledgements) if (a.runId === comparison?.runId && a.baseRunId === comparison.baseRunId) raised.delete(a.category);
		for (const category of raised)
			found.push({ kind: "acknowledge-alarm", role: "reviewer", subjectId: round.id, subject: `${round.name} ${category}`, since: round.closedAt });
	}
	if (evolution.status === "stopped")
		found.push({ kind: "reopen-or-close", role: "reviewer", subjectId: evolution.id, subject: evolution.title, since: evolution.stoppedAt });
	const best = rounds.find((r) => r.recommended);
	if (best && best.released.length === 0 && gate?.candidate === best.name)
		found.push({ kind: "release", role: "reviewer", subjectId: best.id, subject: best.name, since: best.closedAt });
	return found;
}
