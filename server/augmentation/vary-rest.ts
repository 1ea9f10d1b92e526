import { typedLimits } from "@/server/harness";
import type { Random } from "@/server/kernel/random";
import { shuffleLines } from "./skill-body";
import { draw, reword, type VariantDraft } from "./variant-draft";

/** Descriptions of tools and of their arguments in other words. */
export function rewriteTools(draft: VariantDraft): void {
	const { strength, random } = draw(draft, "tools", "rewrite");
	if (strength === 0) return;
	for (const tool of draft.parts.tools)
		for (const { key, value } of tool.yaml.slots) {
			if (!/description$/u.test(key)) continue;
			const said = draft.toolTexts.get(tool.name)?.get(key) ?? value;
			const next = reword(draft, said, strength, random);
			if (next === said) continue;
			draft.toolTexts.get(tool.name)?.set(key, next);
			draft.log.push({ dimension: "tools", transform: "rewrite", component: `tool:${tool.name}`, before: value, after: next, because: "same-meaning" });
		}
}

/** A share of a list's items, at least two, change places among themselves. */
function permute<T>(items: readonly T[], share: number, random: Random): T[] {
	const count = Math.min(items.length, Math.max(2, Math.round(items.length * share)));
	const places = random.shuffle(items.map((_, i) => i)).slice(0, count);
	const moved = random.shuffle(places);
	const result = [...items];
	for (const [i, place] of places.entries()) result[place] = items[moved[i] as number] as T;
	return result;
}

export function reorderBlocks(draft: VariantDraft): void {
	const { strength, random } = draw(draft, "prompts", "reorderBlocks");
	if (strength === 0 || draft.pipeline.length < 2) return;
	const before = draft.pipeline;
	draft.pipeline = permute(before, strength, random);
	if (draft.pipeline.some((item, i) => item !== before[i]))
		draft.log.push({
			dimension: "prompts",
			transform: "reorderBlocks",
			component: "manifest:harness",
			before: before.join(", "),
			after: draft.pipeline.join(", "),
			because: "order-free",
		});
}

const isItem = (line: { text: string }) => /^[-*+]\s/u.test(line.text) && !line.text.includes("{%");
const sameText = (a: readonly { text: string }[], b: readonly { text: string }[]) => a.every((line, i) => line.text === b[i]?.text);

export function reorderItems(draft: VariantDraft): void {
	const { strength, random } = draw(draft, "prompts", "reorderItems");
	for (const [id, lines] of draft.promptLines) {
		if (random.next() >= strength) continue;
		const next = shuffleLines(lines, isItem, random);
		if (sameText(next, lines)) continue;
		draft.promptLines.set(id, next);
		draft.log.push({ dimension: "prompts", transform: "reorderItems", component: `prompt:${id}`, before: "", after: "", because: "order-free" });
	}
}

export function rewritePrompts(draft: VariantDraft): void {
	const { strength, random } = draw(draft, "prompts", "rewrite");
	if (strength === 0) return;
	for (const [id, lines] of draft.promptLines)
		draft.promptLines.set(
			id,
			lines.map((line) => {
				const next = /^\s*(?:#|$|```|\||\{%)/u.test(line.text) ? line.text : reword(draft, line.text, strength, random);
				if (next !== line.text)
					draft.log.push({ dimension: "prompts", transform: "rewrite", component: `prompt:${id}`, before: line.text, after: next, because: "same-meaning" });
				return { ...line, text: next };
			}),
		);
}

/** A value inside `min..max`, at most `strength` of the way to one of its ends; whole where the constraint is whole. */
function perturbed({ value, min, max }: { value: number; min: number; max: number }, strength: number, random: Random): number {
	const end = random.next() < 0.5 ? min : max;
	const moved = value + (end - value) * strength * random.next();
	const whole = [value, min, max].every(Number.isInteger);
	return Math.min(max, Math.max(min, whole ? Math.round(moved) : Math.round(moved * 100) / 100));
}

/** Constraints move inside their range. One that a hook has typed as a number stays: hook and prompts would disagree. */
export function perturbConstraints(draft: VariantDraft): void {
	const { strength, random } = draw(draft, "prompts", "perturb");
	if (strength === 0) return;
	const { harness, hooks } = draft.parts;
	for (const [name, constraint] of Object.entries(harness.constraints)) {
		const to = perturbed(constraint, strength, random);
		const typed = hooks.some((hook) => hook.numbers.has(constraint.value) && constraint.value > 1);
		const entry = { dimension: "prompts", transform: "perturb", component: `constraint:${name}`, before: String(constraint.value) };
		if (typed) draft.log.push({ ...entry, after: String(constraint.value), because: "left-alone" });
		else if (to !== constraint.value) {
			draft.constraints.set(name, { from: constraint.value, to });
			draft.log.push({ ...entry, after: String(to), because: "inside-range" });
		}
	}
	if (draft.constraints.size > 0) followEverywhere(draft);
}

function followEverywhere(draft: VariantDraft): void {
	const follow = <T extends { text: string }>(line: T): T => ({ ...line, text: followConstraints(draft, line.text) });
	for (const skill of draft.skills) {
		skill.description = followConstraints(draft, skill.description);
		skill.lines = skill.lines.map(follow);
	}
	for (const [id, lines] of draft.promptLines) draft.promptLines.set(id, lines.map(follow));
	for (const tool of draft.parts.tools)
		for (const { key, value } of tool.yaml.slots) if (/description$/u.test(key)) draft.toolTexts.get(tool.name)?.set(key, followConstraints(draft, value));
}

/** Typed numbers of a text that repeat a constraint follow it. */
export function followConstraints(draft: VariantDraft, text: string): string {
	let result = text;
	for (const [name, { from, to }] of draft.constraints) {
		const { unit } = draft.parts.harness.constraints[name] ?? {};
		if (!unit) continue;
		for (const { value, start, end } of typedLimits(result, unit).reverse())
			if (value === from) result = result.slice(0, start) + String(to) + result.slice(end);
	}
	return result;
}

const MOST_RETRIES = 10;

/** More tries after a hook's objection, never fewer than the harness grants; and its messages in another form. */
export function varyHooks(draft: VariantDraft): void {
	const retries = draw(draft, "hooks", "retries");
	const { maxHookRetries } = draft.parts.harness.limits;
	const written = draft.parts.manifest.slots.some((slot) => slot.key === "limits/maxHookRetries");
	const next = Math.min(MOST_RETRIES, maxHookRetries + Math.round(retries.strength));
	if (written && next !== maxHookRetries) {
		draft.retries = next;
		draft.log.push({
			dimension: "hooks",
			transform: "retries",
			component: "manifest:harness",
			before: String(maxHookRetries),
			after: String(next),
			because: "more-tries",
		});
	}
	const { strength, random } = draw(draft, "hooks", "messages");
	if (strength === 0 || !draft.parts.hooks.some((hook) => hook.retries.length > 0)) return;
	draft.hookStrength = strength;
	draft.hookFrame = random.next() < 0.8 ? random.pick(draft.language.hookFrames) : null;
	draft.log.push({ dimension: "hooks", transform: "messages", component: "hook:*", before: "{}", after: draft.hookFrame ?? "{}", because: "same-meaning" });
}
