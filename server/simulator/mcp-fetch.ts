import { tooLarge } from "./read-limited";

/** What is to be done for a message that asks nothing must not take longer: the SDK waits for it without a limit. */
const NOTIFICATION_MS = 10_000;

interface Message {
	id?: string | number;
	method?: string;
	params?: { requestId?: string | number };
}

/** The one message of a POST; the SDK's client sends no batches. */
const messageOf = (init: RequestInit | undefined): Message => (typeof init?.body === "string" ? (JSON.parse(init.body) as Message) : {});

export interface BoundedFetchOptions {
	guarded: typeof fetch;
	maxBytes: number;
	/** The answer to this request went over the bound and is read no further. */
	onTooLarge: (requestId: string | number) => void;
}

/**
 * A fetch for the SDK's transport under which a server costs no more than `maxBytes` for each response, streams included,
 * and nothing for a request that the client gave up: the `notifications/cancelled` that the client sends then, on a
 * timeout too, ends the reading of its answer. The stream of unasked server messages is not opened, since nothing here
 * acts on them; a GET that resumes an answer is.
 */
export function boundedFetch({ guarded, maxBytes, onTooLarge }: BoundedFetchOptions): (input: string | URL, init?: RequestInit) => Promise<Response> {
	const open = new Map<string | number, AbortController>();
	return async (input, init) => {
		if (init?.method === "GET" && !new Headers(init.headers).has("last-event-id")) return new Response(null, { status: 405 });
		const { id, method, params } = messageOf(init);
		if (method === "notifications/cancelled" && params?.requestId !== undefined) open.get(params.requestId)?.abort();
		const ending = new AbortController();
		const done = () => id !== undefined && open.delete(id);
		if (id !== undefined) open.set(id, ending);
		const signals = [ending.signal, ...(init?.signal ? [init.signal] : []), ...(method && id === undefined ? [AbortSignal.timeout(NOTIFICATION_MS)] : [])];
		try {
			const response = await guarded(input, { ...init, signal: AbortSignal.any(signals) });
			const body = response.body?.pipeThrough(
				bound(maxBytes, done, () => {
					ending.abort();
					if (id !== undefined) onTooLarge(id);
				}),
			);
			if (!body) done();
			return new Response(body ?? null, { status: response.status, statusText: response.statusText, headers: response.headers });
		} catch (error) {
			done();
			throw error;
		}
	};
}

/** Passes on at most `maxBytes`, then fails with `tool-answer-too-large`. */
function bound(maxBytes: number, done: () => void, exceeded: () => void): TransformStream<Uint8Array, Uint8Array> {
	let bytes = 0;
	return new TransformStream({
		transform(chunk, controller) {
			bytes += chunk.byteLength;
			if (bytes <= maxBytes) return controller.enqueue(chunk);
			controller.error(tooLarge(maxBytes));
			done();
			exceeded();
		},
		flush: done,
	});
}
