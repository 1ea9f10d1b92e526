import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Role } from "@/server/auth/contract";
import type { Services } from "@/server/composition";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { createEvaluationService, createStagedUploads, type EvaluationService } from "@/server/evaluation";
import { fakePorts } from "@/server/evaluation/testing/fake-ports";
import { createCaller } from "../../root";

/* Through the routers, with a real database: what people do on Runs and Cases, and what none of them ever sees. */

const ROLES: Role[] = ["operator", "reviewer", "viewer", "admin"];
const workspace = "w";
const published: string[] = [];
let database: TestDatabase;
let evaluation: EvaluationService;
let services: Services;
let directory: string;
const abort = new AbortController();
let loop: Promise<void>;

const as = (roles: Role[]) =>
	createCaller({
		user: { id: "u1", name: "Ada", email: "ada@example.com", demo: false },
		services: { ...services, auth: { findMembership: async () => ({ id: "ws_1", slug: "w", roles }) } as unknown as Services["auth"] },
	} as Parameters<typeof createCaller>[0]);

async function upload(caller: ReturnType<typeof as>, uploadId: string, text: string) {
	const bytes = Buffer.from(text);
	const half = Math.ceil(bytes.length / 2);
	await caller.cases.uploadPart({ workspace, uploadId, offset: 0, base64: bytes.subarray(0, half).toString("base64") });
	return caller.cases.uploadPart({ workspace, uploadId, offset: half, base64: bytes.subarray(half).toString("base64") });
}
const csv = `id,message,category,reference\n${Array.from({ length: 90 }, (_, i) => `k${i},CANARY${i}X ${"qwertyuiopasdfghjk"[i % 18]?.repeat(6)} number ${i * 7907},cat${i % 3},CANARY${i}R answer`).join("\n")}\n,bad row without message,,\n`;

beforeAll(async () => {
	database = await createTestDatabase();
	directory = fs.mkdtempSync(path.join(os.tmpdir(), "uploads-"));
	evaluation = createEvaluationService(
		database.db,
		fakePorts({ accuracy: (message) => (message.includes("1") ? 0 : 1), publish: (key) => published.push(key) }),
	);
	services = {
		db: database.db,
		evaluation,
		uploads: createStagedUploads(directory),
		policies: { current: async () => ({ id: "pol", name: "fake policy", kind: "compact" }), list: async () => [], find: async () => ({ id: "pol" }) },
		judges: { current: async () => ({ id: "jud", name: "judge-1", engine: "rubric" }) },
		harness: {
			resolveHarness: async (_workspace: string, what: string) => ({ commit: `commit-${what}`, treeId: `tree-${what}` }),
			repository: async () => ({ branches: async () => [{ name: "main" }] }),
		},
	} as unknown as Services;
	loop = evaluation.work(abort.signal);
});
afterAll(async () => {
	abort.abort();
	await loop;
	await database.drop();
	fs.rmSync(directory, { recursive: true, force: true });
});

async function finishedRun(harness: string, split: "dev" | "test" = "test") {
	const caller = as(["operator"]);
	const run = await caller.evaluation.runStart({ workspace, harness, split });
	await vi.waitFor(async () => expect((await caller.evaluation.run({ workspace, runId: run.id })).run.status).toBe("done"), { timeout: 20_000, interval: 50 });
	return run;
}

describe("cases and runs through the routers", () => {
	it("imports in two steps, with the bad rows listed, and only for those who may", async () => {
		const caller = as(["operator"]);
		await upload(caller, "upload0001", csv);
		const input = { workspace, uploadId: "upload0001", fileName: "cases.csv" };
		const dry = await caller.cases.dryRun(input);
		expect(dry).toMatchObject({ accepted: 90, added: 90, rejectedTotal: 1, mapping: { message: "message", category: "category" } });
		expect(dry.rejected[0]).toMatchObject({ line: 92 });
		await expect(as(["viewer"]).cases.dryRun(input)).rejects.toMatchObject({ code: "FORBIDDEN" });
		const done = await caller.cases.importApply(input);
		expect(done.suiteVersion).toMatchObject({ version: 1, created: true });
		await expect(caller.cases.dryRun(input)).rejects.toMatchObject({ code: "NOT_FOUND" });
		await expect(caller.cases.uploadPart({ workspace, uploadId: "../../etc", offset: 0, base64: "YQ==" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
		await expect(caller.cases.uploadPart({ workspace, uploadId: "upload0002", offset: 10, base64: "YQ==" })).rejects.toMatchObject({ code: "CONFLICT" });
	});

	it("lists, filters and edits open cases", async () => {
		const caller = as(["operator"]);
		const [suite] = await caller.cases.suites({ workspace });
		const suiteVersionId = suite?.versions[0]?.id ?? "";
		const page = await caller.cases.list({
			workspace,
			suiteVersionId,
			split: ["dev"],
			category: ["cat1"],
			text: "canary",
			sort: "category",
			descending: true,
			limit: 5,
		});
		expect(page.total).toBeGreaterThan(0);
		expect(page.rows.every((row) => row.split === "dev" && row.category === "cat1")).toBe(true);
		const [first] = page.rows;
		if (!first) throw new Error("no case");
		const found = await caller.cases.get({ workspace, caseId: first.id });
		const edited = await caller.cases.edit({ workspace, suite: "t1", caseId: first.id, content: { ...found.case.content, tags: ["checked"] } });
		expect(edited.version).toBe(2);
		const now = (await caller.cases.suites({ workspace }))[0]?.versions[0]?.id ?? "";
		expect((await caller.cases.list({ workspace, suiteVersionId: now, tag: ["checked"] })).rows.map((row) => row.key)).toEqual([first.key]);
		await expect(as(["viewer"]).cases.edit({ workspace, suite: "t1", caseId: first.id, content: found.case.content })).rejects.toMatchObject({
			code: "FORBIDDEN",
		});
	});

	it("estimates, starts, shows and compares runs; the holdout cannot be asked for", async () => {
		const caller = as(["operator"]);
		const options = await caller.evaluation.startOptions({ workspace });
		expect(options).toMatchObject({ branches: ["main"], judge: { name: "judge-1" }, policies: [{ name: "fake policy" }] });
		const estimate = await caller.evaluation.estimate({ workspace, split: "test" });
		expect(estimate.equal).toBeNull();
		const a = await finishedRun("main");
		const b = await finishedRun("other");
		expect((await caller.evaluation.estimate({ workspace, split: "test" })).equal).toEqual(a);
		const list = await caller.evaluation.runs({ workspace, sort: "accuracy", text: "commit-ma" });
		expect(list.rows.map((row) => row.id)).toEqual([a.id]);
		expect(list.rows[0]).toMatchObject({ policyName: "fake policy", judgeName: "fake judge", requestedBy: "Test" });
		const comparison = await caller.evaluation.compare({ workspace, baseRunId: a.id, runId: b.id });
		expect(comparison).toMatchObject({ comparison: { invalid: null }, flips: [] });
		const results = await caller.evaluation.results({ workspace, runId: a.id, filter: { verdict: ["failed"] } });
		expect(results.rows.length).toBe(results.total);
		const episode = await caller.evaluation.episode({ workspace, episodeId: results.rows[0]?.id ?? "" });
		expect(episode.trajectory?.message).toBe(results.rows[0]?.message);
		const csvText = await caller.evaluation.resultsExport({ workspace, runId: a.id, format: "csv", filter: { verdict: ["failed"] } });
		expect(csvText.content.trim().split("\r\n")).toHaveLength(results.total + 1);
		await expect(as(["viewer"]).evaluation.runStart({ workspace, split: "test" })).rejects.toMatchObject({ code: "FORBIDDEN" });
		await expect(as(["admin"]).evaluation.runControl({ workspace, runId: a.id, command: "cancel" })).rejects.toMatchObject({ code: "FORBIDDEN" });
		await expect(caller.evaluation.runStart({ workspace, split: "holdout" as "test" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
		expect(published).toContain(`runs:ws_1`);
	});
});

describe("the holdout canaries", () => {
	it("are in nothing that any procedure of runs and cases gives to any role", async () => {
		const suite = await evaluation.currentSuiteVersion("ws_1", "t1");
		const suiteVersionId = suite?.id ?? "";
		const sealedRows = await database.db.case.findMany({
			where: { split: "holdout", versions: { some: { suiteVersionId } } },
			select: { id: true, key: true, content: true },
		});
		expect(sealedRows.length).toBeGreaterThan(5);
		const canaries = sealedRows.flatMap((row) => {
			const { message, reference, canary } = row.content as { message: string; reference: string; canary: string };
			return [message.split(" ")[0] ?? message, reference.split(" ")[0] ?? reference, canary];
		});
		expect(canaries.every((text) => /^(CANARY\d+[XR]|canary-)/.test(text))).toBe(true);
		const start = {
			workspaceId: "ws_1",
			suiteVersionId,
			split: "holdout" as const,
			treeId: "tree-main",
			commit: null,
			policyVersionId: "pol",
			judgeVersionId: "jud",
			trials: 1,
			seed: 1,
			reason: "holdout" as const,
		};
		const sealed = await evaluation.start(start, { id: "u1", name: "Ada" });
		await vi.waitFor(async () => expect((await evaluation.findRuns([sealed.id]))[0]?.status).toBe("done"), { timeout: 20_000, interval: 50 });
		const open = await finishedRun("sweep", "dev");
		const episodes = await database.db.episode.findMany({ where: { runId: sealed.id }, select: { id: true }, take: 2 });

		for (const role of ROLES) {
			const caller = as([role]);
			const heard: unknown[] = [];
			const ask = async (what: () => Promise<unknown>) => {
				heard.push(
					await what().catch((error: Error & { cause?: unknown; shape?: unknown }) => [
						error.message,
						JSON.stringify(error),
						JSON.stringify(error.cause ?? null),
					]),
				);
			};
			for (const runId of [sealed.id, open.id]) {
				await ask(() => caller.evaluation.run({ workspace, runId }));
				await ask(() => caller.evaluation.results({ workspace, runId, limit: 500 }));
				await ask(() => caller.evaluation.resultsExport({ workspace, runId, format: "jsonl" }));
				await ask(() => caller.evaluation.facets({ workspace, runId }));
				await ask(() => caller.evaluation.compare({ workspace, baseRunId: sealed.id, runId }));
				const stream = await caller.evaluation.runFollow({ workspace, runId }).catch((error: Error) => error);
				heard.push(stream instanceof Error ? stream.message : "stream");
			}
			for (const { id } of episodes) await ask(() => caller.evaluation.episode({ workspace, episodeId: id }));
			await ask(() => caller.evaluation.runs({ workspace, limit: 500 }));
			await ask(() => caller.evaluation.startOptions({ workspace }));
			await ask(() => caller.evaluation.estimate({ workspace, split: "dev" }));
			await ask(() => caller.cases.suites({ workspace }));
			await ask(() => caller.cases.list({ workspace, suiteVersionId, limit: 500 }));
			await ask(() => caller.cases.exportCases({ workspace, suiteVersionId, format: "jsonl" }));
			await ask(() => caller.cases.exportCases({ workspace, suiteVersionId, format: "csv" }));
			for (const row of sealedRows.slice(0, 3)) {
				await ask(() => caller.cases.get({ workspace, caseId: row.id }));
				await ask(() => caller.cases.remove({ workspace, suite: "t1", caseIds: [row.id] }));
			}
			await upload(caller, `sweep${role}0`, csv.split("\n").slice(0, 3).join("\n")).catch(() => undefined);
			const text = JSON.stringify(heard);
			expect(text).toContain("CANARY"); // dev and test texts are there: the sweep looks at something
			for (const canary of canaries) expect(text.includes(canary), `${role} saw ${canary}`).toBe(false);
		}
		const written = JSON.stringify([
			await database.db.auditEntry.findMany(),
			(await database.db.outboxEvent.findMany({ select: { payload: true, type: true } })).map((row) => row),
			await database.db.run.findMany(),
			await database.db.episode.findMany(),
			await database.db.episodeRecord.findMany(),
			published,
		]);
		for (const canary of canaries) expect(written.includes(canary), canary).toBe(false);
	});
});
