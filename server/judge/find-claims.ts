import { sentencesOf } from "./match-text";

const NEGATOR =
	/(?:不(?!仅|但|光|止|只|论|管|用担心|要紧|错|过[，,])|没有?(?!问题|关系|错)|无法|无从|未(?!来)|别(?!担心|急|的)|勿|难以|并非|拒绝|禁止|\bnot\b|n['’]t\b|\bno\b|\bnever\b|\bcannot\b|\bcant\b|\bunable\b|\bwithout\b|\brefuse)/giu;
const CLAUSE_END = /[，,；;。.！!？?\n：:]/u;
/** A negation this many characters before the claim, in the same clause, is about the claim. */
const REACH = 10;
const REACH_LATIN = 40;
const DISOWN =
	/(?:不能|不会|不敢|没法|无法|不可以|不该|不应|不属实|不实|不准确|是谣言|没有依据|没有这|不作|不做|cannot|can['’]t|won['’]t|not true|not something)/iu;

function fold(text: string): { plain: string; at: number[] } {
	let plain = "";
	const at: number[] = [];
	const source = text.normalize("NFKC").toLowerCase();
	for (let i = 0; i < source.length; i++) {
		const char = source[i] as string;
		if (/\s/u.test(char) && !/[a-z]/u.test(source[i - 1] ?? "")) continue;
		plain += char;
		at.push(i);
	}
	return { plain, at };
}

function negated(plain: string, start: number, end: number): boolean {
	let from = start;
	const reach = /[a-z]/u.test(plain[start] ?? "") ? REACH_LATIN : REACH;
	while (from > 0 && start - from < reach && !CLAUSE_END.test(plain[from - 1] as string)) from--;
	const before = plain.slice(from, start);
	const hits = [...before.matchAll(NEGATOR)].length;
	if (hits % 2 === 1) return true;
	// “…”这类话我不能说: the claim is quoted and then disowned.
	const quoted = /[“"「'‘]$/u.test(before) && /^[”"」'’]/u.test(plain.slice(end));
	const rest = plain.slice(end).split(/[。！!？?\n]/u)[0] ?? "";
	return quoted && DISOWN.test(rest);
}

export interface Claim {
	words: string;
	sentence: string;
}

/**
 * A forbidden claim that the reply makes. Saying that one does not make it is not making it: 不能保证不过敏 is not the
 * claim 保证不过敏. Null when every mention is negated or there is none.
 */
export function findClaim(reply: string, forbidden: readonly string[]): Claim | null {
	for (const words of forbidden) {
		const { plain: needle } = fold(words);
		if (needle === "") continue;
		for (const sentence of sentencesOf(reply)) {
			const { plain } = fold(sentence);
			for (let at = plain.indexOf(needle); at >= 0; at = plain.indexOf(needle, at + 1)) {
				const cutsNumber =
					/^\d/u.test(needle) && /[\d.]/u.test(plain[at - 1] ?? "") ? true : /\d$/u.test(needle) && /\d/u.test(plain[at + needle.length] ?? "");
				if (!cutsNumber && !negated(plain, at, at + needle.length)) return { words, sentence };
			}
		}
	}
	return null;
}
