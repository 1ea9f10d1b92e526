import type { PolicyRequest } from "@/server/agent/contract";
import { assemble, type Bounds } from "./compose-reply";
import { failureRule, honestFallback, quotedFallback } from "./handle-failures";
import { parseSkillBody } from "./parse-skill";
import { fieldSource, sayRule, toolsOfRule } from "./plan-reply";
import type { Situation } from "./read-situation";
import { type RankedRule, rankRules } from "./route-message";
import { decide } from "./score-candidates";
import type { Turn } from "./turn";

/** A hook that objects twice gets a clearly shorter reply. */
const SHORTER = 0.8;

/** Limits on the reply's length that are in force: the constraints that name one, and what a hook said. */
function replyLimit(request: PolicyRequest, situation: Situation): number | null {
	const limits = Object.entries(request.view.constraints)
		.filter(([name]) => /max/iu.test(name) && /char|length|len|字/iu.test(name) && !/min/iu.test(name))
		.map(([, value]) => value);
	if (situation.hookLimit !== null) limits.push(situation.hookLimit);
	if (limits.length === 0) return null;
	const limit = Math.min(...limits);
	return situation.rejectedReplies.length > 1 ? Math.floor(limit * SHORTER) : limit;
}

function speaksHan(request: PolicyRequest): boolean {
	const text = request.systemPrompt;
	const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
	return text.length === 0 ? /\p{Script=Han}/u.test(JSON.stringify(request.messages)) : han / text.length > 0.2;
}

/** What bounds the reply now: limits in force, words that a hook objected to, prohibitions of the open skills. */
export function boundsOf({ request, situation, weights }: Turn): Bounds {
	return {
		maxChars: replyLimit(request, situation),
		banned: situation.objections,
		prohibitions: request.view.loadedSkills.flatMap((skill) => parseSkillBody(skill.body).prohibitions),
		weights,
	};
}

/** The chosen rules as one reply: the first wording of every question before anybody's second. */
export function sayRules(turn: Turn, rules: readonly RankedRule[], bounds: Bounds): string {
	const { request, situation } = turn;
	const said = rules.map((candidate) =>
		sayRule(
			candidate.rule,
			fieldSource(
				situation.calls,
				toolsOfRule(candidate.rule, request.view.tools).map((tool) => tool.name),
				request.view.tools,
			),
		),
	);
	const firsts = said.flatMap((wordings) => wordings.slice(0, 1));
	const rest = situation.rejectedReplies.length === 0 ? said.flatMap((wordings) => wordings.slice(1)) : [];
	return assemble([...firsts, ...rest], bounds);
}

/** What is said without a rule that can be said: the open skills' rule for failures, the prompts' own words, or an honest sentence. */
export function sayFallback(turn: Turn, bounds: Bounds): string {
	const { request, situation, weights } = turn;
	const failed = situation.calls.filter((call) => !call.ok);
	const lost = failed.length > 0 && failed.some((call) => !situation.calls.some((other) => other.ok && other.call.name === call.call.name));
	const all = rankRules([situation.encoded], request.view.loadedSkills, turn.skills, weights);
	const rule = failed.length > 0 ? failureRule(all, situation.message, failed.at(-1)?.error ?? "", weights) : null;
	if (rule) {
		turn.decisions.push(decide("rule", `${rule.skill}#${rule.rule.index}`, [{ id: `${rule.skill}#${rule.rule.index}`, score: 1 }]));
		const text = assemble(sayRule(rule.rule, fieldSource(situation.calls, [], request.view.tools)), bounds);
		if (text !== "") return text;
	}
	const quoted = quotedFallback(request.view.promptBlocks);
	return assemble([quoted ?? honestFallback(lost ? "failed" : "unknown", request.view.promptBlocks, speaksHan(request))], bounds);
}
