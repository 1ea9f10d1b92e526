import { AppError, messageOf } from "@/server/kernel/errors";
import { fingerprint } from "@/server/kernel/hash";
import { parseJson } from "@/server/kernel/json";
import type { WorkspaceBundle } from "./contract";
import { deepFreeze, isPlainObject, type PlainObject } from "./plain-objects";
import { resolveRoom } from "./resolve-room";
import type { Viewers } from "./viewers/contract";
import { readViewers } from "./viewers/read-viewers";

const HANDLER_ID = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
/** What several handlers need; it stands in front of each of them. */
const SHARED_CODE = "tools/_shared.js";
const WORLD_KEY = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const MAX_FILE = 8 << 20;

export interface BundleProblem {
	file: string;
	message: string;
}

/** Whether a file of a workspace folder belongs to its bundle: world/<key>.json, rooms.json, tools/<handler>.js, tools/_shared.js and viewers/*.json. */
export const isBundleFile = (path: string): boolean => /^(world\/[^/]+\.json|rooms\.json|tools\/[^/]+\.js|viewers\/[^/]+\.json)$/.test(path);

/** What is wrong with a bundle's files; empty when `parseBundle` would take them. */
export function bundleProblems(files: Record<string, string>): BundleProblem[] {
	return read(files).problems;
}

/**
 * World, rooms and tool handlers of a workspace, frozen; other files are left aside. Its id is the fingerprint of the files.
 * Throws `bad-input` (`bundle-invalid`) with every problem and its file.
 */
export function parseBundle(files: Record<string, string>): WorkspaceBundle {
	const { bundle, problems } = read(files);
	const [first] = problems;
	if (first)
		throw new AppError("bad-input", `${first.file}: ${first.message}`, {
			reason: "bundle-invalid",
			params: { file: first.file, message: first.message, count: problems.length },
			data: { problems },
			fix: "Mend the named file and import the workspace again.",
		});
	return bundle;
}

function read(files: Record<string, string>): { bundle: WorkspaceBundle; problems: BundleProblem[] } {
	const problems: BundleProblem[] = [];
	const own = Object.fromEntries(Object.entries(files).filter(([path]) => isBundleFile(path)));
	const world: PlainObject = {};
	const handlers: Record<string, string> = {};
	let rooms: PlainObject = {};
	const shared = own[SHARED_CODE] ?? "";
	for (const [file, text] of Object.entries(own)) {
		const id = file.replace(/^.*\//, "").replace(/\.(json|js)$/, "");
		if (text.length > MAX_FILE) problems.push({ file, message: `larger than ${MAX_FILE >> 20} MiB` });
		else if (file === SHARED_CODE || file.startsWith("viewers/")) continue;
		else if (file === "rooms.json") rooms = readObject(file, text, problems);
		else if (file.startsWith("world/")) {
			if (!WORLD_KEY.test(id)) problems.push({ file, message: "a world file is named after a key: letters, digits, _ and -" });
			else world[id] = readJson(file, text, problems);
		} else if (HANDLER_ID.test(id)) handlers[id] = shared ? `${shared}\n${text}` : text;
		else problems.push({ file, message: "a handler's id has letters, digits, _ and -, and begins with a letter" });
	}
	const bundle: WorkspaceBundle = deepFreeze({ id: fingerprint(own), world, rooms, handlers, viewers: viewersOf(own, problems) });
	if (problems.length === 0)
		for (const base of Object.keys(rooms)) {
			try {
				resolveRoom(bundle, { base, set: {} });
			} catch (error) {
				problems.push({ file: "rooms.json", message: messageOf(error) });
			}
		}
	return { bundle, problems };
}

function viewersOf(files: Record<string, string>, problems: BundleProblem[]): Viewers | null {
	try {
		return readViewers(files);
	} catch (error) {
		problems.push({ file: "viewers/", message: messageOf(error) });
		return null;
	}
}

function readJson(file: string, text: string, problems: BundleProblem[]): unknown {
	try {
		return parseJson(text.replace(/^\uFEFF/, ""));
	} catch (error) {
		problems.push({ file, message: `not valid JSON: ${messageOf(error)}` });
		return null;
	}
}

function readObject(file: string, text: string, problems: BundleProblem[]): PlainObject {
	const value = readJson(file, text, problems);
	if (isPlainObject(value)) return value;
	if (value !== null) problems.push({ file, message: 'must be an object: { "<roomId>": room }' });
	return {};
}
