import { z } from "zod";
import type { ChatMessage, ChatModel, ChatRequest, ChatResponse } from "./contract";

const MAX_ANSWER = 200_000;
/** Of an answer that is sent back for repair: what is longer was most likely repeating itself. */
const MAX_ECHO = 20_000;

/** A model's answer that could be read, or why not. `cutOff`: it ended at its limit of tokens. */
export type JsonAnswer<T> = { ok: true; value: T } | { ok: false; reason: string; cutOff: boolean };

/** The JSON of an answer: the whole text, what a code fence holds, or what stands between the outer brackets. */
function readJson(content: string): unknown {
	const text = content.slice(0, MAX_ANSWER).trim();
	const fenced = /```(?:json)?\s*\n([\s\S]*?)\n?```/u.exec(text)?.[1];
	const first = text.search(/[[{]/u);
	const last = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
	for (const candidate of [text, fenced, first >= 0 && last > first ? text.slice(first, last + 1) : undefined]) {
		if (candidate === undefined) continue;
		try {
			return JSON.parse(candidate);
		} catch {
			// The next reading may do.
		}
	}
	return undefined;
}

/** Reads an answer as JSON of a schema, with or without prose or a code fence around it. */
export function readJsonAnswer<T>(content: string | null, schema: z.ZodType<T>): JsonAnswer<T> {
	const value = readJson(content ?? "");
	if (value === undefined) return { ok: false, reason: "the answer is not JSON", cutOff: false };
	const parsed = schema.safeParse(value);
	return parsed.success ? { ok: true, value: parsed.data } : { ok: false, reason: z.prettifyError(parsed.error).slice(0, 1000), cutOff: false };
}

export interface AskForJson<T> {
	schema: z.ZodType<T>;
	/** Why a value of the schema cannot be used all the same; null when it can. */
	check?: (value: T) => Promise<string | null>;
	/** How often the model is told what was wrong and asked again. */
	repairs: number;
}

async function readResponse<T>(response: ChatResponse, { schema, check }: AskForJson<T>): Promise<JsonAnswer<T>> {
	const answer = readJsonAnswer(response.content, schema);
	if (!answer.ok)
		return response.finishReason === "length" ? { ok: false, reason: "the answer was cut off at its limit of tokens; make it shorter", cutOff: true } : answer;
	const objection = (await check?.(answer.value)) ?? null;
	return objection === null ? answer : { ok: false, reason: objection, cutOff: false };
}

/**
 * Asks a model for JSON of a schema. Its output is data: what cannot be used goes back with the reason, at most `repairs`
 * times, and is then reported, never used. The cache is passed by: whoever asks again wants another answer than the one that
 * was of no use. Throws only what the model's endpoint throws.
 */
export async function askForJson<T>(model: ChatModel, request: ChatRequest, options: AskForJson<T>, signal: AbortSignal): Promise<JsonAnswer<T>> {
	let messages: ChatMessage[] = request.messages;
	for (let repairs = 0; ; repairs++) {
		const response = await model.complete({ ...request, messages, responseFormat: "json", useCache: false }, signal);
		const answer = await readResponse(response, options);
		if (answer.ok || repairs >= options.repairs) return answer;
		// Only the last attempt goes back: what was wrong before it is mended or comes up again.
		messages = [
			...request.messages,
			{ role: "assistant", content: (response.content ?? "").slice(0, MAX_ECHO), toolCalls: [] },
			{ role: "user", content: `That could not be used: ${answer.reason}. Answer again with one JSON value of the agreed form and nothing else.` },
		];
	}
}
