import { LOAD_SKILL_TOOL, renderHarness, type SchemaCheck, schemaChecker } from "@/server/harness";
import type { Harness, HarnessHook, HarnessTool, HookEvent, McpTool, RenderedHarness, Room, Skill } from "@/server/harness/contract";

export interface CompiledTool extends HarnessTool {
	/** The functional identity: a handler's id, else `connection/tool`. */
	handler: string;
	/** The binding's own name of an argument → the tool's: the way back of `argumentNames`. */
	toolNames: Readonly<Record<string, string>>;
	check: SchemaCheck;
}

/** A harness with everything that episodes share made once. */
export interface CompiledHarness {
	harness: Harness;
	tools: ReadonlyMap<string, CompiledTool>;
	skills: ReadonlyMap<string, Skill>;
	hooks: Readonly<Record<HookEvent, readonly HarnessHook[]>>;
	loadSkillTool: McpTool | null;
	hasReplySkills: boolean;
}

const compiled = new WeakMap<Harness, CompiledHarness>();

/** Compiles a validated harness; remembered by identity, so that a run of thousands of episodes pays once. */
export function compileHarness(harness: Harness): CompiledHarness {
	const known = compiled.get(harness);
	if (known) return known;
	const hooks: Record<HookEvent, HarnessHook[]> = { input: [], skill: [], "tool-call": [], "tool-result": [], reply: [] };
	for (const hook of [...harness.hooks].sort((a, b) => (a.id < b.id ? -1 : 1))) hooks[hook.event].push(hook);
	const result: CompiledHarness = {
		harness,
		tools: new Map(harness.tools.map((tool) => [tool.tool.name, compileTool(tool)])),
		skills: new Map(harness.skills.map((skill) => [skill.name, skill])),
		hooks,
		loadSkillTool: harness.skills.length > 0 ? loadSkillTool(harness.skills) : null,
		hasReplySkills: harness.skills.some((skill) => skill.type === "reply"),
	};
	compiled.set(harness, result);
	return result;
}

function compileTool(tool: HarnessTool): CompiledTool {
	let check: SchemaCheck | undefined;
	const { binding } = tool;
	return {
		...tool,
		toolNames: Object.fromEntries(Object.entries(tool.argumentNames).map(([name, own]) => [own, name])),
		handler: binding.kind === "simulator" ? binding.handler : `${binding.connection}/${binding.tool}`,
		check(value) {
			check ??= schemaChecker(tool.tool.inputSchema);
			return check(value);
		},
	};
}

/** Progressive disclosure: the prompt lists names and descriptions, this tool gives a body. */
function loadSkillTool(skills: readonly Skill[]): McpTool {
	return {
		name: LOAD_SKILL_TOOL,
		description: "Loads the full text of a skill by its name. Follow its rules in the reply.",
		inputSchema: {
			type: "object",
			properties: { name: { type: "string", enum: skills.map((skill) => skill.name), description: "The skill's name." } },
			required: ["name"],
			additionalProperties: false,
		},
	};
}

interface Rendering {
	rendered: RenderedHarness;
	tools: McpTool[];
	/** Blocks of the harness's own prompts, without the two that are made. */
	prompts: RenderedHarness["blocks"];
}

const renderings = new WeakMap<Room, WeakMap<Harness, Rendering>>();

/** The harness as a policy sees it in a room, with `load_skill` among the tools; remembered by the identity of both. */
export function renderFor(compiledHarness: CompiledHarness, room: Room): Rendering {
	const ofRoom = renderings.get(room) ?? new WeakMap<Harness, Rendering>();
	renderings.set(room, ofRoom);
	let rendering = ofRoom.get(compiledHarness.harness);
	if (!rendering) {
		const rendered = renderHarness(compiledHarness.harness, room);
		const prompts = rendered.blocks.filter((block) => block.id !== "skill-index" && block.id !== "tool-notes");
		rendering = { rendered, prompts, tools: compiledHarness.loadSkillTool ? [compiledHarness.loadSkillTool, ...rendered.tools] : rendered.tools };
		ofRoom.set(compiledHarness.harness, rendering);
	}
	return rendering;
}
