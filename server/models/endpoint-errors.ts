import { AppError } from "@/server/kernel/errors";
import { errorTextOf, WireError } from "./chat-wire";
import { type Exchange, NetworkFault, TimeoutFault, TooLargeFault } from "./exchange";

/** Text of an endpoint, safe to show: the key and whatever looks like one taken out, short. */
export function redact(text: string, key: string | null): string {
	let safe = key ? text.replaceAll(key, "•••") : text;
	safe = safe.replace(/\b(sk|pk|key|api)[-_][A-Za-z0-9_*-]{6,}/gi, "•••").replace(/Bearer\s+[^\s;,]+/gi, "Bearer •••");
	return safe.replace(/\s+/g, " ").trim().slice(0, 300);
}

/** What an endpoint says of an error status: its JSON message, or the first words of a text. */
export function readErrorBody(exchange: Exchange, key: string | null): string {
	try {
		const text = errorTextOf(JSON.parse(exchange.text));
		if (text) return redact(text, key);
	} catch {
		// not JSON
	}
	return /^\s*</.test(exchange.text) ? "an HTML page" : redact(exchange.text, key);
}

/** The error of an answer with a bad status, after the last attempt. */
export function statusError(name: string, exchange: Exchange, key: string | null): AppError {
	const { status } = exchange;
	const said = readErrorBody(exchange, key);
	const params = { endpoint: name, status, said };
	if (status === 429)
		return new AppError("rate-limited", `${name} is rate-limited: ${said}`, {
			reason: "endpoint-rate-limited",
			params,
			fix: "Lower the endpoint's requests per minute or concurrency in Settings, or try again later.",
		});
	if (status === 401 || status === 403)
		return new AppError("upstream", `${name} refused the key (${status}): ${said}`, {
			reason: "endpoint-key-refused",
			params,
			fix: "Enter the key again in Settings → Endpoints.",
		});
	if (status === 404)
		return new AppError("upstream", `${name} does not know this address or model (404): ${said}`, {
			reason: "endpoint-not-found",
			params,
			fix: "Check base URL and model in Settings → Endpoints; the base URL usually ends with /v1.",
		});
	if (status >= 300 && status < 400)
		return new AppError("upstream", `${name} redirects to another address (${status}), which is not followed.`, {
			reason: "endpoint-redirects",
			params,
			fix: "Enter the address it redirects to as base URL.",
		});
	return new AppError("upstream", `${name} answered ${status}: ${said}`, {
		reason: "endpoint-status",
		params,
		fix: status >= 500 ? "The endpoint has a problem of its own; try again later." : "Test the endpoint in Settings; extra fields may not suit this model.",
	});
}

/** The error of an exchange that brought no usable answer, after the last attempt; passes what is one of ours already. */
export function faultError(name: string, error: unknown, timeoutMs: number): unknown {
	if (error instanceof TimeoutFault)
		return new AppError("timeout", `${name} did not answer within ${timeoutMs / 1000} s.`, {
			reason: "endpoint-timeout",
			params: { endpoint: name, seconds: timeoutMs / 1000 },
			fix: "Raise its timeout in Settings, or lower the concurrency.",
		});
	if (error instanceof TooLargeFault)
		return new AppError("upstream", `${name} sent more than any reply may have.`, {
			reason: "endpoint-endless",
			params: { endpoint: name },
			fix: "Set max_tokens, or look at what the endpoint sends.",
		});
	if (error instanceof NetworkFault)
		return new AppError("upstream", `${name} can't be reached (${error.code}).`, {
			reason: "endpoint-unreachable",
			params: { endpoint: name, code: error.code },
			fix: "Is the server running, and is the base URL right? Test the endpoint in Settings.",
		});
	if (error instanceof WireError)
		return new AppError("upstream", `${name} answered with ${error.message}.`, {
			reason: error.kind === "html" ? "endpoint-html" : error.kind === "error-body" ? "endpoint-status" : "endpoint-not-json",
			params: { endpoint: name, status: 200, said: error.message },
			fix: "The base URL may lead to a web page or a proxy; it usually ends with /v1.",
		});
	return error;
}
