import { canonicalJson } from "@/server/kernel/hash";
import { MAX_JSON_DEPTH } from "@/server/kernel/json";
import { messageOf } from "./problem-texts";
import { isObject, type Place, sameValue, targetOf } from "./schema-references";

/** Larger schemas would hold the process while they compile. */
const MAX_CHARS = 64_000;
/** Objects and lists of one schema: the code that is made for them takes about 0.1 ms each. */
const MAX_NODES = 3_000;
/** Objects and lists in one another as references lead to them: the compiler goes down by recursion. */
const MAX_DEPTH = 160;
/** Schemas that one and the same value is checked against. */
const MAX_APPLIED = 2_000;
/** Machine steps of all patterns of a schema; compiling takes about 10 µs each. */
const MAX_PATTERN_STEPS = 20_000;

export interface BoundBreach {
	path: Place;
	at: (place: string) => ReturnType<typeof messageOf>;
}

/** What to say of a schema that goes too deep. */
export const depthBreach = (path: Place, max = MAX_DEPTH): BoundBreach => ({ path, at: (at) => messageOf("json-schema-deep", { at, max }) });

/** What the schemas of one harness may have together: each is compiled, in the process that answers everyone. */
export const MAX_NODES_TOGETHER = 12_000;

/** Objects and lists of a value, counted no further than just above the bound. */
export function countNodes(root: unknown): { nodes: number; depth: number } {
	const pending: [unknown, number][] = [[root, 1]];
	let nodes = 0;
	let deepest = 0;
	for (let next = pending.pop(); next; next = pending.pop()) {
		const [node, depth] = next;
		if (!isObject(node)) continue;
		nodes += 1;
		deepest = Math.max(deepest, depth);
		if (nodes > MAX_NODES || depth > MAX_JSON_DEPTH) break;
		for (const inner of Object.values(node)) pending.push([inner, depth + 1]);
	}
	return { nodes, depth: deepest };
}

/** The first bound that a schema breaks by its size or depth; to be asked before anything else reads it. */
export function sizeBreach(schema: Record<string, unknown>): BoundBreach | null {
	const { nodes, depth } = countNodes(schema);
	if (depth > MAX_JSON_DEPTH) return depthBreach([], MAX_JSON_DEPTH);
	if (nodes > MAX_NODES) return { path: [], at: (at) => messageOf("json-schema-nodes", { at, max: MAX_NODES }) };
	if (canonicalJson(schema).length > MAX_CHARS) return { path: [], at: (at) => messageOf("json-schema-large", { at, max: MAX_CHARS / 1000 }) };
	const deep = deepPlace(schema);
	if (deep) return depthBreach(deep);
	return patternBreach(schema);
}

/** Where the way down from the top, references followed, gets too long; each node is measured once. */
function deepPlace(root: Record<string, unknown>): Place | null {
	const heights = new Map<object, number>();
	const heightOf = (node: unknown, depth: number): number => {
		if (!isObject(node)) return 0;
		const known = heights.get(node);
		if (known !== undefined) return known;
		// A chain of references this long is too deep already: no need to see its end.
		if (depth > MAX_DEPTH) return 1;
		// On the way to itself a node adds nothing: what compiles it stops there too.
		heights.set(node, 0);
		let height = heightOf(targetOf(root, node.$ref), depth + 1);
		for (const inner of Object.values(node)) height = Math.max(height, heightOf(inner, depth + 1));
		heights.set(node, height + 1);
		return height + 1;
	};
	if (heightOf(root, 0) <= MAX_DEPTH) return null;
	// The place to name is the last one on the way that is still too deep.
	let path: Place = [];
	for (let node: unknown = root; isObject(node); ) {
		const next = Object.entries(node).find(([, inner]) => isObject(inner) && (heights.get(inner) ?? 0) > MAX_DEPTH);
		if (!next) break;
		path = [...path, Array.isArray(node) ? Number(next[0]) : next[0]];
		node = next[1];
	}
	return path;
}

/** Whether a pattern alone would take long to compile. */
export const isHeavyPattern = (pattern: string): boolean => patternSteps(pattern) > MAX_PATTERN_STEPS;

/** How much of a machine a pattern makes, from above: repeats multiply what they repeat. Never compiles it. */
function patternSteps(pattern: string): number {
	const groups: number[] = [0];
	let last = 0;
	const add = (steps: number) => {
		groups[groups.length - 1] = (groups.at(-1) ?? 0) + steps;
		last = steps;
	};
	for (const [token] of pattern.matchAll(/\\[pP]\{[^}]*\}|\\[pP]|\\.|\[(?:\\.|[^\]\\])*\]|\{\d+(?:,\d*)?\}|./gsu)) {
		const repeat = /^\{(\d+)(?:,(\d*))?\}$/.exec(token);
		if (repeat) add(last * Math.max(Number(repeat[1]), Number(repeat[2] ?? 0)));
		else if (token === "(") groups.push(0);
		else if (token === ")" && groups.length > 1) add(groups.pop() ?? 0);
		// Classes of Unicode hold hundreds of ranges.
		else add(/^\\[pP]/.test(token) ? 50 : token.length);
	}
	return groups.reduce((sum, steps) => sum + steps, 0);
}

function patternBreach(schema: Record<string, unknown>): BoundBreach | null {
	let steps = 0;
	const visit = (node: unknown, path: Place): Place | null => {
		if (!isObject(node)) return null;
		for (const [key, value] of Object.entries(node)) {
			const at = [...path, Array.isArray(node) ? Number(key) : key];
			if (key === "pattern" && typeof value === "string") steps += patternSteps(value);
			if (key === "patternProperties" && isObject(value)) for (const pattern of Object.keys(value)) steps += patternSteps(pattern);
			if (steps > MAX_PATTERN_STEPS) return at;
			const found = visit(value, at);
			if (found) return found;
		}
		return null;
	};
	const path = visit(schema, []);
	return path && { path, at: (at) => messageOf("json-schema-patterns", { at, max: MAX_PATTERN_STEPS }) };
}

/**
 * A place at which one value is checked against too many schemas: references and alternatives multiply. Only for schemas
 * that do not come back to themselves; each node is counted once, so that the count itself takes no longer than the schema.
 */
export function appliedBreach(root: Record<string, unknown>): BoundBreach | null {
	const counts = new Map<object, number>();
	const countOf = (node: unknown): number => {
		if (!isObject(node)) return 0;
		const known = counts.get(node);
		if (known !== undefined) return known;
		let count = 1;
		for (const [, next] of sameValue(root, node)) count += countOf(next);
		counts.set(node, count);
		return count;
	};
	// Everything that leads there is too much as well; the place to name is the one whose own parts are not.
	const isCulprit = (node: Record<string, unknown>) => countOf(node) > MAX_APPLIED && sameValue(root, node).every(([, next]) => countOf(next) <= MAX_APPLIED);
	const visit = (node: unknown, path: Place): Place | null => {
		if (!isObject(node)) return null;
		if (isCulprit(node)) return path;
		for (const [key, value] of Object.entries(node)) {
			const found = visit(value, [...path, Array.isArray(node) ? Number(key) : key]);
			if (found) return found;
		}
		return null;
	};
	const path = visit(root, []);
	return path && { path, at: (at) => messageOf("json-schema-applied", { at, max: MAX_APPLIED }) };
}
