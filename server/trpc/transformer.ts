import superjson from "superjson";

/** Keys that superjson refuses to carry, since they could reach a prototype where the answer is put together again. */
const REFUSED = new Set(["__proto__", "constructor", "prototype"]);

/** The value with such keys in marks, `‹constructor›`: a tool's result or a caller's JSON may have them, and must stay readable. */
function markRefused(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(markRefused);
	if (typeof value !== "object" || value === null || (Object.getPrototypeOf(value) !== Object.prototype && Object.getPrototypeOf(value) !== null)) return value;
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [REFUSED.has(key) ? `‹${key}›` : key, markRefused(inner)]));
}

/** superjson, for whom no answer is unreadable because of a key in its data. */
export const transformer = {
	serialize(value: unknown) {
		try {
			return superjson.serialize(value);
		} catch (error) {
			if (!(error instanceof Error) || !/prototype pollution/u.test(error.message)) throw error;
			return superjson.serialize(markRefused(value));
		}
	},
	deserialize: superjson.deserialize,
};
