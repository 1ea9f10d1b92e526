import { expect, it } from "vitest";
import { encodeText, weighFeatures } from "./encode-text";
import { skillText, toolText, weighOffers } from "./offers";
import { parseSkillBody, splitAlternatives } from "./parse-skill";
import { scoreCandidate } from "./score-candidates";

const skills = [
	{ name: "lamp-light", description: "Answers how bright a lamp is; “is it bright”, “how many watts”.", type: "reply" as const },
	{ name: "parcels", description: "回答寄送和包裹。有人问“几天到”“寄到哪”时使用。", type: "reply" as const },
];
const loaded = [
	{ body: "- When someone asks how bright a lamp is: answer “Nine watts.”\n- When someone asks for watts, or for volts: answer “Nine.”" },
	{ body: "- 当 有人问几天到、多久到: 答“三天。”" },
];
const tools = [{ name: "find_lamp", description: "Finds a lamp and its watts", inputSchema: { type: "object" as const } }];
const messages = ["how many watts has this lamp", "几天到呀", "is the parcel bright", "zebra", ""];

it.each([[[]], [loaded.slice(0, 1)], [loaded], [loaded.toReversed()]])("weighs and scores as text by text, with %o open", (open) => {
	const rules = open.flatMap(({ body }) => parseSkillBody(body).rules);
	const offers = weighOffers(skills, open);
	const weights = weighFeatures([...skills.map(skillText), ...rules.map((rule) => rule.condition)]);
	const words = new Set([...skills.map(skillText), ...loaded.map(({ body }) => body), ...messages].flatMap((text) => [...encodeText(text).keys()]));
	for (const feature of words) expect(offers.of(feature)).toBe(weights.of(feature));
	for (const message of messages) {
		const said = encodeText(message);
		const near = (scores: readonly number[], wanted: number[]) => {
			expect(scores).toHaveLength(wanted.length);
			for (const [i, score] of scores.entries()) expect(score).toBeCloseTo(wanted[i] as number, 12);
		};
		const alternatives = (skill: (typeof skills)[number]) => [skill.name.replace("-", " "), ...splitAlternatives(skill.description)];
		near(
			offers.scoreSkills(said),
			skills.map((skill) => scoreCandidate(said, alternatives(skill), skillText(skill), weights)),
		);
		near(
			offers.scoreRules(said),
			rules.map((rule) => scoreCandidate(said, rule.alternatives, rule.condition, weights)),
		);
		near(
			offers.scoreTools(said, tools),
			tools.map((tool) => scoreCandidate(said, [toolText(tool)], toolText(tool), weights)),
		);
	}
});

it("is the same object for the same skills and the same open texts, and another for another order", () => {
	expect(weighOffers(skills, loaded)).toBe(weighOffers(skills, [...loaded]));
	expect(weighOffers(skills, loaded)).not.toBe(weighOffers(skills, loaded.toReversed()));
	expect(weighOffers(skills, loaded)).not.toBe(weighOffers([...skills], loaded));
});
