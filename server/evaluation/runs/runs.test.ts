import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { DEFAULT_ENVELOPE } from "@/server/augmentation";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { readHoldoutCases } from "../cases/case.repository";
import { bufferSource } from "../cases/read-table";
import { ResultFilterSchema } from "../contract";
import { createEvaluationService, type RunView } from "../create-evaluation-service";
import { planSuite } from "../plan-suite";
import { type FakeOptions, fakePorts } from "../testing/fake-ports";
import { leaseChunks } from "./chunk.repository";

const actor = { id: "u1", name: "Test" };
const WORKSPACE = "w1";

let database: TestDatabase;
let suiteVersionId: string;
let abort: AbortController;
const loops: Promise<void>[] = [];
const children: ChildProcess[] = [];

const serviceWith = (options: FakeOptions = {}) => createEvaluationService(database.db, fakePorts(options));
function work(options: FakeOptions = {}, concurrency = 20) {
	const service = serviceWith(options);
	loops.push(service.work(abort.signal, { concurrency }));
	return service;
}
const request = (over: Partial<Parameters<ReturnType<typeof serviceWith>["start"]>[0]> = {}) => ({
	workspaceId: WORKSPACE,
	suiteVersionId,
	split: "test" as const,
	treeId: "tree-a",
	commit: null,
	policyVersionId: "pol",
	judgeVersionId: "jud",
	trials: 1,
	seed: 1,
	reason: "manual" as const,
	...over,
});
const statusOf = async (run: RunView) => (await serviceWith().findRuns([run.id]))[0]?.status;
const untilStatus = (run: RunView, status: string, timeout = 20_000) =>
	vi.waitFor(async () => expect(await statusOf(run)).toBe(status), { timeout, interval: 50 });
const countEpisodes = (run: RunView) => database.db.episode.count({ where: { runId: run.id } });

beforeAll(async () => {
	database = await createTestDatabase();
	const rows = Array.from(
		{ length: 120 },
		(_, i) => `c${i},CANARY-${i} ${"abcdefghijklmnopqrst"[i % 20]?.repeat(5)} asks about thing ${i * 104729},cat${i % 3}`,
	);
	await serviceWith().importCases({ workspaceId: WORKSPACE, suiteKey: "t1" }, bufferSource(`id,message,category\n${rows.join("\n")}`, "cases.csv"), actor, {});
	suiteVersionId = (await serviceWith().currentSuiteVersion(WORKSPACE, "t1"))?.id ?? "";
	abort = new AbortController();
});
afterEach(async () => {
	abort.abort();
	for (const child of children.splice(0)) child.kill("SIGKILL");
	await Promise.all(loops.splice(0));
	abort = new AbortController();
});
afterAll(() => database.drop());

describe("a run", () => {
	it("executes cases × trials once each, keeps the estimate, writes one summary and one event", async () => {
		const published: string[] = [];
		const service = work({ accuracy: (message) => (message.includes("1") ? 0 : 1), publish: (key) => published.push(key) });
		const run = await service.start(request({ trials: 3 }), actor);
		await untilStatus(run, "done");
		const info = await service.get(WORKSPACE, run.id);
		expect(await countEpisodes(run)).toBe(run.planned);
		expect(info.valid).toBe(run.planned);
		expect(info.summary).toMatchObject({ trials: 3, planned: run.planned, coverage: 1, noise: 0, modelCalls: run.planned, standing: "decisive" });
		expect(info.estimate).toMatchObject({ planned: run.planned, basis: "size" });
		expect(info.estimate?.cost).toBeGreaterThan(0);
		const events = await database.db.outboxEvent.findMany({ where: { type: "run.finished" } });
		expect(events.filter((event) => (event.payload as { runId: string }).runId === run.id)).toHaveLength(1);
		expect(published).toContain(`run:${run.id}`);
		const [results] = await Promise.all([
			service.results(WORKSPACE, run.id, {
				filter: ResultFilterSchema.parse({ verdict: ["failed"], text: "canary" }),
				sort: "latency",
				descending: true,
				offset: 0,
				limit: 10,
			}),
		]);
		expect(results.rows.length).toBe(10);
		expect(results.rows.every((row) => row.verdict === "failed" && row.blamed === "skill:fake")).toBe(true);
		const facets = await service.facets(WORKSPACE, run.id);
		expect(facets.verdict.reduce((sum, facet) => sum + facet.count, 0)).toBe(run.planned);
		expect(facets.category).toHaveLength(3);
	});

	it("is shared by two workers at once: every result once, both took part", async () => {
		const seen: [number, number] = [0, 0];
		const service = work({ delayMs: 10, onEpisode: () => void seen[0]++ }, 5);
		void work({ delayMs: 10, onEpisode: () => seen[1]++ }, 5);
		const run = await service.start(request({ trials: 4 }), actor);
		await untilStatus(run, "done");
		expect(await countEpisodes(run)).toBe(run.planned);
		expect((seen[0] ?? 0) + (seen[1] ?? 0)).toBe(run.planned);
		expect(Math.min(...seen)).toBeGreaterThan(0);
	});

	it("under variants is a run of its own, with one variant for each trial and the figures of robustness", async () => {
		const service = work();
		const [planned] = planSuite("t3-prompt", DEFAULT_ENVELOPE, 1, null);
		const plain = await service.ensureRun(request({ seed: 77 }), actor);
		const varied = await service.ensureRun(request({ seed: 77, trials: 2, variants: planned?.plan ?? null }), actor);
		await Promise.all([untilStatus(plain, "done"), untilStatus(varied, "done")]);
		expect((await service.ensureRun(request({ seed: 77 }), actor)).id).toBe(plain.id);
		expect((await service.ensureRun(request({ seed: 77, trials: 2 }), actor)).id).not.toBe(varied.id);
		expect((await service.ensureRun(request({ seed: 77, trials: 2, variants: planned?.plan ?? null }), actor)).id).toBe(varied.id);
		const [base, run] = await Promise.all([service.get(WORKSPACE, plain.id), service.get(WORKSPACE, varied.id)]);
		expect(run).toMatchObject({ variants: planned?.plan, summary: { limitsKept: 1, completion: 1, trials: 2 } });
		expect(base.variants).toBeNull();
		expect(base.summary?.completion).toBeUndefined();
		expect(await service.gap(plain.id, varied.id)).toMatchObject({ cases: base.planned, avg: { value: 0 } });
	});

	it("survives kill -9 of its worker: a new one takes the lease over, with exactly cases × trials results", async () => {
		const run = await serviceWith().start(request({ trials: 2 }), actor);
		const script = fileURLToPath(new URL("../testing/slow-worker.ts", import.meta.url));
		const child = spawn(process.execPath, ["--import", "tsx", script, database.url, "60", "4"], { stdio: ["ignore", "pipe", "inherit"] });
		children.push(child);
		await vi.waitFor(async () => expect(await countEpisodes(run)).toBeGreaterThan(3), { timeout: 20_000, interval: 20 });
		child.kill("SIGKILL");
		await once(child, "exit");
		const before = await countEpisodes(run);
		expect(before).toBeLessThan(run.planned);
		const leased = await database.db.runChunk.findMany({ where: { runId: run.id, status: "leased" }, select: { id: true, owner: true, leaseUntil: true } });
		expect(leased.length).toBeGreaterThan(0);
		// No lease outlives 10 s: by then the chunk is free for whoever asks.
		for (const chunk of leased) expect((chunk.leaseUntil?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now()).toBeLessThan(10_000);
		const first = await database.db.episode.findMany({ where: { runId: run.id }, select: { id: true, createdAt: true } });
		void work();
		await untilStatus(run, "done");
		expect(await countEpisodes(run)).toBe(run.planned);
		const after = new Map(
			(await database.db.episode.findMany({ where: { runId: run.id }, select: { id: true, createdAt: true } })).map((row) => [row.id, row.createdAt.getTime()]),
		);
		for (const row of first) expect(after.get(row.id)).toBe(row.createdAt.getTime());
		expect((await serviceWith().get(WORKSPACE, run.id)).valid).toBe(run.planned);
	});

	it("leaves a chunk with the worker that is at work on it, however late it renews; another worker takes it", async () => {
		const run = await serviceWith().start(request(), actor);
		const held = (await leaseChunks(database.db, "wrk_slow", 1)).map((chunk) => chunk.id);
		await database.db.runChunk.updateMany({ where: { id: { in: held } }, data: { leaseUntil: new Date(0) } });
		const more = await leaseChunks(database.db, "wrk_slow", 100, held);
		expect(more.map((chunk) => chunk.id)).not.toContain(held[0]);
		expect(await leaseChunks(database.db, "wrk_other", 100)).toMatchObject([{ id: held[0], attempt: 2 }]);
		await serviceWith().control(WORKSPACE, run.id, "cancel", actor);
	});

	it("of one team does not keep another team's waiting", async () => {
		const service = serviceWith();
		const long = await service.start(request({ trials: 4 }), actor);
		const [first] = await leaseChunks(database.db, "wrk_fair", 1);
		expect(first?.runId).toBe(long.id);
		const workspaceId = "w2";
		await service.importCases({ workspaceId, suiteKey: "t1" }, bufferSource("id,message,category,split\na,Is it in stock?,stock,test", "cases.csv"), actor, {});
		const suite = await service.currentSuiteVersion(workspaceId, "t1");
		const short = await service.start(request({ workspaceId, suiteVersionId: suite?.id ?? "" }), actor);
		const [second] = await leaseChunks(database.db, "wrk_fair", 1, [first?.id ?? ""]);
		expect(second?.runId).toBe(short.id);
		await service.control(WORKSPACE, long.id, "cancel", actor);
		await service.control(workspaceId, short.id, "cancel", actor);
	});

	it("is cancelled and resumed without losing or repeating a result", async () => {
		const service = work({ delayMs: 40 }, 4);
		const run = await service.start(request({ trials: 2 }), actor);
		await vi.waitFor(async () => expect(await countEpisodes(run)).toBeGreaterThan(3), { timeout: 10_000, interval: 20 });
		await service.control(WORKSPACE, run.id, "cancel", actor);
		await untilStatus(run, "cancelled");
		const kept = await countEpisodes(run);
		expect(kept).toBeLessThan(run.planned);
		await service.control(WORKSPACE, run.id, "resume", actor);
		await untilStatus(run, "done");
		expect(await countEpisodes(run)).toBe(run.planned);
		expect((await service.get(WORKSPACE, run.id)).valid).toBe(run.planned);
		await expect(service.control(WORKSPACE, run.id, "cancel", actor)).rejects.toMatchObject({ reason: "run-not-cancellable" });
	});

	it("is cancelled at once when no worker is there", async () => {
		const run = await serviceWith().start(request({ seed: 77 }), actor);
		await serviceWith().control(WORKSPACE, run.id, "cancel", actor);
		void work();
		await untilStatus(run, "cancelled");
		expect(await countEpisodes(run)).toBe(0);
	});

	it("counts infrastructure errors apart, is indecisive with few valid results, and retries only the errors", async () => {
		const out = new Set(["endpoint"]);
		const service = work({ isDown: (message) => out.has("endpoint") && /[02468]$/.test(message) });
		const run = await service.start(request({ seed: 5 }), actor);
		await untilStatus(run, "done");
		const broken = await service.get(WORKSPACE, run.id);
		expect(broken.infraErrors).toBeGreaterThan(0);
		expect(broken.summary).toMatchObject({ valid: broken.valid, infraErrors: broken.infraErrors, accuracy: { value: 1 } });
		expect(broken.summary?.standing).not.toBe("decisive");
		const errors = await service.results(WORKSPACE, run.id, {
			filter: ResultFilterSchema.parse({ verdict: ["infra-error"] }),
			sort: "case",
			descending: false,
			offset: 0,
			limit: 500,
		});
		expect(errors.total).toBe(broken.infraErrors);
		expect(errors.rows.every((row) => row.accuracy === null && row.error === "endpoint is down")).toBe(true);
		out.delete("endpoint");
		await service.control(WORKSPACE, run.id, "retry-errors", actor);
		await untilStatus(run, "done");
		expect(await service.get(WORKSPACE, run.id)).toMatchObject({ valid: run.planned, infraErrors: 0 });
		expect(await countEpisodes(run)).toBe(run.planned);
		await expect(service.control(WORKSPACE, run.id, "retry-errors", actor)).rejects.toMatchObject({ reason: "run-no-errors" });
	});

	it("fails with the reason when it cannot be prepared, and can be resumed when that is mended", async () => {
		const wrong = new Set(["harness"]);
		const { AppError } = await import("@/server/kernel/errors");
		const service = work({
			prepare: () => {
				if (wrong.has("harness")) throw new AppError("precondition", "The harness is not valid: skills/a/SKILL.md:1");
			},
		});
		const run = await service.start(request({ seed: 6 }), actor);
		await untilStatus(run, "failed");
		expect((await service.get(WORKSPACE, run.id)).error).toContain("not valid");
		wrong.delete("harness");
		await service.control(WORKSPACE, run.id, "resume", actor);
		await untilStatus(run, "done");
		expect(await countEpisodes(run)).toBe(run.planned);
	});

	it("is taken again instead of a second equal one", async () => {
		const service = work();
		const run = await service.ensureRun(request({ seed: 8 }), actor);
		expect((await service.ensureRun(request({ seed: 8 }), actor)).id).toBe(run.id);
		expect((await service.ensureRun(request({ seed: 9 }), actor)).id).not.toBe(run.id);
		await untilStatus(run, "done");
		expect((await service.findEquivalentRun(request({ seed: 8 })))?.id).toBe(run.id);
		expect(await service.findEquivalentRun(request({ seed: 8, treeId: "other" }))).toBeNull();
	});

	it("is one, also where several ask for it in the same moment", async () => {
		const service = serviceWith();
		const asked = await Promise.all(Array.from({ length: 5 }, () => service.ensureRun(request({ seed: 10 }), actor)));
		expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
	});

	it("refuses what cannot be run, with the reason", async () => {
		const service = serviceWith();
		await expect(service.start(request({ trials: 0 }), actor)).rejects.toMatchObject({ reason: "run-trials" });
		await expect(service.start(request({ suiteVersionId: "nope" }), actor)).rejects.toMatchObject({ reason: "suite-version-not-found" });
		await expect(service.start(request({ workspaceId: "other" }), actor)).rejects.toMatchObject({ reason: "suite-version-not-found" });
		await expect(service.start(request({ caseIds: ["nope"] }), actor)).rejects.toMatchObject({ reason: "run-no-cases" });
		await expect(service.start(request({ split: "holdout" }), actor)).rejects.toMatchObject({ reason: "holdout-sealed" });
		await expect(service.get("other", "nope")).rejects.toMatchObject({ reason: "run-not-found" });
	});
});

describe("comparing runs", () => {
	it("of one tree with different seeds: no flip; with one seed: identical; lists flips of another tree with both sides", async () => {
		const service = work({ accuracy: (message, tree) => (tree === "tree-b" && message.includes("7") ? 0 : 1), effectiveness: () => 0.5 });
		const [a, b, c, d] = await Promise.all([
			service.start(request({ seed: 20 }), actor),
			service.start(request({ seed: 21 }), actor),
			service.start(request({ seed: 20 }), actor),
			service.start(request({ seed: 20, treeId: "tree-b" }), actor),
		]);
		await expect(service.compare(a.id, "nope")).rejects.toMatchObject({ reason: "run-not-found" });
		for (const run of [a, b, c, d]) await untilStatus(run, "done");
		const other = await service.compare(a.id, b.id);
		expect([...other.dimensions.accuracy.fixed, ...other.dimensions.accuracy.broken, ...other.dimensions.effectiveness.broken]).toEqual([]);
		expect((await service.compare(a.id, c.id)).dimensions).toMatchObject({ accuracy: { verdict: "identical" }, effectiveness: { verdict: "identical" } });
		const { comparison, flips } = await service.compareIn(WORKSPACE, a.id, d.id);
		expect(comparison.invalid).toBeNull();
		expect(flips.length).toBe(comparison.dimensions.accuracy.broken.length);
		expect(flips.length).toBeGreaterThan(0);
		expect(flips[0]).toMatchObject({ dimension: "accuracy", change: -1, before: 1, after: 0 });
		const side = await service.episode(WORKSPACE, flips[0]?.afterEpisodeId ?? "");
		expect(side).toMatchObject({ runId: d.id, verdict: { accuracy: 0 }, trajectory: { treeId: "tree-b" } });
		expect(comparison.perCategory.reduce((sum, row) => sum + row.cases, 0)).toBe(comparison.cases);
	});

	it("is invalid between two judges, and refused before the end", async () => {
		const service = work();
		const [a, b] = await Promise.all([service.start(request({ seed: 30 }), actor), service.start(request({ seed: 30, judgeVersionId: "jud2" }), actor)]);
		for (const run of [a, b]) await untilStatus(run, "done");
		expect((await service.compare(a.id, b.id)).invalid).toContain("judge");
	});
});

describe("the holdout", () => {
	it("gives back counts only: no text, case, category or trajectory is kept of its episodes", async () => {
		const service = work({ accuracy: (message, tree) => (tree === "tree-b" && message.includes("3") ? 0 : 1) });
		const [a, b] = await Promise.all([
			service.start(request({ split: "holdout", reason: "holdout" }), actor),
			service.start(request({ split: "holdout", reason: "holdout", treeId: "tree-b" }), actor),
		]);
		for (const run of [a, b]) await untilStatus(run, "done");
		const sealed = await readHoldoutCases(database.db, { suiteVersionId }, "execute");
		expect(sealed).toHaveLength(a.planned);
		const comparison = await service.compareSealed(a.id, b.id);
		expect(comparison).toMatchObject({ cases: a.planned, invalid: null });
		expect(typeof comparison.dimensions.accuracy.broken).toBe("number");
		await expect(service.compare(a.id, b.id)).rejects.toMatchObject({ reason: "holdout-sealed" });
		await expect(service.facets(WORKSPACE, a.id)).rejects.toMatchObject({ reason: "holdout-sealed" });
		await expect(
			service.results(WORKSPACE, a.id, { filter: ResultFilterSchema.parse({}), sort: "case", descending: false, offset: 0, limit: 5 }),
		).rejects.toMatchObject({ reason: "holdout-sealed" });
		expect((await service.get(WORKSPACE, a.id)).summary).toBeNull();
		const stored = JSON.stringify([
			await database.db.episode.findMany({ where: { runId: { in: [a.id, b.id] } } }),
			await database.db.episodeRecord.count({ where: { episode: { runId: { in: [a.id, b.id] } } } }),
			await database.db.run.findMany({ where: { id: { in: [a.id, b.id] } } }),
		]);
		for (const one of sealed) {
			expect(stored).not.toContain(one.content.message);
			expect(stored).not.toContain(`"${one.key}"`);
		}
		expect(stored).not.toContain("CANARY");
	});

	it("fails without the words of what failed", async () => {
		const { AppError } = await import("@/server/kernel/errors");
		const service = work({
			onEpisode: (message) => {
				throw new AppError("precondition", `No prompt can be rendered for ${message}`, { reason: "render-failed" });
			},
		});
		const [open, sealed] = await Promise.all([
			service.start(request({ seed: 61 }), actor),
			service.start(request({ seed: 61, split: "holdout", reason: "holdout" }), actor),
		]);
		for (const run of [open, sealed]) await untilStatus(run, "failed");
		expect((await service.get(WORKSPACE, open.id)).error).toContain("CANARY");
		expect(await service.get(WORKSPACE, sealed.id)).toMatchObject({
			error: "A case of the holdout cannot be run: render-failed.",
			errorReasons: [{ reason: "holdout-case-fault", params: { fault: "render-failed" } }],
		});
	});
});

describe("what engines see", () => {
	it("reads failures and passes of dev runs without a rubric, and of nothing else", async () => {
		const service = work({ accuracy: (message) => (message.includes("5") ? 0 : 1) });
		const [dev, test] = await Promise.all([service.start(request({ split: "dev" }), actor), service.start(request({ seed: 40 }), actor)]);
		for (const run of [dev, test]) await untilStatus(run, "done");
		const failures = await service.readFailures(dev.id);
		const passing = await service.readPassing(dev.id);
		expect(failures.length + passing.length).toBe(dev.planned);
		expect(failures[0]).toMatchObject({ failureType: "missing-point", blamed: "skill:fake", evidence: [{ kind: "contains", ok: false, rule: "says it" }] });
		expect(JSON.stringify([failures, passing])).not.toContain("rubric");
		await expect(service.readFailures(test.id)).rejects.toMatchObject({ reason: "dev-only" });
		await expect(service.readPassing(test.id)).rejects.toMatchObject({ reason: "dev-only" });
		expect((await service.countSparse(dev.id)).failures).toBe(failures.length);
	});
});

describe("a result that PostgreSQL refuses", () => {
	it("is an infrastructure error; the run ends with all others as they are", async () => {
		let refused: string | undefined;
		// What is not a number is no JSON number either: the column refuses it.
		const durationMs = (message: string) => {
			refused ??= message;
			return message === refused ? Number.NaN : 5;
		};
		const service = work({ durationMs, reply: (message) => `${message}\u0000\ud800` });
		const run = await service.start(request({ treeId: "tree-refused" }), actor);
		await untilStatus(run, "done");
		const rows = await database.db.episode.findMany({ where: { runId: run.id }, select: { outcome: true, message: true, reply: true } });
		expect(rows.filter((row) => row.outcome === "infra-error").map((row) => row.message)).toEqual([refused]);
		expect(rows.filter((row) => row.reply === `${row.message}\uFFFD\uFFFD`)).toHaveLength(rows.length - 1);
		expect(rows.length).toBeGreaterThan(10);
	});
});
