import type { PolicyRequest } from "@/server/agent/contract";
import type { FeatureWeights } from "./encode-text";
import type { Situation } from "./read-situation";
import type { RankedRule, RankedSkill } from "./route-message";
import type { Decision } from "./score-candidates";

/** One step of an episode while it is decided. */
export interface Turn {
	request: PolicyRequest;
	situation: Situation;
	weights: FeatureWeights;
	skills: RankedSkill[];
	rules: RankedRule[];
	decisions: Decision[];
}

export type Action = { kind: "call"; calls: { name: string; args: Record<string, unknown> }[] } | { kind: "say"; text: string };
