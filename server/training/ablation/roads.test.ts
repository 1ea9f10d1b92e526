import { expect, it } from "vitest";
import { createCompactPolicy, initialParameters, Scorer } from "@/server/compact";
import { logSoftmax } from "@/server/kernel/softmax";
import { playEpisode } from "../rollouts/playground";
import { LAMP_CASES, openLampShop } from "../testing/lamp-shop";
import { Adapter, entropySlopes, lessonsOf } from "./adapt-policy";
import type { Road, RoadRow } from "./perform-roads";
import { quantile, summariseRoads } from "./summarise-roads";

const CASES = 40;
const groups = Array.from({ length: CASES }, (_value, i) => `g${i >> 1}`);
const marks = (share: number) => Array.from({ length: CASES }, (_value, i) => (i < share * CASES ? 1 : 0));
/** A road whose shares right are given for each harness of the history. */
const row = (road: Road, seed: number, t1: number[], t2: number[], trainingSeconds: number[], ms: number): RoadRow => ({
	...{ road, seed, trainingSeconds, t1: t1.map(marks), t2: t2.map(marks) },
	messageMs: Array.from({ length: 100 }, (_value, i) => ms * (i < 90 ? 1 : 3)),
});
const both = (retrainT1: number) =>
	[1, 2].flatMap((seed) => [
		row("hat-once", seed, [0.9, 0.8, 0.7], [0.8, 0.8, 0.8], [90, 0, 0], 2),
		row("retrain", seed, [0.9, retrainT1, retrainT1], [0.5, 0.5, 0.5], [50, 60, 70], 2),
	]);

it("reads quality after the edits alone, latency as a distribution, and cost with what it buys", () => {
	const { table, claims } = summariseRoads(both(0.9), groups);
	const [hat, retrain] = table;
	expect(hat).toMatchObject({ before: { value: 0.9 }, t1: { value: 0.75 }, t2: { value: 0.8 }, t1AgainstHat: null, latency: { p50: 2, p95: 6 } });
	expect(retrain?.t1AgainstHat?.value).toBeCloseTo(0.15, 10);
	expect(retrain?.t2AgainstHat?.value).toBeCloseTo(-0.3, 10);
	// 180 s of training, and three harnesses with 1,000 messages of 2.4 ms each.
	expect(retrain?.cost).toEqual({ trainings: 3, training: 180, perTraining: 60, perThousand: expect.closeTo(2.4, 10), cumulative: expect.closeTo(187.2, 10) });
	expect(hat?.cost).toMatchObject({ trainings: 1, training: 90, cumulative: expect.closeTo(97.2, 10) });
	expect(claims.find(({ claim }) => claim.includes("within a point"))).toMatchObject({ holds: "does not appear", certain: true });
	expect(claims.find(({ claim }) => claim.includes("variants"))).toMatchObject({ holds: "appears" });
	expect(claims.filter(({ holds }) => holds === "not measured")).toHaveLength(4);
	expect(summariseRoads(both(0.9), groups)).toEqual(summariseRoads(both(0.9), groups));
	expect(summariseRoads(both(0.75), groups).claims[0]).toMatchObject({ holds: "appears" });
});

it("takes quantiles by nearest rank", () => {
	expect([quantile([4, 1, 3, 2], 0.5), quantile([4, 1, 3, 2], 0.95), quantile([7], 0.5), quantile([], 0.5)]).toEqual([2, 4, 7, Number.NaN]);
});

it("knows the slope of the entropy: finite differences", () => {
	const logits = Float64Array.from([0.3, -1, 2, 0.1]);
	const entropy = (of: Float64Array) => -logSoftmax(of).reduce((sum, value) => sum + Math.exp(value) * value, 0);
	entropySlopes(logits).forEach((slope, i) => {
		const [up, down] = [logits.slice(), logits.slice()];
		up[i] = (up[i] as number) + 1e-5;
		down[i] = (down[i] as number) - 1e-5;
		expect(slope).toBeCloseTo((entropy(up) - entropy(down)) / 2e-5, 8);
	});
});

it("learns from the harness's own texts: every condition leads to its skill and its rule", () => {
	const lessons = lessonsOf(openLampShop().stage.harness);
	const said = lessons.map(({ decisions }) => decisions.map(({ input, chosen }) => input.candidates[chosen]?.id));
	expect(said).toEqual(
		expect.arrayContaining([
			["glow", "glow#1"],
			["parcels", "parcels#0"],
		]),
	);
	for (const { decisions } of lessons) for (const { input } of decisions) expect(input.candidates.every(({ lexical }) => lexical === 0)).toBe(true);
});

it("adapts to a message, and has forgotten it at the next", async () => {
	const { playground, stage } = openLampShop();
	const original = initialParameters(1);
	const untouched = original.embedding.slice();
	const signal = new AbortController().signal;
	const decisionsOf = async (policies: () => ReturnType<Adapter["open"]>, order: number[]) => {
		const found = new Map<number, string>();
		for (const i of order) {
			const inner = policies();
			const said: unknown[] = [];
			const policy = {
				describe: inner.describe,
				act: async (...args: Parameters<typeof inner.act>) => {
					const step = await inner.act(...args);
					said.push(step.decisions);
					return step;
				},
			};
			await playEpisode(playground, stage, LAMP_CASES[i] as (typeof LAMP_CASES)[number], [], policy, signal);
			found.set(i, JSON.stringify(said));
		}
		return found;
	};
	for (const how of ["entropy", "harness"] as const) {
		const [one, other] = [new Adapter(original, how), new Adapter(original, how)];
		const [forth, back] = [await decisionsOf(() => one.open(stage.harness), [0, 4, 8]), await decisionsOf(() => other.open(stage.harness), [8, 4, 0])];
		for (const i of [0, 4, 8]) expect(forth.get(i)).toBe(back.get(i));
		// It did learn: the same message is scored otherwise than by the checkpoint as it is.
		const plain = await decisionsOf(() => createCompactPolicy({ checkpoint: { parameters: original, digest: "plain" }, scorer: new Scorer(original) }), [0]);
		expect(forth.get(0)).not.toBe(plain.get(0));
	}
	expect(Buffer.compare(Buffer.from(original.embedding.buffer), Buffer.from(untouched.buffer))).toBe(0);
});
