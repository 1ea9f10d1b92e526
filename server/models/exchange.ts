import { type Dispatcher, request } from "undici";
import { AppError } from "@/server/kernel/errors";

export interface Exchange {
	status: number;
	headers: Record<string, string | string[] | undefined>;
	text: string;
}

/** Why no answer came: `code` as the system names it (ECONNREFUSED, ENOTFOUND, CERT_HAS_EXPIRED, …). */
export class NetworkFault extends Error {
	constructor(
		readonly code: string,
		cause: unknown,
	) {
		super(code, { cause });
	}
}

export class TimeoutFault extends Error {}
export class TooLargeFault extends Error {}

/** The code of a connection error, wherever the libraries have put it. */
export function codeOf(error: unknown): string {
	for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth++) {
		const { code } = current as { code?: unknown };
		if (typeof code === "string" && code !== "") return code;
		const inner = (current as { errors?: unknown[] }).errors?.[0];
		if (inner) return codeOf(inner);
	}
	return error instanceof Error ? error.name : "unknown";
}

/**
 * One HTTP exchange, bounded in time (the whole of it, also a body that drips) and in bytes. Redirects are not followed.
 * Throws NetworkFault, TimeoutFault, TooLargeFault, or AppError `cancelled` when the caller's signal aborts.
 */
export async function exchange(options: {
	url: string;
	method: "GET" | "POST";
	headers: Record<string, string>;
	body?: string;
	timeoutMs: number;
	maxBytes: number;
	dispatcher: Dispatcher;
	signal: AbortSignal;
}): Promise<Exchange> {
	const { signal, timeoutMs, maxBytes } = options;
	if (signal.aborted) throw cancelled();
	const controller = new AbortController();
	let timedOut = false;
	const timer = setTimeout(() => {
		timedOut = true;
		controller.abort();
	}, timeoutMs);
	const onAbort = () => controller.abort();
	signal.addEventListener("abort", onAbort, { once: true });
	try {
		const response = await request(options.url, {
			method: options.method,
			headers: options.headers,
			body: options.body,
			dispatcher: options.dispatcher,
			signal: controller.signal,
		});
		const chunks: Buffer[] = [];
		let bytes = 0;
		for await (const chunk of response.body as AsyncIterable<Buffer>) {
			bytes += chunk.length;
			if (bytes > maxBytes) {
				controller.abort();
				throw new TooLargeFault();
			}
			chunks.push(chunk);
		}
		const text = (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString("utf8");
		return { status: response.statusCode, headers: response.headers, text };
	} catch (error) {
		if (error instanceof TooLargeFault) throw error;
		if (signal.aborted) throw cancelled();
		if (timedOut) throw new TimeoutFault();
		for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) if (cause instanceof AppError) throw cause;
		throw new NetworkFault(codeOf(error), error);
	} finally {
		clearTimeout(timer);
		signal.removeEventListener("abort", onAbort);
	}
}

const cancelled = () => new AppError("cancelled", "Cancelled.");
