export type Place = (string | number)[];

const LISTS = ["allOf", "anyOf", "oneOf"];
const SINGLE = ["not", "if", "then", "else"];

export const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === "object";

/** Segments of a JSON pointer; digits become numbers, as they are in lists. */
export function pointer(text: string): Place {
	return text
		.split("/")
		.slice(1)
		.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
		.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/** What a reference by path into the same schema points to; undefined for every other kind. */
export function targetOf(root: unknown, reference: unknown): unknown {
	if (typeof reference !== "string" || !/^#(\/|$)/.test(reference)) return undefined;
	let path = reference.slice(1);
	try {
		path = decodeURIComponent(path);
	} catch {
		// Not encoded: the path as it stands.
	}
	return pointer(path).reduce<unknown>((node, part) => (isObject(node) && Object.hasOwn(node, part) ? node[part] : undefined), root);
}

/** The schemas that a schema applies to the very value that it checks itself. */
export function sameValue(root: unknown, node: Record<string, unknown>): [Place, unknown][] {
	const inMap = (key: string) => (isObject(node[key]) ? Object.entries(node[key]).map(([at, inner]): [Place, unknown] => [[key, at], inner]) : []);
	const inList = (key: string) => (Array.isArray(node[key]) ? node[key].map((inner, at): [Place, unknown] => [[key, at], inner]) : []);
	return [
		[["$ref"], targetOf(root, node.$ref)],
		...SINGLE.map((key): [Place, unknown] => [[key], node[key]]),
		...LISTS.flatMap(inList),
		...inMap("dependentSchemas"),
	];
}

/** Places where a schema comes back to itself without having gone into the value: no check of it can end. */
export function endlessPlaces(root: Record<string, unknown>): Place[] {
	const state = new Map<unknown, "open" | "done">();
	const found: Place[] = [];
	const follow = (node: unknown, path: Place): void => {
		if (!isObject(node) || state.get(node) === "done") return;
		if (state.get(node) === "open") {
			found.push(path);
			return;
		}
		state.set(node, "open");
		for (const [step, next] of sameValue(root, node)) follow(next, [...path, ...step]);
		state.set(node, "done");
	};
	const visit = (node: unknown, path: Place): void => {
		if (!isObject(node)) return;
		follow(node, path);
		for (const [key, value] of Object.entries(node)) visit(value, [...path, Array.isArray(node) ? Number(key) : key]);
	};
	visit(root, []);
	return found;
}
