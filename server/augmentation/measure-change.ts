import type { HarnessTool } from "@/server/harness/contract";
import { canonicalJson } from "@/server/kernel/hash";
import { charNgrams } from "@/server/kernel/text";
import type { Change } from "./contract";
import type { HarnessParts, SkillParts } from "./read-parts";
import { type Renames, renameMentions } from "./rename-mentions";

/** Skills of different names are one skill where their bodies share this much. A number of ours. */
const SAME_SKILL = 0.5;
/** Two lines are one line in other words where they share this much. A number of ours. */
const SAME_LINE = 0.3;

const grams = new Map<string, Set<string>>();

function gramsOf(text: string): Set<string> {
	const known = grams.get(text);
	if (known) return known;
	if (grams.size > 5_000) grams.clear();
	const made = charNgrams(text, 2);
	grams.set(text, made);
	return made;
}

/** 1 − Dice of character bigrams: 0 for equal texts, 1 for texts that share nothing. */
function changeOf(a: string, b: string): number {
	if (a === b) return 0;
	const [left, right] = [gramsOf(a), gramsOf(b)];
	let both = 0;
	for (const gram of left) if (right.has(gram)) both++;
	return left.size + right.size === 0 ? 0 : 1 - (2 * both) / (left.size + right.size);
}

const mean = (values: readonly number[]) => (values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length);
const share = (count: number, of: number) => (of === 0 ? 0 : count / of);
const bodyOf = (skill: SkillParts) => skill.lines.map((line) => line.text).join("\n");

/** Pairs by equal key first, then by the greatest likeness above a threshold. */
function pair<T>(before: readonly T[], after: readonly T[], keyOf: (item: T) => string, textOf: (item: T) => string, least: number): [T, T][] {
	const pairs: [T, T][] = [];
	const left = new Set(after);
	const open: T[] = [];
	for (const item of before) {
		const same = [...left].find((other) => keyOf(other) === keyOf(item));
		if (!same) open.push(item);
		else {
			pairs.push([item, same]);
			left.delete(same);
		}
	}
	for (const item of open) {
		const best = [...left].map((other) => ({ other, likeness: 1 - changeOf(textOf(item), textOf(other)) })).sort((a, b) => b.likeness - a.likeness)[0];
		if (!best || best.likeness < least) continue;
		pairs.push([item, best.other]);
		left.delete(best.other);
	}
	return pairs;
}

/** How many of the items that both lists have stand at another place among themselves. */
function outOfPlace(before: readonly string[], after: readonly string[]): number {
	const common = before.filter((item) => after.includes(item));
	const order = after.filter((item) => common.includes(item));
	return common.filter((item, i) => order[i] !== item).length;
}

type Pairs = [SkillParts, SkillParts][];

/** A text of the later harness under the names of the earlier one: a new name is a change of that name, not of every text that says it. */
type UnderOldNames = (text: string) => string;

function underOldNames(before: HarnessParts, after: HarnessParts, pairs: Pairs): UnderOldNames {
	const tools = new Map<string, string>();
	const argument = new Map<string, string>();
	for (const [a, b] of toolPairs(before, after)) {
		if (a.tool.name !== b.tool.name) tools.set(b.tool.name, a.tool.name);
		const now = argumentsOf(b);
		for (const [own, name] of argumentsOf(a)) if (now.has(own) && now.get(own) !== name) argument.set(now.get(own) as string, name);
	}
	const renames: Renames = { skill: new Map(pairs.flatMap(([a, b]) => (a.name === b.name ? [] : [[b.name, a.name] as const]))), tool: tools, argument };
	return (text) => renameMentions(text, renames);
}

function measureSkills(before: HarnessParts, after: HarnessParts, pairs: Pairs, plain: UnderOldNames): Pick<Change, "skillIdentity" | "skillContent"> {
	const removed = before.skills.length - pairs.length;
	const added = after.skills.length - pairs.length;
	const rules = pairs.map(([a, b]) => {
		const [old, now] = [a.lines.filter((line) => line.kind !== "other"), b.lines.filter((line) => line.kind !== "other")];
		const lines = pair(
			old,
			now,
			(line) => plain(line.text),
			(line) => plain(line.text),
			SAME_LINE,
		);
		const order = lines.map(([line]) => old.indexOf(line)).sort((x, y) => x - y);
		const positions = order.map((i) => now.indexOf(lines.find(([line]) => line === old[i])?.[1] as (typeof now)[number]));
		return {
			rewritten: mean(lines.map(([x, y]) => changeOf(x.text, plain(y.text)))),
			masked: share(old.filter((line) => line.kind === "rule" && !lines.some(([x]) => x === line)).length, old.filter((line) => line.kind === "rule").length),
			shuffled: positions.some((position, i) => i > 0 && position < (positions[i - 1] as number)),
		};
	});
	return {
		skillIdentity: {
			// A skill that took the place of another is part of the masking; noise cannot be told from distractors.
			distractors: Math.max(0, added - removed),
			noise: 0,
			mask: share(removed, before.skills.length),
			rename: share(pairs.filter(([a, b]) => a.name !== b.name).length, pairs.length),
			rewrite: mean(pairs.map(([a, b]) => changeOf(a.description, plain(b.description)))),
		},
		skillContent: {
			rewrite: mean(rules.map((rule) => rule.rewritten)),
			mask: mean(rules.map((rule) => rule.masked)),
			shuffle: share(rules.filter((rule) => rule.shuffled).length, rules.length),
		},
	};
}

/** Arguments by the binding's own names: that is what they are. */
const argumentsOf = ({ tool, argumentNames }: HarnessTool): Map<string, string> =>
	new Map(Object.keys((tool.inputSchema.properties ?? {}) as Record<string, unknown>).map((name) => [argumentNames[name] ?? name, name]));

function toolPairs(before: HarnessParts, after: HarnessParts): [HarnessTool, HarnessTool][] {
	const byBinding = new Map(after.harness.tools.map((tool) => [canonicalJson(tool.binding), tool]));
	return before.harness.tools.flatMap((tool) => {
		const same = byBinding.get(canonicalJson(tool.binding));
		return same ? [[tool, same] as [HarnessTool, HarnessTool]] : [];
	});
}

function measureTools(before: HarnessParts, after: HarnessParts, plain: UnderOldNames): Change["tools"] {
	const pairs = toolPairs(before, after);
	const renamed = pairs.flatMap(([a, b]) => {
		const now = argumentsOf(b);
		return [...argumentsOf(a)].flatMap(([own, name]) => (now.has(own) ? [now.get(own) !== name] : []));
	});
	return {
		rename: share(pairs.filter(([a, b]) => a.tool.name !== b.tool.name).length, pairs.length),
		arguments: share(renamed.filter(Boolean).length, renamed.length),
		rewrite: mean(pairs.map(([a, b]) => changeOf(a.tool.description, plain(b.tool.description)))),
	};
}

function measurePrompts(before: HarnessParts, after: HarnessParts, plain: UnderOldNames): Change["prompts"] {
	const pairs = before.prompts.flatMap((prompt) => {
		const same = after.prompts.find((other) => other.id === prompt.id);
		return same ? [[prompt.lines.map((line) => line.text), same.lines.map((line) => plain(line.text))] as const] : [];
	});
	const sorted = (lines: readonly string[]) => [...lines].sort().join("\n");
	const moves = Object.entries(before.harness.constraints).map(([name, { value, min, max }]) => {
		const now = after.harness.constraints[name]?.value ?? value;
		const room = now < value ? value - min : max - value;
		return now === value ? 0 : room > 0 ? Math.abs(now - value) / room : Number.POSITIVE_INFINITY;
	});
	const [old, now] = [before.pipeline.map((item) => item.source), after.pipeline.map((item) => item.source)];
	return {
		reorderBlocks: share(outOfPlace(old, now), old.length),
		reorderItems: share(pairs.filter(([a, b]) => sorted(a) === sorted(b) && a.some((line, i) => line !== b[i])).length, pairs.length),
		rewrite: mean(pairs.map(([a, b]) => changeOf(sorted(a), sorted(b)))),
		perturb: Math.max(0, ...moves),
	};
}

/** How far one harness is from another, transform by transform: shares in [0, 1] (more where a limit left its range) and counts. */
export function measureChange(before: HarnessParts, after: HarnessParts): Change {
	const pairs = pair(before.skills, after.skills, (skill) => skill.name, bodyOf, SAME_SKILL);
	const plain = underOldNames(before, after, pairs);
	const hooks = before.hooks.flatMap((hook) => {
		const same = after.hooks.find((other) => other.id === hook.id);
		return same ? [changeOf(hook.source, plain(same.source))] : [1];
	});
	return {
		...measureSkills(before, after, pairs, plain),
		tools: measureTools(before, after, plain),
		prompts: measurePrompts(before, after, plain),
		hooks: { retries: Math.abs(after.harness.limits.maxHookRetries - before.harness.limits.maxHookRetries), messages: mean(hooks) },
	};
}
