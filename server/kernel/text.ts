const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** Characters whose graphemes are all single code points, so that the segmenter can be skipped (the usual case): no marks that join, no joiners. */
const SIMPLE = /^[\n\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u21ff\u3000-\u3029\u4e00-\u9fff\uff00-\uff9d]*$/u;

/** Number of characters as a person counts them (extended grapheme clusters). */
export function countGraphemes(text: string): number {
	if (SIMPLE.test(text)) return text.length;
	let n = 0;
	for (const _ of segmenter.segment(text)) n++;
	return n;
}

/** NFKC, lower case, white space collapsed. */
export function normalizeText(text: string): string {
	return text.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
}

/** Set of character n-grams of the normalised text without white space. */
export function charNgrams(text: string, n: number): Set<string> {
	const chars = [...normalizeText(text).replace(/\s/gu, "")];
	const grams = new Set<string>();
	for (let i = 0; i + n <= chars.length; i++) grams.add(chars.slice(i, i + n).join(""));
	if (grams.size === 0 && chars.length > 0) grams.add(chars.join(""));
	return grams;
}

/** Jaccard similarity of two sets, in [0, 1]; two empty sets are 1. */
export function jaccard<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): number {
	if (a.size === 0 && b.size === 0) return 1;
	let both = 0;
	for (const x of a) if (b.has(x)) both++;
	return both / (a.size + b.size - both);
}
