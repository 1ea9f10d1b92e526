import { Document, isMap, parseDocument } from "yaml";
import type { FileChanges, HarnessFiles, ImportNote, ImportReport, Problem } from "./contract";
import { reasonOf } from "./problem-texts";
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
export function importSkills(loaded: { files: HarnessFiles; rejected: ImportNote[] }, existing: HarnessFiles, mode: ImportMode): ImportResult {
	const report: ImportReport = { imported: [], rejected: [...loaded.rejected], warnings: [] };
	const changes: FileChanges = {};
	const roots = Object.keys(loaded.files)
		.filter((path) => path === "SKILL.md" || path.endsWith("/SKILL.md"))
		.map((path) => path.slice(0, -"SKILL.md".length))
		.sort((a, b) => (a < b ? -1 : 1));
	if (roots.length === 0) report.rejected.push({ at: "", ...reasonOf("import-no-skill") });
	const taken = new Map<string, string>();
	for (const root of roots) {
		const at = `${root}SKILL.md`;
		const outcome = readOne(at, root, loaded.files[at] as string, mode);
		if ("reasons" in outcome) {
			report.rejected.push(...outcome.reasons.map((note) => ({ at, ...note })));
			continue;
		}
		const other = taken.get(outcome.name.toLowerCase());
		if (other !== undefined) {
			report.rejected.push({ at, ...reasonOf("import-skill-taken", { other }) });
			continue;
		}
		taken.set(outcome.name.toLowerCase(), at);
		const folder = `skills/${outcome.name}/`;
		const before = Object.keys(existing).filter((path) => path.startsWith(folder));
		if (before.length > 0) report.warnings.push({ at, ...reasonOf("import-skill-replaces", { name: outcome.name }) });
		for (const path of before) changes[path] = null;
		for (const [path, text] of ownFiles(loaded.files, root, roots)) changes[folder + path] = path === "SKILL.md" ? outcome.text : text;
		report.imported.push(outcome.name);
		report.warnings.push(...outcome.warnings.map((note) => ({ at, ...note })));
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

type Note = Omit<ImportNote, "at">;
type Outcome = { reasons: Note[] } | { name: string; text: string; warnings: Note[] };

const noteOf = ({ message, phrase }: Problem): Note => ({ reason: message, ...(phrase && { phrase }) });

function readOne(at: string, root: string, text: string, mode: ImportMode): Outcome {
	const folder = root.split("/").at(-2) ?? "";
	const mended = mode === "lenient" ? mend(text, folder) : { text, warnings: [] };
	const named = folder || nameIn(mended.text);
	const reading = readSkill(at, named, mended.text);
	const errors = reading.problems.filter((problem) => problem.severity === "error");
	if (errors.length > 0 || !reading.skill)
		return { reasons: errors.map((problem) => ({ ...noteOf(problem), reason: `${problem.message} (line ${problem.line})`, line: problem.line })) };
	return { name: reading.skill.name, text: mended.text, warnings: [...mended.warnings, ...reading.problems.map(noteOf)] };
}

function nameIn(text: string): string {
	const front = splitFrontMatter(text);
	const name: unknown = front ? parseDocument(front.yaml, { logLevel: "silent" }).toJS()?.name : undefined;
	return typeof name === "string" ? name : "";
}

/** Mends what about one public skill in fourteen breaks: foreign fields, another name, a long description, unquoted colons. */
function mend(text: string, folder: string): { text: string; warnings: Note[] } {
	const front = splitFrontMatter(text);
	if (!front) return { text, warnings: [] };
	const warnings: Note[] = [];
	let document = parseDocument(front.yaml, { logLevel: "silent", prettyErrors: false });
	let changed = false;
	if (document.errors.length > 0) {
		const simple = readLines(front.yaml);
		if (!simple) return { text, warnings };
		document = new Document(simple) as unknown as typeof document;
		warnings.push(reasonOf("import-not-yaml"));
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

function moveForeignFields(document: Front): Note[] {
	const known: readonly string[] = SKILL_FIELDS;
	const fields = document.toJS() as Record<string, unknown>;
	const warnings: Note[] = [];
	const metadata = fields.metadata;
	if (metadata !== undefined && (metadata === null || typeof metadata !== "object" || Array.isArray(metadata))) {
		document.set("metadata", document.createNode({ note: metadata }));
		warnings.push(reasonOf("import-metadata-no-map"));
	}
	for (const [key, value] of Object.entries(fields)) {
		if (known.includes(key)) continue;
		document.delete(key);
		document.setIn(["metadata", key === "type" || key === "tags" ? `original-${key}` : key], value);
		warnings.push(reasonOf("import-field-moved", { name: key }));
	}
	const type = document.getIn(["metadata", "type"]);
	if (type !== undefined && type !== "reply" && type !== "strategy") {
		document.setIn(["metadata", "original-type"], type);
		document.setIn(["metadata", "type"], "reply");
		warnings.push(reasonOf("import-type-kept"));
	}
	return warnings;
}

function mendName(document: Front, folder: string): Note[] {
	const name = document.get("name");
	if (folder === "" || (typeof name === "string" && name.normalize("NFKC") === folder.normalize("NFKC"))) return [];
	document.set("name", folder);
	return [reasonOf("import-name-folder", { name: String(name ?? ""), folder })];
}

function cutTexts(document: Front): Note[] {
	const warnings: Note[] = [];
	for (const key of ["description", "compatibility"] as const) {
		const value = document.get(key);
		const limit = SKILL_LIMITS[key];
		if (typeof value !== "string" || [...value].length <= limit) continue;
		document.set(key, [...value].slice(0, limit).join("").trimEnd());
		document.setIn(["metadata", `full-${key}`], value);
		warnings.push(reasonOf("import-text-cut", { field: key, length: [...value].length, max: limit }));
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
