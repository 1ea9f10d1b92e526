import { LRUCache } from "lru-cache";
import { z } from "zod";
import { messageOf } from "@/server/kernel/errors";
import { logger } from "@/server/kernel/logger";
import type { ChatResponse } from "./contract";

export type CachedResponse = Omit<ChatResponse, "cached" | "requestHash">;
/** As it is stored. */
export const CachedResponseSchema: z.ZodType<CachedResponse> = z.object({
	content: z.string().nullable(),
	toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.unknown(), invalid: z.string().exactOptional() })),
	reasoning: z.string().nullable(),
	usage: z.object({ prompt: z.number(), completion: z.number(), reasoning: z.number() }),
	finishReason: z.enum(["stop", "tool-calls", "length", "content-filter", "other"]),
	latencyMs: z.number(),
});
export interface CacheKey {
	fingerprint: string;
	requestHash: string;
}

/** Where responses are kept; the repository. */
export interface CacheStore {
	read(keys: CacheKey[]): Promise<(CacheKey & { response: CachedResponse })[]>;
	write(rows: (CacheKey & { response: CachedResponse })[]): Promise<void>;
}

/** Answers of deterministic requests. Losing an entry costs a request, never a result: faults of the store are logged, not thrown. */
export interface ResponseCache {
	get(fingerprint: string, requestHash: string): Promise<CachedResponse | undefined>;
	put(fingerprint: string, requestHash: string, response: CachedResponse): void;
	/** Writes what waits; call before the process ends. */
	flush(): Promise<void>;
}

const IN_MEMORY = 2_000;
const BATCH = 100;
const WRITE_AFTER_MS = 250;

/** A cache over a store: look-ups of one turn of the event loop go out as one query, writes as one every quarter of a second. */
export function createResponseCache(store: CacheStore): ResponseCache {
	const memory = new LRUCache<string, CachedResponse>({ max: IN_MEMORY });
	const keyOf = ({ fingerprint, requestHash }: CacheKey) => `${fingerprint} ${requestHash}`;
	let asked = new Map<string, { key: CacheKey; settle: ((found: CachedResponse | undefined) => void)[] }>();
	let pending = new Map<string, CacheKey & { response: CachedResponse }>();
	let timer: NodeJS.Timeout | undefined;

	async function readAsked(): Promise<void> {
		const batch = asked;
		asked = new Map();
		const found = new Map<string, CachedResponse>();
		try {
			const keys = [...batch.values()].map((entry) => entry.key);
			for (const row of await store.read(keys)) found.set(keyOf(row), row.response);
		} catch (error) {
			logger.warn({ error: messageOf(error) }, "response cache: cannot read, the endpoint is asked instead");
		}
		for (const [key, { settle }] of batch) {
			const response = found.get(key);
			if (response) memory.set(key, response);
			for (const resolve of settle) resolve(response);
		}
	}

	async function writePending(): Promise<void> {
		clearTimeout(timer);
		timer = undefined;
		const batch = [...pending.values()];
		pending = new Map();
		if (batch.length === 0) return;
		await store.write(batch).catch((error) => logger.warn({ error: messageOf(error) }, "response cache: cannot write"));
	}

	return {
		async get(fingerprint, requestHash) {
			const key = { fingerprint, requestHash };
			const text = keyOf(key);
			const near = memory.get(text) ?? pending.get(text)?.response;
			if (near) return near;
			return new Promise((resolve) => {
				if (asked.size === 0) setImmediate(() => void readAsked());
				const waiting = asked.get(text);
				if (waiting) waiting.settle.push(resolve);
				else asked.set(text, { key, settle: [resolve] });
			});
		},
		put(fingerprint, requestHash, response) {
			const key = { fingerprint, requestHash };
			memory.set(keyOf(key), response);
			pending.set(keyOf(key), { ...key, response });
			if (pending.size >= BATCH) void writePending();
			else timer ??= setTimeout(() => void writePending(), WRITE_AFTER_MS);
		},
		flush: writePending,
	};
}
