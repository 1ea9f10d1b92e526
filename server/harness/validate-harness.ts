import { unstorableOffsets } from "@/server/db/storable";
import { fieldProblems, numberProblems, unclosedFieldProblems } from "./content-rules";
import type { Harness, HarnessFiles, HarnessHook, HarnessTool, Problem, PromptBlock, Skill, ValidationContext } from "./contract";
import { HARNESS_LIMITS, pathProblem } from "./file-paths";
import { treeIdOf } from "./git-objects";
import { readHook } from "./hook-rules";
import { type ManifestReading, pipelineProblems, readManifest } from "./manifest-rules";
import { messageOf } from "./problem-texts";
import { type PromptReading, readPrompt, renderProblems, variableProblems } from "./prompt-rules";
import { MAX_NODES_TOGETHER } from "./schema-bounds";
import { readSkill } from "./skill-rules";
import { Source } from "./source";
import { duplicateNames, readTool, type ToolReading } from "./tool-rules";

export interface Validation {
	/** Null when any problem is an error. */
	harness: Harness | null;
	problems: Problem[];
}

const HARMLESS_FILES = /^(README|LICENSE|NOTICE|CHANGELOG)(\.[A-Za-z0-9]+)?$/;
const byPath = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Does not check bindings, and knows no sample room: a folder on its own. */
export const ALONE: ValidationContext = { handlers: null, connections: null, rooms: [] };

/**
 * Finds every problem of a harness at once, each with its place, rule and, where there is one, a fix. The one validator of
 * editor, API, command line and import. Runs nothing of the harness: hooks are parsed, not executed.
 */
export function validateHarness(files: HarnessFiles, context: ValidationContext = ALONE): Validation {
	const paths = Object.keys(files).sort(byPath);
	const problems: Problem[] = fileProblems(files, paths);
	if (files["harness.yaml"] === undefined)
		problems.push(new Source("harness.yaml", "").problem({ rule: "manifest-missing", ...messageOf("manifest-missing") }));
	const manifest = readManifest(files["harness.yaml"] ?? "apiVersion: harness/v1");
	if (files["harness.yaml"] !== undefined) problems.push(...manifest.problems);

	const skills = readSkills(files, paths, problems);
	const tools = readTools(files, paths, context, manifest, problems);
	const prompts = readPrompts(files, paths, context, manifest, problems);
	const hooks = readHooks(files, paths, manifest, problems);
	if (manifest.manifest) problems.push(...pipelineProblems(manifest, prompts.ids, skills.length));
	problems.push(...unusedPrompts(prompts.readings, manifest), ...skillContent(files, skills, tools, manifest));
	if (manifest.manifest?.kind === "agent" && manifest.manifest.skills.requireReplySkill && !skills.some((skill) => skill.type === "reply"))
		problems.push(
			manifest.source.problem({ rule: "no-reply-skill", severity: "warning", ...messageOf("no-reply-skill") }, manifest.yaml.rangeOf(["skills"], true)),
		);
	problems.sort((a, b) => byPath(a.file, b.file) || a.line - b.line || a.column - b.column);
	if (!manifest.manifest || problems.some((problem) => problem.severity === "error")) return { harness: null, problems };
	const { kind, name, limits, constraints, skills: skillRules } = manifest.manifest;
	return {
		problems,
		harness: {
			kind,
			name,
			treeId: treeIdOf(files),
			limits,
			constraints,
			pipeline: manifest.pipeline,
			requireReplySkill: skillRules.requireReplySkill,
			prompts: prompts.readings.flatMap((reading) => (reading.prompt ? [reading.prompt] : ([] as PromptBlock[]))),
			skills,
			tools,
			hooks,
			files,
		},
	};
}

function fileProblems(files: HarnessFiles, paths: readonly string[]): Problem[] {
	const problems: Problem[] = [];
	const folded = new Map<string, string>();
	for (const path of paths) {
		const source = new Source(path, "");
		const why = pathProblem(path);
		if (why) problems.push(source.problem({ rule: "path", message: why.reason, phrase: why.phrase }));
		const other = folded.get(path.toLowerCase());
		if (other) problems.push(source.problem({ rule: "path-collides", ...messageOf("path-collides", { other }) }));
		folded.set(path.toLowerCase(), path);
		if (Buffer.byteLength(files[path] as string) > HARNESS_LIMITS.fileBytes)
			problems.push(source.problem({ rule: "file-size", ...messageOf("file-size", { max: HARNESS_LIMITS.fileBytes / 1024 }) }));
		problems.push(...unstorableProblems(path, files[path] as string));
		if (!belongs(path)) problems.push(source.problem({ rule: "file-unknown", severity: "warning", ...messageOf("file-unknown") }));
	}
	if (paths.length > HARNESS_LIMITS.files)
		problems.push(new Source("harness.yaml", "").problem({ rule: "file-count", ...messageOf("file-count", { max: HARNESS_LIMITS.files }) }));
	return problems;
}

/** Every character of the file that neither git's text nor the database keeps as it is. */
function unstorableProblems(path: string, text: string): Problem[] {
	const offsets = unstorableOffsets(text);
	if (offsets.length === 0) return [];
	const source = new Source(path, text);
	return offsets.map((offset) => source.problem({ rule: "file-unstorable", ...messageOf("file-unstorable") }, [offset, offset + 1]));
}

function belongs(path: string): boolean {
	return path === "harness.yaml" || HARMLESS_FILES.test(path) || /^prompts\/[^/]+\.md$|^tools\/[^/]+\.yaml$|^hooks\/[^/]+\.js$|^skills\/[^/]+\/./.test(path);
}

function readSkills(files: HarnessFiles, paths: readonly string[], problems: Problem[]): Skill[] {
	const folders = [...new Set(paths.flatMap((path) => /^skills\/([^/]+)\/./.exec(path)?.[1] ?? []))];
	const skills: Skill[] = [];
	for (const folder of folders) {
		const path = `skills/${folder}/SKILL.md`;
		const text = files[path];
		if (text === undefined) {
			problems.push(new Source(path, "").problem({ rule: "skill-missing", ...messageOf("skill-missing", { folder }) }));
			continue;
		}
		const reading = readSkill(path, folder, text);
		problems.push(...reading.problems);
		if (reading.skill) skills.push(reading.skill);
	}
	return skills;
}

function readTools(files: HarnessFiles, paths: readonly string[], context: ValidationContext, manifest: ManifestReading, problems: Problem[]): HarnessTool[] {
	const readings: ToolReading[] = [];
	const allowance = { nodes: MAX_NODES_TOGETHER };
	for (const path of paths) {
		const stem = /^tools\/([^/]+)\.yaml$/.exec(path)?.[1];
		if (!stem) continue;
		const reading = readTool(path, stem, files[path] as string, context, manifest.manifest?.limits.deadlineMs ?? null, allowance);
		problems.push(...reading.problems);
		readings.push(reading);
	}
	problems.push(...duplicateNames(readings));
	return readings.flatMap((reading) => (reading.tool ? [reading.tool] : []));
}

function readPrompts(
	files: HarnessFiles,
	paths: readonly string[],
	context: ValidationContext,
	manifest: ManifestReading,
	problems: Problem[],
): { ids: string[]; readings: PromptReading[] } {
	const ids: string[] = [];
	const readings: PromptReading[] = [];
	for (const path of paths) {
		const id = /^prompts\/([^/]+)\.md$/.exec(path)?.[1];
		if (!id) continue;
		ids.push(id);
		const reading = readPrompt(path, id, files[path] as string);
		readings.push(reading);
		problems.push(...reading.problems);
		if (!reading.prompt || !manifest.manifest) continue;
		const { constraints } = manifest.manifest;
		const unknown = variableProblems(reading, constraints, context.rooms);
		problems.push(...unknown, ...numberProblems({ path, text: files[path] as string, offset: reading.bodyOffset, template: true }, constraints));
		// What is unknown everywhere fails in every room: once is enough.
		problems.push(...renderProblems(reading, constraints, unknown.length > 0 ? [] : context.rooms));
	}
	return { ids, readings };
}

function readHooks(files: HarnessFiles, paths: readonly string[], manifest: ManifestReading, problems: Problem[]): HarnessHook[] {
	const constraints = manifest.manifest ? new Set(Object.keys(manifest.manifest.constraints)) : null;
	const hooks: HarnessHook[] = [];
	for (const path of paths) {
		const id = /^hooks\/([^/]+)\.js$/.exec(path)?.[1];
		if (!id) continue;
		const reading = readHook(path, id, files[path] as string, constraints);
		problems.push(...reading.problems);
		if (reading.hook) hooks.push(reading.hook);
	}
	return hooks;
}

function unusedPrompts(readings: readonly PromptReading[], manifest: ManifestReading): Problem[] {
	if (!manifest.manifest) return [];
	const used = new Set(manifest.pipeline.flatMap((item) => (item.kind === "prompt" ? [item.id] : [])));
	return readings.flatMap(({ prompt, source }) =>
		prompt && !used.has(prompt.id)
			? [source.problem({ rule: "prompt-unused", severity: "warning", ...messageOf("prompt-unused", { id: prompt.id }) }, [0, 3])]
			: [],
	);
}

function skillContent(files: HarnessFiles, skills: readonly Skill[], tools: readonly HarnessTool[], manifest: ManifestReading): Problem[] {
	const constraints = manifest.manifest?.constraints ?? {};
	return skills.flatMap((skill) => {
		const text = files[skill.path] as string;
		return [
			...fieldProblems(skill, text, tools),
			...unclosedFieldProblems(skill, text),
			...numberProblems({ path: skill.path, text, offset: 0, template: false }, constraints),
		];
	});
}
