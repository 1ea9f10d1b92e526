import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { DEFAULT_ENVELOPE } from "@/server/augmentation";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { createRubricJudge } from "@/server/judge";
import type { AblationSettings } from "../ablation.contract";
import type { TrainingPorts } from "../ports";
import { HAT_DEFAULTS } from "../stages/settings";
import { LAMP_CASES, LAMP_FILES, openHarness, openLampShop } from "../testing/lamp-shop";
import { createAblationService, readAblationFile } from "./ablation-service";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const settings = {
	...HAT_DEFAULTS,
	variants: 1,
	sft: { ...HAT_DEFAULTS.sft, epochs: 1 },
	rl: { ...HAT_DEFAULTS.rl, iterations: 1, prompts: 2, group: 2 },
};
const wanted: AblationSettings = { seeds: 1, split: "test", cases: 2, harness: "main" };

let database: TestDatabase;
let service: ReturnType<typeof createAblationService>;
let cases = LAMP_CASES;
const sent: string[] = [];
let onPublish: () => unknown = () => undefined;
/** Trees that were opened to be trained in and measured under: says which parts were made. */
let opened = 0;

beforeAll(async () => {
	database = await createTestDatabase();
	const { playground } = openLampShop();
	service = createAblationService(
		{
			db: database.db,
			queue: { send: async (_definition: unknown, payload: unknown) => void sent.push((payload as { ablationId: string }).ablationId) },
			publish: async () => void (await onPublish()),
			readTrainingCases: async () => ({ dev: cases.slice(0, 2), pool: cases.slice(0, 6) }),
			readMeasuredCases: async () => cases.slice(6),
			currentSuiteVersion: async () => "suite-1",
			currentEnvelope: async () => ({ version: 3, content: DEFAULT_ENVELOPE }),
			personNames: async () => new Map(),
			workspaceSlug: async () => "lamps",
			currentBundle: async () => null,
			resolveHarness: async () => ({ treeId: "tree-1", commit: "commit-1" }),
			loadFiles: async () => LAMP_FILES,
			openHarness: async (files: typeof LAMP_FILES) => openHarness(files),
			openScene: async () => {
				opened++;
				return playground;
			},
			judges: async () => ({ evaluation: { name: "judge-1", fingerprint: "other" }, rubric: createRubricJudge() }),
			generalData: () => null,
		} as unknown as TrainingPorts,
		settings,
	);
});
afterAll(() => database.drop());

const signal = new AbortController().signal;

it("makes every part, killed and taken over without making one twice, and keeps the document and no parts", async () => {
	const { id, number } = await service.start("ws_1", wanted, "user_1");
	expect([sent, number]).toEqual([[id], 1]);
	expect(await service.getIn("ws_1", id)).toMatchObject({ status: "queued", done: 0, total: 5, settings: { harness: "commit-1" } });
	await expect(service.start("ws_1", wanted, "user_1")).rejects.toMatchObject({ reason: "ablation-running" });
	const stop = new AbortController();
	let signs = 0;
	// The worker dies after its second part: the first sign is its start.
	onPublish = () => ++signs === 3 && stop.abort();
	await service.run(id, stop.signal).catch(() => undefined);
	onPublish = () => undefined;
	expect(await service.getIn("ws_1", id)).toMatchObject({ status: "running", done: 2, result: null });
	const before = opened;
	await service.run(id, signal);
	expect(opened - before).toBe(3);
	const { result, status, done } = await service.getIn("ws_1", id);
	expect([status, done]).toEqual(["done", 5]);
	expect(result).toMatchObject({ workspace: "lamps", envelope: 3, seeds: 1, split: "test", cases: { measured: 2 }, harness: { commit: "commit-1" } });
	expect(result?.table.map(({ policy }) => policy)).toEqual(expect.arrayContaining(["base", "fixed-rl", "hat-rl", "hat-sft, encoder at a tenth"]));
	expect(result?.claims.every((claim) => claim.id)).toBe(true);
	expect(await database.db.ablationPart.count()).toBe(0);
	await expect(service.getIn("ws_2", id)).rejects.toMatchObject({ reason: "ablation-unknown" });
	// What it exports can be loaded again, and says the same.
	const again = await service.store({ id: "ws_1", slug: "lamps" }, readAblationFile(JSON.stringify(result)), "file", "user_1");
	expect((await service.getIn("ws_1", again.id)).result).toEqual(result);
	expect((await service.list("ws_1")).map((row) => [row.number, row.origin])).toEqual([
		[2, "file"],
		[1, "page"],
	]);
});

it("is stopped by a person, and another one can begin", async () => {
	const { id } = await service.start("ws_3", wanted, "user_1");
	const ablation = await service.getIn("ws_3", id);
	let signs = 0;
	// The first sign is its start, the second its first part.
	onPublish = () => (++signs === 2 ? service.cancel(ablation, "user_1") : undefined);
	await service.run(id, signal);
	onPublish = () => undefined;
	expect(await service.getIn("ws_3", id)).toMatchObject({ status: "cancelled", result: null });
	await service.run(id, signal);
	expect((await service.getIn("ws_3", id)).status).toBe("cancelled");
	expect((await service.start("ws_3", wanted, "user_1")).number).toBe(2);
});

it("refuses to start where there is nothing to train on", async () => {
	cases = [];
	await expect(service.start("ws_4", wanted, "user_1")).rejects.toMatchObject({ reason: "training-no-cases" });
	cases = LAMP_CASES;
});

it("keeps no file that is no ablation, or another workspace's, and says what is wrong with it", async () => {
	const estimate = { value: 0.5, low: 0.4, high: 0.6 };
	const document = {
		...{ workspace: "lamps", harness: { treeId: "t", commit: null }, envelope: 1, baseDigest: "d", general: true, split: "dev", seeds: 3 },
		cases: { sft: 1, rl: 1, simulated: 0, dev: 1, measured: 1 },
		seconds: { wall: 1, cpu: 2 },
		table: [{ policy: "base", cells: { t1: estimate }, gap: null }],
		claims: [{ claim: "HSA-RL raises robustness (T2)", estimate, needed: 0, holds: "appears", certain: true }],
	};
	const problemOf = (text: string) => {
		try {
			return readAblationFile(text) && null;
		} catch (error) {
			return (error as { params: { why: string } }).params.why;
		}
	};
	expect(problemOf("no JSON")).toMatch(/JSON/);
	expect(problemOf("[]")).toMatch(/^the document: /);
	expect(problemOf(JSON.stringify({ ...document, table: [{ policy: "base", cells: { t1: { value: "high" } }, gap: null }] }))).toMatch(/^table\.0\.cells\.t1/);
	// A file from before claims had names: they get theirs.
	const read = readAblationFile(JSON.stringify(document));
	expect(read.claims[0]?.id).toBe("hsa-rl-robust");
	await expect(service.store({ id: "ws_5", slug: "desk" }, read, "file", "user_1")).rejects.toMatchObject({ reason: "ablation-other-workspace" });
	expect(await service.list("ws_5")).toEqual([]);
});
