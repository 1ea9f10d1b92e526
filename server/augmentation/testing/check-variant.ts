import { expect } from "vitest";
import { parseSkillBody } from "@/server/compact/parse-skill";
import { validateHarness } from "@/server/harness";
import type { Harness, HarnessTool } from "@/server/harness/contract";
import type { Variant } from "../augment";
import type { Keep } from "../contract";
import { renameMentions } from "../rename-mentions";
import { type SampleCase, skillsOf } from "./sample-cases";

export const read = (variant: Pick<Variant, "files">): Harness => {
	const { harness, problems } = validateHarness(variant.files);
	if (!harness) throw new Error(problems.map((problem) => `${problem.file}:${problem.line} ${problem.message}`).join("\n"));
	return harness;
};

const problemsBefore = new WeakMap<Harness, number>();

const distinct = (values: readonly string[]) => expect(new Set(values).size).toBe(values.length);
const properties = (tool: HarnessTool) => (tool.tool.inputSchema.properties ?? {}) as Record<string, Record<string, unknown>>;
const bare = ({ description: _, ...schema }: Record<string, unknown>) => schema;

/** Every tool is there under its new name, with its binding, and every argument reaches the binding under its own name. */
function checkTools(original: Harness, harness: Harness, { mapping }: Variant): void {
	expect(harness.tools).toHaveLength(original.tools.length);
	distinct(Object.values(mapping.tools));
	distinct(Object.values(mapping.arguments));
	for (const tool of original.tools) {
		const next = harness.tools.find((other) => other.tool.name === mapping.tools[tool.tool.name]);
		expect(next?.binding).toEqual(tool.binding);
		expect([next?.timeoutMs, next?.retryAttempts, next?.tool.outputSchema]).toEqual([tool.timeoutMs, tool.retryAttempts, tool.tool.outputSchema]);
		for (const [name, schema] of Object.entries(properties(tool))) {
			const argument = mapping.arguments[name] as string;
			const there = properties(next as HarnessTool)[argument];
			expect(there && bare(there)).toEqual(bare(schema));
			expect(next?.argumentNames[argument] ?? argument).toBe(tool.argumentNames[name] ?? name);
		}
		const required = (tool.tool.inputSchema.required ?? []) as string[];
		expect(next?.tool.inputSchema.required ?? []).toEqual(required.map((name) => mapping.arguments[name]));
	}
}

/** Every rule that is kept says and asks the same: wording, fields, guards, tools that it names; every prohibition stands. */
function checkRules(original: Harness, harness: Harness, { mapping }: Variant): void {
	const renames = {
		skill: new Map(Object.entries(mapping.skills)),
		tool: new Map(Object.entries(mapping.tools)),
		argument: new Map(Object.entries(mapping.arguments)),
	};
	distinct(Object.values(mapping.rules));
	for (const skill of original.skills) {
		const name = mapping.skills[skill.name];
		if (name === undefined) continue;
		const next = harness.skills.find((other) => other.name === name);
		expect([next?.type, next?.tags]).toEqual([skill.type, skill.tags]);
		const [before, after] = [parseSkillBody(skill.body), parseSkillBody(next?.body ?? "")];
		for (const rule of before.rules) {
			const to = mapping.rules[`${skill.name}#${rule.index}`];
			if (to === undefined) {
				expect(mapping.removed.rules).toContain(`${skill.name}#${rule.index}`);
				continue;
			}
			const same = after.rules[Number(to.slice(to.lastIndexOf("#") + 1))];
			expect([same?.wordings, same?.fields, same?.guards]).toEqual([rule.wordings, rule.fields, rule.guards]);
			for (const tool of original.tools) {
				const mentioned = new RegExp(`(?<![\\w-])${tool.tool.name}(?![\\w-])`, "u").test(rule.instructions);
				const there = renameMentions(rule.instructions, renames).includes(mapping.tools[tool.tool.name] as string);
				if (mentioned && there) expect(same?.instructions).toContain(mapping.tools[tool.tool.name]);
			}
		}
		expect(after.prohibitions.map((one) => one.words.sort().join("|")).sort()).toEqual(before.prohibitions.map((one) => one.words.sort().join("|")).sort());
	}
}

function checkLimits(original: Harness, harness: Harness, { mapping }: Variant): void {
	expect(harness.limits.maxHookRetries).toBeGreaterThanOrEqual(original.limits.maxHookRetries);
	for (const [name, { min, max, value }] of Object.entries(original.constraints)) {
		const now = harness.constraints[name]?.value as number;
		expect(mapping.constraints[name]).toEqual({ from: value, to: now });
		expect(now >= min && now <= max).toBe(true);
	}
	expect(harness.hooks.map(({ id, event, failure }) => [id, event, failure])).toEqual(original.hooks.map(({ id, event, failure }) => [id, event, failure]));
	expect(harness.pipeline.map((item) => JSON.stringify(item)).sort()).toEqual(original.pipeline.map((item) => JSON.stringify(item)).sort());
}

/** Asserts that what `keep` names is there, that the harness means the same, and that the variant validates without new warnings. */
export function checkVariant(original: Harness, variant: Variant, keep: Keep): Harness {
	const { harness, problems } = validateHarness(variant.files);
	if (!harness) throw new Error(problems.map((problem) => `${problem.file}:${problem.line} ${problem.message}`).join("\n"));
	const known = problemsBefore.get(original) ?? validateHarness(original.files).problems.length;
	problemsBefore.set(original, known);
	expect(problems.length).toBeLessThanOrEqual(known);
	checkTools(original, harness, variant);
	checkRules(original, harness, variant);
	checkLimits(original, harness, variant);
	const { mapping } = variant;
	distinct(Object.values(mapping.skills));
	expect(harness.skills.map((skill) => skill.name).sort()).toEqual([...Object.values(mapping.skills), ...mapping.added.skills].sort());
	expect(harness.skills.length).toBeGreaterThanOrEqual(original.skills.length);
	for (const skill of original.skills)
		if (keep === "everything" || keep.skills.includes(skill.name)) expect(mapping.skills[skill.name], skill.name).toBeDefined();
	return harness;
}

/** What of a case cannot be done in the variant any more: skills by their tags, tools by their handlers. Empty when nothing is lost. */
export function lostBy(original: Harness, harness: Harness, { mapping }: Variant, one: SampleCase): string[] {
	const names = new Set(harness.skills.map((skill) => skill.name));
	const handlers = (of: Harness) => of.tools.flatMap(({ binding }) => (binding.kind === "simulator" ? [binding.handler] : []));
	const [before, after] = [handlers(original), handlers(harness)];
	return [
		...skillsOf(original, one.skills).filter((name) => !names.has(mapping.skills[name] ?? "")),
		...one.tools.filter((handler) => before.includes(handler) && !after.includes(handler)),
	].map((what) => `${one.id}: ${what}`);
}
