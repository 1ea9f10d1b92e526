import { expect, it } from "vitest";
import { chooseBest, createCompactPolicy, type DecisionInput, initialParameters, type Parameters, Scorer } from "@/server/compact";
import type { TrainingRecord } from "../contract";
import { Arena, Forest } from "../rollouts/arena";
import { EpisodeTree } from "../rollouts/episode-tree";
import { playEpisode } from "../rollouts/playground";
import { LAMP_CASES, openLampShop } from "../testing/lamp-shop";
import { mean } from "./records";
import { runTraining, type TrainingInput, type TrainingState } from "./run-training";
import { HAT_DEFAULTS } from "./settings";
import { readState, writeState } from "./state-codec";
import { Trainer } from "./trainer";

const { playground, stage } = openLampShop();
const signal = new AbortController().signal;

const base = initialParameters(1);
const settings = {
	...HAT_DEFAULTS,
	saveEvery: 3,
	sft: { ...HAT_DEFAULTS.sft, epochs: 6, batch: 4 },
	rl: { ...HAT_DEFAULTS.rl, iterations: 5, prompts: 3, group: 4 },
};
const cases = {
	sft: LAMP_CASES.filter((_one, i) => i % 2 === 0),
	rl: LAMP_CASES.filter((_one, i) => i % 4 === 1),
	sample: LAMP_CASES.filter((_one, i) => i % 4 === 3),
};
const input: TrainingInput = { base, cases, stages: [stage], general: null, playground, settings, seed: 7, signal };

async function scoreOf(parameters: Parameters): Promise<number> {
	const policy = createCompactPolicy({ checkpoint: { parameters, digest: "x" } });
	let sum = 0;
	for (const one of cases.sft) {
		const { verdict } = await playEpisode(playground, stage, one, [], policy, signal);
		sum += (verdict.accuracy + verdict.effectiveness) / 2 / cases.sft.length;
	}
	return sum;
}

it("learns what the teacher shows, from data that the reward judge passed", async () => {
	const records: TrainingRecord[] = [];
	const longer = { ...settings, sft: { ...settings.sft, epochs: 40 } };
	const result = await runTraining({ ...input, settings: longer, onRecord: (record) => void records.push(record) });
	expect(result.stages).toEqual(["sft", "rl"]);
	expect(result.sft.examples).toBeGreaterThan(0);
	expect(result.sft.examples + result.sft.hopeless).toBe(cases.sft.length);
	expect(result.sft.disagreement.skill?.differing).toBeGreaterThan(0);
	const sft = records.filter((record) => record.stage === "sft");
	const lossOf = (part: TrainingRecord[]) => mean(part.map(({ loss }) => loss));
	expect(lossOf(sft.slice(-10))).toBeLessThan(lossOf(sft.slice(0, 10)) * 0.7);
	expect(await scoreOf(result.parameters)).toBeGreaterThan(await scoreOf(base));
	const rl = records.filter((record) => record.stage === "rl");
	expect(rl).toHaveLength(5);
	expect(rl[0]).toMatchObject({ reasoningTokens: { tool: 0, reply: 0 } });
	expect(rl.every(({ rewards, droppedShare }) => rewards?.accuracy !== null && droppedShare !== null && droppedShare <= 1)).toBe(true);
});

it("goes on from every saved state, through its bytes, to the very same parameters", async () => {
	const saved: Uint8Array<ArrayBuffer>[] = [];
	const whole = await runTraining({ ...input, onSave: async (state: TrainingState) => void saved.push(writeState(state, base, saved.length)) });
	expect(saved.length).toBeGreaterThan(3);
	for (const [i, bytes] of saved.entries()) {
		const state = readState(bytes, base);
		expect(state.position).toBe(i);
		const resumed = await runTraining({ ...input, state });
		for (const table of ["embedding", "identity", "scalars"] as const)
			expect(Buffer.compare(Buffer.from(resumed.parameters[table].buffer), Buffer.from(whole.parameters[table].buffer))).toBe(0);
	}
	expect(() => readState(new Uint8Array([1, 2, 3]), base)).toThrowError(expect.objectContaining({ reason: "training-state" }));
});

it.each([HAT_DEFAULTS.sft.rate, 2])("ends at the best on the dev sample, the start included, with a learning rate of %d", async (rate) => {
	const scores: number[] = [];
	const onRecord = ({ sample }: TrainingRecord) => void (sample && scores.push(sample.t1));
	const kept = await runTraining({ ...input, settings: { ...settings, sft: { ...settings.sft, rate } }, onRecord });
	const arena = new Arena(new Forest(playground, signal), [stage]);
	const measure = async (parameters: Parameters) => (await arena.measure(new Trainer(parameters), cases.sample)).t1;
	expect(await measure(kept.parameters)).toBe(Math.max(await measure(base), ...scores));
});

it("stops when its numbers are no longer numbers, when it is told to, and when there is nothing to train on", async () => {
	const wild = { ...settings, sft: { ...settings.sft, rate: Number.POSITIVE_INFINITY } };
	await expect(runTraining({ ...input, settings: wild })).rejects.toMatchObject({ reason: "training-diverged" });
	const stop = new AbortController();
	await expect(runTraining({ ...input, signal: stop.signal, onRecord: () => stop.abort() })).rejects.toMatchObject({ code: "cancelled" });
	await expect(runTraining({ ...input, cases: { sft: [], rl: [], sample: [] } })).rejects.toMatchObject({ reason: "training-no-cases" });
});

it("draws from the tree what it would play", async () => {
	const one = LAMP_CASES[0] as (typeof LAMP_CASES)[number];
	let plays = 0;
	const scorer = new Scorer(base);
	const tree = new EpisodeTree((policy) => {
		plays += 1;
		return playEpisode(playground, stage, one, [], policy, signal);
	});
	const pickNth = (n: number) => {
		let at = 0;
		return (own: DecisionInput, logits: Float64Array) => (at++ === 0 ? n % own.candidates.length : chooseBest(own, logits));
	};
	for (let n = 0; n < 6; n++) {
		const drawn = await tree.rollout(base, scorer, pickNth(n));
		const fresh = await new EpisodeTree((policy) => playEpisode(playground, stage, one, [], policy, signal)).rollout(base, scorer, pickNth(n));
		expect(drawn).toEqual(fresh);
	}
	// Two ways to begin, since the harness requires a reply skill; each played once.
	expect(plays).toBe(2);
});
