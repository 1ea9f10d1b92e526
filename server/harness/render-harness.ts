import { fieldsOfSchema } from "./content-rules";
import type { Harness, McpTool, RenderedHarness, Room } from "./contract";
import { evaluateWhen, renderFailure, renderLiquid } from "./liquid";
import { constraintValues } from "./prompt-rules";

/** Wording of the two generated blocks, in the language that the harness's own prompts are written in. */
const WORDING = {
	en: {
		skills: "Skills",
		intro: (required: boolean) =>
			`Load a skill with load_skill before you use it; its text comes back as the result.${required ? " Load at least one reply skill before you answer." : ""}`,
		type: { reply: "reply", strategy: "strategy" },
		tools: "Tools",
		returns: "returns",
	},
	zh: {
		skills: "技能",
		intro: (required: boolean) => `用 load_skill 加载技能，正文会作为结果返回。${required ? "回答前至少加载一个回复技能。" : ""}`,
		type: { reply: "回复", strategy: "策略" },
		tools: "工具",
		returns: "返回",
	},
} as const;

function languageOf(harness: Harness): keyof typeof WORDING {
	const text = harness.prompts.map((prompt) => prompt.body).join("");
	const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
	const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
	return han * 3 > latin ? "zh" : "en";
}

const offers = new WeakMap<Harness, Pick<RenderedHarness, "skillIndex" | "tools">>();

/** What is the same in every room: the same objects each time, so that a policy can prepare for them once. */
function offersOf(harness: Harness): Pick<RenderedHarness, "skillIndex" | "tools"> {
	const known = offers.get(harness) ?? {
		skillIndex: harness.skills.map(({ name, description, type }) => ({ name, description, type })),
		tools: harness.tools.map((entry) => entry.tool),
	};
	offers.set(harness, known);
	return known;
}

/**
 * What a policy sees of a harness in a room: the system prompt in pipeline order, and the same as structure. A pure function
 * of both. Throws `precondition` (`prompt-not-renderable`) when a block names something that the room lacks.
 */
export function renderHarness(harness: Harness, room: Room): RenderedHarness {
	const constraints = constraintValues(harness.constraints);
	const scope = { room, constraints };
	const words = WORDING[languageOf(harness)];
	const { skillIndex, tools } = offersOf(harness);
	const blocks: RenderedHarness["blocks"] = [];
	for (const item of harness.pipeline) {
		if (item.kind === "skill-index") {
			const lines = skillIndex.map((skill) => `- ${skill.name} (${words.type[skill.type]}): ${skill.description}`);
			if (lines.length > 0) blocks.push({ id: "skill-index", title: words.skills, text: [words.intro(harness.requireReplySkill), ...lines].join("\n") });
			continue;
		}
		if (item.kind === "tool-notes") {
			if (tools.length > 0) blocks.push({ id: "tool-notes", title: words.tools, text: tools.map((tool) => toolNote(tool, words.returns)).join("\n") });
			continue;
		}
		const prompt = harness.prompts.find((candidate) => candidate.id === item.id);
		if (!prompt) continue;
		try {
			if (prompt.when !== null && !evaluateWhen(prompt.when, scope)) continue;
			blocks.push({ id: prompt.id, title: prompt.title, text: renderLiquid(prompt.body, scope).trim() });
		} catch (error) {
			throw renderFailure(prompt.id, error);
		}
	}
	return {
		treeId: harness.treeId,
		systemPrompt: blocks.map((block) => `# ${block.title}\n\n${block.text}`).join("\n\n"),
		blocks,
		constraints,
		skillIndex,
		tools,
	};
}

/** One line a tool: the endpoint's own tool list does not carry what a tool returns, so the note does. */
function toolNote(tool: McpTool, returns: string): string {
	const fields = fieldsOfSchema(tool.outputSchema).map((name) => {
		const description = descriptionOf(tool.outputSchema, name);
		return description ? `${name} (${description})` : name;
	});
	const head = `- ${tool.name}: ${tool.description}`;
	return fields.length > 0 ? `${head}\n  ${returns}: ${fields.join(", ")}` : head;
}

/** Description of a property by its dotted name; null without one. */
export function descriptionOf(schema: Record<string, unknown> | undefined, path: string): string | null {
	let node: unknown = schema;
	for (const key of path.split(".")) {
		let current = node as { properties?: Record<string, unknown>; items?: unknown } | undefined;
		while (current && !current.properties && current.items) current = current.items as typeof current;
		node = current?.properties?.[key];
	}
	const description = (node as { description?: unknown } | undefined)?.description;
	return typeof description === "string" ? description : null;
}

/**
 * An estimate of a text's tokens, without any model's vocabulary: a Han character is about 0.7 token, four other characters
 * are about one. Shown as an estimate; endpoints report the truth.
 */
export function estimateTokens(text: string): number {
	const wide = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/gu)?.length ?? 0;
	return Math.ceil(wide * 0.7 + (text.length - wide) / 4);
}
