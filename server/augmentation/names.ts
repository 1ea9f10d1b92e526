import type { Random } from "@/server/kernel/random";
import type { PhraseBook } from "./phrase-book";

export type NameKind = "skill" | "tool" | "argument";

const MOST: Record<NameKind, number> = { skill: 60, tool: 60, argument: 40 };
/** Share of new names that say nothing. A number of ours. */
const OPAQUE_SHARE = 0.2;

/** The words of an identifier, in lower case. */
export const wordsOf = (name: string): string[] =>
	name
		.replace(/([a-z0-9])([A-Z])/gu, "$1 $2")
		.split(/[^A-Za-z0-9]+/u)
		.filter((word) => word !== "")
		.map((word) => word.toLowerCase());

function join(words: readonly string[], kind: NameKind, style: string): string {
	const parts = words.flatMap((word) => word.split("-"));
	if (kind === "skill") return parts.join("-");
	const camel = kind === "argument" ? !/_/u.test(style) : /[a-z][A-Z]/u.test(style);
	return camel ? parts.map((part, i) => (i === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1))).join("") : parts.join("_");
}

function propose(name: string, kind: NameKind, book: PhraseBook, random: Random): string {
	if (random.next() < OPAQUE_SHARE) {
		const letters = Array.from({ length: 4 }, () => random.pick([...book.opaque])).join("");
		return kind === "skill" ? `s-${letters}` : kind === "tool" ? `tool_${letters}` : `p${letters}`;
	}
	const words = wordsOf(name).map((word) => {
		const others = book.nameParts[word];
		return others && random.next() < 0.8 ? random.pick(others) : word;
	});
	const turned = words.length === 2 && random.next() < 0.4 ? [words[1] as string, words[0] as string] : words;
	const changed = join(turned, kind, name);
	if (changed !== name) return changed;
	return join(random.next() < 0.5 ? [random.pick(book.namePrefixes), ...words] : [...words, random.pick(book.nameSuffixes)], kind, name);
}

/** Another name for a component that nothing in the harness has, was or will be called. Adds it to `taken`. Null when none was found. */
export function renameOne(name: string, kind: NameKind, taken: Set<string>, book: PhraseBook, random: Random): string | null {
	for (let tries = 0; tries < 12; tries++) {
		const next = propose(name, kind, book, random)
			.slice(0, MOST[kind])
			.replace(/^[^A-Za-z]+|[-_]+$/gu, "");
		if (next === "" || taken.has(next) || (kind === "skill" && next.includes("--"))) continue;
		taken.add(next);
		return next;
	}
	return null;
}
