import { openAiToolNames } from "@/server/harness";
import type { McpTool } from "@/server/harness/contract";
import type { ChatMessage, ChatModel, ChatTool } from "@/server/models/contract";
import type { AgentMessage, Policy, PolicyDescription } from "./contract";

interface WireTools {
	tools: ChatTool[];
	toWire: (name: string) => string;
	fromWire: (name: string) => string;
}

const wired = new WeakMap<readonly McpTool[], WireTools>();

/** Tools under names that OpenAI-compatible endpoints allow; remembered by the identity of the list. */
function wireTools(tools: readonly McpTool[]): WireTools {
	const known = wired.get(tools);
	if (known) return known;
	const names = openAiToolNames(tools.map((tool) => tool.name));
	const toWire = (name: string) => names.toWire.get(name) ?? name;
	const result: WireTools = {
		tools: tools.map((tool) => ({ name: toWire(tool.name), description: tool.description, inputSchema: tool.inputSchema })),
		toWire,
		fromWire: (name) => names.fromWire.get(name) ?? name,
	};
	wired.set(tools, result);
	return result;
}

/** How a hook's message reads in a conversation that knows only users and assistants. */
export const hookMessageText = (message: string): string => `[harness check] ${message}`;

/** The conversation as an endpoint takes it: reasoning left out, hook messages as user messages. */
export function toChatMessages(messages: readonly AgentMessage[], toWire: (name: string) => string = (name) => name): ChatMessage[] {
	return messages.map((message): ChatMessage => {
		if (message.role === "user") return { role: "user", content: message.content };
		if (message.role === "hook") return { role: "user", content: hookMessageText(message.content) };
		if (message.role === "tool") return { role: "tool", toolCallId: message.toolCallId, name: toWire(message.name), content: message.content };
		return { role: "assistant", content: message.content, toolCalls: message.toolCalls.map((call) => ({ ...call, name: toWire(call.name) })) };
	});
}

export interface EndpointPolicyOptions {
	/** 0 (the default) is deterministic, and only then are responses cached. */
	temperature?: number;
	maxTokens?: number;
	useCache?: boolean;
	name?: string;
	/** `json` for a policy whose every reply is a JSON object. Not for one with tools: servers refuse both at once. */
	responseFormat?: "text" | "json";
}

/** The policy that a model behind an OpenAI-compatible endpoint plays. Errors are the model port's. */
export function createEndpointPolicy(model: ChatModel, options: EndpointPolicyOptions = {}): Policy {
	const { temperature = 0, maxTokens, useCache, responseFormat } = options;
	const described = model.describe();
	const description: PolicyDescription = {
		kind: "endpoint",
		name: options.name ?? described.name,
		fingerprint: described.fingerprint,
		deterministic: described.deterministic && temperature === 0,
		...(described.concurrency === undefined ? {} : { concurrency: described.concurrency }),
	};
	return {
		describe: () => description,
		async act(request, signal) {
			const { tools, toWire, fromWire } = wireTools(request.tools);
			const response = await model.complete(
				{
					system: request.systemPrompt,
					messages: toChatMessages(request.messages, toWire),
					...(tools.length > 0 ? { tools } : {}),
					temperature,
					seed: request.seed,
					...(maxTokens === undefined ? {} : { maxTokens }),
					...(useCache === undefined ? {} : { useCache }),
					...(request.onWait === undefined ? {} : { onWait: request.onWait }),
					...(responseFormat === undefined ? {} : { responseFormat }),
				},
				signal,
			);
			return { ...response, toolCalls: response.toolCalls.map((call) => ({ ...call, name: fromWire(call.name) })) };
		},
	};
}
