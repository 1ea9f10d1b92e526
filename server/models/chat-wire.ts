import { z } from "zod";
import { sha256 } from "@/server/kernel/hash";
import type { ChatMessage, ChatRequest, ChatResponse, ChatToolCall } from "./contract";

/** What of an endpoint shapes a request. */
export interface WireTarget {
	model: string;
	extraBody: Record<string, unknown>;
	maxTokens: number;
}

export interface WireRequest {
	/** The JSON that is sent. */
	text: string;
	/** Hash of it; with the endpoint's fingerprint the key of the cache. */
	hash: string;
	/** Sampling takes the likeliest token, so that the answer may be kept. */
	deterministic: boolean;
	/** A rough count, for the limits, before the endpoint tells the real one. */
	estimatedTokens: number;
}

function toWireCall(call: ChatToolCall) {
	// Servers parse the history: a call whose arguments were no JSON goes back as JSON that says so.
	const args = typeof call.arguments === "string" ? JSON.stringify({ _unparsed: call.arguments }) : JSON.stringify(call.arguments ?? {});
	return { id: call.id, type: "function", function: { name: call.name, arguments: args } };
}

function toWireMessage(message: ChatMessage): Record<string, unknown> {
	switch (message.role) {
		case "user":
			return { role: "user", content: message.content };
		case "assistant":
			return message.toolCalls.length > 0
				? { role: "assistant", content: message.content || null, tool_calls: message.toolCalls.map(toWireCall) }
				: { role: "assistant", content: message.content };
		case "tool":
			return { role: "tool", tool_call_id: message.toolCallId, content: message.content };
	}
}

/** The request as it goes over the wire. The order of fields is fixed, so that equal requests have equal text. */
export function toWireRequest(request: ChatRequest, target: WireTarget): WireRequest {
	const temperature = request.temperature ?? 0;
	const body: Record<string, unknown> = {
		model: target.model,
		messages: [...(request.system ? [{ role: "system", content: request.system }] : []), ...request.messages.map(toWireMessage)],
	};
	if (request.tools?.length) {
		body.tools = request.tools.map(({ name, description, inputSchema }) => ({ type: "function", function: { name, description, parameters: inputSchema } }));
	}
	body.temperature = temperature;
	// Greedy sampling has no use for a seed, and without it runs of different seeds share the cache.
	if (temperature > 0 && request.seed !== undefined) body.seed = request.seed;
	body.max_tokens = request.maxTokens ?? target.maxTokens;
	if (request.responseFormat === "json") body.response_format = { type: "json_object" };
	for (const [key, value] of Object.entries(target.extraBody)) {
		if (value === null) delete body[key];
		else body[key] = value;
	}
	const text = JSON.stringify(body);
	return { text, hash: sha256(text), deterministic: body.temperature === 0, estimatedTokens: Math.ceil(text.length / 4) };
}

/** What was wrong with an answer. */
export class WireError extends Error {
	constructor(
		readonly kind: "not-json" | "html" | "error-body" | "no-choice",
		message: string,
	) {
		super(message);
	}
}

const record = (value: unknown): Record<string, unknown> => (typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {});
const count = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.round(value) : 0);

/** The reply as far as its form decides whether there is one; what its parts say is read leniently. */
const MessageSchema = z.looseObject({ content: z.union([z.string(), z.array(z.unknown())]).nullish(), tool_calls: z.array(z.unknown()).nullish() });

function textOf(content: unknown): string | null {
	if (typeof content === "string") return content;
	if (!Array.isArray(content)) return null;
	return content.map((part) => (typeof record(part).text === "string" ? (record(part).text as string) : "")).join("");
}

function parseCall(raw: unknown, index: number, known: ReadonlySet<string>): ChatToolCall {
	const call = record(raw);
	const fn = record(call.function);
	const name = typeof fn.name === "string" ? fn.name.slice(0, 200) : "";
	const id = typeof call.id === "string" && call.id !== "" ? call.id : `call_${index}`;
	let args: unknown = fn.arguments ?? {};
	let invalid: string | undefined;
	if (typeof args === "string") {
		try {
			args = args.trim() === "" ? {} : JSON.parse(args);
		} catch {
			invalid = "The arguments are not JSON.";
		}
	}
	if (!invalid && (typeof args !== "object" || args === null || Array.isArray(args))) invalid = "The arguments are not a JSON object.";
	if (!known.has(name)) invalid = name === "" ? "The call names no tool." : `There is no tool named ${name}.`;
	return { id, name, arguments: args, ...(invalid ? { invalid } : {}) };
}

/** Some servers leave the model's thinking inside the reply. */
function splitThinking(content: string | null): { content: string | null; thinking: string | null } {
	const match = content === null ? null : /^\s*<think>([\s\S]*?)<\/think>\s*/.exec(content);
	return match ? { content: (content ?? "").slice(match[0].length), thinking: match[1]?.trim() ?? null } : { content, thinking: null };
}

const FINISH: Record<string, ChatResponse["finishReason"]> = {
	stop: "stop",
	tool_calls: "tool-calls",
	function_call: "tool-calls",
	length: "length",
	content_filter: "content-filter",
};

/** Reads an answer. Bad tool calls are part of the result (`invalid`); throws WireError when there is no answer in it. */
export function parseWireResponse(text: string, request: ChatRequest): Omit<ChatResponse, "latencyMs" | "cached" | "requestHash"> {
	let root: Record<string, unknown>;
	try {
		root = record(JSON.parse(text));
	} catch {
		throw /^\s*<(!doctype|html|head|body|\?xml)/i.test(text) ? new WireError("html", "an HTML page") : new WireError("not-json", "text that is not JSON");
	}
	if (root.error !== undefined && root.error !== null && !Array.isArray(root.choices)) throw new WireError("error-body", errorTextOf(root) ?? "an error");
	const choice = record(Array.isArray(root.choices) ? root.choices[0] : undefined);
	const { data: message } = MessageSchema.safeParse(choice.message);
	if (!message) throw new WireError("no-choice", "JSON without a reply in it");
	const known = new Set((request.tools ?? []).map((tool) => tool.name));
	const toolCalls = (message.tool_calls ?? []).slice(0, 64).map((call, index) => parseCall(call, index, known));
	const { content, thinking } = splitThinking(textOf(message.content) ?? textOf(message.refusal));
	const usage = record(root.usage);
	const finish = FINISH[String(choice.finish_reason)] ?? "other";
	return {
		content: content === "" ? null : content,
		toolCalls,
		reasoning: textOf(message.reasoning) ?? textOf(message.reasoning_content) ?? thinking,
		usage: {
			prompt: count(usage.prompt_tokens),
			completion: count(usage.completion_tokens),
			reasoning: count(record(usage.completion_tokens_details).reasoning_tokens),
		},
		finishReason: toolCalls.length > 0 && finish === "stop" ? "tool-calls" : finish,
	};
}

/** The message of an error body, in the shapes that servers use; null when there is none. */
export function errorTextOf(root: unknown): string | null {
	const { error, message, detail } = record(root);
	for (const candidate of [record(error).message, error, message, detail]) if (typeof candidate === "string" && candidate !== "") return candidate;
	return null;
}
