import { z } from "zod";

export const EndpointRoleSchema = z.enum(["policy", "judge", "diagnosis", "editing"]);
export type EndpointRole = z.infer<typeof EndpointRoleSchema>;

export interface ChatTool {
	name: string;
	description: string;
	inputSchema: Record<string, unknown>;
}

export interface ChatToolCall {
	id: string;
	name: string;
	/** Parsed JSON, or the raw text when it was not JSON. */
	arguments: unknown;
	/** Why the call cannot be made as it stands: unknown tool, arguments that are not JSON. */
	invalid?: string;
}

export type ChatMessage =
	| { role: "user"; content: string }
	| { role: "assistant"; content: string; toolCalls: ChatToolCall[] }
	| { role: "tool"; toolCallId: string; name: string; content: string };

export interface ChatRequest {
	system: string;
	messages: ChatMessage[];
	tools?: ChatTool[];
	/** 0 (the default) asks for deterministic sampling, and only then is the response cached. */
	temperature?: number;
	seed?: number;
	maxTokens?: number;
	responseFormat?: "text" | "json";
	/** False asks the endpoint again even if the cache has the answer. */
	useCache?: boolean;
}

export interface ChatResponse {
	content: string | null;
	toolCalls: ChatToolCall[];
	reasoning: string | null;
	usage: { prompt: number; completion: number; reasoning: number };
	finishReason: "stop" | "tool-calls" | "length" | "content-filter" | "other";
	latencyMs: number;
	cached: boolean;
	requestHash: string;
}

/**
 * One model behind an OpenAI-compatible endpoint, with its limits, retries and cache applied. Throws AppError `upstream`
 * (down, HTML, half a JSON, 4xx), `rate-limited` (retries exhausted), `timeout` or `cancelled`; never with a key in it.
 */
export interface ChatModel {
	describe(): { name: string; fingerprint: string; deterministic: boolean };
	complete(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse>;
}

/** What other domains need of `models`. */
export interface ModelProvider {
	/** The endpoint that plays a role in a workspace; null when none is set (then the built-in engine plays it). */
	forRole(workspaceId: string, role: EndpointRole): Promise<ChatModel | null>;
	forEndpoint(endpointId: string): Promise<ChatModel>;
}
