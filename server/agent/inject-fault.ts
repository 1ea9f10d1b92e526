import { AppError } from "@/server/kernel/errors";
import { createRandom } from "@/server/kernel/random";
import type { Fault } from "./contract";

export type FaultKind = Fault["kind"];

/** Hands out the faults of a case, in order, to the calls of their handlers. */
export class FaultPlan {
	private readonly left: { handler: string; kind: FaultKind; times: number }[];

	constructor(faults: readonly Fault[]) {
		this.left = faults.map((fault) => ({ ...fault }));
	}

	/** The fault of the next call of a handler, if one is left for it. */
	take(handler: string): FaultKind | null {
		const fault = this.left.find((candidate) => candidate.handler === handler && candidate.times > 0);
		if (!fault) return null;
		fault.times -= 1;
		return fault.kind;
	}
}

/** Whether a fault needs the tool's true answer to spoil it. */
export const needsResult = (kind: FaultKind): boolean => kind === "malformed" || kind === "stale";

/**
 * What a tool answers under a fault. Throws AppError for the kinds that fail: `timeout`, `upstream` (malformed) and
 * `forbidden`; resolves for `empty` and `stale`. Deterministic for a seed.
 */
export function faultyAnswer(kind: FaultKind, answer: unknown, context: { timeoutMs: number; seed: number; now: string }): unknown {
	switch (kind) {
		case "timeout":
			throw new AppError("timeout", `The tool did not answer within ${context.timeoutMs} ms.`, { reason: "tool-timeout" });
		case "permission-denied":
			throw new AppError("forbidden", "Permission denied.", { reason: "tool-permission-denied" });
		case "malformed": {
			const text = JSON.stringify(answer ?? null);
			throw new AppError("upstream", `The tool's answer is not valid JSON: ${text.slice(0, Math.min(60, Math.ceil(text.length / 2)))}`, {
				reason: "tool-malformed",
			});
		}
		case "empty":
			return {};
		case "stale":
			return staleAnswer(answer, context);
	}
}

/** The same answer with its numbers as they may have been two days ago, and the time it is from. */
function staleAnswer(answer: unknown, { seed, now }: { seed: number; now: string }): unknown {
	const random = createRandom(seed);
	const age = (value: unknown): unknown => {
		if (typeof value === "number") {
			if (value === 0) return value;
			const factor = 1 + (random.next() < 0.5 ? -1 : 1) * (0.1 + random.next() * 0.3);
			const aged = Number.isInteger(value) ? Math.round(value * factor) : Math.round(value * factor * 100) / 100;
			return aged === value || aged === 0 ? value + 1 : aged;
		}
		if (Array.isArray(value)) return value.map(age);
		if (value !== null && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, age(item)]));
		return value;
	};
	const then = new Date(Date.parse(now) - 2 * 86_400_000).toISOString();
	const aged = age(answer);
	return aged !== null && typeof aged === "object" && !Array.isArray(aged) ? { ...aged, asOf: then } : { value: aged, asOf: then };
}
