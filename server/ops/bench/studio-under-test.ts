import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { closeServices, createServices, type Services } from "@/server/composition";
import { countPresent } from "@/server/db/presence";
import type { RunView, StartRun } from "@/server/evaluation";
import { inheritEnvironment, setEnvironment } from "@/server/kernel/env";
import { WORKER_PRESENCE } from "@/server/worker-presence";
import { SERVICE_ACTORS } from "@/server/workspace/contract";
import { prepareDatabase, WORKER_ARGUMENTS } from "../launcher";

/** Where the web server of the benchmark listens, and what signs its demo people in. */
export const BENCH_PORT = 3987;
export const BENCH_TOKEN = "bench-token-of-one-start";

/** A studio of its own in a folder that is deleted afterwards: database, worker process, model server. Durability as in production. */
export interface StudioUnderTest {
	services: Services;
	workerPid: number;
	modelUrl: string;
	/** Requests that the model server got since the last call. */
	takeRequestCount(): Promise<number>;
	/** Runs to the end and tells what it cost. */
	measure(input: StartRun): Promise<RunCost>;
	close(): Promise<void>;
}

export interface RunCost {
	run: RunView;
	/** From the start of the job (a worker takes its first part) to the last committed trajectory. */
	wallMs: number;
	/** Before it: from asking for the run to the start of the job. */
	startMs: number;
	/** Of the worker process with all its threads. */
	cpuMs: number;
	requests: number;
}

/** CPU time of a process with its threads, user and system, in ms; NaN where the system does not tell. */
function cpuMsOf(pid: number): number {
	try {
		const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
		const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
		return (Number(fields[11]) + Number(fields[12])) * 10;
	} catch {
		return Number.NaN;
	}
}

/** Proportional set size of a process in MiB; NaN where the system does not tell. */
export function pssMbOf(pid: number): number {
	try {
		return Number(/^Pss:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]) / 1024;
	} catch {
		return Number.NaN;
	}
}

async function startModelServer(latencyMs: number): Promise<{ child: ChildProcess; origin: string }> {
	const child = fork(path.join(import.meta.dirname, "openai-server.mjs"), [String(latencyMs)], { execArgv: [] });
	const [port] = (await once(child, "message")) as [number];
	return { child, origin: `http://127.0.0.1:${port}` };
}

async function startWorker(url: string): Promise<ChildProcess> {
	const worker = spawn(process.execPath, WORKER_ARGUMENTS, {
		stdio: ["ignore", "ignore", "inherit"],
		env: inheritEnvironment({ STUDIO_LOG_LEVEL: "warn", NODE_ENV: "production" }),
	});
	for (let tries = 0; (await countPresent(url, WORKER_PRESENCE)) === 0; tries++) {
		if (tries > 600 || worker.exitCode !== null) throw new Error("the worker did not start");
		await sleep(50);
	}
	// Its loops start right after it has said that it is there.
	await sleep(1_000);
	return worker;
}

export async function startStudio(options: { latencyMs: number }): Promise<StudioUnderTest> {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), "studio-bench-"));
	fs.chmodSync(folder, 0o755);
	const address = `http://127.0.0.1:${BENCH_PORT}`;
	setEnvironment({ STUDIO_DATA_DIR: folder, STUDIO_LOG_LEVEL: "warn", STUDIO_DEMO_TOKEN: BENCH_TOKEN, STUDIO_BASE_URL: address, PORT: String(BENCH_PORT) });
	const { url, embedded } = await prepareDatabase();
	if (!embedded) throw new Error("The benchmark uses a database of its own: unset DATABASE_URL.");
	const services = await createServices({ databaseUrl: url, connections: 4 });
	const model = await startModelServer(options.latencyMs);
	const worker = await startWorker(url);
	const workerPid = worker.pid ?? 0;

	async function takeRequestCount(): Promise<number> {
		const answer = (await (await fetch(`${model.origin}/count`)).json()) as { count: number };
		return answer.count;
	}

	async function measure(input: StartRun): Promise<RunCost> {
		await takeRequestCount();
		const cpuBefore = cpuMsOf(workerPid);
		const askedAt = Date.now();
		const { id } = await services.evaluation.start(input, SERVICE_ACTORS.system);
		let [run] = await services.evaluation.findRuns([id]);
		while (run && !["done", "failed", "cancelled"].includes(run.status)) {
			if (worker.exitCode !== null) throw new Error("the worker ended; its messages are above");
			await sleep(100);
			[run] = await services.evaluation.findRuns([id]);
		}
		if (run?.status !== "done") throw new Error(`the run ended as ${run?.status}`);
		// The rows carry the time at which the worker committed them.
		const last = await services.db.episode.aggregate({ where: { runId: id }, _max: { createdAt: true }, _count: true });
		if (last._count !== run.planned) throw new Error(`${last._count} of ${run.planned} results`);
		const { startedAt: begun } = await services.db.run.findUniqueOrThrow({ where: { id }, select: { startedAt: true } });
		const startedAt = begun?.getTime() ?? Number.NaN;
		return {
			run,
			wallMs: (last._max.createdAt?.getTime() ?? Number.NaN) - startedAt,
			startMs: startedAt - askedAt,
			cpuMs: cpuMsOf(workerPid) - cpuBefore,
			requests: await takeRequestCount(),
		};
	}

	return {
		services,
		workerPid,
		modelUrl: `${model.origin}/v1`,
		takeRequestCount,
		measure,
		async close() {
			worker.kill("SIGTERM");
			if (worker.exitCode === null) await Promise.race([once(worker, "exit"), sleep(8_000).then(() => worker.kill("SIGKILL"))]);
			model.child.kill();
			await closeServices(services);
			await embedded.stop();
			fs.rmSync(folder, { recursive: true, force: true });
		},
	};
}
