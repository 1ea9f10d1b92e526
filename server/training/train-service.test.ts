import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { DEFAULT_ENVELOPE } from "@/server/augmentation/envelope";
import { createCompactPolicy, initialParameters, writeCheckpoint } from "@/server/compact";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { createRubricJudge } from "@/server/judge";
import type { TrainingPorts } from "./ports";
import { HAT_DEFAULTS } from "./stages/settings";
import { LAMP_CASES, LAMP_FILES, openHarness, openLampShop } from "./testing/lamp-shop";
import { createTrainingService, type TrainingService } from "./train-service";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

let database: TestDatabase;
let service: TrainingService;
let evaluationJudge = "evaluation-1";
let openCases = LAMP_CASES;
const sent: string[] = [];
const registered: { workspaceId: string; digest: string; fingerprint: string }[] = [];
let onPublish: (key: string) => void = () => undefined;

const settings = {
	...HAT_DEFAULTS,
	variants: 2,
	saveEvery: 2,
	saveAfterMs: 0,
	sft: { ...HAT_DEFAULTS.sft, epochs: 3 },
	rl: { ...HAT_DEFAULTS.rl, iterations: 8, prompts: 2, group: 3 },
};

beforeAll(async () => {
	database = await createTestDatabase();
	const { playground } = openLampShop();
	const ports: TrainingPorts = {
		db: database.db,
		queue: { send: async (_definition, payload) => void sent.push((payload as { trainingId: string }).trainingId), work: async () => undefined },
		publish: async (key) => onPublish(key),
		readTrainingCases: async () => ({ dev: openCases, pool: [] }),
		readMeasuredCases: async () => LAMP_CASES,
		currentSuiteVersion: async () => "suite-1",
		currentEnvelope: async () => ({ version: 0, content: DEFAULT_ENVELOPE }),
		listEnvelopes: async () => [{ version: 0, content: DEFAULT_ENVELOPE }],
		personNames: async () => new Map(),
		workspaceSlug: async () => "lamps",
		currentBundle: async () => null,
		resolveHarness: async () => ({ treeId: "tree-1", commit: "commit-1" }),
		loadFiles: async () => LAMP_FILES,
		openHarness: async (files) => openHarness(files),
		openScene: async () => ({ agent: playground.agent, world: playground.world, resolveRoom: playground.resolveRoom, references: null }),
		judges: async () => ({ evaluation: { name: "judge-1", fingerprint: evaluationJudge }, rubric: createRubricJudge() }),
		registerCheckpoint: async ({ workspaceId, digest, parameters }) => {
			const { fingerprint } = createCompactPolicy({ checkpoint: { parameters, digest } }).describe();
			registered.push({ workspaceId, digest, fingerprint });
			return { id: "pol_1", name: "hat" };
		},
		findPolicy: async () => {
			throw new Error("not asked here");
		},
		policyReferences: async () => [],
		removePolicy: async () => undefined,
		generalData: () => null,
	};
	service = createTrainingService(ports);
});
afterAll(() => database.drop());

const start = (workspaceId: string, seed = 1) => service.start({ workspaceId, recipe: "hat", seed, requestedById: "user_1", settings });
const run = (id: string, signal = new AbortController().signal) => service.run(id, signal);

it("trains to a checkpoint that acts, with its card and curves; killed and taken over it makes the same one", async () => {
	const whole = await start("ws_1");
	expect(sent).toEqual([whole]);
	await run(whole);
	const done = await service.get(whole);
	expect(done).toMatchObject({
		status: "done",
		error: null,
		card: { variants: 2, teacher: "oracle", general: false, rewardJudge: expect.any(String), treeId: "tree-1" },
	});
	const checkpoint = await service.loadCheckpoint(done.checkpointId ?? "");
	expect(checkpoint.made).toMatchObject({ recipe: "hat", seed: 1, source: { envelope: { version: 0 } } });
	// Its file tells another workspace where it comes from, and no folder of this machine.
	const file = await service.readCheckpointFile(done.checkpointId ?? "");
	expect(service.readOrigin(file)).toEqual({
		...{ recipe: "hat", seed: 1, card: done.card },
		source: { treeId: "tree-1", commit: done.source.commit, envelope: done.source.envelope },
	});
	expect(checkpoint.made.source).not.toHaveProperty("generalData");
	expect(createCompactPolicy({ checkpoint }).describe()).toMatchObject({ kind: "checkpoint", fingerprint: registered[0]?.fingerprint });
	const records = await service.records(whole);
	expect(records.map(({ stage, step }) => `${stage}${step}`).slice(-2)).toEqual(["rl7", "rl8"]);
	expect(records.at(-1)?.sample?.t2).not.toBeNull();

	const broken = await start("ws_2");
	// The worker dies at its third sign of life, then once more.
	for (let death = 0; death < 2; death++) {
		const stop = new AbortController();
		let signs = 0;
		onPublish = () => ++signs === 3 && stop.abort();
		await run(broken, stop.signal).catch(() => undefined);
		expect((await service.get(broken)).status).toBe("running");
	}
	onPublish = () => undefined;
	await run(broken);
	expect((await service.get(broken)).status).toBe("done");
	expect(registered[1]?.digest).toBe(registered[0]?.digest);
	expect((await service.records(broken)).map(({ stage, step }) => `${stage}${step}`)).toEqual(records.map(({ stage, step }) => `${stage}${step}`));
});

it("takes one start of two at once, and another when that is over", async () => {
	const starts = await Promise.allSettled([start("ws_3"), start("ws_3"), start("ws_3")]);
	expect(starts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
	expect(starts.find(({ status }) => status === "rejected")).toMatchObject({ reason: { reason: "training-running" } });
});

it("refuses to train without dev cases, and under a reward judge that is the evaluation's", async () => {
	openCases = [];
	await expect(start("ws_4")).rejects.toMatchObject({ reason: "training-no-cases" });
	openCases = LAMP_CASES;
	const id = await start("ws_4");
	const { createRewardJudge } = await import("./rollouts/reward-judge");
	evaluationJudge = createRewardJudge(createRubricJudge()).describe().fingerprint;
	await run(id);
	expect(await service.get(id)).toMatchObject({ status: "failed", error: { reason: "reward-judge-same" } });
	evaluationJudge = "evaluation-1";
	await expect(service.get("train_none")).rejects.toMatchObject({ reason: "training-unknown" });
	await expect(service.loadCheckpoint("ckpt_none")).rejects.toMatchObject({ reason: "checkpoint-unknown" });
});

it("is stopped by a person, keeps its curves, and goes on to the same checkpoint", async () => {
	const whole = await start("ws_5", 3);
	await run(whole);
	const id = await start("ws_6", 3);
	let signs = 0;
	onPublish = (key) => {
		// Its third sign of life: the training is under way.
		if (key === `training:${id}` && ++signs === 3) void service.get(id).then((training) => service.cancel(training, "user_1"));
	};
	await run(id);
	onPublish = () => undefined;
	expect((await service.get(id)).status).toBe("cancelled");
	expect(await service.get(id)).toMatchObject({ checkpointId: null, error: null, progress: { cases: { total: expect.any(Number) } } });
	// The workspace is free for another one meanwhile.
	const other = await start("ws_6", 4);
	await expect(service.resume(await service.get(id), "user_1")).rejects.toMatchObject({ reason: "training-running" });
	await service.cancel(await service.get(other), "user_1");
	await service.resume(await service.get(id), "user_1");
	expect(sent.at(-1)).toBe(id);
	await run(id);
	const [first, second] = [await service.get(whole), await service.get(id)];
	expect(second.status).toBe("done");
	expect((await service.loadCheckpoint(second.checkpointId ?? "")).digest).toBe((await service.loadCheckpoint(first.checkpointId ?? "")).digest);
	expect(second.progress?.stages.map(({ stage, steps }) => [stage, steps])).toEqual([
		["sft", expect.any(Number)],
		["rl", 8],
	]);
	expect(await service.records(id, 2)).toEqual((await service.records(id)).slice(2));
	expect([first.number, second.number]).toEqual([1, 1]);
});

it("takes what a person set, and refuses a version of the envelope that is not there, another workspace's training, and going on where it diverged", async () => {
	const options = { variants: 1, sftEpochs: 1, rlIterations: 0 };
	const id = await service.start({ workspaceId: "ws_7", recipe: "hat", seed: 1, requestedById: "user_1", options });
	await run(id);
	const done = await service.get(id);
	expect(done).toMatchObject({ options, card: { variants: 1 } });
	expect(done.progress?.stages.map(({ stage }) => stage)).toEqual(["sft"]);
	await expect(service.getIn("ws_8", id)).rejects.toMatchObject({ reason: "training-unknown" });
	await expect(service.start({ workspaceId: "ws_7", recipe: "hat", seed: 1, envelope: 7, requestedById: "user_1" })).rejects.toMatchObject({
		reason: "envelope-unknown",
	});
	const wild = { ...settings, sft: { ...settings.sft, rate: 1e300 } };
	const diverged = await service.start({ workspaceId: "ws_8", recipe: "hat", seed: 1, requestedById: "user_1", settings: wild });
	await run(diverged);
	expect(await service.get(diverged)).toMatchObject({ status: "failed", error: { reason: "training-diverged" } });
	await expect(service.resume(await service.get(diverged), "user_1")).rejects.toMatchObject({ reason: "training-not-resumable" });
});

it("reads nothing into a checkpoint whose file says nothing of itself, and refuses what is none", async () => {
	const bytes = writeCheckpoint(initialParameters(3), { recipe: "of another studio", seed: "one", card: { cases: 1 } });
	expect(service.readOrigin(bytes)).toEqual({ recipe: null, seed: null, card: null, source: null });
	const wild = structuredClone(DEFAULT_ENVELOPE);
	wild.skillIdentity.distractors.strength = { min: 5, max: -5 };
	const source = { treeId: "tree-1", commit: null, envelope: { version: 1, content: wild } };
	expect(service.readOrigin(writeCheckpoint(initialParameters(3), { source })).source).toBeNull();
	await expect(service.importCheckpoint({ workspaceId: "ws_1", name: "x", bytes: bytes.slice(0, 1_000) }, { id: "u", name: "U" })).rejects.toMatchObject({
		reason: "checkpoint-format",
	});
});
