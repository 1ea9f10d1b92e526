import type { z } from "zod";
import type { Problem, Skill } from "./contract";
import { SkillMetadataSchema } from "./file-schemas";
import { messageOf, titleOf } from "./problem-texts";
import { type Range, Source } from "./source";
import { parseYaml, splitFrontMatter, type YamlSource } from "./yaml-source";

/** Fields of the Agent Skills front matter. */
export const SKILL_FIELDS = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"] as const;
export const SKILL_LIMITS = { name: 64, description: 1024, compatibility: 500 } as const;

export interface SkillReading {
	/** Null when it cannot be read at all (no front matter, no name, no description). */
	skill: Skill | null;
	problems: Problem[];
}

/** Rules that public skills often break without being useless: lenient reading makes warnings of them. */
const LENIENT_RULES = new Set([
	"skill-field-unknown",
	"skill-name-folder",
	"skill-name",
	"skill-description-long",
	"skill-compatibility-long",
	"skill-metadata",
]);

/**
 * Reads one SKILL.md against the Agent Skills rules. `folder` is the name of the folder it stands in. Lenient reading keeps
 * what strict reading finds, as warnings where a reader can live with it.
 */
export function readSkill(path: string, folder: string, text: string, mode: "strict" | "lenient" = "strict"): SkillReading {
	const source = new Source(path, text);
	const front = splitFrontMatter(text);
	if (!front)
		return {
			skill: null,
			problems: [source.problem({ rule: "front-matter-missing", ...messageOf("front-matter-skill") })],
		};
	const yaml = parseYaml(source, front.yaml, front.yamlOffset);
	const problems = [...yaml.problems];
	if (yaml.value === undefined) return { skill: null, problems: soften(problems, mode) };
	if (yaml.value === null || typeof yaml.value !== "object" || Array.isArray(yaml.value)) {
		problems.push(source.problem({ rule: "front-matter-missing", ...messageOf("front-matter-map") }, [0, 3]));
		return { skill: null, problems };
	}
	const fields = yaml.value as Record<string, unknown>;
	const name = checkName(fields.name, folder, yaml, source, problems);
	const description = checkDescription(fields.description, yaml, source, problems);
	checkOthers(fields, yaml, source, problems);
	const metadata = checkMetadata(fields.metadata, yaml, source, problems);
	if (front.body.trim() === "") problems.push(source.problem({ rule: "skill-body-empty", ...messageOf("skill-body-empty"), severity: "warning" }, [0, 3]));
	const skill = name === null || description === null ? null : { name, description, type: metadata.type, tags: metadata.tags, body: front.body.trim(), path };
	return { skill, problems: soften(problems, mode) };
}

function soften(problems: Problem[], mode: "strict" | "lenient"): Problem[] {
	return mode === "strict" ? problems : problems.map((problem) => (LENIENT_RULES.has(problem.rule) ? { ...problem, severity: "warning" as const } : problem));
}

function checkName(value: unknown, folder: string, yaml: YamlSource, source: Source, problems: Problem[]): string | null {
	const at = yaml.rangeOf(["name"]);
	if (value === undefined) {
		problems.push(source.problem({ rule: "skill-name-missing", ...messageOf("skill-name-missing") }, at));
		return null;
	}
	if (typeof value !== "string" || value.trim() === "") {
		problems.push(source.problem({ rule: "skill-name-missing", ...messageOf("skill-name-empty") }, at));
		return null;
	}
	const name = value.trim().normalize("NFKC");
	for (const why of nameProblems(name)) problems.push(source.problem({ rule: "skill-name", ...why }, at));
	if (name !== folder.normalize("NFKC"))
		problems.push(
			source.problem(
				{
					rule: "skill-name-folder",
					...messageOf("skill-name-folder", { folder, name }),
					fix: { ...titleOf("fix-name", { to: folder }), text: folder },
				},
				at,
			),
		);
	return name;
}

/** What is wrong with a skill's name; empty when nothing is. Letters of any script, as in the Agent Skills validator. */
function nameProblems(name: string) {
	return [
		...([...name].length > SKILL_LIMITS.name ? [messageOf("skill-name-long", { name, max: SKILL_LIMITS.name })] : []),
		...(name !== name.toLowerCase() ? [messageOf("skill-name-case", { name })] : []),
		...(name.startsWith("-") || name.endsWith("-") ? [messageOf("skill-name-edges", { name })] : []),
		...(name.includes("--") ? [messageOf("skill-name-hyphens", { name })] : []),
		...(/^[\p{L}\p{M}\p{N}-]*$/u.test(name) ? [] : [messageOf("skill-name-characters", { name })]),
	];
}

function checkDescription(value: unknown, yaml: YamlSource, source: Source, problems: Problem[]): string | null {
	const at = yaml.rangeOf(["description"]);
	if (typeof value !== "string" || value.trim() === "") {
		problems.push(source.problem({ rule: "skill-description-missing", ...messageOf("skill-description-missing") }, at));
		return null;
	}
	const length = [...value].length;
	if (length > SKILL_LIMITS.description)
		problems.push(source.problem({ rule: "skill-description-long", ...messageOf("skill-description-long", { length, max: SKILL_LIMITS.description }) }, at));
	return value.trim();
}

function checkOthers(fields: Record<string, unknown>, yaml: YamlSource, source: Source, problems: Problem[]): void {
	const known: readonly string[] = SKILL_FIELDS;
	for (const key of Object.keys(fields)) {
		if (!known.includes(key))
			problems.push(source.problem({ rule: "skill-field-unknown", ...messageOf("skill-field-unknown", { name: key }) }, yaml.rangeOf([key], true)));
	}
	const { license, compatibility } = fields;
	if (license !== undefined && typeof license !== "string")
		problems.push(source.problem({ rule: "skill-field", ...messageOf("skill-license") }, yaml.rangeOf(["license"])));
	if (compatibility !== undefined && (typeof compatibility !== "string" || [...compatibility].length > SKILL_LIMITS.compatibility))
		problems.push(
			source.problem(
				{ rule: "skill-compatibility-long", ...messageOf("skill-compatibility-long", { max: SKILL_LIMITS.compatibility }) },
				yaml.rangeOf(["compatibility"]),
			),
		);
	const tools = fields["allowed-tools"];
	if (tools !== undefined && tools !== null && typeof tools !== "string" && !(Array.isArray(tools) && tools.every((tool) => typeof tool === "string")))
		problems.push(source.problem({ rule: "skill-field", ...messageOf("skill-allowed-tools") }, yaml.rangeOf(["allowed-tools"])));
}

function checkMetadata(value: unknown, yaml: YamlSource, source: Source, problems: Problem[]): z.infer<typeof SkillMetadataSchema> {
	if (value === undefined || value === null) return { type: "reply", tags: [] };
	const result = SkillMetadataSchema.safeParse(value);
	if (result.success) return result.data;
	for (const issue of result.error.issues) {
		const path = ["metadata", ...issue.path.filter((segment) => typeof segment !== "symbol")];
		const range: Range = yaml.rangeOf(path);
		const isType = path.join(".") === "metadata.type";
		problems.push(
			source.problem(
				{
					rule: "skill-metadata",
					...(isType ? messageOf("skill-metadata-type") : messageOf("skill-metadata", { name: path.join(".") })),
					...(isType ? { fix: { ...titleOf("fix-reply-skill"), text: "reply" } } : {}),
				},
				range,
			),
		);
	}
	return { type: "reply", tags: [] };
}
