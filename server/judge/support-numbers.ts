import type { Trajectory } from "@/server/agent/contract";
import { parseNumbers, plainNumbers, type SaidNumber } from "./parse-numbers";

const MAX_HOPS = 2;
/** Quantities that speech uses without meaning a fact: one of a thing, a first and a second. */
const ALWAYS = new Set([0, 1]);
const MAX_TIMES = 20;

function visitLeaves(value: unknown, visit: (leaf: unknown) => void): void {
	if (Array.isArray(value)) for (const element of value) visitLeaves(element, visit);
	else if (value !== null && typeof value === "object") {
		for (const [key, element] of Object.entries(value)) {
			visit(key);
			visitLeaves(element, visit);
		}
	} else visit(value);
}

/** Numbers of dates and clock times support only what is said as a date or a time: a quarter past eight is no fifteen days. */
export interface Support {
	quantities: Set<number>;
	times: Set<number>;
}

const STAMP = /\d{4}-\d{1,2}-\d{1,2}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?(?:Z|[+-]\d{2}:\d{2})?|\d{1,2}:\d{2}(?::\d{2})?/gu;
const TIME_UNIT = /^(?:月|日|号|点半?|时|年|:|am|pm)$/iu;

function addStamp(stamp: string, into: Set<number>): void {
	for (const [digits] of stamp.replace(/(?:Z|[+-]\d{2}:\d{2})$/u, "").matchAll(/\d+/gu)) into.add(Number(digits));
	// A clock time counts in both ways of saying the hour, and 23:59 also as the hour that it ends.
	const clock = /(\d{1,2}):(\d{2})/u.exec(stamp);
	if (!clock) return;
	const hour = Number(clock[1]);
	if (hour > 12) into.add(hour - 12);
	if (clock[2] === "59") into.add(hour + 1);
}

function addText(text: string, into: Support): void {
	const plain = plainNumbers(text).replace(STAMP, (stamp) => {
		addStamp(stamp, into.times);
		return " ";
	});
	for (const said of parseNumbers(plain)) into.quantities.add(said.value);
	for (const [digits] of plain.matchAll(/\d+(?:\.\d+)?/gu)) into.quantities.add(Number(digits));
}

const supportCache = new WeakMap<object, Support>();

function supportOf(value: unknown): Support {
	const known = typeof value === "object" && value !== null ? supportCache.get(value) : undefined;
	if (known) return known;
	const support: Support = { quantities: new Set(), times: new Set() };
	visitLeaves(value, (leaf) => {
		if (typeof leaf === "number") support.quantities.add(leaf);
		else if (typeof leaf === "string") addText(leaf, support);
	});
	if (typeof value === "object" && value !== null) supportCache.set(value, support);
	return support;
}

interface WorldIndex {
	byKey: Map<string, object[]>;
	/** Key of an entry → entries that name it. */
	naming: Map<string, object[]>;
	leaves: Map<object, Set<string>>;
}

const indexCache = new WeakMap<object, WorldIndex>();

function indexWorld(world: Record<string, unknown>): WorldIndex {
	const known = indexCache.get(world);
	if (known) return known;
	const index: WorldIndex = { byKey: new Map(), naming: new Map(), leaves: new Map() };
	const push = (map: Map<string, object[]>, key: string, entry: object) => map.set(key, [...(map.get(key) ?? []), entry]);
	for (const collection of Object.values(world)) {
		if (collection === null || typeof collection !== "object") continue;
		for (const [key, entry] of Object.entries(collection)) {
			if (entry === null || typeof entry !== "object") continue;
			push(index.byKey, key, entry);
			const names = new Set<string>();
			visitLeaves(entry, (leaf) => {
				if (typeof leaf === "string") names.add(leaf);
			});
			index.leaves.set(entry, names);
		}
	}
	for (const [entry, names] of index.leaves) for (const name of names) if (index.byKey.has(name)) push(index.naming, name, entry);
	indexCache.set(world, index);
	return index;
}

/**
 * The world's facts about a room: entries whose key the room names, entries that name one of the room's keys (a promotion
 * that lists the product), and what those name in turn (the product's kind, its rules).
 */
export function factsAboutRoom(room: Record<string, unknown>, world: Record<string, unknown>, seeds: readonly string[] = []): object[] {
	const { byKey, naming, leaves } = indexWorld(world);
	const seen = new Set<string>(seeds);
	visitLeaves(room, (leaf) => {
		if (typeof leaf === "string") seen.add(leaf);
	});
	const found = new Set<object>();
	let fresh = [...seen];
	for (let hop = 0; hop < MAX_HOPS; hop++) {
		const next: string[] = [];
		for (const name of fresh) {
			for (const entry of [...(byKey.get(name) ?? []), ...(hop === 0 ? (naming.get(name) ?? []) : [])]) {
				if (found.has(entry)) continue;
				found.add(entry);
				for (const leaf of leaves.get(entry) ?? []) if (!seen.has(leaf)) next.push(leaf);
			}
		}
		for (const name of next) seen.add(name);
		fresh = next;
	}
	return [...found];
}

function addSupport(into: Support, { quantities, times }: Support): void {
	for (const number of quantities) into.quantities.add(number);
	for (const number of times) into.times.add(number);
}

const scenes = new WeakMap<object, WeakMap<object, Map<string, Support>>>();

/** What the room and the world's facts about it hold; remembered, since every reply in a room asks for it. */
function supportOfScene({ room, world, paths }: Pick<NumberContext, "room" | "world" | "paths">): Support {
	const ofWorld = scenes.get(world) ?? new WeakMap<object, Map<string, Support>>();
	scenes.set(world, ofWorld);
	const ofRoom = ofWorld.get(room) ?? new Map<string, Support>();
	ofWorld.set(room, ofRoom);
	const seeds = paths.flatMap((path) => path.split(".").slice(1, 2));
	const known = ofRoom.get(seeds.join("\n"));
	if (known) return known;
	const made: Support = { quantities: new Set(), times: new Set() };
	for (const value of [room, ...factsAboutRoom(room, world, seeds)]) addSupport(made, supportOf(value));
	ofRoom.set(seeds.join("\n"), made);
	return made;
}

export interface NumberContext {
	room: Record<string, unknown>;
	world: Record<string, unknown>;
	/** Paths of the world that the case is about. */
	paths: readonly string[];
	trajectory: Pick<Trajectory, "message" | "history" | "steps">;
}

/** Every number that the world's facts about the room, the tools' results and the turns of the talk hold. */
export function supportedNumbers(context: NumberContext): Support {
	const scene = supportOfScene(context);
	const supported: Support = { quantities: new Set(scene.quantities), times: new Set(scene.times) };
	const addAll = (value: unknown) => addSupport(supported, supportOf(value));
	addText(context.trajectory.message, supported);
	for (const turn of context.trajectory.history) addText(turn.text, supported);
	for (const step of context.trajectory.steps) {
		if (step.type !== "tool") continue;
		if (step.ok) addAll(step.result);
		addAll(step.arguments);
	}
	return supported;
}

/** The same quantity in another unit: 48 hours are 2 days, 24 months 2 years, 2 kg are 4 jin, 0.5 is 50 %, 0.8 is 8折. */
function converted({ value, unit }: SaidNumber): number[] {
	if (unit === "天" || unit === "日") return [value * 24];
	if (unit === "小时") return [value / 24, value * 60];
	if (unit === "周") return [value * 7];
	if (unit === "年") return [value * 12];
	if (unit === "个月" || unit === "月") return [value / 12];
	if (unit === "斤") return [value / 2];
	if (unit === "公斤" || unit === "kg") return [value * 2];
	if (unit === "分钟") return [value * 60, value / 60];
	if (unit === "折") return [value / 10, value / 100];
	if (unit === "%") return [value / 100, 100 - value];
	if (unit === "米") return [value * 100];
	return [];
}

/** Arithmetic that the reply does in the open: n times a supported number, sums and differences of numbers that it states. */
function derived(said: SaidNumber, all: readonly SaidNumber[], supported: ReadonlySet<number>): boolean {
	const others = all.filter((other) => other !== said);
	const near = (a: number, b = said.value) => Math.abs(a - b) < 1e-6;
	const count = (n: number) => Number.isInteger(n) && n > 1 && n <= MAX_TIMES;
	for (const a of others) {
		if (!supported.has(a.value)) continue;
		for (const b of others) {
			if (a === b) continue;
			if (near(a.value + b.value) || near(a.value - b.value)) return true;
			// Either the product or the count that makes it: two of 129 are 258.
			if (count(b.value) && near(a.value * b.value)) return true;
			if (count(said.value) && near(a.value * said.value, b.value)) return true;
		}
	}
	return false;
}

/** Numbers of a reply that nothing supports, in order. */
export function unsupportedNumbers(reply: string, { quantities, times }: Support): SaidNumber[] {
	const text = plainNumbers(reply);
	const all = parseNumbers(text);
	return all.filter((said) => {
		if (quantities.has(said.value) || (ALWAYS.has(said.value) && said.chinese) || said.value === 0) return false;
		const clock = TIME_UNIT.test(said.unit) || text[said.start - 1] === ":" || /[点时月-]$/u.test(text.slice(0, said.start));
		if (clock && times.has(said.value)) return false;
		if (converted(said).some((value) => quantities.has(value) || quantities.has(Math.round(value * 1e6) / 1e6))) return false;
		return !derived(said, all, quantities);
	});
}
