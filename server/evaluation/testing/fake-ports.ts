import { setTimeout as sleep } from "node:timers/promises";
import type { Trajectory } from "@/server/agent/contract";
import type { Verdict } from "@/server/judge/contract";
import { AppError } from "@/server/kernel/errors";
import type { EvaluationPorts } from "../ports";

export interface FakeOptions {
	/** Milliseconds that an episode takes. */
	delayMs?: number;
	/** Messages that end in an infrastructure error while this says so. */
	isDown?: (message: string) => boolean;
	/** 0 … 1 by message. */
	accuracy?: (message: string, treeId: string) => number;
	effectiveness?: (message: string, treeId: string) => number;
	reply?: (message: string) => string;
	durationMs?: (message: string) => number;
	prepare?: () => void;
	onEpisode?: (message: string) => void;
	publish?: (key: string) => void;
}

/** Ports whose episodes are made up, for tests of what evaluation itself promises. */
export function fakePorts(options: FakeOptions = {}): EvaluationPorts {
	return {
		prepareRun: async (config) => {
			options.prepare?.();
			return {
				parallel: 1_000,
				async runEpisode({ case: input, seed, signal }) {
					options.onEpisode?.(input.message);
					if (options.delayMs) {
						await sleep(options.delayMs, undefined, { signal }).catch((cause) => {
							throw new AppError("cancelled", "cancelled", { cause });
						});
					}
					const down = options.isDown?.(input.message) ?? false;
					const trajectory: Trajectory = {
						version: 1,
						treeId: config.treeId,
						policy: "fake",
						seed,
						message: input.message,
						history: input.history,
						steps: [
							{ type: "message", atMs: 0, durationMs: 0, text: input.message },
							{
								type: "model",
								atMs: 0,
								durationMs: 1,
								purpose: "reply",
								requestHash: "h",
								cached: false,
								usage: { prompt: 10, completion: 5, reasoning: 2 },
								content: "ok",
								reasoning: null,
								toolCalls: [],
								finishReason: "stop",
							},
						],
						outcome: down ? "infra-error" : "replied",
						reply: down ? null : (options.reply?.(input.message) ?? `reply to ${input.message}`),
						...(down ? { error: "endpoint is down" } : {}),
						durationMs: options.durationMs?.(input.message) ?? 5,
					};
					return trajectory;
				},
				fold: async (trajectory) => ({ trajectory, limitsKept: config.variants ? true : null }),
				async judge({ input }): Promise<Verdict> {
					const accuracy = options.accuracy?.(input.message, config.treeId) ?? 1;
					const effectiveness = options.effectiveness?.(input.message, config.treeId) ?? 1;
					return {
						version: 1,
						accuracy,
						effectiveness,
						skillSelection: 1,
						toolRationality: null,
						recovered: null,
						failureType: accuracy === 1 && effectiveness === 1 ? null : "missing-point",
						blamed: accuracy === 1 ? null : "skill:fake",
						evidence: [{ item: 0, kind: "contains", dimension: "effectiveness", ok: accuracy === 1, rule: "says it" }],
						engine: "fake",
					};
				},
			};
		},
		workspaceFacts: async () => ({ measure: "rubric", pricePerMillionTokens: 2, bundleId: null, categories: [] }),
		scene: async () => ({
			world: { shop: { price: 99, open: true } },
			roomProblem: (room) => (room?.base === "nowhere" ? "There is no room “nowhere”." : null),
		}),
		harnessSize: async () => 2_500,
		versionNames: async () => ({ policies: new Map([["pol", "fake policy"]]), judges: new Map([["jud", "fake judge"]]) }),
		personNames: async () => new Map([["u1", "Test"]]),
		publish: async (key) => options.publish?.(key),
	};
}
