import type { Step, ToolCall, Trajectory } from "@/server/agent/contract";
import { LOAD_SKILL_TOOL } from "@/server/harness";
import type { Harness } from "@/server/harness/contract";
import { countGraphemes } from "@/server/kernel/text";
import type { VariantMapping } from "./contract";

const turn = (table: Record<string, string>) => new Map(Object.entries(table).map(([from, to]) => [to, from]));

/** The way back from a variant's names to the original's; a name that the variant added stays as it is. */
function wayBack(mapping: VariantMapping) {
	const [skills, tools, names] = [turn(mapping.skills), turn(mapping.tools), turn(mapping.arguments)];
	const record = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === "object" && !Array.isArray(value);
	return {
		skill: (name: string) => skills.get(name) ?? name,
		tool: (name: string) => tools.get(name) ?? name,
		call(call: ToolCall): ToolCall {
			if (!record(call.arguments)) return call;
			if (call.name === LOAD_SKILL_TOOL) {
				const named = Object.entries(call.arguments).map(([key, value]) => [key, typeof value === "string" ? (skills.get(value) ?? value) : value]);
				return { ...call, arguments: Object.fromEntries(named) };
			}
			return {
				...call,
				name: tools.get(call.name) ?? call.name,
				arguments: Object.fromEntries(Object.entries(call.arguments).map(([key, value]) => [names.get(key) ?? key, value])),
			};
		},
	};
}

/**
 * A trajectory under a variant as it would read under the original: skills, tools and arguments under their own names, so that
 * it compares with trajectories of the original. What was said, and the tree, stay as they were.
 */
export function foldTrajectory(trajectory: Trajectory, mapping: VariantMapping): Trajectory {
	const back = wayBack(mapping);
	const fold = (step: Step): Step => {
		if (step.type === "skill") return { ...step, name: back.skill(step.name) };
		// Calls that ran stand under the binding's own argument names already.
		if (step.type === "tool") return { ...step, name: back.tool(step.name) };
		if (step.type === "hook" && step.target !== undefined) return { ...step, target: back.skill(back.tool(step.target)) };
		if (step.type === "retry" && step.reason.startsWith("tool:")) return { ...step, reason: `tool:${back.tool(step.reason.slice(5))}` };
		return step.type === "model" ? { ...step, toolCalls: step.toolCalls.map(back.call) } : step;
	};
	return { ...trajectory, steps: trajectory.steps.map(fold) };
}

const COUNTERS: Record<string, (text: string) => number> = {
	chars: countGraphemes,
	words: (text) => text.split(/\s+/u).filter((word) => word !== "").length,
	sentences: (text) => text.split(/[。！？!?]+|\.(?=\s|$)/u).filter((sentence) => sentence.trim() !== "").length,
};

/** Whether a reply keeps every limit of the harness that can be counted (in characters, words or sentences); null where there is none, or no reply. */
export function keepsLimits(reply: string | null, constraints: Harness["constraints"]): boolean | null {
	if (reply === null) return null;
	const limits = Object.entries(constraints).filter(([name, { unit }]) => unit !== undefined && unit in COUNTERS && /max|min/iu.test(name));
	if (limits.length === 0) return null;
	return limits.every(([name, { unit, value }]) => {
		const count = COUNTERS[unit as string]?.(reply) ?? 0;
		return /max/iu.test(name) ? count <= value : count >= value;
	});
}
