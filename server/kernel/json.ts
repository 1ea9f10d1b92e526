/** Lists and objects that may stand in one another: more than anyone writes, less than recursion over them stands. */
export const MAX_JSON_DEPTH = 64;

/** Whether a value holds lists or objects that stand more than `most` deep. Recurses no deeper than that itself. */
export const isDeeper = (value: unknown, most = MAX_JSON_DEPTH): boolean =>
	typeof value === "object" && value !== null && (most === 0 || Object.values(value).some((inner) => isDeeper(inner, most - 1)));

/**
 * `JSON.parse` for what others wrote. Throws a SyntaxError also for a value that stands too deep: the parser reads any
 * depth, but `JSON.stringify`, schemas and hashes recurse and would overflow the stack on it.
 */
export function parseJson(text: string): unknown {
	const value: unknown = JSON.parse(text);
	if (isDeeper(value)) throw new SyntaxError(`more than ${MAX_JSON_DEPTH} lists and objects stand in one another`);
	return value;
}
