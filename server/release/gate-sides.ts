import type { GateConditions, GateSide } from "@/server/evolution";

/** What a gate decides on: a harness and policy against what is live. A round and a policy alike. */
export interface GateCandidate {
	/** Whose holdout readings are spent: the evolution's. */
	readingsOf: string;
	/** For the audit log. */
	label: string;
	conditions: GateConditions;
	candidate: GateSide;
	reference: GateSide & { name: string };
}

/** A side as the log of holdout readings knows it. */
export const sideKey = ({ commit, policyVersionId }: GateSide): string => `${commit}+${policyVersionId}`;
