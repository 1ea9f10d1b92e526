import type { PolicyRequest } from "@/server/agent/contract";
import type { McpTool } from "@/server/harness/contract";
import type { Remedy } from "./handle-failures";
import type { Offers } from "./offers";
import type { CallRecord, Situation } from "./read-situation";
import type { RankedRule, RankedSkill } from "./route-message";
import type { Decision } from "./score-candidates";

/** One step of an episode while it is decided. */
export interface Turn {
	request: PolicyRequest;
	situation: Situation;
	weights: Offers;
	skills: RankedSkill[];
	rules: RankedRule[];
	decisions: Decision[];
	/** Decides about failed calls instead of the fixed order, where the policy has learned to. */
	remedyFor?: (tool: McpTool, failures: readonly CallRecord[], guessed: boolean) => Remedy;
}

export type Action = { kind: "call"; calls: { name: string; args: Record<string, unknown> }[] } | { kind: "say"; text: string };
