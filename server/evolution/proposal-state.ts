import type { ProposalStatus } from "./contract";

export type ProposalAction =
	| "save-revision"
	| "submit"
	/** Its evaluation is done. */
	| "evaluated"
	/** Its evaluation failed or was cancelled. */
	| "evaluation-failed"
	| "request-changes"
	| "land"
	| "reject"
	| "withdraw"
	/** The branch was merged in without conflict. */
	| "updated"
	| "conflicted";

const OPEN: readonly ProposalStatus[] = ["draft", "evaluating", "in-review", "changes-requested", "conflict"];

/**
 * Where an action leads from a status; null when it is not possible there. An edit after submission goes back to draft: what
 * a reviewer reads is always what was evaluated.
 */
export function nextStatus(status: ProposalStatus, action: ProposalAction): ProposalStatus | null {
	switch (action) {
		case "save-revision":
			if (status === "changes-requested") return "changes-requested";
			return OPEN.includes(status) ? "draft" : null;
		case "submit":
			return status === "draft" || status === "changes-requested" ? "evaluating" : null;
		case "evaluated":
			return status === "evaluating" ? "in-review" : null;
		case "evaluation-failed":
			return status === "evaluating" ? "draft" : null;
		case "request-changes":
			return status === "in-review" ? "changes-requested" : null;
		case "land":
			return status === "in-review" ? "landed" : null;
		case "reject":
			return status === "in-review" || status === "changes-requested" || status === "conflict" ? "rejected" : null;
		case "withdraw":
			return OPEN.includes(status) ? "withdrawn" : null;
		case "updated":
			// Already submitted: it is evaluated again by itself, against the branch as it is now.
			if (status === "in-review" || status === "evaluating") return "evaluating";
			if (status === "conflict") return "draft";
			return OPEN.includes(status) ? status : null;
		case "conflicted":
			return OPEN.includes(status) ? "conflict" : null;
	}
}

export const isOpen = (status: ProposalStatus) => OPEN.includes(status);

/** What speaks against landing, in the order in which a person should read it. */
export type LandingObstacle = "author-rule" | "evolution-stopped" | "evolution-closed" | "not-in-review" | "base-moved" | "no-evidence" | "indecisive";

/** All that forbids this person to land this proposal now; empty means that they may. Roles are checked before this. */
export function obstaclesToLanding(input: {
	userId: string;
	authorIds: readonly string[];
	status: ProposalStatus;
	evolution: "active" | "stopped" | "closed";
	revisionBase: string;
	branchHead: string;
	/** Standing of the run of the last revision; null when it has none that is done. */
	evidence: "decisive" | "warning" | "indecisive" | null;
}): LandingObstacle[] {
	const found: LandingObstacle[] = [];
	// Whoever requested an AI proposal or edited any revision of it is its author, whatever roles they hold.
	if (input.authorIds.includes(input.userId)) found.push("author-rule");
	if (input.evolution === "stopped") found.push("evolution-stopped");
	if (input.evolution === "closed") found.push("evolution-closed");
	if (input.status !== "in-review") found.push("not-in-review");
	if (input.revisionBase !== input.branchHead) found.push("base-moved");
	if (input.evidence === null) found.push("no-evidence");
	if (input.evidence === "indecisive") found.push("indecisive");
	return found;
}

export const FINDING_DECISIONS = ["accept", "modify", "reject", "undo"] as const;
export type FindingDecision = (typeof FINDING_DECISIONS)[number];

/** Where a decision leads from a finding's status; null when it is not possible there. A finding that a landed proposal addressed is history. */
export function decideStatus(status: string, decision: FindingDecision): "accepted" | "modified" | "rejected" | "proposed" | null {
	if (status === "addressed" || status === "superseded") return null;
	if (decision === "undo") return status === "proposed" ? null : "proposed";
	return decision === "accept" ? "accepted" : decision === "modify" ? "modified" : "rejected";
}
