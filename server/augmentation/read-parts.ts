import { LRUCache } from "lru-cache";
import { splitFrontMatter, validateHarness } from "@/server/harness";
import type { Harness, HarnessFiles, Problem } from "@/server/harness/contract";
import { AppError } from "@/server/kernel/errors";
import { type HookParts, readHook } from "./hook-parts";
import { type BodyLine, parseBody } from "./skill-body";
import { type SlottedYaml, sequenceItems, slotYaml } from "./yaml-slots";

export interface SkillParts {
	name: string;
	description: string;
	type: "reply" | "strategy";
	front: SlottedYaml;
	lines: BodyLine[];
	/** References and assets, relative to the skill's folder. */
	others: Record<string, string>;
}

export interface ToolParts {
	name: string;
	yaml: SlottedYaml;
	/** Names of its arguments that may be renamed: plain properties of the input schema. */
	arguments: string[];
	/** Already renamed: the tool's name → the binding's own. */
	argumentNames: Record<string, string>;
}

export interface PromptParts {
	id: string;
	path: string;
	front: string;
	lines: { text: string }[];
}

/** A harness taken apart once, so that each of its variants costs little. */
export interface HarnessParts {
	harness: Harness;
	manifest: SlottedYaml;
	pipeline: { start: number; end: number; source: string }[];
	skills: SkillParts[];
	tools: ToolParts[];
	prompts: PromptParts[];
	hooks: HookParts[];
	/** Files of no component, kept as they are. */
	others: Record<string, string>;
	/** Argument names of some tool that no variant may change. */
	fixedArguments: ReadonlySet<string>;
}

const OUT_OF_REACH = [
	"allOf",
	"anyOf",
	"oneOf",
	"not",
	"if",
	"then",
	"else",
	"dependentRequired",
	"dependentSchemas",
	"patternProperties",
	"propertyNames",
	"$ref",
];

function readSkills(harness: Harness): SkillParts[] {
	return harness.skills.map((skill) => {
		const folder = skill.path.slice(0, -"SKILL.md".length);
		const text = harness.files[skill.path] as string;
		const { bodyOffset } = splitFrontMatter(text) as { bodyOffset: number };
		const head = text.slice(0, bodyOffset);
		// Only the two marks of the front matter are no YAML; blanks keep every place.
		const yaml = head.replace(/^\uFEFF?---[^\n]*/u, (mark) => " ".repeat(mark.length)).replace(/^---[ \t]*\r?\n?$/mu, (mark) => " ".repeat(mark.length));
		const slotted = slotYaml(yaml, (key) => key === "name" || key === "description" || key.startsWith("allowed-tools"));
		const others = Object.entries(harness.files).filter(([path]) => path.startsWith(folder) && path !== skill.path);
		return {
			name: skill.name,
			description: skill.description,
			type: skill.type,
			front: { text: head, slots: slotted.slots },
			lines: parseBody(text.slice(bodyOffset)),
			others: Object.fromEntries(others.map(([path, content]) => [path.slice(folder.length), content])),
		};
	});
}

function readTools(harness: Harness): { tools: ToolParts[]; fixed: Set<string> } {
	const fixed = new Set<string>();
	const tools = harness.tools.map(({ tool, path, argumentNames }): ToolParts => {
		const names = Object.keys((tool.inputSchema.properties ?? {}) as Record<string, unknown>);
		if (OUT_OF_REACH.some((keyword) => keyword in tool.inputSchema)) for (const name of names) fixed.add(name);
		const wanted = (key: string) =>
			/^tool\/(?:name|title|description)$|^tool\/inputSchema\/(?:required\/\d+|properties\/[^/]+(?:#key|\/description))$|^arguments\/[^/]+#key$/u.test(key) ||
			key === "binding/kind#key" ||
			key === "binding#key";
		return { name: tool.name, yaml: slotYaml(harness.files[path] as string, wanted), arguments: names, argumentNames };
	});
	return { tools, fixed };
}

function readPrompts(harness: Harness): PromptParts[] {
	return harness.prompts.map(({ id, path }) => {
		const text = harness.files[path] as string;
		const { bodyOffset } = splitFrontMatter(text) as { bodyOffset: number };
		return {
			id,
			path,
			front: text.slice(0, bodyOffset),
			lines: text
				.slice(bodyOffset)
				.split("\n")
				.map((line) => ({ text: line })),
		};
	});
}

function take(harness: Harness): HarnessParts {
	const manifestText = harness.files["harness.yaml"] as string;
	const { tools, fixed } = readTools(harness);
	const own = (path: string) =>
		path === "harness.yaml" || /^skills\//.test(path) || [...harness.tools, ...harness.prompts, ...harness.hooks].some((part) => part.path === path);
	const hooks = harness.hooks.map(readHook);
	for (const hook of hooks) for (const name of hook.exactLiterals) fixed.add(name);
	return {
		harness,
		manifest: slotYaml(manifestText, (key) => /^constraints\/[^/]+\/value$|^limits\/maxHookRetries$/u.test(key)),
		pipeline: sequenceItems(manifestText, "pipeline"),
		skills: readSkills(harness),
		tools,
		prompts: readPrompts(harness),
		hooks,
		others: Object.fromEntries(Object.entries(harness.files).filter(([path]) => !own(path))),
		fixedArguments: fixed,
	};
}

const known = new LRUCache<string, HarnessParts>({ max: 32 });

/** Says in one line what makes a harness unusable. */
const firstOf = (problems: readonly Problem[]) => {
	const [first] = problems.filter((problem) => problem.severity === "error");
	return first ? `${first.file}:${first.line} ${first.message}` : "";
};

/** Takes a harness apart; remembered by its tree. Throws `precondition` for one that does not validate. */
export function readParts(files: HarnessFiles, treeId: string): HarnessParts {
	const before = known.get(treeId);
	if (before) return before;
	const { harness, problems } = validateHarness(files);
	if (!harness)
		throw new AppError("precondition", `The harness is not valid: ${firstOf(problems)}`, { reason: "harness-invalid", fix: "Mend it first.", data: problems });
	const parts = take(harness);
	known.set(treeId, parts);
	return parts;
}
