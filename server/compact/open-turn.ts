import type { PolicyRequest } from "@/server/agent/contract";
import { encodeText } from "./encode-text";
import { isFailureRule } from "./handle-failures";
import { weighOffers } from "./offers";
import { applyGuards } from "./plan-reply";
import { readSituation } from "./read-situation";
import { encodingsOf, rankRules, rankSkills, THRESHOLDS } from "./route-message";
import type { Turn } from "./turn";

/** A step before anything is decided: the situation, and what the harness offers now, ranked by similarity. */
export function openTurn(request: PolicyRequest): Turn {
	const situation = readSituation(request);
	const { view } = request;
	const weights = weighOffers(view.skillIndex, view.loadedSkills);
	const skills = rankSkills(encodingsOf(situation, encodeText), view.skillIndex, weights);
	let rules = rankRules(encodingsOf(situation, encodeText), view.loadedSkills, skills, weights);
	if ((rules[0]?.score ?? 0) < THRESHOLDS.sure && situation.history.length > 0) {
		const wide = rankRules([situation.withHistory], view.loadedSkills, rankSkills([situation.withHistory], view.skillIndex, weights), weights);
		if ((wide[0]?.score ?? 0) > (rules[0]?.score ?? 0)) rules = wide;
	}
	rules = applyGuards(
		rules.filter((candidate) => !isFailureRule(candidate.rule)),
		situation.calls,
	);
	return { request, situation, weights, skills, rules, decisions: [] };
}
