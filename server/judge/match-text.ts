import { digitsOf } from "./parse-numbers";

const NOISE = /[\s\p{P}\p{S}]/gu;
/** Signs that carry meaning inside a number or a quantity. */
const KEEP = new Set([".", "%", "+", ":", "-", "/", "~", "℃", "°"]);

/** A comma of 1,280: the number goes on. */
const GROUPING = /^,\d{3}(?!\d)/u;

/**
 * NFKC, lower case, Chinese quantities in digits, punctuation and white space out (except inside a number). Between two
 * numbers of a list (39、40) one blank stays: they are not 3940.
 */
export function comparable(text: string): string {
	const plain = digitsOf(text).toLowerCase();
	let out = "";
	let apart = false;
	for (let i = 0; i < plain.length; i++) {
		const char = plain[i] as string;
		if (!NOISE.test(char)) {
			out += apart && /\d$/u.test(out) && /\d/u.test(char) ? ` ${char}` : char;
			apart = false;
		} else if (KEEP.has(char) && /[\d]/u.test(plain[i - 1] ?? "") && /[\d%]/u.test(char === "%" ? "%" : (plain[i + 1] ?? ""))) out += char;
		else apart ||= !GROUPING.test(plain.slice(i, i + 5));
		NOISE.lastIndex = 0;
	}
	return out;
}

/** Where `needle` occurs in `hay` (both comparable) without cutting a number in two; -1 when nowhere. */
export function indexOfWhole(hay: string, needle: string, from = 0): number {
	if (needle === "") return -1;
	for (let at = hay.indexOf(needle, from); at >= 0; at = hay.indexOf(needle, at + 1)) {
		const before = hay[at - 1] ?? "";
		const after = hay[at + needle.length] ?? "";
		const next = hay[at + needle.length + 1] ?? "";
		const cutsLeft = /^\d/u.test(needle) && (/\d/u.test(before) || (before === "." && /\d/u.test(hay[at - 2] ?? "")));
		const cutsRight = /\d$/u.test(needle) && (/\d/u.test(after) || (after === "." && /\d/u.test(next)));
		const word = /^[a-z]/u.test(needle) && /[a-z]/u.test(before) && /[a-z]$/u.test(needle) && /[a-z]/u.test(after);
		if (!cutsLeft && !cutsRight && !word) return at;
	}
	return -1;
}

/** Whether the text says the words, whatever its punctuation, width or way of writing numbers. */
export function says(text: string, words: string): boolean {
	return indexOfWhole(comparable(text), comparable(words)) >= 0;
}

/** Sentences of a reply, for evidence. */
export function sentencesOf(text: string): string[] {
	return (text.match(/[^。！!？?\n]+[。！!？?]*/gu) ?? []).map((sentence) => sentence.trim()).filter((sentence) => sentence.length > 0);
}

/** The sentence of the text that says the words; undefined when none does by itself. */
export function sentenceSaying(text: string, words: string): string | undefined {
	return sentencesOf(text).find((sentence) => says(sentence, words));
}
