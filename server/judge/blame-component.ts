import type { FailureType } from "./contract";

/** What is known of a failed episode when the blame is given; all of it observed, nothing guessed. */
export interface Observed {
	outcome: string;
	blockedBy: string | null;
	accuracy: number;
	effectiveness: number;
	empty: boolean;
	evasive: boolean;
	addressesJudge: boolean;
	forbiddenClaim: boolean;
	factualError: boolean;
	unsupportedNumber: boolean;
	limitExceeded: boolean;
	offReference: boolean;
	/** The expected skill that the harness has; null when it has none of them (or none is expected). */
	expectedSkill: string | null;
	expectsSkill: boolean;
	skillSelection: number | null;
	replySkill: string | null;
	missingTools: readonly string[];
	needlessTools: readonly string[];
	failedTool: string | null;
	faultUnhandled: boolean;
}

/** The kind of failure and the component that it points to; null for a verdict without fault. A pure decision. */
export function blameComponent(seen: Observed): { failureType: FailureType; blamed: string | null } | null {
	if (seen.accuracy === 1 && seen.effectiveness === 1) return null;
	const skill = seen.replySkill === null ? null : `skill:${seen.replySkill}`;
	const routed = seen.skillSelection === null || seen.skillSelection > 0;
	const route = (): { failureType: FailureType; blamed: string | null } | null => {
		if (routed) return null;
		if (seen.expectedSkill === null) return { failureType: "no-skill", blamed: null };
		return { failureType: "wrong-skill", blamed: `skill:${seen.expectedSkill}` };
	};
	if (seen.outcome === "deadline") return { failureType: "deadline", blamed: seen.failedTool ? `tool:${seen.failedTool}` : null };
	if (seen.outcome === "blocked") return { failureType: "blocked", blamed: seen.blockedBy ? `hook:${seen.blockedBy}` : null };
	if (seen.addressesJudge) return { failureType: "addresses-judge", blamed: skill };
	if (seen.forbiddenClaim) return { failureType: "forbidden-claim", blamed: skill };
	if (seen.factualError) return { failureType: "factual-error", blamed: skill };
	if (seen.unsupportedNumber) return { failureType: "unsupported-number", blamed: skill };
	if (seen.limitExceeded) return { failureType: "limit-exceeded", blamed: skill };
	if (seen.faultUnhandled) return { failureType: "tool-failure-unhandled", blamed: skill };
	const wrong = route();
	if (wrong) return wrong;
	if (seen.empty || seen.evasive) return { failureType: "no-answer", blamed: skill };
	if (seen.missingTools.length > 0) return { failureType: "missing-tool", blamed: skill };
	if (seen.offReference) return { failureType: "off-reference", blamed: skill };
	if (seen.failedTool !== null) return { failureType: "wrong-tool", blamed: `tool:${seen.failedTool}` };
	return { failureType: "missing-point", blamed: skill };
}
