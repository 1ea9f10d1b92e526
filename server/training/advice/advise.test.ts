import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { DEFAULT_ENVELOPE } from "@/server/augmentation/envelope";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import type { EditRecord } from "@/server/evolution";
import { LAMP_FILES } from "../testing/lamp-shop";
import { insertTraining, moveTraining } from "../training.repository";
import { type AdvicePorts, createAdviceService } from "./advise";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let database: TestDatabase;
let now = new Date("2026-03-01T10:00:00Z");
let policy = { id: "pol_1", name: "compact", kind: "compact" };
let record: EditRecord | null = null;
let releases: { tag: string; at: Date; policyVersionId: string }[] = [];
let landings = 0;
const trees: Record<string, Record<string, string>> = { "tree-1": LAMP_FILES };
const ports = (): AdvicePorts => ({
	db: database.db,
	clock: { now: () => now },
	currentPolicy: async () => policy,
	editRecord: async () => record,
	countLandings: async () => landings,
	resolveHarness: async () => ({ treeId: "tree-1", commit: "commit-1" }),
	loadFiles: async (treeId) => trees[treeId] ?? {},
	newestGap: async () => null,
	listReleases: async () => releases,
});
beforeAll(async () => {
	database = await createTestDatabase();
});
afterAll(() => database.drop());

const day = (n: number) => new Date(Date.UTC(2026, 2, n, 10));
const campaign = (rounds: EditRecord["rounds"], stopped: boolean): EditRecord => ({
	...{ evolutionId: "evo_1", title: "One", status: stopped ? "stopped" : "active", head: { commit: "commit-2", treeId: "tree-2" } },
	earlyStop: { strikes: stopped ? 2 : 0, stale: 0, patience: 2, stopped },
	...{ rounds, edits: null, stuck: null },
});
const round = (index: number, avg: number, at: number) => ({ index, avg, closedAt: day(at), testRunId: `run_${index}` });

it("keeps an advice once, and another when the reasons change; what happened next stands beside it", async () => {
	const service = createAdviceService(ports());
	expect(await service.advise("ws_1")).toMatchObject({ state: "keep-editing", signs: [], evidence: { checkpoint: null, distance: null } });
	await service.advise("ws_1");
	expect(await service.history("ws_1")).toHaveLength(1);

	now = day(5);
	record = campaign([round(0, 0.8, 1), round(1, 0.79, 3), round(2, 0.79, 4)], true);
	landings = 3;
	expect(await service.advise("ws_1")).toMatchObject({ state: "retrain-advised", signs: ["stopped"] });
	const [newest, first] = await service.history("ws_1");
	expect(newest?.followUp).toMatchObject({ held: "open", rounds: 0, training: null, released: null });
	// Keep editing was said, and the two rounds that followed gained nothing.
	expect(first).toMatchObject({ advice: { state: "keep-editing" }, followUp: { rounds: 2, held: "no" } });
	expect(first?.followUp.gain).toBeCloseTo(-0.01);
});

it("measures from the checkpoint's own snapshot, and says that a trained policy was released", async () => {
	now = day(6);
	const source = {
		...{ treeId: "tree-1", commit: "commit-1", suiteVersionId: "suite-1", bundleId: null, baseDigest: "base", generalData: null },
		envelope: { version: 0, content: DEFAULT_ENVELOPE },
	};
	const id = await insertTraining(database.db, { workspaceId: "ws_1", recipe: "hat", seed: 1, source, options: {}, settings: {}, requestedById: "user_1" });
	await database.db.training.updateMany({ where: { id: id ?? "" }, data: { createdAt: day(6) } });
	await moveTraining(database.db, id ?? "", "running");
	await moveTraining(database.db, id ?? "", "done", { checkpointId: "ckpt_1", policyVersionId: "pol_hat" });
	now = day(7);
	releases = [{ tag: "v2", at: day(7), policyVersionId: "pol_hat" }];
	policy = { id: "pol_hat", name: "hat", kind: "checkpoint" };
	const service = createAdviceService(ports());
	const [stopped] = await service.history("ws_1");
	expect(stopped?.followUp).toMatchObject({ held: "yes", released: "v2", training: { number: 1, status: "done" } });

	// The head of the evolution has lost a tool against what the checkpoint was trained on: no envelope allows that.
	const tool = Object.keys(LAMP_FILES).find((path) => path.startsWith("tools/")) ?? "";
	trees["tree-2"] = Object.fromEntries(Object.entries(LAMP_FILES).filter(([path]) => path !== tool));
	const advice = await service.advise("ws_1");
	expect(advice.evidence.checkpoint).toMatchObject({ training: 1, commit: "commit-1" });
	expect(advice.evidence.harness).toMatchObject({ treeId: "tree-2" });
	trees["tree-2"] = LAMP_FILES;
	const same = await service.advise("ws_1");
	expect(same.evidence.distance?.inside).toBe(true);
	expect(same.signs).not.toContain("outside");
	trees["tree-2"] = {};
	expect((await service.advise("ws_1")).evidence.distance).toBeNull();
});
