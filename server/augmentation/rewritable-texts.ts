import { findLoss } from "./protect-text";
import type { HarnessParts } from "./read-parts";
import { mentionsIn } from "./rename-mentions";
import { parseBody } from "./skill-body";

/** Other ways to say a text of a harness, by the text; each has passed `refuseRewriting`. */
export type Rewritings = ReadonlyMap<string, readonly string[]>;

export interface RewritableText {
	text: string;
	/** A line of a list or of running text, or a description (skills' must stay under the format's limit). */
	kind: "line" | "description";
}

const MOST_DESCRIPTION = 1_024;
const worthIt = (text: string) => /[\p{L}]{4}/u.test(text) && !/^\s*(?:#|```|\||\{%)/u.test(text);

/** All texts of a harness that may be said in other words, each once. */
export function rewritableTexts(parts: HarnessParts): RewritableText[] {
	const lines = [
		...parts.skills.flatMap((skill) => skill.lines.map((line) => line.text)),
		...parts.prompts.flatMap((prompt) => prompt.lines.map((line) => line.text)),
	].filter((text) => worthIt(text) && !text.includes("{%"));
	const descriptions = [
		...parts.skills.map((skill) => skill.description),
		...parts.tools.flatMap((tool) => tool.yaml.slots.filter((slot) => /description$/u.test(slot.key)).map((slot) => slot.value)),
	].filter(worthIt);
	const texts = new Map<string, RewritableText>();
	for (const text of lines) texts.set(text, { text, kind: "line" });
	for (const text of descriptions) texts.set(text, { text, kind: "description" });
	return [...texts.values()];
}

const markOf = (line: string) => /^\s*(?:[-*+]|\d+[.)])?\s*/u.exec(line)?.[0] ?? "";
const guardsOf = (line: string) => [...line.matchAll(/[^、，,；;:：]*\{\{[^{}]*\}\}[^、，,；;:：]*/gu)].map((match) => match[0].trim()).sort();

/**
 * Why a rewriting cannot take the place of a text; null when it can. Placeholders, quoted wording, numbers and prohibitions
 * must survive, and with them names of components, the kind of line, and conditions on a result's field.
 */
export function refuseRewriting({ text, kind }: RewritableText, rewriting: string, parts: HarnessParts): string | null {
	if (rewriting.trim() === "" || rewriting === text) return "it says nothing new";
	if (/[\r\n]/u.test(rewriting)) return "it has more than one line";
	if (rewriting.length > text.length * 2 + 40 || (kind === "description" && rewriting.length > MOST_DESCRIPTION)) return "it is too long";
	const lost = findLoss(text, rewriting);
	if (lost) return `it loses ${lost}`;
	const names = {
		skill: parts.skills.map((skill) => skill.name),
		tool: parts.tools.map((tool) => tool.name),
		argument: parts.tools.flatMap((tool) => tool.arguments),
	};
	for (const word of ["skill", "tool", "argument"] as const) {
		const said = (of: string) =>
			mentionsIn(of, names[word], word)
				.map((mention) => mention.name)
				.sort()
				.join(" ");
		if (said(text) !== said(rewriting)) return `it does not name the same ${word}s`;
	}
	if (kind === "description") return null;
	if (markOf(text) !== markOf(rewriting)) return "it changes the list's mark";
	const [before, after] = [parseBody(text)[0], parseBody(rewriting)[0]];
	if (before?.kind !== after?.kind) return "it is another kind of line";
	const head = (line: string) => line.split(/[:：]/u)[0] ?? "";
	return before?.kind === "rule" && guardsOf(head(text)).join() !== guardsOf(head(rewriting)).join() ? "it changes a condition on a field" : null;
}
