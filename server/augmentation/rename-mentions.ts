import type { NameKind } from "./names";

/** New names by what they name. */
export type Renames = Record<NameKind, ReadonlyMap<string, string>>;

const MARKS: Record<NameKind, RegExp> = {
	skill: /(?:\bskills?|\bload)\s+$/iu,
	tool: /(?:\btools?|\bcall|\binvoke|\brun|\buse)\s+$/iu,
	argument: /(?:\barguments?|\bparameters?|\bfields?|\bpass)\s+$/iu,
};
const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&");

/** A plain lower-case word, which a sentence may use without meaning the component of that name. */
const isPlainWord = (name: string) => /^[a-z]+$/u.test(name);

/** Longest first, so that a name inside a longer one is not found in it. */
const patternFor = (names: readonly string[]) =>
	new RegExp(
		`\\{\\{[^{}]*\\}\\}|\\{%[^%]*%\\}|“[^”\\n]*”|「[^」\\n]*」|(?<![\\w-])(?:${[...names]
			.sort((a, b) => b.length - a.length)
			.map(literal)
			.join("|")})(?![\\w-])`,
		"gu",
	);

interface Mention {
	name: string;
	index: number;
	/** Whether it surely means the component: marked, quoted, an identifier, or Latin letters among Han ones. */
	sure: boolean;
}

function isSure(text: string, name: string, index: number, kind: NameKind): boolean {
	if (!isPlainWord(name)) return true;
	const before = text.slice(Math.max(0, index - 24), index);
	const after = text.slice(index + name.length, index + name.length + 4);
	if (/[`"'“]$/u.test(before) && /^[`"'”]/u.test(after)) return true;
	if (/\p{Script=Han}[\s（(，、：:]*$/u.test(before) || /^[\s）)，、：:]*\p{Script=Han}/u.test(after)) return true;
	return MARKS[kind].test(before);
}

const patterns = new WeakMap<object, RegExp>();

/** The pattern of a list of names, made once for the list. */
function patternOf(names: readonly string[], owner: object = names): RegExp {
	const known = patterns.get(owner);
	if (known) return known;
	const made = patternFor(names);
	patterns.set(owner, made);
	return made;
}

/** Where a text mentions names of a kind; templates and quoted wording are no mentions, a quote that is the name alone is one. */
export function mentionsIn(text: string, names: readonly string[], kind: NameKind, owner: object = names): Mention[] {
	if (names.length === 0) return [];
	const mentions: Mention[] = [];
	for (const match of text.matchAll(patternOf(names, owner))) {
		const found = match[0];
		if (found.startsWith("{")) continue;
		const quoted = /^[“「](.*)[”」]$/u.exec(found)?.[1];
		if (quoted !== undefined) {
			if (names.includes(quoted)) mentions.push({ name: quoted, index: match.index + 1, sure: true });
			continue;
		}
		mentions.push({ name: found, index: match.index, sure: isSure(text, found, match.index, kind) });
	}
	return mentions;
}

/** The same text with every sure mention under its new name. */
export function renameMentions(text: string, renames: Renames): string {
	const edits: { start: number; end: number; to: string }[] = [];
	for (const kind of ["skill", "tool", "argument"] as const)
		for (const { name, index, sure } of mentionsIn(text, [...renames[kind].keys()], kind, renames[kind]))
			if (sure) edits.push({ start: index, end: index + name.length, to: renames[kind].get(name) as string });
	edits.sort((a, b) => b.start - a.start);
	let result = text;
	for (const { start, end, to } of edits) result = result.slice(0, start) + to + result.slice(end);
	return result;
}
