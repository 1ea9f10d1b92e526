/** PostgreSQL stores neither NUL nor half a surrogate pair, and a model may write both. */
const SUSPECT = /\\u(?:0000|d[89a-f][0-9a-f]{2})/i;
const HALF = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

function clean(value: unknown): unknown {
	if (typeof value === "string") return value.replaceAll("\u0000", "\uFFFD").replace(HALF, "\uFFFD");
	if (Array.isArray(value)) return value.map(clean);
	if (value === null || typeof value !== "object") return value;
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [clean(key), clean(inner)]));
}

/** JSON text that PostgreSQL accepts: what it cannot store becomes U+FFFD. Costs one pass over the text when all is well. */
export function toDatabaseJson(value: unknown): string {
	const text = JSON.stringify(value);
	return SUSPECT.test(text) ? JSON.stringify(clean(value)) : text;
}
