import type { Random } from "@/server/kernel/random";
import type { LanguageBook, PhraseBook } from "./phrase-book";
import { findLoss, splitStretches } from "./protect-text";

/** The language that a text is written in, as far as rewriting goes. */
export const bookFor = (text: string, book: PhraseBook): LanguageBook => (/\p{Script=Han}/u.test(text) ? book.zh : book.en);

const patterns = new WeakMap<LanguageBook, RegExp>();

function patternOf(book: LanguageBook): RegExp {
	const known = patterns.get(book);
	if (known) return known;
	const words = Object.keys(book.synonyms).sort((a, b) => b.length - a.length);
	const source = words.map((word) => (/^[a-z]/i.test(word) ? `(?<![\\p{L}-])${word}(?![\\p{L}-])` : word)).join("|");
	const made = new RegExp(source, "giu");
	patterns.set(book, made);
	return made;
}

const capital = (model: string, text: string) => (/^[A-Z]/.test(model) ? text.charAt(0).toUpperCase() + text.slice(1) : text);

/**
 * A seeded paraphrase: each phrase that the book knows is replaced with probability `strength`, two sentences change places
 * now and then, and lists of quoted samples are shuffled. Quoted wording, numbers and placeholders stay; where the rewriting
 * would lose one of them or a prohibition, the text comes back as it was.
 */
export function paraphrase(text: string, book: PhraseBook, strength: number, random: Random): string {
	const language = bookFor(text, book);
	const pattern = patternOf(language);
	const replaced = splitStretches(text)
		.map((stretch) =>
			stretch.free
				? stretch.text.replace(pattern, (found) => {
						const ways = language.synonyms[found] ?? language.synonyms[found.toLowerCase()];
						return ways && random.next() < strength ? capital(found, random.pick(ways)) : found;
					})
				: stretch.text,
		)
		.join("");
	const moved = random.next() < strength ? swapSentences(shuffleSamples(replaced, random), random) : replaced;
	return moved === text || findLoss(text, moved) !== null ? text : moved;
}

const SAMPLES = /(?:“[^”\n]{1,40}”(?:、|，)?){2,}/gu;

/** `“a”“b”“c”` in another order. */
function shuffleSamples(text: string, random: Random): string {
	return text.replace(SAMPLES, (list) => {
		const separator = /”([、，])“/u.exec(list)?.[1] ?? "";
		const tail = /[、，]$/u.exec(list)?.[0] ?? "";
		return random.shuffle([...list.matchAll(/“[^”\n]*”/gu)].map((match) => match[0])).join(separator) + tail;
	});
}

/** What points back to the sentence before, so that the two cannot change places. */
const POINTS_BACK =
	/^(?:它|这|那|其|此|否则|所以|因此|于是|不过|但|然而|而|并|也|还|再|then|it|this|that|they|otherwise|so|but|also|use it|reach|pick|apply)/iu;

/** Two sentences of one line change places where neither points at the other. */
function swapSentences(text: string, random: Random): string {
	if (text.includes("\n") || !text.endsWith("。")) return text;
	const sentences = text.match(/[^。]+。/gu) ?? [];
	if (sentences.length !== 2 || sentences.join("") !== text || sentences.some((sentence) => POINTS_BACK.test(sentence))) return text;
	return random.next() < 0.5 ? sentences.reverse().join("") : text;
}
