import type { Random } from "@/server/kernel/random";
import type { Synonyms } from "./contract";
import type { PhraseBook } from "./phrase-book";

const isHan = (text: string) => /\p{Script=Han}/u.test(text);
const books = new WeakMap<PhraseBook, WeakMap<Synonyms, PhraseBook>>();

/** A phrase book with a workspace's own words beside its general ones; one-word ways also make names. */
export function withWords(book: PhraseBook, words: Synonyms | null): PhraseBook {
	if (!words) return book;
	const known = books.get(book)?.get(words);
	if (known) return known;
	const entries = Object.entries(words).map(([word, ways]) => [word.toLowerCase(), ways] as const);
	const of = (han: boolean) => Object.fromEntries(entries.filter(([word]) => isHan(word) === han));
	const names = entries.flatMap(([word, ways]) => {
		const parts = /^[a-z]+$/u.test(word) ? ways.filter((way) => /^[a-z]+$/u.test(way)) : [];
		return parts.length > 0 ? [[word, parts] as const] : [];
	});
	const made = {
		...book,
		zh: { ...book.zh, synonyms: { ...of(true), ...book.zh.synonyms } },
		en: { ...book.en, synonyms: { ...of(false), ...book.en.synonyms } },
		nameParts: { ...Object.fromEntries(names), ...book.nameParts },
	};
	const own = books.get(book) ?? new WeakMap<Synonyms, PhraseBook>();
	books.set(book, own);
	own.set(words, made);
	return made;
}

const patterns = new WeakMap<Synonyms, RegExp>();

function patternOf(words: Synonyms): RegExp {
	const known = patterns.get(words);
	if (known) return known;
	const literal = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&");
	const source = Object.keys(words)
		.sort((a, b) => b.length - a.length)
		.map((word) => (isHan(word) ? literal(word) : `(?<![\\p{L}-])${literal(word)}(?![\\p{L}-])`))
		.join("|");
	const made = new RegExp(source, "giu");
	patterns.set(words, made);
	return made;
}

const SAMPLE = /“[^”\n{}]*”/gu;

/**
 * Samples of what is asked (`“…”` in a description or condition) in the workspace's own words. Nothing that a reply says is
 * touched: whoever calls hands in no action.
 */
export function rewriteSamples(text: string, words: Synonyms, strength: number, random: Random): string {
	const ways = new Map(Object.entries(words).map(([word, list]) => [word.toLowerCase(), list]));
	return text.replace(SAMPLE, (sample) =>
		sample.replace(patternOf(words), (found) => {
			const list = ways.get(found.toLowerCase());
			return list && random.next() < strength ? random.pick(list) : found;
		}),
	);
}
