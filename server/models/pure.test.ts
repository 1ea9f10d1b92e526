import { describe, expect, it, vi } from "vitest";
import { createLimiter, waitForWindow } from "./create-limiter";
import { redact } from "./endpoint-errors";
import { isPrivateAddress } from "./private-address";
import { createResponseCache } from "./response-cache";
import { nextDelay, readRetryAfter } from "./retry-policy";

describe("readRetryAfter", () => {
	const now = new Date("2026-12-01T10:00:00Z");
	it.each([
		[{ "retry-after": "2" }, 2000],
		[{ "retry-after": "0.5" }, 500],
		[{ "retry-after-ms": "120", "retry-after": "9" }, 120],
		[{ "retry-after": "Tue, 01 Dec 2026 10:00:03 GMT" }, 3000],
		[{ "retry-after": "Tue, 01 Dec 2026 09:00:00 GMT" }, 0],
		[{ "retry-after": "soon" }, null],
		[{ "retry-after": "-5" }, null],
		[{ "retry-after": ["4"] }, 4000],
		[{}, null],
	])("%o → %s", (headers, expected) => {
		expect(readRetryAfter(headers, now)).toBe(expected);
	});
});

describe("nextDelay", () => {
	const status = (code: number, retryAfterMs: number | null = null) => ({ kind: "status" as const, status: code, retryAfterMs });
	it.each([
		[status(500), 0, 3, 0, 400],
		[status(503), 1, 3, 0, 800],
		[status(503), 9, 10, 1, 10_000],
		[status(500), 3, 3, 0, null],
		[status(400), 0, 3, 0, null],
		[status(401), 0, 3, 0, null],
		[status(429, 7), 0, 3, 0.9, 7],
		[status(429, 61_000), 0, 3, 0, null],
		[status(408), 0, 3, 0, 400],
		[{ kind: "network" as const }, 0, 3, 0.5, 450],
		[{ kind: "broken-body" as const }, 0, 0, 0, null],
	])("%o attempt %i of %i → %s", (fault, attempt, max, random, expected) => {
		expect(nextDelay(fault, attempt, max, random)).toBe(expected);
	});
});

describe("waitForWindow", () => {
	const settings = (requestsPerMinute: number, tokensPerMinute: number) => ({ concurrency: 9, requestsPerMinute, tokensPerMinute });
	const started = [
		{ at: 0, tokens: 100 },
		{ at: 10_000, tokens: 300 },
		{ at: 20_000, tokens: 100 },
	];
	it.each([
		["no limit", settings(0, 0), 100, 30_000, 0],
		["room for requests", settings(4, 0), 100, 30_000, 0],
		["requests used up: until the oldest of the last n leaves", settings(3, 0), 100, 30_000, 30_000],
		["only the last two count", settings(2, 0), 100, 30_000, 40_000],
		["after the window", settings(3, 0), 100, 60_000, 0],
		["tokens used up", settings(0, 600), 200, 30_000, 30_000],
		["needs two to leave", settings(0, 600), 400, 30_000, 40_000],
		["larger than the limit goes alone", settings(0, 600), 9_000, 30_000, 50_000],
		["room for tokens", settings(0, 600), 100, 30_000, 0],
	])("%s", (_name, limits, tokens, now, expected) => {
		expect(waitForWindow(started, tokens, limits, now)).toBe(expected);
	});
});

describe("createLimiter", () => {
	const never = new AbortController().signal;
	it("keeps the number at once, the order, and lets the aborted go", async () => {
		const limiter = createLimiter({ concurrency: 2, requestsPerMinute: 0, tokensPerMinute: 0 });
		const order: number[] = [];
		const first = await limiter.acquire(1, never);
		await limiter.acquire(1, never);
		const gone = new AbortController();
		const third = limiter.acquire(1, gone.signal);
		const fourth = limiter.acquire(1, never).then((release) => {
			order.push(4);
			return release;
		});
		const fifth = limiter.acquire(1, never).then(() => order.push(5));
		expect(limiter.waiting()).toBe(3);
		gone.abort();
		await expect(third).rejects.toMatchObject({ code: "cancelled" });
		first();
		first(); // a second release of the same changes nothing
		(await fourth)();
		await fifth;
		expect(order).toEqual([4, 5]);
	});

	it("waits out the minute and what the server asked for", async () => {
		vi.useFakeTimers();
		try {
			const limiter = createLimiter({ concurrency: 9, requestsPerMinute: 1, tokensPerMinute: 0 }, () => Date.now());
			(await limiter.acquire(1, never))();
			let started = 0;
			void limiter.acquire(1, never).then((release) => {
				started = Date.now();
				release();
			});
			const from = Date.now();
			await vi.advanceTimersByTimeAsync(59_000);
			expect(started).toBe(0);
			limiter.pause(5_000);
			await vi.advanceTimersByTimeAsync(10_000);
			expect(started - from).toBe(64_000);
		} finally {
			vi.useRealTimers();
		}
	});
});

describe("isPrivateAddress", () => {
	it.each([
		["127.0.0.1", true],
		["10.0.0.1", true],
		["172.16.0.1", true],
		["192.168.1.1", true],
		["169.254.169.254", true],
		["100.64.0.1", true],
		["0.0.0.0", true],
		["::1", true],
		["fe80::1", true],
		["fd00::1", true],
		["::ffff:127.0.0.1", true],
		["not an address", true],
		["8.8.8.8", false],
		["2606:4700::1111", false],
	])("%s → %s", (address, expected) => {
		expect(isPrivateAddress(address)).toBe(expected);
	});
});

it("redact takes the key and what looks like one out", () => {
	const text = redact("key my/secret refused\n\n; Bearer abc.def; sk-proj-ABCDEF123; plain", "my/secret");
	expect(text).toBe("key ••• refused ; Bearer •••; •••; plain");
	expect(redact("a".repeat(1000), null)).toHaveLength(300);
});

describe("the response cache over a store that is away", () => {
	it("asks the endpoint instead and loses nothing else", async () => {
		const fail = () => Promise.reject(new Error("database is away"));
		const cache = createResponseCache({ read: fail, write: fail });
		expect(await cache.get("f", "h")).toBeUndefined();
		const response = {
			content: "x",
			toolCalls: [],
			reasoning: null,
			usage: { prompt: 1, completion: 1, reasoning: 0 },
			finishReason: "stop" as const,
			latencyMs: 1,
		};
		cache.put("f", "h", response);
		await cache.flush();
		expect(await cache.get("f", "h")).toEqual(response);
	});

	it("reads all that one turn asks for with one query", async () => {
		const asked: number[] = [];
		const read = async (keys: unknown[]) => {
			asked.push(keys.length);
			return [];
		};
		const cache = createResponseCache({ read, write: async () => undefined });
		await Promise.all(["a", "b", "a", "c"].map((hash) => cache.get("f", hash)));
		expect(asked).toEqual([3]);
	});
});
