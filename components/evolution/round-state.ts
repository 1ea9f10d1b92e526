import type { CurveSplit, Digest, Overview, OverviewRound, Waiting } from "./types";

/** Where a round stands, in one word; the most important one wins. */
export type RoundState =
	| { kind: "baseline" | "open" | "recommended" | "ineligible" | "anchor" | "trade-off" | "none" | "indecisive" | "stalled" }
	| { kind: "evaluating"; share: number }
	| { kind: "strike" | "stale" | "stopped"; count: number; of: number };

/** The word above a round's column. `patience` is the evolution's. */
export function roundState(round: OverviewRound, patience: number): RoundState {
	if (round.status === "open") return { kind: "open" };
	if (round.stalled) return { kind: "stalled" };
	const runs = [round.test, round.dev].filter((run) => run !== null);
	const unfinished = runs.filter((run) => run.status === "queued" || run.status === "running");
	if (round.status === "closing" || (round.index === 0 && unfinished.length > 0)) {
		const planned = runs.reduce((sum, run) => sum + run.planned, 0);
		return { kind: "evaluating", share: planned > 0 ? runs.reduce((sum, run) => sum + run.done, 0) / planned : 0 };
	}
	if (round.index === 0) return { kind: "baseline" };
	const standing = round.standing;
	const count = (standing?.strikes ?? 0) + (standing?.stale ?? 0);
	if (round.stopped) return { kind: "stopped", count, of: patience };
	if (round.recommended) return { kind: "recommended" };
	if (round.test?.standing === "indecisive") return { kind: "indecisive" };
	if (!round.eligible) return { kind: "ineligible" };
	switch (standing?.effect) {
		case "strike":
			return { kind: "strike", count, of: patience };
		case "stale":
			return { kind: "stale", count, of: patience };
		case "anchor":
			return { kind: "anchor" };
		case "trade-off":
			return { kind: "trade-off" };
		default:
			return { kind: "none" };
	}
}

/** The rounds that the curve shows: all that were closed or are closing, and the open one once something landed in it. */
export function curveRounds(overview: Pick<Overview, "rounds">): OverviewRound[] {
	return overview.rounds.filter((round) => round.status !== "open" || round.landed.length > 0);
}

/** What a round's figures are compared with: the anchor of that time, which for the first rounds is the baseline. */
export function digestOf(round: OverviewRound, split: CurveSplit): Digest | null {
	return split === "test" ? (round.againstAnchor ?? round.againstBaseline) : null;
}

/** Why an act is not possible now; null when it is. Slugs of `evolution.reason`. */
export type ActReason =
	| "role"
	| "noEvolution"
	| "active"
	| "stopped"
	| "closed"
	| "baselineRunning"
	| "closing"
	| "nothingLanded"
	| "stillActive"
	| "diagnosing";

export interface Acts {
	start: ActReason | null;
	diagnose: ActReason | null;
	closeRound: ActReason | null;
	reopen: ActReason | null;
	closeEvolution: ActReason | null;
}

type Can = (permission: "evolution.start" | "finding.diagnose" | "round.close" | "evolution.reopen") => boolean;

/** What this person may do with the evolution now. The server decides again; this is the reason that stands beside a button. */
export function actsOf(overview: Overview, can: Can): Acts {
	const { evolution } = overview;
	const open = overview.rounds.find((round) => round.status === "open");
	const closing = overview.rounds.some((round) => round.status === "closing");
	const busyBaseline = overview.headline.kind === "evaluating-baseline";
	const settled = (): ActReason | null => {
		if (!evolution) return "noEvolution";
		if (evolution.status === "closed") return "closed";
		if (evolution.status === "stopped") return "stopped";
		return busyBaseline ? "baselineRunning" : null;
	};
	const closeReason = (): ActReason | null => {
		const reason = settled();
		if (reason) return reason;
		if (closing || !open) return "closing";
		return open.landed.length === 0 ? "nothingLanded" : null;
	};
	return {
		start: can("evolution.start") ? (evolution && evolution.status === "active" ? "active" : null) : "role",
		diagnose: can("finding.diagnose") ? (settled() ?? (overview.tasks.some((task) => task.kind === "diagnose") ? "diagnosing" : null)) : "role",
		closeRound: can("round.close") ? closeReason() : "role",
		closeEvolution: can("round.close") ? (!evolution ? "noEvolution" : evolution.status === "closed" ? "closed" : closing ? "closing" : null) : "role",
		reopen: can("evolution.reopen") ? (evolution?.status === "stopped" ? null : "stillActive") : "role",
	};
}

/**
 * Whether closing the open round, where it can be closed, comes before a step that waits: what landed is measured before
 * more is begun, yet a proposal that is under review belongs to the round first.
 */
export function closesFirst(next: Pick<Waiting, "kind"> | null): boolean {
	return next === null || !["review-proposal", "revise-proposal", "update-proposal"].includes(next.kind);
}
