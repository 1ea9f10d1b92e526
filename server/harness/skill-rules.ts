import type { z } from "zod";
import type { Problem, Skill } from "./contract";
import { SkillMetadataSchema } from "./file-schemas";
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
			problems: [source.problem({ rule: "front-matter-missing", message: "SKILL.md begins with front matter between two lines of `---`." })],
		};
	const yaml = parseYaml(source, front.yaml, front.yamlOffset);
	const problems = [...yaml.problems];
	if (yaml.value === undefined) return { skill: null, problems: soften(problems, mode) };
	if (yaml.value === null || typeof yaml.value !== "object" || Array.isArray(yaml.value)) {
		problems.push(source.problem({ rule: "front-matter-missing", message: "The front matter is a map of `name`, `description` and so on." }, [0, 3]));
		return { skill: null, problems };
	}
	const fields = yaml.value as Record<string, unknown>;
	const name = checkName(fields.name, folder, yaml, source, problems);
	const description = checkDescription(fields.description, yaml, source, problems);
	checkOthers(fields, yaml, source, problems);
	const metadata = checkMetadata(fields.metadata, yaml, source, problems);
	if (front.body.trim() === "")
		problems.push(source.problem({ rule: "skill-body-empty", message: "The skill has no text: nothing to load.", severity: "warning" }, [0, 3]));
	const skill = name === null || description === null ? null : { name, description, type: metadata.type, tags: metadata.tags, body: front.body.trim(), path };
	return { skill, problems: soften(problems, mode) };
}

function soften(problems: Problem[], mode: "strict" | "lenient"): Problem[] {
	return mode === "strict" ? problems : problems.map((problem) => (LENIENT_RULES.has(problem.rule) ? { ...problem, severity: "warning" as const } : problem));
}

function checkName(value: unknown, folder: string, yaml: YamlSource, source: Source, problems: Problem[]): string | null {
	const at = yaml.rangeOf(["name"]);
	if (value === undefined) {
		problems.push(source.problem({ rule: "skill-name-missing", message: "`name` is missing.", fix: undefined }, at));
		return null;
	}
	if (typeof value !== "string" || value.trim() === "") {
		problems.push(source.problem({ rule: "skill-name-missing", message: "`name` is a text that is not empty." }, at));
		return null;
	}
	const name = value.trim().normalize("NFKC");
	for (const why of nameProblems(name)) problems.push(source.problem({ rule: "skill-name", message: `The name “${name}” ${why}.` }, at));
	if (name !== folder.normalize("NFKC"))
		problems.push(
			source.problem(
				{
					rule: "skill-name-folder",
					message: `The folder name “${folder}” must match the skill name “${name}”.`,
					fix: { title: `Name it ${folder}`, text: folder },
				},
				at,
			),
		);
	return name;
}

/** What is wrong with a skill's name; empty when nothing is. Letters of any script, as in the Agent Skills validator. */
export function nameProblems(name: string): string[] {
	const why: string[] = [];
	if ([...name].length > SKILL_LIMITS.name) why.push(`exceeds the ${SKILL_LIMITS.name} character limit`);
	if (name !== name.toLowerCase()) why.push("must be lowercase");
	if (name.startsWith("-") || name.endsWith("-")) why.push("cannot start or end with a hyphen");
	if (name.includes("--")) why.push("cannot have consecutive hyphens");
	if (!/^[\p{L}\p{M}\p{N}-]*$/u.test(name)) why.push("has invalid characters: only letters, digits and hyphens");
	return why;
}

function checkDescription(value: unknown, yaml: YamlSource, source: Source, problems: Problem[]): string | null {
	const at = yaml.rangeOf(["description"]);
	if (typeof value !== "string" || value.trim() === "") {
		problems.push(
			source.problem({ rule: "skill-description-missing", message: "`description` says what the skill does and when to use it; it is missing." }, at),
		);
		return null;
	}
	const length = [...value].length;
	if (length > SKILL_LIMITS.description)
		problems.push(
			source.problem(
				{ rule: "skill-description-long", message: `The description has ${length} characters; it exceeds the limit of ${SKILL_LIMITS.description}.` },
				at,
			),
		);
	return value.trim();
}

function checkOthers(fields: Record<string, unknown>, yaml: YamlSource, source: Source, problems: Problem[]): void {
	const known: readonly string[] = SKILL_FIELDS;
	for (const key of Object.keys(fields)) {
		if (!known.includes(key))
			problems.push(
				source.problem(
					{ rule: "skill-field-unknown", message: `Unexpected fields in the front matter: \`${key}\`. Your own fields go under \`metadata\`.` },
					yaml.rangeOf([key], true),
				),
			);
	}
	const { license, compatibility } = fields;
	if (license !== undefined && typeof license !== "string")
		problems.push(source.problem({ rule: "skill-field", message: "`license` is a text." }, yaml.rangeOf(["license"])));
	if (compatibility !== undefined && (typeof compatibility !== "string" || [...compatibility].length > SKILL_LIMITS.compatibility))
		problems.push(
			source.problem(
				{ rule: "skill-compatibility-long", message: `\`compatibility\` is a text that exceeds no ${SKILL_LIMITS.compatibility} characters.` },
				yaml.rangeOf(["compatibility"]),
			),
		);
	const tools = fields["allowed-tools"];
	if (tools !== undefined && tools !== null && typeof tools !== "string" && !(Array.isArray(tools) && tools.every((tool) => typeof tool === "string")))
		problems.push(source.problem({ rule: "skill-field", message: "`allowed-tools` is a text of names." }, yaml.rangeOf(["allowed-tools"])));
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
					message: isType ? "`metadata.type` is `reply` or `strategy`." : `\`${path.join(".")}\` is not valid.`,
					...(isType ? { fix: { title: "Make it a reply skill", text: "reply" } } : {}),
				},
				range,
			),
		);
	}
	return { type: "reply", tags: [] };
}
