/** PostgreSQL stores neither NUL nor half a surrogate pair, and a model, a hook or a tool may write both. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what is looked for
const UNSTORABLE = /\u0000|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
const EACH_UNSTORABLE = new RegExp(UNSTORABLE, "g");
/** How `JSON.stringify` writes them; also matches harmless text that only looks so. */
const SUSPECT = /\\u(?:0000|d[89a-f][0-9a-f]{2})/i;

/** True when PostgreSQL refuses this text. */
export function isStorable(text: string): boolean {
	return !UNSTORABLE.test(text);
}

/** Where such characters stand, at most the first hundred. */
export function unstorableOffsets(text: string): number[] {
	return [...text.matchAll(EACH_UNSTORABLE)].slice(0, 100).map((match) => match.index);
}

function isPlain(value: object): boolean {
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === Object.prototype || prototype === null;
}

/** The same value with U+FFFD for what PostgreSQL cannot store. Dates, bytes and other objects with a class pass as they are. */
export function toStorable<T>(value: T): T;
export function toStorable(value: unknown): unknown {
	if (typeof value === "string") return isStorable(value) ? value : value.replace(EACH_UNSTORABLE, "\uFFFD");
	if (Array.isArray(value)) return value.map((inner) => toStorable(inner));
	if (value === null || typeof value !== "object" || !isPlain(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toStorable(key), toStorable(inner)]));
}

/** JSON text that PostgreSQL accepts, for raw SQL. Costs one pass over the text when all is well. */
export function toDatabaseJson(value: unknown): string {
	const text = JSON.stringify(value);
	// Parsed again, so that what has a `toJSON` of its own (a Date) is the text that it becomes.
	return SUSPECT.test(text) ? JSON.stringify(toStorable(JSON.parse(text))) : text;
}
