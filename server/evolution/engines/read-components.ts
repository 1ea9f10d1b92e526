import { type ParsedSkill, parseSkillBody } from "@/server/compact";
import { validateHarness } from "@/server/harness";
import type { Harness, HarnessFiles, McpTool, Skill } from "@/server/harness/contract";

/** A skill with its rules read. */
export interface ReadSkill extends Skill {
	parsed: ParsedSkill;
}

/** What the editing engine reads of a harness. */
export interface Components {
	harness: Harness;
	skills: ReadSkill[];
	tools: McpTool[];
	fields: OutputField[];
}

/** One field of one tool's declared output. */
export interface OutputField {
	tool: string;
	name: string;
	description: string;
	numeric: boolean;
}

function outputFields(tools: readonly McpTool[]): OutputField[] {
	return tools.flatMap((tool) =>
		Object.entries((tool.outputSchema?.properties ?? {}) as Record<string, { description?: unknown; type?: unknown }>).map(([name, property]) => ({
			tool: tool.name,
			name,
			description: String(property?.description ?? ""),
			numeric: property?.type === "number" || property?.type === "integer",
		})),
	);
}

/** Reads the files of a harness; null when they do not validate (then there is nothing safe to build on). */
export function readComponents(files: HarnessFiles): Components | null {
	const { harness } = validateHarness(files);
	if (!harness) return null;
	const tools = harness.tools.map((entry) => entry.tool);
	return {
		harness,
		skills: harness.skills.map((skill) => ({ ...skill, parsed: parseSkillBody(skill.body) })),
		tools,
		fields: outputFields(tools),
	};
}
