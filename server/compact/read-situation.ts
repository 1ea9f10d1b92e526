import type { AgentMessage, PolicyRequest, ToolCall } from "@/server/agent/contract";
import type { McpTool } from "@/server/harness/contract";
import { normalizeText } from "@/server/kernel/text";
import { type Encoded, encodeText, mixEncodings } from "./encode-text";
import { quotedTexts } from "./parse-skill";
import { exampleNames } from "./read-examples";

/** One call that was made, with what came back. */
export interface CallRecord {
	call: ToolCall;
	ok: boolean;
	result: unknown;
	error: string | null;
}

/** All that the policy knows at this step, read from the messages alone. */
export interface Situation {
	message: string;
	/** Questions of the message, when there are several. */
	segments: string[];
	history: { role: "viewer" | "agent"; text: string }[];
	encoded: Encoded;
	/** The message with the turns before it, for follow-ups that say little by themselves. */
	withHistory: Encoded;
	calls: CallRecord[];
	skillLoads: string[];
	/** Replies that a hook sent back. */
	rejectedReplies: string[];
	hookMessages: string[];
	/** Words that a hook put in quotation marks: not to be said again. */
	objections: string[];
	/** The largest reply that hooks allow, where one of them said a number. */
	hookLimit: number | null;
	modelSteps: number;
}

/** The built-in tool that returns a skill's body. */
export const LOAD_SKILL = "load_skill";

const SPLIT = /[，,。.；;？?！!~～\n]+|(?:还有就是|另外|顺便问?|然后)|\s+(?:and also|and|also|plus)\s+/iu;
const SPLIT_HAN = new RegExp(`${SPLIT.source}|\\s+`, "iu");
const SHARE_OF_HISTORY = 0.5;

/** The single questions of a message; one element when it is one question. */
export function splitQuestions(message: string): string[] {
	const han = /\p{Script=Han}/u.test(message);
	const parts = message
		.split(han ? SPLIT_HAN : SPLIT)
		.map((part) => part.trim())
		.filter((part) => (han ? [...part].length >= 2 : part.split(/\s+/u).length >= 2));
	return parts.length > 1 ? parts : [message];
}

function parseContent(content: string): unknown {
	try {
		return JSON.parse(content);
	} catch {
		return content;
	}
}

function errorText(value: unknown, content: string): string {
	if (value !== null && typeof value === "object" && "error" in value) return typeof value.error === "string" ? value.error : JSON.stringify(value.error);
	return content;
}

/** Why a result cannot be used; null when it can. An empty result, or one that says it is an old copy, is no answer either. */
function problemOf(value: unknown, answer: { content: string; isError: boolean }): string | null {
	if (answer.isError || value === null || typeof value !== "object" || ("error" in value && Object.keys(value).length === 1))
		return errorText(value, answer.content);
	if (Object.keys(value).length === 0) return "empty result";
	return "asOf" in value || "as_of" in value ? "stale result" : null;
}

/** Calls of tools with what came back; a skill's text is not a result. */
function readCalls(messages: readonly AgentMessage[]): CallRecord[] {
	const results = new Map<string, { content: string; isError: boolean }>();
	for (const message of messages) if (message.role === "tool") results.set(message.toolCallId, message);
	const objection = messages.findLast((message) => message.role === "hook")?.content ?? "not run";
	const calls: CallRecord[] = [];
	for (const message of messages) {
		if (message.role !== "assistant") continue;
		for (const call of message.toolCalls) {
			if (call.name === LOAD_SKILL) continue;
			const answer = results.get(call.id);
			// A call that a hook sent back never ran: the hook's message is its error.
			if (!answer) {
				calls.push({ call, ok: false, result: null, error: objection });
				continue;
			}
			const value = parseContent(answer.content);
			const problem = problemOf(value, answer);
			calls.push({ call, ok: problem === null, result: problem === null ? value : null, error: problem });
		}
	}
	return calls;
}

/** The limit that a hook's message names: the smallest number that is smaller than what it complains about. */
function readLimit(messages: readonly string[]): number | null {
	const limits = messages.flatMap((text) => {
		if (!/字|字符|字数|char|length|long|word|limit|超过|缩短/iu.test(text)) return [];
		const numbers = [...normalizeText(text.replace(/“[^”]*”/gu, "")).matchAll(/\d+/gu)].map(([digits]) => Number(digits)).filter((n) => n >= 5);
		return numbers.length > 0 ? [Math.min(...numbers)] : [];
	});
	return limits.length > 0 ? Math.min(...limits) : null;
}

/** Reads the request's messages: what is asked, what was tried, what came back, what hooks said. */
export function readSituation(request: PolicyRequest): Situation {
	const mask = maskFor(request.view.tools);
	const at = request.messages.findLastIndex((message) => message.role === "user");
	const current = request.messages[at];
	const message = current?.role === "user" ? current.content : "";
	const since = request.messages.slice(at + 1);
	const history: Situation["history"] = [];
	for (const turn of request.messages.slice(0, Math.max(0, at))) {
		if (turn.role === "user") history.push({ role: "viewer", text: turn.content });
		else if (turn.role === "assistant" && turn.toolCalls.length === 0) history.push({ role: "agent", text: turn.content });
	}
	const assistant = since.filter((turn) => turn.role === "assistant");
	const hookMessages = since.flatMap((turn) => (turn.role === "hook" ? [turn.content] : []));
	return {
		message,
		segments: splitQuestions(mask(message)),
		history,
		encoded: encodeText(mask(message)),
		withHistory: encodeWithHistory(
			mask(message),
			history.map((turn) => ({ ...turn, text: mask(turn.text) })),
		),
		calls: readCalls(since),
		skillLoads: assistant.flatMap((turn) => turn.toolCalls.filter((call) => call.name === LOAD_SKILL).map(skillOfCall)),
		rejectedReplies: assistant.filter((turn) => turn.toolCalls.length === 0).map((turn) => turn.content),
		hookMessages,
		objections: hookMessages.flatMap(quotedTexts),
		hookLimit: readLimit(hookMessages),
		modelSteps: assistant.length,
	};
}

const masks = new WeakMap<readonly McpTool[], (text: string) => string>();

function maskFor(tools: readonly McpTool[]): (text: string) => string {
	const known = masks.get(tools) ?? createMask(exampleNames(tools));
	masks.set(tools, known);
	return known;
}

/** Takes mentions of example names out of a text before it is encoded. */
export function createMask(names: readonly string[]): (text: string) => string {
	if (names.length === 0) return (text) => text;
	const pattern = new RegExp(names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&")).join("|"), "giu");
	return (text) => text.replace(pattern, (found) => (/\p{Script=Han}/u.test(found) ? "" : " "));
}

/** The message with the viewer's turn before it at half weight. */
export function encodeWithHistory(message: string, history: Situation["history"]): Encoded {
	const before = history.filter((turn) => turn.role === "viewer").at(-1);
	return mixEncodings([{ encoded: encodeText(message), scale: 1 }, ...(before ? [{ encoded: encodeText(before.text), scale: SHARE_OF_HISTORY }] : [])]);
}

function skillOfCall(call: ToolCall): string {
	const args = call.arguments;
	if (args === null || typeof args !== "object") return "";
	return String(Object.values(args)[0] ?? "");
}
