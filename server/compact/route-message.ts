import type { Encoded } from "./encode-text";
import type { Offers, SkillOffer } from "./offers";
import { parseSkillBody, type SkillRule } from "./parse-skill";
import type { Situation } from "./read-situation";

export interface RankedSkill {
	name: string;
	type: "reply" | "strategy";
	score: number;
}

export interface RankedRule {
	skill: string;
	rule: SkillRule;
	score: number;
}

/** Thresholds of ours, in units of `scoreCandidate`. */
export const THRESHOLDS = {
	/** A rule below this does not answer the message. */
	rule: 0.004,
	/** Above this a rule is taken without a look at another skill or at earlier turns. */
	sure: 0.25,
	/** A question of several needs this much to add a rule or a skill of its own. */
	extra: 0.34,
	/** Below this a skill is not worth loading, unless one is required. */
	skill: 0.004,
	/** Another skill is opened when the first has no rule and this one has at least this share of its score. */
	second: 0.35,
} as const;

const QUESTION_DISCOUNT = 0.92;
const SKILL_PRIOR = 0.25;
const MAX_OPEN = 3;

/** The best score over the whole message and its single questions, for every candidate. */
function scoreOver(parts: readonly Encoded[], scoreAll: (part: Encoded) => readonly number[]): readonly number[] {
	const [whole = [], ...questions] = parts.map(scoreAll);
	return questions.length === 0 ? whole : whole.map((score, i) => Math.max(score, ...questions.map((scores) => (scores[i] as number) * QUESTION_DISCOUNT)));
}

/** Skills by similarity of the message and their descriptions, best first; ties keep the order of the index. `weights` are of these very skills. */
export function rankSkills(parts: readonly Encoded[], skills: readonly SkillOffer[], weights: Offers): RankedSkill[] {
	const scores = scoreOver(parts, (part) => weights.scoreSkills(part));
	return skills.map((skill, i) => ({ name: skill.name, type: skill.type, score: scores[i] as number })).sort((a, b) => b.score - a.score);
}

/** Rules of the open skills by similarity of the message and their conditions, best first; a skill's own score is a prior. `weights` are of these very skills. */
export function rankRules(
	parts: readonly Encoded[],
	loaded: readonly { name: string; body: string }[],
	ranked: readonly RankedSkill[],
	weights: Offers,
): RankedRule[] {
	const prior = new Map(ranked.map((skill) => [skill.name, skill.score]));
	const rules = loaded.flatMap((skill) => parseSkillBody(skill.body).rules.map((rule) => ({ skill: skill.name, rule })));
	const scores = scoreOver(parts, (part) => weights.scoreRules(part));
	return rules
		.map(({ skill, rule }, i) => {
			const score = scores[i] as number;
			return { skill, rule, score: score === 0 ? 0 : score + SKILL_PRIOR * (prior.get(skill) ?? 0) };
		})
		.sort((a, b) => b.score - a.score);
}

/** Which encodings stand for the message: whole, then each of its questions. */
export function encodingsOf(situation: Pick<Situation, "encoded" | "segments">, encode: (text: string) => Encoded): Encoded[] {
	return [situation.encoded, ...(situation.segments.length > 1 ? situation.segments.map(encode) : [])];
}

export interface SkillChoice {
	load: string[];
	ranked: RankedSkill[];
}

/**
 * The skills to open first: the best reply skill, a strategy skill that fits about as well, and the best skill of another
 * question of the same message.
 */
export function chooseSkills(
	situation: Pick<Situation, "encoded" | "segments" | "withHistory">,
	skills: readonly SkillOffer[],
	weights: Offers,
	required: boolean,
	encode: (text: string) => Encoded,
): SkillChoice {
	let ranked = rankSkills(encodingsOf(situation, encode), skills, weights);
	const bestOf = (list: RankedSkill[]) => list.find((skill) => skill.type === "reply");
	if ((bestOf(ranked)?.score ?? 0) < THRESHOLDS.sure) {
		const wide = rankSkills([situation.withHistory], skills, weights);
		if ((bestOf(wide)?.score ?? 0) > (bestOf(ranked)?.score ?? 0)) ranked = wide;
	}
	const first = bestOf(ranked);
	if (!first || (first.score < THRESHOLDS.skill && !required)) return { load: [], ranked };
	const load = [first.name];
	const strategy = ranked.find((skill) => skill.type === "strategy");
	if (strategy && strategy.score >= THRESHOLDS.extra && strategy.score >= first.score * 0.9) load.push(strategy.name);
	// Unsure, it reads a few more skills before it answers, as a person would leaf through the index.
	if (first.score < THRESHOLDS.sure) {
		for (const skill of ranked) if (skill.type === "reply" && !load.includes(skill.name) && skill.score > 0 && load.length < MAX_OPEN) load.push(skill.name);
	}
	if (situation.segments.length > 1) {
		for (const segment of situation.segments) {
			const own = bestOf(rankSkills([encode(segment)], skills, weights));
			if (own && own.score >= THRESHOLDS.extra && !load.includes(own.name) && load.length < 3) load.push(own.name);
		}
	}
	return { load, ranked };
}
