import { z } from "zod";
import type { ChatMessage, ChatModel, ChatRequest } from "@/server/models/contract";

const MAX_ANSWER = 200_000;

/** A model's answer that could be read, or why not. */
export type JsonAnswer<T> = { ok: true; value: T } | { ok: false; reason: string };

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
export function readAnswer<T>(content: string | null, schema: z.ZodType<T>): JsonAnswer<T> {
	const value = readJson(content ?? "");
	if (value === undefined) return { ok: false, reason: "the answer is not JSON" };
	const parsed = schema.safeParse(value);
	return parsed.success ? { ok: true, value: parsed.data } : { ok: false, reason: z.prettifyError(parsed.error).slice(0, 1000) };
}

/**
 * Asks a model for JSON of a schema. Its output is data: whatever does not validate gets one attempt at repair and is then
 * reported, never used. Throws only what the model's endpoint throws.
 */
export async function askForJson<T>(model: ChatModel, request: ChatRequest, schema: z.ZodType<T>, signal: AbortSignal): Promise<JsonAnswer<T>> {
	const first = await model.complete({ ...request, responseFormat: "json" }, signal);
	const answer = readAnswer(first.content, schema);
	if (answer.ok) return answer;
	const messages: ChatMessage[] = [
		...request.messages,
		{ role: "assistant", content: (first.content ?? "").slice(0, 20_000), toolCalls: [] },
		{ role: "user", content: `That could not be used: ${answer.reason}. Answer again with one JSON value of the agreed form and nothing else.` },
	];
	const second = await model.complete({ ...request, messages, responseFormat: "json" }, signal);
	return readAnswer(second.content, schema);
}
