import { normalizeText } from "@/server/kernel/text";

const HAN = /\p{Script=Han}/u;
const FUNCTION_WORDS = new Set(
	(
		"the and for are you your can could would will with that this have has had was were does did not but from they them what when where which who why how please want need help about into out get got any some there here just like let know tell make see more much than then also been its it's i'm i'd my me we our " +
		"请问 你们 我们 这个 那个 这款 那款 有没有 是不是 能不能 可不可以 可以 什么 怎么 怎么样 多少 为什么 哪里 哪个 一下 一点 如果 要是 已经 还是 还有 或者 但是 因为 所以 想要 刚才 刚刚 现在 今天 明天 昨天 我的 你的 他的 就是 不是 没有 不了 这边 那边 自己 一个 两个 几个 真的 知道 觉得 时候 的话 这样 那样 你家 我家 不会 不能 不要 会不会 要不要 给我 老板 大约 大概 差不多 左右"
	).split(/\s+/u),
);
const segmenter = new Intl.Segmenter("zh", { granularity: "word" });
const cache = new Map<string, string[]>();

function latinTerms(text: string): string[] {
	const words = (text.match(/[\p{L}][\p{L}'’-]*/gu) ?? []).filter((word) => !HAN.test(word)).map((word) => word.replace(/['’]s?$/u, ""));
	const terms: string[] = [];
	words.forEach((word, i) => {
		if (word.length >= 3 && !FUNCTION_WORDS.has(word)) terms.push(word);
		const next = words[i + 1];
		if (next && (!FUNCTION_WORDS.has(word) || !FUNCTION_WORDS.has(next)) && word.length > 1 && next.length > 1) terms.push(`${word} ${next}`);
	});
	return terms;
}

function hanTerms(text: string): string[] {
	const words = [...segmenter.segment(text)].map((part) => ({ text: part.segment, word: part.isWordLike === true && HAN.test(part.segment) }));
	const terms: string[] = [];
	words.forEach((part, i) => {
		if (!part.word) return;
		if ([...part.text].length >= 2 && !FUNCTION_WORDS.has(part.text)) terms.push(part.text);
		let joined = part.text;
		for (let j = i + 1; j < Math.min(words.length, i + 3); j++) {
			const next = words[j];
			if (!next?.word) break;
			joined += next.text;
			const length = [...joined].length;
			if (length > 4) break;
			if (length >= 2 && !FUNCTION_WORDS.has(joined)) terms.push(joined);
		}
	});
	return terms;
}

/** Words and short phrases of a text that could name its topic, each once. */
export function termsOf(text: string): string[] {
	const known = cache.get(text);
	if (known) return known;
	const plain = normalizeText(text.replace(/\{\{[^{}]*\}\}/gu, " "));
	const terms = [...new Set([...(HAN.test(plain) ? hanTerms(plain) : []), ...latinTerms(plain)])].filter((term) => !/^\d/u.test(term));
	if (cache.size > 20_000) cache.clear();
	cache.set(text, terms);
	return terms;
}

/** Whole words only: what replies are about is said in words that viewers know too. */
function wordsOf(text: string): string[] {
	const plain = normalizeText(text.replace(/\{\{[^{}]*\}\}/gu, " "));
	if (!HAN.test(plain)) return latinTerms(plain).filter((term) => !term.includes(" "));
	return [...segmenter.segment(plain)]
		.filter((part) => part.isWordLike && HAN.test(part.segment) && [...part.segment].length >= 2 && !FUNCTION_WORDS.has(part.segment))
		.map((part) => part.segment);
}

/** How often characters and pairs of them occur in the texts of a workspace. */
export interface Joins {
	of(gram: string): number;
}

export function countJoins(texts: readonly string[]): Joins {
	const counts = new Map<string, number>();
	for (const text of texts) {
		const chars = [...normalizeText(text)];
		chars.forEach((char, i) => {
			if (!HAN.test(char)) return;
			const next = chars[i + 1];
			for (const gram of next && HAN.test(next) ? [char, char + next] : [char]) counts.set(gram, (counts.get(gram) ?? 0) + 1);
		});
	}
	return { of: (gram) => counts.get(gram) ?? 0 };
}

const PARTICLE = /^[的了吗呢吧啊呀嘛么哦啦着过]|[的了吗呢吧啊呀嘛么哦啦]$/u;
const MIN_JOINED = 2;

/** Whether a pair of characters is rather one word than the end of one and the start of the next. */
function joined(pair: string, char: string, inside: string, joins: Joins): boolean {
	const n = joins.of(pair);
	return n >= MIN_JOINED && n * 2 > joins.of(char) && n > joins.of(inside);
}

/** A run of characters that begins or ends inside a word: where a text has it, its outer character nearly always stands with the neighbour. */
function isFragment(term: string, texts: readonly string[], joins: Joins): boolean {
	if (!HAN.test(term)) return false;
	if (PARTICLE.test(term)) return true;
	const [first = "", second = ""] = [...term];
	const [beforeLast = "", last = ""] = [...term].slice(-2);
	return texts.some((text) => {
		const plain = normalizeText(text);
		const at = plain.indexOf(term);
		if (at < 0) return false;
		const before = plain[at - 1] ?? "";
		const after = plain[at + term.length] ?? "";
		return (
			(HAN.test(before) && joined(before + first, first, first + second, joins)) || (HAN.test(after) && joined(last + after, last, beforeLast + last, joins))
		);
	});
}

/** A term that is a name, or begins or ends with one and adds a character to it. */
function namesPart(term: string, names: string): boolean {
	if (names.includes(term)) return true;
	const chars = [...term];
	return HAN.test(term) && chars.length === 3 && (names.includes(chars.slice(0, 2).join("")) || names.includes(chars.slice(1).join("")));
}

function countIn(term: string, texts: readonly string[]): number {
	let n = 0;
	for (const text of texts) if (normalizeText(text).includes(term)) n++;
	return n;
}

export interface TermSource {
	/** Messages of the cluster. */
	messages: readonly string[];
	/** Reference replies of the cluster. */
	references: readonly string[];
	/** Messages that are about something else. */
	others: readonly string[];
	/** Reference replies of something else. */
	otherReferences: readonly string[];
	/** Names of things, a line each: their words are no topic. */
	names: string;
	/** All messages, and descriptions of skills and of the fields that the reply gives: a word of a reply that is in none of them is not how people ask. */
	vocabulary: string;
	/** How the language of the workspace joins characters. */
	joins: Joins;
}

interface Scored {
	term: string;
	score: number;
}

/** Cluster share must exceed the share elsewhere by this factor. */
const LIFT = 3;

function shared({ messages, references, others, names, joins }: TermSource): Scored[] {
	const seen = new Set(messages.flatMap(termsOf));
	return [...seen].flatMap((term) => {
		if (namesPart(term, names) || isFragment(term, messages, joins)) return [];
		const inside = countIn(term, messages);
		const outside = countIn(term, others);
		const inReferences = countIn(term, references);
		// A word of one message alone counts only when half of the replies say it too: then it is the topic, not the person's turn of phrase.
		if (inside < 2 && inReferences * 2 < references.length) return [];
		const rate = inside / messages.length;
		const elsewhere = (outside + 0.5) / (others.length + 1);
		if (rate < LIFT * elsewhere) return [];
		return [{ term, score: inside * Math.log(rate / elsewhere) * (inReferences > 0 ? 1.3 : 1) }];
	});
}

function fromReplies({ references, otherReferences, others, names, vocabulary, joins }: TermSource): Scored[] {
	const seen = new Set(references.flatMap(wordsOf));
	return [...seen].flatMap((term) => {
		if (names.includes(term) || !vocabulary.includes(term) || isFragment(term, references, joins)) return [];
		const rate = countIn(term, references) / references.length;
		const elsewhere = (countIn(term, otherReferences) + 0.5) / (otherReferences.length + 1);
		const outside = countIn(term, others) / (others.length + 1);
		if (rate < 0.6 || rate < LIFT * elsewhere || outside > 0.02) return [];
		return [{ term, score: Math.log(rate / elsewhere) * 0.5 }];
	});
}

/** Keeps the best terms; of a term and one inside it the better one stays. */
function prune(terms: Scored[], limit: number): string[] {
	const kept: string[] = [];
	for (const { term } of terms.sort((a, b) => b.score - a.score || (a.term < b.term ? -1 : 1))) {
		if (kept.length >= limit) break;
		if (!kept.some((other) => other.includes(term) || term.includes(other))) kept.push(term);
	}
	return kept;
}

/** Terms that tell the cluster from everything else: what its messages share first, then what its replies are about. */
export function discriminativeTerms(source: TermSource, limit: number): string[] {
	const first = prune(shared(source), limit);
	const rest = prune(fromReplies(source), Math.max(0, Math.min(4, limit - first.length)));
	return [...first, ...rest.filter((term) => !first.some((other) => other.includes(term) || term.includes(other)))];
}
