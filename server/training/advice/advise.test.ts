import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { DEFAULT_ENVELOPE } from "@/server/augmentation/envelope";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import type { EditRecord } from "@/server/evolution";
import { AppError } from "@/server/kernel/errors";
import { ADVICE_RULE } from "../advice-rule.contract";
import type { AdviceRule } from "../contract";
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
let origin: Awaited<ReturnType<AdvicePorts["originOf"]>> = null;
const trees: Record<string, Record<string, string>> = { "tree-1": LAMP_FILES };
const ports = (): AdvicePorts => ({
	db: database.db,
	clock: { now: () => now },
	publish: async () => undefined,
	personNames: async () => new Map([["usr_ada", "Ada"]]),
	workspaceSlug: async () => "lamps",
	currentPolicy: async () => policy,
	editRecord: async () => record,
	countLandings: async () => landings,
	resolveHarness: async () => ({ treeId: "tree-1", commit: "commit-1" }),
	loadFiles: async (treeId) => trees[treeId] ?? {},
	newestGap: async () => null,
	originOf: async () => origin,
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

it("measures from what the file of a checkpoint says, where no training here made it, if that snapshot is kept", async () => {
	policy = { id: "pol_file", name: "hat", kind: "checkpoint" };
	origin = { treeId: "tree-1", commit: null, envelope: { version: 1, content: DEFAULT_ENVELOPE } };
	const lost = async (): Promise<never> => {
		throw new AppError("not-found", "These harness files were not kept.", { reason: "snapshot-missing" });
	};
	const advise = async (over: Partial<AdvicePorts> = {}) =>
		(await createAdviceService({ ...ports(), editRecord: async () => null, ...over }).advise("ws_7")).evidence;
	expect(await advise()).toMatchObject({ checkpoint: null, distance: { inside: true } });
	expect((await advise({ loadFiles: lost })).distance).toBeNull();
	expect((await advise({ originOf: async () => null })).distance).toBeNull();
});

describe("the thresholds", () => {
	const admin = { id: "usr_ada", name: "Ada" };
	const service = () => createAdviceService({ ...ports(), editRecord: async () => paying, newestGap: async () => measured });
	const paying: EditRecord = { ...campaign([round(0, 0.8, 1), round(1, 0.81, 3)], false), edits: null };
	const measured = { gap: { cases: 40, avg: { value: 0.02, low: 0.005, high: 0.035 } }, runId: "run_2", baseRunId: "run_1" } as Awaited<
		ReturnType<AdvicePorts["newestGap"]>
	>;
	const update = (change: Partial<AdviceRule>, expectedVersion: number) =>
		service().updateRule({ workspaceId: "ws_9", actor: admin, content: { ...ADVICE_RULE, ...change }, reason: "2 points hurt here", expectedVersion });
	const refusal = (promise: Promise<unknown>) =>
		promise.then(
			() => null,
			(error: { reason?: string; name: string }) => error.reason ?? error.name,
		);

	it("are the defaults until an admin sets others; then these decide, and the advice says by which", async () => {
		expect(await service().rule("ws_9")).toMatchObject({ version: 0, content: ADVICE_RULE, createdBy: null });
		expect(await service().advise("ws_9")).toMatchObject({ state: "keep-editing", signs: [], rule: ADVICE_RULE });
		expect(await update({ gapPoints: 2 }, 0)).toEqual({ version: 1 });
		expect(await service().rule("ws_9")).toMatchObject({ version: 1, content: { gapPoints: 2, ageDays: 90 }, createdBy: "Ada", reason: "2 points hurt here" });
		expect(await service().advise("ws_9")).toMatchObject({ state: "retrain-advised", signs: ["gap"], rule: { gapPoints: 2 } });
		// Another workspace keeps its own.
		expect(await service().advise("ws_8")).toMatchObject({ signs: [], rule: ADVICE_RULE });
	});

	it("are on record with who, why, before and after", async () => {
		const [entry] = await database.db.auditEntry.findMany({ where: { workspaceId: "ws_9" } });
		expect(entry).toMatchObject({
			...{ actorId: admin.id, action: "workspace.update", subject: "lamps", reason: "2 points hurt here" },
			detail: { adviceThresholds: { version: 1, before: { gapPoints: 3 }, after: { gapPoints: 2 } } },
		});
	});

	it("are changed on the version that the admin saw, within their ranges", async () => {
		expect(await refusal(update({ gapPoints: 5 }, 0))).toBe("advice-rule-changed");
		for (const wild of [{ gapPoints: 0 }, { gapPoints: Number.NaN }, { rounds: 1.5 }, { stuckShare: 30 }, { ageDays: 0 }, { attempts: 11 }])
			expect(await refusal(update(wild, 1))).toBe("ZodError");
		expect((await service().rule("ws_9")).version).toBe(1);
	});

	it("ask for as many rounds and attempts as they say", async () => {
		const asked: { rounds: number; attempts: number }[] = [];
		const editRecord: AdvicePorts["editRecord"] = async ({ rounds, attempts }) => {
			asked.push({ rounds, attempts });
			return null;
		};
		await update({ rounds: 5, attempts: 4 }, 1);
		const other = createAdviceService({ ...ports(), editRecord });
		await other.advise("ws_9");
		await other.history("ws_9");
		expect(asked).toEqual([
			{ rounds: 5, attempts: 4 },
			{ rounds: 5, attempts: 4 },
		]);
	});
});
