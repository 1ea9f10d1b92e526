import { digitsOf } from "./parse-numbers";

const NOISE = /[\s\p{P}\p{S}]/gu;
/** Signs that carry meaning inside a number or a quantity. */
const KEEP = new Set([".", "%", "+", ":", "-", "/", "~", "℃", "°"]);

/** 1,280 and 12,345,678: commas inside one number. */
const GROUPED = /(?<![\d,])\d{1,3}(?:,\d{3})+(?!,?\d)/gu;
/** What may follow a word that is meant in any of its forms: refund, refunds, refunded. */
const INFLECTION = /^(?:e?s|e?d|ing)?(?![a-z])/u;
/** From here on a row of digits is a telephone or order number, however it is spaced. */
const LONG_NUMBER = /^\d{10,}$/u;

/** Whether two characters would become one word or one number without what stood between them. */
const wouldJoin = (before: string, after: string) => (/\d/u.test(before) && /\d/u.test(after)) || (/[a-z]/u.test(before) && /[a-z]/u.test(after));

/**
 * NFKC, lower case, Chinese quantities in digits, punctuation and white space out (except inside a number). One blank stays
 * between two numbers (39、40 is not 3940) and between two words of Latin letters.
 */
export function comparable(text: string): string {
	const plain = digitsOf(text)
		.toLowerCase()
		.replace(GROUPED, (number) => number.replaceAll(",", ""));
	let out = "";
	let apart = false;
	for (let i = 0; i < plain.length; i++) {
		const char = plain[i] as string;
		if (!NOISE.test(char)) {
			out += apart && wouldJoin(out.at(-1) ?? "", char) ? ` ${char}` : char;
			apart = false;
		} else if (KEEP.has(char) && /[\d]/u.test(plain[i - 1] ?? "") && /[\d%]/u.test(char === "%" ? "%" : (plain[i + 1] ?? ""))) out += char;
		else apart = true;
		NOISE.lastIndex = 0;
	}
	return out;
}

/** Where `needle` occurs in `hay` (both comparable) without cutting a number or a word in two; -1 when nowhere. */
export function indexOfWhole(hay: string, needle: string, from = 0): number {
	if (needle === "") return -1;
	for (let at = hay.indexOf(needle, from); at >= 0; at = hay.indexOf(needle, at + 1)) {
		const before = hay[at - 1] ?? "";
		const rest = hay.slice(at + needle.length, at + needle.length + 5);
		const after = rest[0] ?? "";
		const cutsLeft = /^\d/u.test(needle) && (/\d/u.test(before) || (before === "." && /\d/u.test(hay[at - 2] ?? "")));
		const cutsRight = /\d$/u.test(needle) && (/\d/u.test(after) || (after === "." && /\d/u.test(rest[1] ?? "")));
		const cutsWord = (/^[a-z]/u.test(needle) && /[a-z]/u.test(before)) || (/[a-z]$/u.test(needle) && !INFLECTION.test(rest));
		if (!cutsLeft && !cutsRight && !cutsWord) return at;
	}
	return -1;
}

/** Whether the text says the words, whatever its punctuation, width or way of writing numbers. */
export function says(text: string, words: string): boolean {
	const [hay, needle] = [comparable(text), comparable(words)];
	return indexOfWhole(LONG_NUMBER.test(needle) ? hay.replace(/(?<=\d) (?=\d)/gu, "") : hay, needle) >= 0;
}

/** Sentences of a reply, for evidence. */
export function sentencesOf(text: string): string[] {
	return (text.match(/[^。！!？?\n]+[。！!？?]*/gu) ?? []).map((sentence) => sentence.trim()).filter((sentence) => sentence.length > 0);
}

/** The sentence of the text that says the words; undefined when none does by itself. */
export function sentenceSaying(text: string, words: string): string | undefined {
	return sentencesOf(text).find((sentence) => says(sentence, words));
}
