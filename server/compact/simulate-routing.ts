import type { AgentMessage } from "@/server/agent/contract";
import type { McpTool } from "@/server/harness/contract";
import { encodeText } from "./encode-text";
import { isFailureRule } from "./handle-failures";
import { decideRules, decideSkill } from "./learned/act";
import type { Brain } from "./learned/brain";
import type { Parameters } from "./learned/parameters";
import { Scorer } from "./learned/scorer";
import { type SkillOffer, weighOffers } from "./offers";
import { openTurn } from "./open-turn";
import { exampleNames } from "./read-examples";
import { createMask, LOAD_SKILL, splitQuestions } from "./read-situation";
import { chooseSkills, encodingsOf, rankRules, THRESHOLDS } from "./route-message";

export interface Route {
	/** Skills that would be opened, in order. */
	skills: string[];
	/** The rule that would answer: skill and index; null when none would. */
	rule: { skill: string; index: number; score: number } | null;
}

type Skill = SkillOffer & { body: string };

/** Where a policy would take a message under these skills, before any tool is called. `required`: a reply skill has to be opened. */
export type SimulateRouting = (message: string, skills: readonly Skill[], tools: readonly McpTool[], required?: boolean) => Route;

/**
 * Where the compact policy would take a message under these skills, before any tool is called: the same functions as the
 * policy's own, so that an edit can be tried on messages without running an episode.
 */
export const simulateRouting: SimulateRouting = (message, skills, tools, required = true) => {
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
};

/** The same under learned weights: an edit has to be tried on the policy that will act. */
export function routingUnder(parameters: Parameters): SimulateRouting {
	const brain: Brain = { scorer: new Scorer(parameters) };
	return (message, skills, tools, required = true) => {
		const skillIndex = skills as Skill[];
		const opened: string[] = [];
		const messages: AgentMessage[] = [{ role: "user", content: message }];
		for (;;) {
			const loadedSkills = skills.filter(({ name }) => opened.includes(name)).map(({ name, body }) => ({ name, body }));
			const view = { constraints: {}, promptBlocks: [], skillIndex, loadedSkills, tools: tools as McpTool[], requireReplySkill: required };
			const turn = openTurn({ systemPrompt: "", tools: [], messages, view, seed: 0, deadlineMs: 0 });
			const load = decideSkill(turn, brain);
			if (load?.kind === "call") {
				const toolCalls = load.calls.map(({ name, args }, i) => ({ id: `${opened.length + i}`, name, arguments: args }));
				opened.push(...load.calls.map(({ args }) => String(args.name)));
				messages.push(
					{ role: "assistant", content: "", toolCalls },
					...toolCalls.map(({ id }) => ({ role: "tool" as const, toolCallId: id, name: LOAD_SKILL, content: "", isError: false })),
				);
				continue;
			}
			const [best] = decideRules(turn, brain);
			return { skills: opened, rule: best ? { skill: best.skill, index: best.rule.index, score: best.score } : null };
		}
	};
}
