import fs from "node:fs";
import path from "node:path";
import { ALONE, readFolder, validateHarness } from "@/server/harness";
import type { ValidationContext } from "@/server/harness/contract";
import { AppError } from "@/server/kernel/errors";
import { parseBundle, resolveRoom } from "@/server/simulator";
import type { CommandResult } from "./output";

/** What lies beside the harness in a workspace folder (`../rooms.json`, `../tools`, `../world`) tells the validator its handlers and rooms. */
async function surroundings(directory: string): Promise<ValidationContext> {
	const parent = path.dirname(path.resolve(directory));
	if (!fs.existsSync(path.join(parent, "workspace.yaml"))) return ALONE;
	const read = (name: string) => {
		const full = path.join(parent, name);
		if (!fs.existsSync(full)) return {};
		if (!fs.statSync(full).isDirectory()) return { [name]: fs.readFileSync(full, "utf8") };
		return Object.fromEntries(fs.readdirSync(full).map((file) => [`${name}/${file}`, fs.readFileSync(path.join(full, file), "utf8")]));
	};
	const bundle = parseBundle({ ...read("world"), ...read("tools"), ...read("rooms.json") });
	return { handlers: Object.keys(bundle.handlers), connections: null, rooms: Object.keys(bundle.rooms).map((base) => resolveRoom(bundle, { base, set: {} })) };
}

/** `validate DIR`: all problems of a harness folder. Fails when one of them is an error. */
export async function validate(directory: string): Promise<CommandResult> {
	if (!fs.existsSync(directory) || !fs.statSync(directory).isDirectory())
		throw new AppError("bad-input", `There is no folder ${directory}.`, { reason: "folder-missing", fix: "Give the folder that holds harness.yaml." });
	const loaded = await readFolder(directory);
	const unread = loaded.rejected.map(({ at, reason }) => ({
		file: at,
		line: 1,
		column: 1,
		rule: "file-unreadable",
		message: reason,
		severity: "error" as const,
	}));
	const problems = [...unread, ...validateHarness(loaded.files, await surroundings(directory)).problems];
	const ok = problems.every((problem) => problem.severity !== "error");
	return { document: { ok, problems }, failed: !ok };
}
