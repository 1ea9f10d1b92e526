/** The longest that a server may make us wait before we give up instead. */
export const MAX_RETRY_AFTER_MS = 60_000;
const FIRST_DELAY_MS = 400;
const MAX_DELAY_MS = 8_000;

export type Fault = { kind: "status"; status: number; retryAfterMs: number | null } | { kind: "network" } | { kind: "broken-body" };

/** Milliseconds that a `retry-after-ms` or `retry-after` header (seconds, or a date) asks for; null when there is none that can be read. */
export function readRetryAfter(headers: Record<string, string | string[] | undefined>, now: Date): number | null {
	const one = (name: string) => {
		const value = headers[name];
		return (Array.isArray(value) ? value[0] : value)?.trim();
	};
	const ms = Number(one("retry-after-ms") || Number.NaN);
	if (Number.isFinite(ms) && ms >= 0) return ms;
	const text = one("retry-after");
	if (!text) return null;
	const seconds = Number(text);
	if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : null;
	const date = Date.parse(text);
	return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}

/**
 * Milliseconds to wait before the next attempt, or null to give up. Waits as the server asks, else doubles from 0.4 s to
 * 8 s, with up to a quarter of jitter (`random` in [0, 1)). `attempt` counts from 0.
 */
export function nextDelay(fault: Fault, attempt: number, maxRetries: number, random: number): number | null {
	if (attempt >= maxRetries) return null;
	if (fault.kind === "status") {
		const repeatable = fault.status === 408 || fault.status === 425 || fault.status === 429 || fault.status >= 500;
		if (!repeatable) return null;
		if (fault.retryAfterMs !== null) return fault.retryAfterMs <= MAX_RETRY_AFTER_MS ? fault.retryAfterMs : null;
	}
	return Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS) * (1 + random / 4);
}
