import { createRandom, type Random } from "@/server/kernel/random";
import type { AugmentationDimension, Envelope, Keep, Synonyms, TRANSFORMS, Transform, VariantLogEntry, VariantMapping } from "./contract";
import { drawStrength } from "./envelope";
import type { NameKind } from "./names";
import { paraphrase } from "./paraphrase";
import type { Distractor, LanguageBook, PhraseBook } from "./phrase-book";
import type { HarnessParts, SkillParts } from "./read-parts";
import { mentionsIn } from "./rename-mentions";
import type { Rewritings } from "./rewritable-texts";
import type { BodyLine } from "./skill-body";

export interface DraftSkill {
	/** Null for one that the variant adds. */
	original: SkillParts | null;
	added: Distractor | null;
	name: string;
	description: string;
	lines: BodyLine[];
}

/** A variant in the making: what the transforms change, in order. */
export interface VariantDraft {
	parts: HarnessParts;
	envelope: Envelope;
	keep: Keep;
	book: PhraseBook;
	/** The workspace's own words, for samples of what is asked. */
	words: Synonyms | null;
	rewritings: Rewritings;
	language: LanguageBook;
	seed: string;
	skills: DraftSkill[];
	toolTexts: Map<string, Map<string, string>>;
	promptLines: Map<string, { text: string }[]>;
	pipeline: string[];
	constraints: Map<string, { from: number; to: number }>;
	retries: number;
	hookFrame: string | null;
	hookStrength: number;
	renames: Record<NameKind, Map<string, string>>;
	removedRules: string[];
	removedSkills: string[];
	/** All names that are or were in the harness, and those given since. */
	taken: Set<string>;
	log: VariantLogEntry[];
}

/** Words that hooks and records use for other things than components. */
const RESERVED =
	"load_skill input skill tool-call tool-result reply open closed message model tool hook retry error pass replace block viewer agent name type steps".split(
		" ",
	);

/** What a seed says about one transform: its strength here (0: it does not happen) and its own source of randomness. */
export function draw<K extends AugmentationDimension>(
	draft: VariantDraft,
	dimension: K,
	transform: (typeof TRANSFORMS)[K][number],
): { strength: number; random: Random } {
	// Each transform has its own stream, so that changing one part of an envelope leaves the others' choices alone.
	const random = createRandom(`${draft.seed}/${dimension}.${transform}`);
	return { strength: drawStrength((draft.envelope[dimension] as Record<string, Transform>)[transform] as Transform, random), random };
}

/** A model's way to say a text, drawn with probability `strength`; null where it has none or the draw says no. */
export function modelWay(draft: VariantDraft, text: string, strength: number, random: Random): string | null {
	const ways = draft.rewritings.get(text);
	return ways && ways.length > 0 && random.next() < strength ? random.pick(ways) : null;
}

/** A text in other words: a model's where there are some, else the seeded paraphrase. */
export const reword = (draft: VariantDraft, text: string, strength: number, random: Random): string =>
	modelWay(draft, text, strength, random) ?? paraphrase(text, draft.book, strength, random);

export const isKept = (keep: Keep, kind: "skills" | "rules" | "tools", id: string): boolean => keep === "everything" || keep[kind].includes(id);

const bodyOf = (skill: SkillParts) => skill.lines.map((line) => line.text).join("\n");

/** All that a policy or a person reads of a harness, as texts. */
function textsOf(parts: HarnessParts): string[] {
	return [
		...parts.skills.flatMap((skill) => [skill.description, bodyOf(skill), ...Object.values(skill.others)]),
		...parts.tools.flatMap((tool) => tool.yaml.slots.filter((slot) => /(?:title|description)$/.test(slot.key)).map((slot) => slot.value)),
		...parts.prompts.map((prompt) => prompt.lines.map((line) => line.text).join("\n")),
		...parts.hooks.flatMap((hook) => hook.texts.map((text) => text.value)),
	];
}

const languages = new WeakMap<HarnessParts, "zh" | "en">();

/** The language of what a variant adds: Chinese where a tenth of the harness's letters are Han. */
function languageOf(parts: HarnessParts): "zh" | "en" {
	const before = languages.get(parts);
	if (before) return before;
	const text = textsOf(parts).join("");
	const language = (text.match(/\p{Script=Han}/gu)?.length ?? 0) > text.length / 10 ? "zh" : "en";
	languages.set(parts, language);
	return language;
}

type Untouchable = Record<NameKind, ReadonlySet<string>>;
const untouchables = new WeakMap<HarnessParts, Untouchable>();

/**
 * Names that cannot be followed everywhere, so that no variant changes them: those of two kinds of component, those that a
 * sentence uses as plain words, and those that a hook compares with in a way that cannot be told apart.
 */
export function untouchableNames(parts: HarnessParts): Untouchable {
	const before = untouchables.get(parts);
	if (before) return before;
	const names = {
		skill: parts.skills.map((skill) => skill.name),
		tool: parts.tools.map((tool) => tool.name),
		argument: [...new Set(parts.tools.flatMap((tool) => tool.arguments))],
	};
	const texts = textsOf(parts);
	const made = Object.fromEntries(
		(["skill", "tool", "argument"] as const).map((kind) => {
			const others = Object.entries(names).flatMap(([other, list]) => (other === kind ? [] : list));
			const unsure = new Set(texts.flatMap((text) => mentionsIn(text, names[kind], kind).flatMap((mention) => (mention.sure ? [] : [mention.name]))));
			const compared = parts.hooks.flatMap((hook) => (kind === "tool" && hook.readsHandler && hook.readsNames ? [...hook.exactLiterals] : []));
			return [kind, new Set([...RESERVED, ...unsure, ...compared, ...others, ...(kind === "argument" ? parts.fixedArguments : [])])];
		}),
	) as unknown as Untouchable;
	untouchables.set(parts, made);
	return made;
}

export function openDraft(
	parts: HarnessParts,
	envelope: Envelope,
	seed: number,
	keep: Keep,
	{ book, words, rewritings }: Pick<VariantDraft, "book" | "words" | "rewritings">,
): VariantDraft {
	const language = languageOf(parts) === "zh" ? book.zh : book.en;
	return {
		parts,
		envelope,
		keep,
		book,
		words,
		rewritings,
		language,
		seed: String(seed),
		skills: parts.skills.map((original) => ({ original, added: null, name: original.name, description: original.description, lines: original.lines })),
		toolTexts: new Map(parts.tools.map((tool) => [tool.name, new Map()])),
		promptLines: new Map(parts.prompts.map((prompt) => [prompt.id, prompt.lines])),
		pipeline: parts.pipeline.map((item) => item.source),
		constraints: new Map(),
		retries: parts.harness.limits.maxHookRetries,
		hookFrame: null,
		hookStrength: 0,
		renames: { skill: new Map(), tool: new Map(), argument: new Map() },
		removedRules: [],
		removedSkills: [],
		taken: new Set([...RESERVED, ...parts.skills.map((skill) => skill.name), ...parts.tools.flatMap((tool) => [tool.name, ...tool.arguments])]),
		log: [],
	};
}

/** The mapping of a finished draft. */
export function mappingOf(draft: VariantDraft): VariantMapping {
	const kept = draft.skills.flatMap((skill) => (skill.original ? [{ ...skill, from: skill.original.name }] : []));
	const rules: Record<string, string> = {};
	for (const { from, name, lines } of kept)
		lines
			.filter((line) => line.kind === "rule")
			.forEach((line, index) => {
				rules[`${from}#${line.rule}`] = `${name}#${index}`;
			});
	const table = (names: readonly string[], renames: ReadonlyMap<string, string>) => Object.fromEntries(names.map((name) => [name, renames.get(name) ?? name]));
	return {
		skills: table(
			kept.map((skill) => skill.from),
			draft.renames.skill,
		),
		tools: table(
			draft.parts.tools.map((tool) => tool.name),
			draft.renames.tool,
		),
		arguments: table([...new Set(draft.parts.tools.flatMap((tool) => tool.arguments))], draft.renames.argument),
		rules,
		constraints: Object.fromEntries(
			Object.entries(draft.parts.harness.constraints).map(([name, { value }]) => [name, draft.constraints.get(name) ?? { from: value, to: value }]),
		),
		removed: { skills: draft.removedSkills, rules: draft.removedRules },
		added: { skills: draft.skills.flatMap((skill) => (skill.added ? [skill.name] : [])) },
	};
}
