import { Document, isMap, parseDocument } from "yaml";
import type { FileChanges, HarnessFiles, ImportReport } from "./contract";
import { readSkill, SKILL_FIELDS, SKILL_LIMITS } from "./skill-rules";
import { splitFrontMatter } from "./yaml-source";

export type ImportMode = "strict" | "lenient";

export interface ImportResult {
	changes: FileChanges;
	report: ImportReport;
}

/**
 * Takes the Agent Skills out of a folder or an archive (any depth; a skill is a folder with SKILL.md) as changes of a
 * harness. Strict: a skill that breaks a rule is rejected with its reasons. Lenient: what can be mended is mended, with a
 * warning that says what was done; the result passes the strict rules. `existing` is the harness that they come into.
 */
export function importSkills(
	loaded: { files: HarnessFiles; rejected: { at: string; reason: string }[] },
	existing: HarnessFiles,
	mode: ImportMode,
): ImportResult {
	const report: ImportReport = { imported: [], rejected: [...loaded.rejected], warnings: [] };
	const changes: FileChanges = {};
	const roots = Object.keys(loaded.files)
		.filter((path) => path === "SKILL.md" || path.endsWith("/SKILL.md"))
		.map((path) => path.slice(0, -"SKILL.md".length))
		.sort((a, b) => (a < b ? -1 : 1));
	if (roots.length === 0) report.rejected.push({ at: "", reason: "No SKILL.md was found." });
	const taken = new Map<string, string>();
	for (const root of roots) {
		const at = `${root}SKILL.md`;
		const outcome = readOne(at, root, loaded.files[at] as string, mode);
		if ("reasons" in outcome) {
			report.rejected.push(...outcome.reasons.map((reason) => ({ at, reason })));
			continue;
		}
		const other = taken.get(outcome.name.toLowerCase());
		if (other !== undefined) {
			report.rejected.push({ at, reason: `A skill of this name was already taken from ${other}.` });
			continue;
		}
		taken.set(outcome.name.toLowerCase(), at);
		const folder = `skills/${outcome.name}/`;
		const before = Object.keys(existing).filter((path) => path.startsWith(folder));
		if (before.length > 0) report.warnings.push({ at, reason: `Replaces the skill “${outcome.name}” that is there.` });
		for (const path of before) changes[path] = null;
		for (const [path, text] of ownFiles(loaded.files, root, roots)) changes[folder + path] = path === "SKILL.md" ? outcome.text : text;
		report.imported.push(outcome.name);
		report.warnings.push(...outcome.warnings.map((reason) => ({ at, reason })));
	}
	return { changes, report };
}

/** Files of a skill's folder, without those of a skill that stands inside it. */
function ownFiles(files: HarnessFiles, root: string, roots: readonly string[]): [string, string][] {
	const inner = roots.filter((other) => other !== root && other.startsWith(root));
	return Object.entries(files)
		.filter(([path]) => path.startsWith(root) && !inner.some((other) => path.startsWith(other)) && (root !== "" || path === "SKILL.md" || path.includes("/")))
		.map(([path, text]) => [path.slice(root.length), text]);
}

type Outcome = { reasons: string[] } | { name: string; text: string; warnings: string[] };

function readOne(at: string, root: string, text: string, mode: ImportMode): Outcome {
	const folder = root.split("/").at(-2) ?? "";
	const mended = mode === "lenient" ? mend(text, folder) : { text, warnings: [] };
	const named = folder || nameIn(mended.text);
	const reading = readSkill(at, named, mended.text);
	const errors = reading.problems.filter((problem) => problem.severity === "error");
	if (errors.length > 0 || !reading.skill) return { reasons: errors.map((problem) => `${problem.message} (line ${problem.line})`) };
	return { name: reading.skill.name, text: mended.text, warnings: [...mended.warnings, ...reading.problems.map((problem) => problem.message)] };
}

function nameIn(text: string): string {
	const front = splitFrontMatter(text);
	const name: unknown = front ? parseDocument(front.yaml, { logLevel: "silent" }).toJS()?.name : undefined;
	return typeof name === "string" ? name : "";
}

/** Mends what about one public skill in fourteen breaks: foreign fields, another name, a long description, unquoted colons. */
function mend(text: string, folder: string): { text: string; warnings: string[] } {
	const front = splitFrontMatter(text);
	if (!front) return { text, warnings: [] };
	const warnings: string[] = [];
	let document = parseDocument(front.yaml, { logLevel: "silent", prettyErrors: false });
	let changed = false;
	if (document.errors.length > 0) {
		const simple = readLines(front.yaml);
		if (!simple) return { text, warnings };
		document = new Document(simple) as unknown as typeof document;
		warnings.push("The front matter was not YAML (a text with a colon and no quotes, most often); it was read line by line.");
		changed = true;
	}
	if (!isMap(document.contents)) return { text, warnings };
	for (const warning of [...moveForeignFields(document), ...mendName(document, folder), ...cutTexts(document)]) {
		warnings.push(warning);
		changed = true;
	}
	if (!changed) return { text, warnings };
	const yaml = document.toString({ lineWidth: 0 });
	return { text: `---\n${yaml.endsWith("\n") ? yaml : `${yaml}\n`}---\n${front.body}`, warnings };
}

type Front = ReturnType<typeof parseDocument>;

function moveForeignFields(document: Front): string[] {
	const known: readonly string[] = SKILL_FIELDS;
	const fields = document.toJS() as Record<string, unknown>;
	const warnings: string[] = [];
	const metadata = fields.metadata;
	if (metadata !== undefined && (metadata === null || typeof metadata !== "object" || Array.isArray(metadata))) {
		document.set("metadata", document.createNode({ note: metadata }));
		warnings.push("`metadata` was no map; its value is now `metadata.note`.");
	}
	for (const [key, value] of Object.entries(fields)) {
		if (known.includes(key)) continue;
		document.delete(key);
		document.setIn(["metadata", key === "type" || key === "tags" ? `original-${key}` : key], value);
		warnings.push(`The field \`${key}\` is not one of Agent Skills; it moved under \`metadata\`.`);
	}
	const type = document.getIn(["metadata", "type"]);
	if (type !== undefined && type !== "reply" && type !== "strategy") {
		document.setIn(["metadata", "original-type"], type);
		document.setIn(["metadata", "type"], "reply");
		warnings.push("`metadata.type` is `reply` or `strategy` here; the old value is kept as `original-type`.");
	}
	return warnings;
}

function mendName(document: Front, folder: string): string[] {
	const name = document.get("name");
	if (folder === "" || (typeof name === "string" && name.normalize("NFKC") === folder.normalize("NFKC"))) return [];
	document.set("name", folder);
	return [`The name “${String(name ?? "")}” is unlike its folder; the skill is called “${folder}”.`];
}

function cutTexts(document: Front): string[] {
	const warnings: string[] = [];
	for (const key of ["description", "compatibility"] as const) {
		const value = document.get(key);
		const limit = SKILL_LIMITS[key];
		if (typeof value !== "string" || [...value].length <= limit) continue;
		document.set(key, [...value].slice(0, limit).join("").trimEnd());
		document.setIn(["metadata", `full-${key}`], value);
		warnings.push(`The ${key} has ${[...value].length} characters; it was cut at ${limit}, and all of it is kept as \`metadata.full-${key}\`.`);
	}
	return warnings;
}

/** Reads `key: rest of the line`; null where a line is neither that nor the continuation of one. */
function readLines(yaml: string): Record<string, string> | null {
	const fields: Record<string, string> = {};
	let last: string | null = null;
	for (const line of yaml.split(/\r?\n/)) {
		if (line.trim() === "" || line.startsWith("#")) continue;
		const match = /^([A-Za-z][A-Za-z0-9_-]*):[ \t]*(.*)$/.exec(line);
		if (match) {
			last = match[1] as string;
			fields[last] = (match[2] as string).replace(/^(["'])(.*)\1$/, "$2");
		} else if (/^\s/.test(line) && last) fields[last] = `${fields[last]} ${line.trim()}`.trim();
		else return null;
	}
	return Object.keys(fields).length > 0 ? fields : null;
}
