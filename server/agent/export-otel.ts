import { sha256 } from "@/server/kernel/hash";
import type { AgentMessage, Step, Trajectory } from "./contract";
import { conversationOf, type PlacedMessage } from "./conversation";
import { hookMessageText } from "./endpoint-policy";
import type { ExportContext } from "./export-openai";

type AnyValue = { stringValue: string } | { boolValue: boolean } | { intValue: string } | { doubleValue: number } | { arrayValue: { values: AnyValue[] } };
interface Attribute {
	key: string;
	value: AnyValue;
}
export interface OtlpSpan {
	traceId: string;
	spanId: string;
	parentSpanId?: string;
	name: string;
	/** 1 internal, 3 client */
	kind: number;
	startTimeUnixNano: string;
	endTimeUnixNano: string;
	attributes: Attribute[];
	/** 1 ok, 2 error */
	status: { code?: number; message?: string };
}
export interface OtlpTraces {
	resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { scope: { name: string; version: string }; spans: OtlpSpan[] }[] }[];
}

export interface OtelContext extends ExportContext {
	/** When the episode began: a trajectory knows only times since then. */
	startedAt: Date;
	/** Makes the ids of trace and spans; the same one gives the same ids. */
	episodeId: string;
	agentName: string;
	providerName?: string;
}

/**
 * The trajectory as OpenTelemetry traces in OTLP JSON, after the GenAI semantic conventions: an `invoke_agent` span with a
 * `chat` span for each model step and an `execute_tool` span for each tool call and skill load. Hooks are spans of our own.
 */
export function toOtlp(trajectory: Trajectory, context: OtelContext): OtlpTraces {
	const traceId = sha256(`trace:${context.episodeId}`).slice(0, 32);
	const spanIdOf = (index: number) => sha256(`span:${context.episodeId}:${index}`).slice(0, 16);
	const root = spanIdOf(-1);
	const startMs = context.startedAt.getTime();
	const conversation = conversationOf(trajectory, context.skillBody);
	const children = trajectory.steps.flatMap((step, index): OtlpSpan[] => {
		const described = describeStep(step, index, { trajectory, conversation, context });
		if (!described) return [];
		return [
			{
				traceId,
				spanId: spanIdOf(index),
				parentSpanId: root,
				...described,
				startTimeUnixNano: nanoseconds(startMs, step.atMs),
				endTimeUnixNano: nanoseconds(startMs, step.atMs + step.durationMs),
			},
		];
	});
	const agent: OtlpSpan = {
		traceId,
		spanId: root,
		name: `invoke_agent ${context.agentName}`,
		kind: 1,
		startTimeUnixNano: nanoseconds(startMs, 0),
		endTimeUnixNano: nanoseconds(startMs, trajectory.durationMs),
		attributes: attributes({
			"gen_ai.operation.name": "invoke_agent",
			"gen_ai.provider.name": context.providerName ?? "harness-evolution-studio",
			"gen_ai.agent.name": context.agentName,
			"gen_ai.request.model": trajectory.policy,
			"gen_ai.request.seed": trajectory.seed,
			"gen_ai.input.messages": JSON.stringify([messagePart({ role: "user", content: trajectory.message })]),
			"gen_ai.output.messages": JSON.stringify(trajectory.reply === null ? [] : [outputMessage({ text: trajectory.reply, calls: [], reason: "stop" })]),
			"studio.harness.tree": trajectory.treeId,
			"studio.outcome": trajectory.outcome,
			...(trajectory.outcome === "infra-error" ? { "error.type": errorCode(trajectory) } : {}),
		}),
		status: trajectory.outcome === "infra-error" || trajectory.outcome === "deadline" ? { code: 2, message: trajectory.error ?? "" } : {},
	};
	return {
		resourceSpans: [
			{
				resource: { attributes: attributes({ "service.name": context.agentName }) },
				scopeSpans: [{ scope: { name: "harness-evolution-studio", version: "1" }, spans: [agent, ...children] }],
			},
		],
	};
}

interface Surroundings {
	trajectory: Trajectory;
	conversation: readonly PlacedMessage[];
	context: OtelContext;
}

function describeStep(step: Step, index: number, around: Surroundings): Pick<OtlpSpan, "name" | "kind" | "attributes" | "status"> | null {
	const { trajectory, conversation, context } = around;
	if (step.type === "model") {
		const seen = conversation.filter((placed) => placed.step < index).map((placed) => messagePart(placed.message));
		const reason = step.finishReason === "tool-calls" ? "tool_call" : step.finishReason;
		return {
			name: `chat ${trajectory.policy}`,
			kind: 3,
			attributes: attributes({
				"gen_ai.operation.name": "chat",
				"gen_ai.provider.name": context.providerName ?? "harness-evolution-studio",
				"gen_ai.request.model": trajectory.policy,
				"gen_ai.request.seed": trajectory.seed,
				"gen_ai.usage.input_tokens": step.usage.prompt,
				"gen_ai.usage.output_tokens": step.usage.completion,
				"gen_ai.response.finish_reasons": [reason],
				...(context.systemPrompt ? { "gen_ai.system_instructions": JSON.stringify([{ type: "text", content: context.systemPrompt }]) } : {}),
				"gen_ai.input.messages": JSON.stringify(seen),
				"gen_ai.output.messages": JSON.stringify([outputMessage({ text: step.content, calls: step.toolCalls, reason, reasoning: step.reasoning })]),
				"studio.request.hash": step.requestHash,
				"studio.cached": step.cached,
			}),
			status: {},
		};
	}
	if (step.type === "tool" || step.type === "skill") {
		const name = step.type === "tool" ? step.name : "load_skill";
		return {
			name: `execute_tool ${name}`,
			kind: 1,
			attributes: attributes({
				"gen_ai.operation.name": "execute_tool",
				"gen_ai.tool.name": name,
				"gen_ai.tool.type": step.type === "tool" ? "function" : "datastore",
				...(step.callId ? { "gen_ai.tool.call.id": step.callId } : {}),
				"gen_ai.tool.call.arguments": JSON.stringify(step.type === "tool" ? (step.arguments ?? null) : { name: step.name }),
				...(step.type === "tool" && step.ok ? { "gen_ai.tool.call.result": JSON.stringify(step.result ?? null) } : {}),
				...(step.type === "tool" ? { "studio.tool.handler": step.handler, "studio.tool.attempt": step.attempt } : {}),
				...(step.type === "tool" && step.fault ? { "studio.tool.fault": step.fault } : {}),
				...(step.ok ? {} : { "error.type": step.type === "tool" ? (step.fault ?? "tool_error") : "skill_not_found" }),
			}),
			status: step.ok ? {} : { code: 2, message: step.error ?? "" },
		};
	}
	if (step.type !== "hook") return null;
	const failed = step.outcome === "hook-error";
	return {
		name: `hook ${step.hook}`,
		kind: 1,
		attributes: attributes({
			"studio.hook.name": step.hook,
			"studio.hook.event": step.event,
			"studio.hook.outcome": step.outcome,
			...(step.message ? { "studio.hook.message": step.message } : {}),
			...(failed ? { "error.type": step.errorKind ?? "hook_error" } : {}),
		}),
		status: failed ? { code: 2, message: step.message ?? "" } : {},
	};
}

function messagePart(message: AgentMessage) {
	if (message.role === "user" || message.role === "hook")
		return { role: "user", parts: [{ type: "text", content: message.role === "hook" ? hookMessageText(message.content) : message.content }] };
	if (message.role === "tool") return { role: "tool", parts: [{ type: "tool_call_response", id: message.toolCallId, response: parsed(message.content) }] };
	return { role: "assistant", parts: parts(message.content, message.toolCalls, null) };
}

function outputMessage(output: {
	text: string | null;
	calls: readonly { id: string; name: string; arguments: unknown }[];
	reason: string;
	reasoning?: string | null;
}) {
	return { role: "assistant", parts: parts(output.text, output.calls, output.reasoning ?? null), finish_reason: output.reason };
}

function parts(text: string | null, calls: readonly { id: string; name: string; arguments: unknown }[], reasoning: string | null): Record<string, unknown>[] {
	return [
		...(reasoning ? [{ type: "reasoning", content: reasoning }] : []),
		...(text ? [{ type: "text", content: text }] : []),
		...calls.map((call) => ({ type: "tool_call", id: call.id, name: call.name, arguments: call.arguments ?? null })),
	];
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

function errorCode(trajectory: Trajectory): string {
	const last = trajectory.steps.findLast((step) => step.type === "error");
	return last?.type === "error" ? last.code : "error";
}

function attributes(values: Record<string, string | number | boolean | string[]>): Attribute[] {
	return Object.entries(values).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: string | number | boolean | string[]): AnyValue {
	if (typeof value === "string") return { stringValue: value };
	if (typeof value === "boolean") return { boolValue: value };
	if (typeof value === "number") return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
	return { arrayValue: { values: value.map((item) => ({ stringValue: item })) } };
}

/** Nanoseconds since 1970 as text: beyond what a number holds exactly. */
const nanoseconds = (startMs: number, atMs: number) => String(BigInt(startMs) * 1_000_000n + BigInt(Math.round(atMs * 1_000_000)));
