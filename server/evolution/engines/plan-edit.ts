import type { SkillRule } from "@/server/compact";
import { jaccard } from "@/server/kernel/text";
import type { DiagnosisCase } from "../contract";
import { wordingOf } from "./cluster-cases";
import { countJoins, discriminativeTerms } from "./extract-terms";
import type { Template } from "./generalise-reply";
import type { HarnessDraft } from "./harness-draft";
import type { Components, ReadSkill } from "./read-components";
import { wordingSimilarity } from "./wording-similarity";

/** A rule whose wording is this much like what is wanted says it already; it only has to be found. */
const SAME_ANSWER = 0.62;
/** A rule this much like what is wanted is about the same thing. */
const RELATED = 0.3;
const MAX_TERMS = 10;

export interface Group {
	category: string;
	component: string | null;
	cases: DiagnosisCase[];
	templates: Template[];
}

export interface PlannedEdit {
	kind: "widen" | "add" | "create" | "guard" | "replace";
	skill: ReadSkill | null;
	rule: SkillRule | null;
	wording: string;
	tools: { name: string; args: string[] }[];
	guards: string[];
	terms: string[];
}

/** The rule that answers most of a group today. */
export interface CurrentRule {
	skill: string;
	rule: SkillRule;
	/** Share of the group that it answers. */
	share: number;
	/** Passing messages that it answers too. */
	passing: number;
}

interface Talk {
	messages: readonly string[];
	references: readonly string[];
}

const FIELD = /\{\{[^{}]*\}\}/gu;
/** Wording with fewer letters than this beside its fields says nothing by itself: the fields decide. */
const FEW_LETTERS = 6;

/** How much two wordings say the same: their words, and the fields that they give. */
function sameAnswer(rule: SkillRule, wording: { text: string; fields: Template["fields"] }): number {
	const own = new Set(rule.fields);
	const theirs = new Set(wording.fields.map((field) => field.name));
	const words = wordingSimilarity(rule.wordings.join(" "), wording.text);
	if (own.size === 0 && theirs.size === 0) return words;
	const fields = jaccard(own, theirs);
	const letters = rule.wordings
		.join("")
		.replace(FIELD, "")
		.replace(/[^\p{L}]/gu, "").length;
	return letters < FEW_LETTERS ? fields : (words + fields) / 2;
}

/** The rule of the harness that already says what a group wants, with its skill. */
function findAnswer(components: Components, group: Group, wording: { text: string; fields: Template["fields"] }): { skill: ReadSkill; rule: SkillRule } | null {
	let best: { skill: ReadSkill; rule: SkillRule; score: number } | null = null;
	for (const skill of components.skills) {
		// A rule of a skill that is for something else may say the same words; its messages are not these.
		const fits = skill.name === group.category || skill.tags.includes(group.category) || `skill:${skill.name}` === group.component;
		if (skill.type !== "reply" || !fits) continue;
		for (const rule of skill.parsed.rules) {
			if (rule.wordings.length === 0) continue;
			const score = sameAnswer(rule, wording);
			if (score >= SAME_ANSWER && score > (best?.score ?? 0)) best = { skill, rule, score };
		}
	}
	return best;
}

/** Where a new rule belongs: the blamed skill, else the skill that is for the category, else a new one (null). */
function findHome(components: Components, group: Group): ReadSkill | null {
	const replies = components.skills.filter((skill) => skill.type === "reply");
	const named = group.component?.startsWith("skill:") ? replies.find((skill) => `skill:${skill.name}` === group.component) : undefined;
	const own = replies.filter((skill) => skill.name === group.category || skill.tags.includes(group.category));
	if (named && (own.length === 0 || own.includes(named))) return named;
	return own[0] ?? null;
}

/** Optional arguments that a rule has to name: those that its fields are about, and those that sister rules name for them. */
function argumentsFor(components: Components, tool: string, fields: readonly string[]): string[] {
	const schema = components.tools.find((candidate) => candidate.name === tool)?.inputSchema;
	const names = Object.keys((schema?.properties ?? {}) as Record<string, unknown>);
	const rules = components.skills.flatMap((skill) => skill.parsed.rules).filter((rule) => rule.instructions.includes(tool));
	return names.filter((name) => {
		if (fields.some((field) => field === name || (name.length > 3 && field.toLowerCase().startsWith(name.toLowerCase())))) return true;
		const naming = rules.filter((rule) => new RegExp(`(?<![\\w])${name}(?![\\w])`, "u").test(rule.instructions));
		const others = rules.filter((rule) => !naming.includes(rule));
		return fields.some((field) => naming.some((rule) => rule.fields.includes(field)) && !others.some((rule) => rule.fields.includes(field)));
	});
}

function toolsFor(components: Components, fields: Template["fields"]): { name: string; args: string[] }[] {
	const byTool = new Map<string, string[]>();
	for (const { tool, name } of fields) byTool.set(tool, [...(byTool.get(tool) ?? []), name]);
	return [...byTool].map(([name, names]) => ({ name, args: argumentsFor(components, name, names) }));
}

/** Fields of the wording that these cases' results have and other results of the same tool lack: what makes the case special. */
function guardsFor(group: Group, all: readonly DiagnosisCase[], fields: Template["fields"]): string[] {
	const ids = new Set(group.cases.map((c) => c.caseId));
	const results = (cases: readonly DiagnosisCase[], tool: string) =>
		cases.flatMap((c) => c.toolCalls.filter((call) => call.name === tool && call.ok).map((call) => call.result as Record<string, unknown>));
	const others = all.filter((c) => !ids.has(c.caseId));
	return fields
		.filter(({ tool, name }) => {
			const own = results(group.cases, tool);
			const rest = results(others, tool);
			return own.length > 0 && own.every((result) => result?.[name] !== undefined) && rest.some((result) => result?.[name] === undefined);
		})
		.map(({ name }) => name);
}

/** Names of things that tools returned: a word of a name is what a message is about by chance. */
function namesIn(all: readonly DiagnosisCase[], components: Components): string {
	const fields = new Set(components.fields.filter((field) => /名|name|title/iu.test(`${field.name} ${field.description}`)).map((field) => field.name));
	const names = all.flatMap((c) =>
		c.toolCalls.flatMap((call) =>
			call.result !== null && typeof call.result === "object"
				? Object.entries(call.result).flatMap(([key, value]) => (fields.has(key) && typeof value === "string" && value.length <= 40 ? [value] : []))
				: [],
		),
	);
	return [...new Set(names)].join("\n").toLowerCase();
}

/** What to change for a group of failures that want one answer; null when nothing general can be said. */
export function planEdit(draft: HarnessDraft, group: Group, all: readonly DiagnosisCase[], others: Talk, current: CurrentRule | null): PlannedEdit | null {
	const components = draft.read();
	if (!components) return null;
	const wording = wordingOf(group.templates);
	if (!wording) return null;
	const messages = group.cases.map((c) => c.message);
	const references = group.cases.flatMap((c) => (c.reference === null ? [] : [c.reference]));
	const names = namesIn(all, components);
	const said = [...messages, ...others.messages];
	const given = components.fields.filter((field) => wording.fields.some(({ tool, name }) => tool === field.tool && name === field.name));
	const known = [...said, ...components.skills.map((skill) => skill.description), ...given.map((field) => field.description)];
	const joins = countJoins([...said, ...references, ...others.references, ...names.split("\n")]);
	const terms = discriminativeTerms(
		{ messages, references, others: others.messages, otherReferences: others.references, names, vocabulary: known.join("\n").toLowerCase(), joins },
		MAX_TERMS,
	);
	if (terms.length === 0) return null;
	const tools = toolsFor(components, wording.fields);
	const base = { wording: wording.text, tools, terms, guards: [] as string[] };
	const answer = findAnswer(components, group, wording);
	const here = current ? (components.skills.find((candidate) => candidate.name === current.skill) ?? null) : null;
	if (current && here && answer?.rule !== current.rule) {
		const guards = guardsFor(group, all, wording.fields);
		if (guards.length > 0) return { ...base, kind: "guard", skill: here, rule: current.rule, guards };
	}
	// The right rule answers already: more of the same words would change nothing; better wording might.
	if (current && here && current.share === 1 && (answer === null || answer.rule === current.rule) && sameAnswer(current.rule, wording) >= RELATED) {
		const better = wording.fields.some((field) => !current.rule.fields.includes(field.name)) && current.passing * 2 <= group.cases.length;
		return better ? { ...base, kind: "replace", skill: here, rule: current.rule } : null;
	}
	if (answer) return { ...base, kind: "widen", skill: answer.skill, rule: answer.rule };
	const home = findHome(components, group);
	return { ...base, kind: home ? "add" : "create", skill: home, rule: null };
}

/** Carries a plan out on the draft. Returns the skill that now answers. */
export function applyEdit(draft: HarnessDraft, plan: PlannedEdit, category: string): string | null {
	const words = plan.terms;
	if (plan.kind === "create" || !plan.skill) return draft.createSkill(category, words, draft.ruleText(draft.condition(words), plan.tools, [plan.wording]));
	const name = plan.skill.name;
	if (plan.kind === "widen" && plan.rule) draft.widenRule(plan.skill, plan.rule, words);
	else if (plan.kind === "guard" && plan.rule) {
		const guard = plan.guards.slice(0, 1).map((field) => (draft.zh ? `且有 {{${field}}}` : `and with {{${field}}}`));
		draft.addBullet(plan.skill, draft.ruleText(`${plan.rule.condition}，${guard.join("")}`, plan.tools, [plan.wording]));
		return name;
	} else if (plan.kind === "replace" && plan.rule) draft.replaceRule(plan.skill, plan.rule, draft.ruleText(plan.rule.condition, plan.tools, [plan.wording]));
	else draft.addBullet(plan.skill, draft.ruleText(draft.condition(words), plan.tools, [plan.wording]));
	const fresh = draft.read()?.skills.find((skill) => skill.name === name);
	if (fresh) draft.widenDescription(fresh, words);
	return name;
}
