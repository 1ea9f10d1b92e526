import { LRUCache } from "lru-cache";
import { z } from "zod";
import { type Room, RoomSchema } from "@/server/harness/contract";
import { AppError } from "@/server/kernel/errors";
import { canonicalJson } from "@/server/kernel/hash";
import type { RoomReference, WorkspaceBundle } from "./contract";
import { deepFreeze, isPlainObject, type PlainObject, valueAt } from "./plain-objects";

/** Where a workspace has no rooms at all, an episode happens at this time. */
const NO_ROOM: PlainObject = { title: "", now: "2026-01-01T00:00:00Z", viewer: {}, notes: {} };
/** Keys that would change an object instead of its content. */
const FORBIDDEN = new Set(["__proto__", "constructor", "prototype"]);
const known = new WeakMap<WorkspaceBundle, LRUCache<string, Room>>();

/**
 * The room that a case names: the base with `set` merged deeply over it, `{ "$world": path }` replaced by that value of the
 * world, checked and frozen. Equal references give the same object. Without a reference: the workspace's first room.
 * Throws `bad-input` (`room-unknown`, `world-path-unknown`, `room-invalid`).
 */
export function resolveRoom(bundle: WorkspaceBundle, reference?: RoomReference): Room {
	const cache = known.get(bundle) ?? new LRUCache<string, Room>({ max: 2_000 });
	known.set(bundle, cache);
	const key = reference ? canonicalJson(reference) : "";
	const before = cache.get(key);
	if (before) return before;
	const room = makeRoom(bundle, reference);
	cache.set(key, room);
	return room;
}

function makeRoom(bundle: WorkspaceBundle, reference: RoomReference | undefined): Room {
	const names = Object.keys(bundle.rooms);
	const base = reference?.base ?? names[0];
	if (base !== undefined && !Object.hasOwn(bundle.rooms, base))
		throw new AppError("bad-input", `There is no room “${base}”. There are: ${names.slice(0, 20).join(", ") || "none"}.`, {
			reason: "room-unknown",
			params: { room: base },
		});
	const raw = base === undefined ? NO_ROOM : bundle.rooms[base];
	const merged = mergeOver(resolveValue(raw, bundle), reference?.set ?? {}, bundle);
	const parsed = RoomSchema.safeParse(merged);
	if (!parsed.success)
		throw new AppError("bad-input", `Room “${base ?? ""}” is not valid: ${z.prettifyError(parsed.error).replace(/\s+/g, " ")}`, {
			reason: "room-invalid",
			params: { room: base ?? "" },
		});
	return deepFreeze(parsed.data);
}

const worldPath = (value: unknown): string | null =>
	isPlainObject(value) && typeof value.$world === "string" && Object.keys(value).length === 1 ? value.$world : null;

function resolveValue(value: unknown, bundle: WorkspaceBundle): unknown {
	const path = worldPath(value);
	if (path !== null) {
		const found = valueAt(bundle.world, path);
		if (found === undefined) throw new AppError("bad-input", `The world has nothing at “${path}”.`, { reason: "world-path-unknown", params: { path } });
		return found;
	}
	if (Array.isArray(value)) return value.map((item) => resolveValue(item, bundle));
	if (!isPlainObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([key]) => !FORBIDDEN.has(key))
			.map(([key, item]) => [key, resolveValue(item, bundle)]),
	);
}

/** Objects merge key by key; everything else, and a reference to the world, takes the place of what was there. */
function mergeOver(base: unknown, over: unknown, bundle: WorkspaceBundle): unknown {
	if (!isPlainObject(base) || !isPlainObject(over) || worldPath(over) !== null) return resolveValue(over, bundle);
	const merged: PlainObject = { ...base };
	for (const [key, value] of Object.entries(over)) {
		if (FORBIDDEN.has(key)) continue;
		merged[key] = Object.hasOwn(base, key) ? mergeOver(base[key], value, bundle) : resolveValue(value, bundle);
	}
	return merged;
}
