import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { createDatabase } from "@/server/db/client";
import { startEmbeddedPostgres } from "@/server/db/embedded-postgres";
import { deployMigrations } from "@/server/db/migrations";
import { createEvaluationService } from "@/server/evaluation";
import { bufferSource } from "@/server/evaluation/cases/read-table";
import { fakePorts } from "@/server/evaluation/testing/fake-ports";
import { env, setEnvironment } from "@/server/kernel/env";
import { superviseDatabase } from "./supervise-database";

/* A whole outage: a cluster of its own, a worker process, and kill -9 of the database in the middle of a run. */

it("loses and repeats nothing of a run whose database is killed; the worker lives on", { timeout: 120_000 }, async () => {
	const before = env().STUDIO_DATA_DIR;
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), "studio-outage-"));
	fs.chmodSync(folder, 0o755);
	setEnvironment({ STUDIO_DATA_DIR: folder, STUDIO_PG_FSYNC: "on" });
	const server = await startEmbeddedPostgres();
	const lines: string[] = [];
	const supervised = superviseDatabase(server, (line) => lines.push(line));
	await deployMigrations(server.url);
	const db = createDatabase(server.url, 3);
	const service = createEvaluationService(db, fakePorts());
	const script = fileURLToPath(new URL("../evaluation/testing/slow-worker.ts", import.meta.url));
	const rows = Array.from({ length: 120 }, (_, i) => `c${i},${"abcdefghijklmnopqrst"[i % 20]?.repeat(5)} asks about thing ${i * 104729},cat${i % 3}`);
	const actor = { id: "u1", name: "Test" };
	await service.importCases({ workspaceId: "w", suiteKey: "t" }, bufferSource(`id,message,category\n${rows.join("\n")}`, "cases.csv"), actor, {});
	const suiteVersionId = (await service.currentSuiteVersion("w", "t"))?.id ?? "";
	const versions = { treeId: "tree", commit: null, policyVersionId: "pol", judgeVersionId: "jud" };
	const run = await service.start({ workspaceId: "w", suiteVersionId, split: "test", ...versions, trials: 4, seed: 1, reason: "manual" }, actor);
	const worker = spawn(process.execPath, ["--import", "tsx", script, server.url, "40"], { stdio: ["ignore", "pipe", "ignore"] });
	try {
		await once(worker.stdout, "data");
		process.kill(Number(fs.readFileSync(path.join(folder, "postgres/data/postmaster.pid"), "utf8").split("\n", 1)[0]), "SIGKILL");
		const status = async () => (await service.findRuns([run.id]).catch(() => []))[0]?.status;
		await expect.poll(status, { timeout: 90_000, interval: 200 }).toBe("done");
		const episodes = await db.episode.findMany({ where: { runId: run.id }, select: { caseId: true, trial: true, outcome: true } });
		expect(episodes).toHaveLength(run.planned);
		expect(new Set(episodes.map(({ caseId, trial }) => `${caseId}/${trial}`)).size).toBe(run.planned);
		expect(episodes.filter(({ outcome }) => outcome === "infra-error")).toEqual([]);
		expect(worker.exitCode).toBeNull();
		expect(lines).toEqual(["the database ended; starting it again", "the database is there again"]);
	} finally {
		worker.kill("SIGKILL");
		await db.$disconnect();
		await supervised.stop();
		setEnvironment({ STUDIO_DATA_DIR: before, STUDIO_PG_FSYNC: "off" });
		fs.rmSync(folder, { recursive: true, force: true });
	}
});
