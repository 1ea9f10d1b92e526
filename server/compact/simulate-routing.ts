import type { McpTool } from "@/server/harness/contract";
import { encodeText } from "./encode-text";
import { isFailureRule } from "./handle-failures";
import { type SkillOffer, weighOffers } from "./offers";
import { exampleNames } from "./read-examples";
import { createMask, splitQuestions } from "./read-situation";
import { chooseSkills, encodingsOf, rankRules, THRESHOLDS } from "./route-message";

export interface Route {
	/** Skills that would be opened, in order. */
	skills: string[];
	/** The rule that would answer: skill and index; null when none would. */
	rule: { skill: string; index: number; score: number } | null;
}

/**
 * Where the compact policy would take a message under these skills, before any tool is called: the same functions as the
 * policy's own, so that an edit can be tried on messages without running an episode.
 */
export function simulateRouting(message: string, skills: readonly (SkillOffer & { body: string })[], tools: readonly McpTool[], required = true): Route {
	const plain = createMask(exampleNames(tools))(message);
	const situation = { encoded: encodeText(plain), segments: splitQuestions(plain), withHistory: encodeText(plain) };
	const choice = chooseSkills(situation, skills, weighOffers(skills, []), required, encodeText);
	const opened = [...choice.load];
	const rank = () => {
		const loaded = skills.filter((skill) => opened.includes(skill.name)).map(({ name, body }) => ({ name, body }));
		return rankRules(encodingsOf(situation, encodeText), loaded, choice.ranked, weighOffers(skills, loaded)).filter(
			(candidate) => candidate.rule.wordings.length > 0 && candidate.rule.guards.length === 0 && !isFailureRule(candidate.rule),
		);
	};
	let ranked = rank();
	if ((ranked[0]?.score ?? 0) < THRESHOLDS.sure && opened.length === 1) {
		const top = choice.ranked[0]?.score ?? 0;
		const next = choice.ranked.find((skill) => skill.type === "reply" && !opened.includes(skill.name));
		if (next && next.score >= Math.max(THRESHOLDS.skill, top * THRESHOLDS.second)) {
			opened.push(next.name);
			ranked = rank();
		}
	}
	const best = ranked[0];
	return { skills: opened, rule: best && best.score >= THRESHOLDS.rule ? { skill: best.skill, index: best.rule.index, score: best.score } : null };
}
