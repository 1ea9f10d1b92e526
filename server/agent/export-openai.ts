import { openAiToolNames } from "@/server/harness";
import type { McpTool } from "@/server/harness/contract";
import type { Trajectory } from "./contract";
import { conversationOf } from "./conversation";
import { hookMessageText } from "./endpoint-policy";

export interface OpenAiMessage {
	role: "system" | "user" | "assistant" | "tool";
	content: string | null;
	reasoning_content?: string;
	tool_calls?: { id: string; type: "function"; function: { name: string; arguments: string } }[];
	tool_call_id?: string;
}

export interface OpenAiRecord {
	messages: OpenAiMessage[];
	tools?: { type: "function"; function: { name: string; description: string; parameters: Record<string, unknown> } }[];
}

export interface ExportContext {
	systemPrompt?: string;
	tools?: readonly McpTool[];
	skillBody?: (name: string) => string | null;
	/** Keeps the model's reasoning as `reasoning_content`. */
	withReasoning?: boolean;
}

/** The trajectory as one OpenAI chat record (a line of a fine-tuning file): names mapped to what OpenAI allows, arguments as text. */
export function toOpenAiRecord(trajectory: Trajectory, context: ExportContext = {}): OpenAiRecord {
	const called = trajectory.steps.flatMap((step) => (step.type === "model" ? step.toolCalls.map((call) => call.name) : []));
	const names = openAiToolNames([...(context.tools ?? []).map((tool) => tool.name), ...called]).toWire;
	const wire = (name: string) => names.get(name) ?? name;
	const messages: OpenAiMessage[] = context.systemPrompt ? [{ role: "system", content: context.systemPrompt }] : [];
	for (const { message } of conversationOf(trajectory, context.skillBody)) {
		if (message.role === "user") messages.push({ role: "user", content: message.content });
		else if (message.role === "hook") messages.push({ role: "user", content: hookMessageText(message.content) });
		else if (message.role === "tool") messages.push({ role: "tool", tool_call_id: message.toolCallId, content: message.content });
		else
			messages.push({
				role: "assistant",
				content: message.content === "" && message.toolCalls.length > 0 ? null : message.content,
				...(context.withReasoning && message.reasoning ? { reasoning_content: message.reasoning } : {}),
				...(message.toolCalls.length > 0
					? {
							tool_calls: message.toolCalls.map((call) => ({
								id: call.id,
								type: "function" as const,
								function: { name: wire(call.name), arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments ?? {}) },
							})),
						}
					: {}),
			});
	}
	const tools = context.tools?.map((tool) => ({
		type: "function" as const,
		function: { name: wire(tool.name), description: tool.description, parameters: tool.inputSchema },
	}));
	return { messages, ...(tools && tools.length > 0 ? { tools } : {}) };
}
