import { AppError } from "@/server/kernel/errors";

export interface LimiterSettings {
	concurrency: number;
	/** 0 = no limit. */
	requestsPerMinute: number;
	tokensPerMinute: number;
}

/** Says when a request may start, in the order of asking. */
export interface Limiter {
	/** Resolves when the request may start; its `release` must be called with the tokens it really took. Rejects when aborted. */
	acquire(tokens: number, signal: AbortSignal): Promise<(actualTokens?: number) => void>;
	/** Holds everything back for a while: the server asked for it. */
	pause(ms: number): void;
	/** Requests that wait. */
	waiting(): number;
}

const WINDOW_MS = 60_000;

interface Waiter {
	tokens: number;
	start(): void;
}
interface Started {
	at: number;
	tokens: number;
}

/** Milliseconds until a request of so many tokens fits the last minute; 0 = now. Pure; `started` is in order of time. */
export function waitForWindow(started: readonly Started[], tokens: number, settings: LimiterSettings, now: number): number {
	const recent = started.filter((entry) => entry.at > now - WINDOW_MS);
	let wait = 0;
	if (settings.requestsPerMinute > 0 && recent.length >= settings.requestsPerMinute)
		wait = (recent[recent.length - settings.requestsPerMinute]?.at ?? now) + WINDOW_MS - now;
	if (settings.tokensPerMinute > 0) {
		// One request larger than the whole limit goes alone rather than never.
		const room = Math.max(settings.tokensPerMinute - tokens, 0);
		let used = recent.reduce((sum, entry) => sum + entry.tokens, 0);
		for (const entry of recent) {
			if (used <= room) break;
			used -= entry.tokens;
			wait = Math.max(wait, entry.at + WINDOW_MS - now);
		}
	}
	return Math.max(0, wait);
}

/** A limiter of concurrency, requests and tokens per minute (sliding window), for one endpoint in one process. */
export function createLimiter(settings: LimiterSettings, now: () => number = () => performance.now()): Limiter {
	const queue: Waiter[] = [];
	const windowed = settings.requestsPerMinute > 0 || settings.tokensPerMinute > 0;
	let started: Started[] = [];
	let active = 0;
	let pausedUntil = 0;
	let timer: NodeJS.Timeout | undefined;

	function pump(): void {
		clearTimeout(timer);
		for (let head = queue[0]; head && active < settings.concurrency; head = queue[0]) {
			const at = now();
			const wait = Math.max(pausedUntil - at, windowed ? waitForWindow(started, head.tokens, settings, at) : 0);
			if (wait > 0) {
				timer = setTimeout(pump, Math.ceil(wait));
				return;
			}
			queue.shift();
			head.start();
		}
	}

	function begin(tokens: number): (actualTokens?: number) => void {
		const entry = { at: now(), tokens };
		if (windowed) {
			started = started.filter((other) => other.at > entry.at - WINDOW_MS);
			started.push(entry);
		}
		active++;
		let done = false;
		return (actualTokens) => {
			if (done) return;
			done = true;
			active--;
			if (actualTokens !== undefined) entry.tokens = actualTokens;
			pump();
		};
	}

	return {
		acquire(tokens, signal) {
			return new Promise((resolve, reject) => {
				const cancelled = () => new AppError("cancelled", "Cancelled while waiting for the endpoint's limits.");
				if (signal.aborted) return reject(cancelled());
				const onAbort = () => {
					const index = queue.indexOf(waiter);
					if (index >= 0) queue.splice(index, 1);
					reject(cancelled());
				};
				const waiter: Waiter = {
					tokens,
					start() {
						signal.removeEventListener("abort", onAbort);
						resolve(begin(tokens));
					},
				};
				signal.addEventListener("abort", onAbort, { once: true });
				queue.push(waiter);
				pump();
			});
		},
		pause(ms) {
			pausedUntil = Math.max(pausedUntil, now() + ms);
		},
		waiting: () => queue.length,
	};
}
