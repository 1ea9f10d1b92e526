export type PlainObject = Record<string, unknown>;

export function isPlainObject(value: unknown): value is PlainObject {
	return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** Freezes a JSON value all the way down. */
export function deepFreeze<T>(value: T): T {
	if (value === null || typeof value !== "object") return value;
	for (const item of Object.values(value)) deepFreeze(item);
	return Object.freeze(value);
}

/** The value at a dotted path of own keys, or undefined. */
export function valueAt(root: unknown, path: string): unknown {
	let value = root;
	for (const key of path.split(".")) {
		if (value === null || typeof value !== "object" || !Object.hasOwn(value, key)) return undefined;
		value = (value as PlainObject)[key];
	}
	return value;
}
