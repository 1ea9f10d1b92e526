import { hash32 } from "@/server/kernel/random";
import { normalizeText } from "@/server/kernel/text";

/** A text as hashed features (character n-grams and words) with their weights, before any IDF. */
export type Encoded = ReadonlyMap<number, number>;

const RUN = /\p{Script=Han}+|[\p{L}\p{M}]+|\d+/gu;
const HAN = /\p{Script=Han}/u;
/** Function characters carry no topic on their own; inside a bigram they may. */
const HAN_FUNCTION = new Set("的了吗呢啊吧呀哦嘛么哈嗯是我你您他她它这那有在就也都还和与及个一不把被让请问下会能要说得着过很");
const LATIN_FUNCTION = new Set(
	"a an the i im ive my me we our you your it its is are was be been am do does did don to of in on at for from and or if with this that there can could would will should have has had not no so as by about please want need how what when where which who why up out any some get got help".split(
		" ",
	),
);
const UNIGRAM = 0.5;
const FUNCTION_BIGRAM = 0.25;
const BIGRAM = 1;
const TRIGRAM = 0.6;
const FUNCTION_WORD = 0.15;
/** Texts of two ages are remembered: one that is in use keeps its encoding, and what was computed from that. */
const CACHE_LIMIT = 20_000;
let cache = new Map<string, Encoded>();
let older = new Map<string, Encoded>();

/** Ways of asking that mean the same: colloquial and dialect function words, no topic words. */
const COLLOQUIAL: [RegExp, string][] = [
	[/咋样|咋个样/gu, "怎么样"],
	[/咋整|咋办|怎么整/gu, "怎么办"],
	[/咋个?/gu, "怎么"],
	[/啥时候?|几时|多会儿?|多咱|什么时间/gu, "什么时候"],
	[/啥/gu, "什么"],
	[/哪儿|哪块|哪边|哪搭/gu, "哪里"],
	[/么有|木有|冇|没得/gu, "没有"],
	[/俺|咱们?|偶/gu, "我"],
	[/(?:吗|么|嘛|不|没|没有|否|伐|不嘞|不呢|不啊)(?=$|[\s，,。？?！!~])/gu, "吗"],
];

function addHan(run: string, add: (gram: string, weight: number) => void): void {
	const chars = [...run];
	chars.forEach((char, i) => {
		if (!HAN_FUNCTION.has(char)) add(char, UNIGRAM);
		const next = chars[i + 1];
		const afterNext = chars[i + 2];
		if (next !== undefined) add(char + next, HAN_FUNCTION.has(char) && HAN_FUNCTION.has(next) ? FUNCTION_BIGRAM : BIGRAM);
		if (next !== undefined && afterNext !== undefined) add(char + next + afterNext, TRIGRAM);
	});
}

function addLatin(word: string, add: (gram: string, weight: number) => void): void {
	if (LATIN_FUNCTION.has(word)) {
		add(`w:${word}`, FUNCTION_WORD);
		return;
	}
	add(`w:${word}`, 1);
	if (word.length < 4) return;
	// Shorter grams than three letters say nothing in a Latin script; together the grams weigh as much as the word.
	const padded = `^${word}$`;
	const grams: string[] = [];
	for (const n of [3, 4, 5]) for (let i = 0; i + n <= padded.length; i++) grams.push(padded.slice(i, i + n));
	for (const gram of grams) add(`g:${gram}`, 1 / grams.length);
}

/** Encodes a text; numbers are masked so that a price or an id never decides a route. Cached by text. */
export function encodeText(text: string): Encoded {
	const known = cache.get(text);
	if (known) return known;
	const features = older.get(text) ?? encode(text);
	if (cache.size >= CACHE_LIMIT) [cache, older] = [new Map(), cache];
	cache.set(text, features);
	return features;
}

function encode(text: string): Encoded {
	const features = new Map<number, number>();
	const add = (gram: string, weight: number) => {
		const key = hash32(gram);
		features.set(key, Math.max(features.get(key) ?? 0, weight));
	};
	let plain = normalizeText(text).replace(/[’']/gu, "");
	if (HAN.test(plain)) for (const [pattern, standard] of COLLOQUIAL) plain = plain.replace(pattern, standard);
	for (const [run] of plain.matchAll(RUN)) {
		if (HAN.test(run)) addHan(run, add);
		else if (!/^\d/u.test(run)) addLatin(run, add);
	}
	return features;
}

/** Union of several encodings, each scaled. */
export function mixEncodings(parts: readonly { encoded: Encoded; scale: number }[]): Encoded {
	if (parts.length === 1 && parts[0]?.scale === 1) return parts[0].encoded;
	const mixed = new Map<number, number>();
	for (const { encoded, scale } of parts) for (const [key, weight] of encoded) mixed.set(key, Math.max(mixed.get(key) ?? 0, weight * scale));
	return mixed;
}

/** How rare a feature is among the texts that the harness itself offers: ln((N + 1) / (df + 0.5)), never under 0.05. */
export interface FeatureWeights {
	of(feature: number): number;
}

const tables = new Map<number, Float64Array>();

/** The weight of a feature by the number of texts that have it, among `n` of them. */
export function idfTable(n: number): Float64Array {
	const known = tables.get(n);
	if (known) return known;
	const made = Float64Array.from({ length: n + 1 }, (_value, count) =>
		count === 0 ? Math.log((n + 1) / 0.5) : Math.max(0.05, Math.log((n + 1) / (count + 0.5))),
	);
	tables.set(n, made);
	return made;
}

/** IDF over candidate texts. */
export function weighFeatures(texts: readonly string[]): FeatureWeights {
	const df = new Map<number, number>();
	for (const text of texts) for (const feature of encodeText(text).keys()) df.set(feature, (df.get(feature) ?? 0) + 1);
	const idf = idfTable(texts.length);
	return { of: (feature) => idf[df.get(feature) ?? 0] as number };
}
