import { LRUCache } from "lru-cache";
import type { McpTool } from "@/server/harness/contract";
import { type Encoded, type FeatureWeights, idfTable } from "./encode-text";
import { type ParsedSkill, parseSkillBody, splitAlternatives } from "./parse-skill";
import { type GroupWeights, TextGroup } from "./text-group";

export interface SkillOffer {
	name: string;
	description: string;
	type: "reply" | "strategy";
}

/** A skill's name and description as one text. */
export const skillText = ({ name, description }: Pick<SkillOffer, "name" | "description">): string => `${plainName(name)} ${description}`;
/** A tool's name and description as one text. */
export const toolText = ({ name, description }: Pick<McpTool, "name" | "description">): string => `${plainName(name)} ${description}`;

const plainName = (name: string): string => name.replace(/[-_]/gu, " ");

/** Something made once for an object, for as long as that lives. */
function remember<K extends object, V>(make: (key: K) => V): (key: K) => V {
	const known = new WeakMap<K, V>();
	return (key) => {
		const before = known.get(key);
		if (before !== undefined) return before;
		const made = make(key);
		known.set(key, made);
		return made;
	};
}

const skillGroup = remember(
	(skills: readonly SkillOffer[]) =>
		new TextGroup(skills.map((skill) => ({ alternatives: [plainName(skill.name), ...splitAlternatives(skill.description)], text: skillText(skill) }))),
);
const ruleGroup = remember(({ rules }: ParsedSkill) => new TextGroup(rules.map((rule) => ({ alternatives: rule.alternatives, text: rule.condition }))));
const toolGroup = remember((tools: readonly McpTool[]) => new TextGroup(tools.map((tool) => ({ alternatives: [toolText(tool)], text: toolText(tool) }))));

/** Situations whose scores a set of offers remembers. */
const MOST_SITUATIONS = 64;

/** IDF over what the harness offers now: descriptions, and conditions of the skills that are open. */
export class Offers implements FeatureWeights {
	private readonly idf: Float64Array;
	private readonly weighed = new Map<TextGroup, GroupWeights & { scores: Map<Encoded, number[]> }>();
	private lastSaid: { situation: Encoded; weight: number } | null = null;

	constructor(
		private readonly skills: TextGroup,
		private readonly rules: readonly TextGroup[],
	) {
		this.idf = idfTable(this.groups.reduce((sum, group) => sum + group.size, 0));
	}

	private get groups(): readonly TextGroup[] {
		return [this.skills, ...this.rules];
	}

	of(feature: number): number {
		let count = this.skills.frequencyOf(feature);
		for (const group of this.rules) count += group.frequencyOf(feature);
		return this.idf[count] as number;
	}

	/** All that a situation says, weighed; every group asks for the same one in turn. */
	private saidIn(situation: Encoded): number {
		if (this.lastSaid?.situation === situation) return this.lastSaid.weight;
		let weight = 0;
		for (const [feature, own] of situation) weight += own * this.of(feature);
		this.lastSaid = { situation, weight };
		return weight;
	}

	/** Remembered for some situations: the steps of an episode ask again, and so do its other endings. */
	private scoreGroup(group: TextGroup, situation: Encoded): readonly number[] {
		let own = this.weighed.get(group);
		if (!own) {
			own = { ...group.weigh(this.groups, this.idf), scores: new Map() };
			this.weighed.set(group, own);
		}
		const known = own.scores.get(situation);
		if (known) return known;
		const made = group.scoreAll(situation, own, this.saidIn(situation));
		if (own.scores.size >= MOST_SITUATIONS) own.scores.clear();
		own.scores.set(situation, made);
		return made;
	}

	/** Overlap of a situation with each of the skills. */
	scoreSkills(situation: Encoded): readonly number[] {
		return this.scoreGroup(this.skills, situation);
	}

	/** Overlap of a situation with each rule of the open skills, one skill after the other. */
	scoreRules(situation: Encoded): readonly number[] {
		return this.rules.flatMap((group) => this.scoreGroup(group, situation));
	}

	/** Overlap of a situation with each tool's text. */
	scoreTools(situation: Encoded, tools: readonly McpTool[]): readonly number[] {
		return this.scoreGroup(toolGroup(tools), situation);
	}
}

/** Which skills are open changes from step to step, and comes back: by the list of skills, and by what is open of them. */
const MOST_REMEMBERED = 500;
let lastId = 0;
const ids = remember((_key: object) => ++lastId);
const offers = new LRUCache<string, Offers>({ max: MOST_REMEMBERED });

/** The weights of what is offered now; the same object for the same list of skills and the same open texts, while it is remembered. */
export function weighOffers(skills: readonly SkillOffer[], loaded: readonly { body: string }[]): Offers {
	const parsed = loaded.map(({ body }) => parseSkillBody(body));
	const key = [skills, ...parsed].map(ids).join();
	const known = offers.get(key);
	if (known) return known;
	const made = new Offers(skillGroup(skills), parsed.map(ruleGroup));
	offers.set(key, made);
	return made;
}
