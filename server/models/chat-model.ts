import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "@/server/kernel/errors";
import { fingerprint } from "@/server/kernel/hash";
import { parseWireResponse, toWireRequest, WireError, type WireRequest } from "./chat-wire";
import type { ChatModel, ChatRequest, ChatResponse, EndpointLimits } from "./contract";
import type { Limiter } from "./create-limiter";
import { faultError, redact, statusError } from "./endpoint-errors";
import { type Exchange, exchange, NetworkFault } from "./exchange";
import { assertUrlAllowed, dispatcherFor } from "./private-address";
import type { ResponseCache } from "./response-cache";
import { type Fault, nextDelay, readRetryAfter } from "./retry-policy";

/** An endpoint with its key opened; never leaves this domain. */
export interface OpenEndpoint {
	id: string;
	name: string;
	baseUrl: string;
	model: string;
	key: string | null;
	extraBody: Record<string, unknown>;
	limits: EndpointLimits;
	allowPrivate: boolean;
}

export interface ChatModelDeps {
	limiter: Limiter;
	cache: ResponseCache | null;
	random: () => number;
	now: () => Date;
}

/** A reply may not be longer than this, whatever the server sends. */
export const MAX_RESPONSE_BYTES = 4_000_000;

/** Changes when anything that can change the answers of an endpoint changes; the key is none of it. */
export function endpointFingerprint(endpoint: Pick<OpenEndpoint, "baseUrl" | "model" | "extraBody">): string {
	return fingerprint({ protocol: "openai-chat/1", baseUrl: endpoint.baseUrl, model: endpoint.model, extraBody: endpoint.extraBody });
}

/** Headers of a request to an endpoint. */
export function endpointHeaders(endpoint: Pick<OpenEndpoint, "key">): Record<string, string> {
	const headers: Record<string, string> = { "content-type": "application/json", accept: "application/json" };
	if (endpoint.key) headers.authorization = `Bearer ${endpoint.key}`;
	return headers;
}

type Answer = ReturnType<typeof parseWireResponse>;
type Attempt = { answer: Answer } | { fault: Fault; error: unknown };

async function attempt(endpoint: OpenEndpoint, wire: WireRequest, request: ChatRequest, deps: ChatModelDeps, signal: AbortSignal): Promise<Attempt> {
	let got: Exchange;
	try {
		got = await exchange({
			url: `${endpoint.baseUrl}/chat/completions`,
			method: "POST",
			headers: endpointHeaders(endpoint),
			body: wire.text,
			timeoutMs: endpoint.limits.timeoutMs,
			maxBytes: MAX_RESPONSE_BYTES,
			dispatcher: dispatcherFor(endpoint.allowPrivate),
			signal,
		});
	} catch (error) {
		if (error instanceof NetworkFault) return { fault: { kind: "network" }, error: faultError(endpoint.name, error, 0) };
		throw faultError(endpoint.name, error, endpoint.limits.timeoutMs);
	}
	if (got.status < 200 || got.status > 299) {
		const fault: Fault = { kind: "status", status: got.status, retryAfterMs: readRetryAfter(got.headers, deps.now()) };
		// What one request was told holds for all of this endpoint.
		if (got.status === 429 && fault.retryAfterMs !== null) deps.limiter.pause(Math.min(fault.retryAfterMs, 60_000));
		return { fault, error: statusError(endpoint.name, got, endpoint.key) };
	}
	try {
		return { answer: parseWireResponse(got.text, request) };
	} catch (error) {
		if (!(error instanceof WireError)) throw error;
		const safe = new WireError(error.kind, redact(error.message, endpoint.key));
		// A cut-off body may be whole the next time; a web page or an error in words will not.
		if (error.kind === "not-json") return { fault: { kind: "broken-body" }, error: faultError(endpoint.name, safe, 0) };
		throw faultError(endpoint.name, safe, 0);
	}
}

/** Waits on behalf of a request and tells it so. */
async function waitFor<T>(request: ChatRequest, work: () => Promise<T>): Promise<T> {
	request.onWait?.(true);
	try {
		return await work();
	} finally {
		request.onWait?.(false);
	}
}

async function ask(
	endpoint: OpenEndpoint,
	wire: WireRequest,
	request: ChatRequest,
	deps: ChatModelDeps,
	signal: AbortSignal,
): Promise<Answer & { latencyMs: number }> {
	for (let tries = 0; ; tries++) {
		const release = await waitFor(request, () => deps.limiter.acquire(wire.estimatedTokens, signal));
		let tokens: number | undefined;
		let outcome: Attempt;
		const startedAt = performance.now();
		try {
			outcome = await attempt(endpoint, wire, request, deps, signal);
			if ("answer" in outcome) tokens = outcome.answer.usage.prompt + outcome.answer.usage.completion || undefined;
		} finally {
			release(tokens);
		}
		if ("answer" in outcome) return { ...outcome.answer, latencyMs: performance.now() - startedAt };
		const delayMs = nextDelay(outcome.fault, tries, endpoint.limits.maxRetries, deps.random());
		if (delayMs === null) throw outcome.error;
		await waitFor(request, () => sleep(delayMs, undefined, { signal })).catch(() => {
			throw new AppError("cancelled", "Cancelled while waiting to ask the endpoint again.");
		});
	}
}

/** A model behind an endpoint: limits, retries, cache. One limiter serves all models of one endpoint. */
export function createChatModel(endpoint: OpenEndpoint, deps: ChatModelDeps): ChatModel {
	assertUrlAllowed(endpoint.baseUrl, endpoint.allowPrivate);
	const print = endpointFingerprint(endpoint);
	const temperature = endpoint.extraBody.temperature;
	const target = { model: endpoint.model, extraBody: endpoint.extraBody, maxTokens: endpoint.limits.maxTokens };
	return {
		describe: () => ({
			name: endpoint.name,
			fingerprint: print,
			deterministic: temperature === undefined || temperature === 0,
			concurrency: endpoint.limits.concurrency,
		}),
		async complete(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse> {
			setMaxListeners(0, signal); // a job's one signal is listened to by every request that runs for it
			const wire = toWireRequest(request, target);
			const cache = wire.deterministic && request.useCache !== false ? deps.cache : null;
			const kept = await cache?.get(print, wire.hash);
			if (kept) return { ...kept, cached: true, requestHash: wire.hash };
			const answer = await ask(endpoint, wire, request, deps, signal);
			// An answer that was cut off or filtered is not the model's last word.
			if (answer.finishReason === "stop" || answer.finishReason === "tool-calls") cache?.put(print, wire.hash, answer);
			return { ...answer, cached: false, requestHash: wire.hash };
		},
	};
}
