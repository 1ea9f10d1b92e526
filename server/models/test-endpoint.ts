import { lookup } from "node:dns/promises";
import net from "node:net";
import tls from "node:tls";
import { AppError } from "@/server/kernel/errors";
import { endpointHeaders, MAX_RESPONSE_BYTES, type OpenEndpoint } from "./chat-model";
import { errorTextOf, parseWireResponse, toWireRequest, WireError } from "./chat-wire";
import type { ChatRequest, ChatTool, EndpointCheck, EndpointTest } from "./contract";
import { readErrorBody, redact } from "./endpoint-errors";
import { codeOf, type Exchange, exchange, TimeoutFault, TooLargeFault } from "./exchange";
import { dispatcherFor, hostOf, isPrivateAddress } from "./private-address";

const CONNECT_MS = 5_000;
const ANSWER_MS = 30_000;
const PROBE: ChatTool = {
	name: "studio_ping",
	description: "Answers a ping. Call it whenever you are asked to ping.",
	inputSchema: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
};

type Report = (id: EndpointCheck["id"], ok: boolean, reason: string, detail: string, startedAt?: number) => boolean;

async function checkAddress(endpoint: OpenEndpoint, report: Report): Promise<string | null> {
	const host = hostOf(endpoint.baseUrl);
	let addresses = [host];
	if (!net.isIP(host)) {
		const startedAt = performance.now();
		try {
			addresses = (await lookup(host, { all: true })).map((entry) => entry.address);
			report("dns", true, "resolved", addresses.join(", "), startedAt);
		} catch (error) {
			report("dns", false, "name-unknown", `${host}: ${codeOf(error)}`, startedAt);
			return null;
		}
	}
	const blocked = endpoint.allowPrivate ? undefined : addresses.find(isPrivateAddress);
	if (blocked) report("address", false, "private-address", blocked);
	return blocked ? null : (addresses[0] ?? null);
}

function connectTo(endpoint: OpenEndpoint, address: string, secure: boolean): Promise<null | string> {
	const url = new URL(endpoint.baseUrl);
	const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
	const servername = net.isIP(hostOf(endpoint.baseUrl)) ? undefined : url.hostname;
	return new Promise((resolve) => {
		const socket = secure ? tls.connect({ host: address, port, servername }) : net.connect({ host: address, port });
		const done = (result: null | string) => {
			socket.destroy();
			resolve(result);
		};
		socket.setTimeout(CONNECT_MS, () => done("ETIMEDOUT"));
		socket.once(secure ? "secureConnect" : "connect", () => done(null));
		socket.once("error", (error) => done(codeOf(error)));
	});
}

function post(endpoint: OpenEndpoint, request: ChatRequest): Promise<Exchange> {
	return exchange({
		url: `${endpoint.baseUrl}/chat/completions`,
		method: "POST",
		headers: endpointHeaders(endpoint),
		body: toWireRequest(request, { model: endpoint.model, extraBody: endpoint.extraBody, maxTokens: endpoint.limits.maxTokens }).text,
		timeoutMs: Math.min(endpoint.limits.timeoutMs, ANSWER_MS),
		maxBytes: MAX_RESPONSE_BYTES,
		dispatcher: dispatcherFor(endpoint.allowPrivate),
		signal: new AbortController().signal,
	});
}

/** Names that the endpoint lists; null when it does not list any. */
async function listModels(endpoint: OpenEndpoint): Promise<string[] | null> {
	try {
		const got = await exchange({
			url: `${endpoint.baseUrl}/models`,
			method: "GET",
			headers: endpointHeaders(endpoint),
			timeoutMs: CONNECT_MS,
			maxBytes: MAX_RESPONSE_BYTES,
			dispatcher: dispatcherFor(endpoint.allowPrivate),
			signal: new AbortController().signal,
		});
		const { data } = JSON.parse(got.text) as { data?: { id?: unknown }[] };
		return Array.isArray(data) ? data.map((entry) => String(entry.id)) : null;
	} catch {
		return null; // many servers have no such list; the chat request tells the truth
	}
}

/** Whether a refusal is about the model: by its code, or because a 404 that is JSON names the model; an address that is wrong does neither. */
function saysNoModel({ status, text }: Exchange, model: string): boolean {
	try {
		const { error, ...root } = JSON.parse(text) as { error?: unknown };
		const inner = typeof error === "object" && error !== null ? error : {};
		const codes = [inner, root].flatMap((part) => ["code" in part && part.code, "type" in part && part.type]);
		if (codes.includes("model_not_found")) return true;
		return status === 404 && (errorTextOf({ error, ...root })?.includes(model) ?? false);
	} catch {
		return false; // not JSON
	}
}

async function checkStatus(endpoint: OpenEndpoint, got: Exchange, report: Report, startedAt: number): Promise<boolean> {
	if (got.status >= 200 && got.status < 300) return report("http", true, "status-ok", String(got.status), startedAt);
	const said = `${got.status}: ${readErrorBody(got, endpoint.key)}`;
	if (got.status === 401 || got.status === 403) return report("http", false, "key-refused", said, startedAt);
	if (got.status === 429) return report("http", false, "rate-limited", said, startedAt);
	if (got.status >= 300 && got.status < 400)
		return report("http", false, "redirects", `${got.status} → ${redact(String(got.headers.location ?? ""), endpoint.key)}`, startedAt);
	const models = got.status === 404 || got.status === 400 ? await listModels(endpoint) : null;
	const unlisted = models?.includes(endpoint.model) === false;
	if (unlisted || saysNoModel(got, endpoint.model)) {
		report("http", true, "status-ok", said, startedAt);
		return report("model", false, models ? "model-missing" : "model-unknown", models ? models.slice(0, 20).join(", ") : said);
	}
	return report("http", false, got.status === 404 ? "path-missing" : "status-bad", said, startedAt);
}

async function checkReply(endpoint: OpenEndpoint, report: Report): Promise<number | null> {
	const startedAt = performance.now();
	const request: ChatRequest = { system: "You answer with one word.", messages: [{ role: "user", content: "Say: ready" }], maxTokens: 256 };
	let got: Exchange;
	try {
		got = await post(endpoint, request);
	} catch (error) {
		const reason = error instanceof TimeoutFault ? "too-slow" : error instanceof TooLargeFault ? "endless" : "broken-off";
		report("http", false, reason, error instanceof TimeoutFault ? `${Math.min(endpoint.limits.timeoutMs, ANSWER_MS) / 1000} s` : codeOf(error), startedAt);
		return null;
	}
	const latencyMs = performance.now() - startedAt;
	if (!(await checkStatus(endpoint, got, report, startedAt))) return null;
	try {
		const answer = parseWireResponse(got.text, request);
		report("json", true, "json-ok", "");
		const text = (answer.content ?? answer.reasoning ?? "").trim();
		return report("reply", text !== "", text === "" ? "reply-empty" : "reply-ok", redact(text, endpoint.key).slice(0, 80)) ? latencyMs : null;
	} catch (error) {
		if (!(error instanceof WireError)) throw error;
		const reason = error.kind === "html" ? "html" : error.kind === "not-json" ? "not-json" : error.kind === "error-body" ? "error-body" : "no-choice";
		report("json", false, reason, redact(error.kind === "error-body" ? error.message : got.text.slice(0, 120), endpoint.key));
		return null;
	}
}

async function checkTools(endpoint: OpenEndpoint, report: Report): Promise<void> {
	const startedAt = performance.now();
	const request: ChatRequest = { system: "", messages: [{ role: "user", content: "Ping with the word ready." }], tools: [PROBE], maxTokens: 512 };
	try {
		const got = await post(endpoint, request);
		if (got.status < 200 || got.status > 299) {
			report("tools", false, "tools-refused", `${got.status}: ${readErrorBody(got, endpoint.key)}`, startedAt);
			return;
		}
		const [call] = parseWireResponse(got.text, request).toolCalls;
		if (!call) report("tools", false, "tools-unused", "", startedAt);
		else report("tools", call.invalid === undefined, call.invalid === undefined ? "tools-ok" : "tools-bad-call", call.invalid ?? call.name, startedAt);
	} catch (error) {
		report("tools", false, "tools-refused", error instanceof WireError ? error.message : codeOf(error), startedAt);
	}
}

/** Tries an endpoint step by step, as a chat and with a tool, and says at which step it fails. Nothing of the key is in the result. */
export async function testEndpoint(open: () => Promise<OpenEndpoint>): Promise<EndpointTest> {
	const checks: EndpointCheck[] = [];
	const report: Report = (id, ok, reason, detail, startedAt) => {
		checks.push({ id, ok, reason, detail, ms: startedAt === undefined ? null : Math.round(performance.now() - startedAt) });
		return ok;
	};
	const result = (latencyMs: number | null): EndpointTest => ({
		ok: checks.every((check) => check.ok),
		checks,
		latencyMs: latencyMs === null ? null : Math.round(latencyMs),
	});
	let endpoint: OpenEndpoint;
	try {
		endpoint = await open();
	} catch (error) {
		// A database that is away is no fault of the key, and its words are not for a screen.
		if (!(error instanceof AppError)) throw error;
		report("key", false, "key-unreadable", error.message);
		return result(null);
	}
	const address = await checkAddress(endpoint, report);
	if (address === null) return result(null);
	for (const step of new URL(endpoint.baseUrl).protocol === "https:" ? (["tcp", "tls"] as const) : (["tcp"] as const)) {
		const startedAt = performance.now();
		const code = await connectTo(endpoint, address, step === "tls");
		if (!report(step, code === null, code === null ? "connected" : step === "tls" ? "tls-failed" : "no-connection", code ?? "", startedAt)) return result(null);
	}
	const latencyMs = await checkReply(endpoint, report);
	if (latencyMs !== null) await checkTools(endpoint, report);
	return result(latencyMs);
}
