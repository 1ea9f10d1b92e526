import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { startEmbeddedPostgres } from "@/server/db/embedded-postgres";
import { deployMigrations } from "@/server/db/migrations";
import { countPresent } from "@/server/db/presence";
import { dataPath, env } from "@/server/kernel/env";
import { messageOf } from "@/server/kernel/errors";
import { studioSecret } from "@/server/kernel/secret";
import { KEEPER_PRESENCE, WORKER_PRESENCE } from "@/server/worker-presence";
import { findBrowser } from "../browser";
import { answers } from "../launcher";
import { addressProblem, findRunningStudio, makeDataDirectory } from "../running-studio";
import type { CommandResult } from "./output";

export interface Check {
	name: string;
	ok: boolean;
	detail: string;
	fix: string | null;
}

const MIN_FREE_BYTES = 1 << 30;

const atLeast = (version: string, wanted: [number, number]) => {
	const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
	return major > wanted[0] || (major === wanted[0] && minor >= wanted[1]);
};

function checkNode(): Check {
	const ok = atLeast(process.version, [20, 19]);
	return { name: "node", ok, detail: process.version, fix: ok ? null : "Install Node 20.19 or newer." };
}

function checkGit(): Check {
	const version = /(\d+\.\d+)/.exec(spawnSync("git", ["--version"], { encoding: "utf8" }).stdout ?? "")?.[1];
	const ok = version !== undefined && atLeast(version, [2, 38]);
	return { name: "git", ok, detail: version ?? "not found", fix: ok ? null : "Install git 2.38 or newer (server-side merges need it)." };
}

function checkDisk(): Check {
	try {
		makeDataDirectory();
		const { bavail, bsize } = fs.statfsSync(dataPath());
		const free = bavail * bsize;
		const ok = free > MIN_FREE_BYTES;
		return {
			name: "data directory",
			ok,
			detail: `${dataPath()}: writable, ${(free / 2 ** 30).toFixed(1)} GiB free`,
			fix: ok ? null : "Free some space, or set STUDIO_DATA_DIR to another disk.",
		};
	} catch (error) {
		return { name: "data directory", ok: false, detail: messageOf(error), fix: "Make the folder writable, or set STUDIO_DATA_DIR to another one." };
	}
}

function checkSecret(): Check {
	try {
		studioSecret();
		return { name: "secret", ok: true, detail: env().STUDIO_SECRET ? "from STUDIO_SECRET" : "generated, in the data directory", fix: null };
	} catch (error) {
		return { name: "secret", ok: false, detail: messageOf(error), fix: "Set STUDIO_SECRET to a random value of at least 32 characters." };
	}
}

/**
 * Who does the work. A worker elsewhere runs episodes and tries only: with none beside the repositories, diagnosis, edits and
 * what follows events wait without an error anywhere.
 */
export function judgeWorkers({ studioRuns, workers, keepers }: { studioRuns: boolean; workers: number; keepers: number }): Check {
	const name = "workers";
	if (keepers > 0) return { name, ok: true, detail: `${workers} connected, ${keepers} beside the repositories`, fix: null };
	if (workers === 0 && !studioRuns) return { name, ok: true, detail: "none runs; npm start brings one, and so does a command that needs it", fix: null };
	return workers === 0
		? { name, ok: false, detail: "the studio runs without a worker: runs wait", fix: "Start one: npm run worker. If the studio has just started, ask again." }
		: {
				name,
				ok: false,
				detail: `${workers} connected, none beside the repositories: diagnosis, edits and what follows events wait`,
				fix: "Run npm run worker on the machine that has STUDIO_DATA_DIR/repositories. If the studio has just started, ask again.",
			};
}

async function checkWorkers(url: string): Promise<Check> {
	const [workers, keepers] = await Promise.all([countPresent(url, WORKER_PRESENCE), countPresent(url, KEEPER_PRESENCE)]);
	return judgeWorkers({ studioRuns: findRunningStudio() !== null, workers, keepers });
}

async function checkDatabase(): Promise<Check[]> {
	try {
		const given = env().DATABASE_URL;
		const embedded = given ? null : await startEmbeddedPostgres();
		const url = given ?? embedded?.url ?? "";
		try {
			await deployMigrations(url);
			const detail = given ? "DATABASE_URL answers; migrations are applied" : "the embedded PostgreSQL runs; migrations are applied";
			return [{ name: "database", ok: true, detail, fix: null }, await checkWorkers(url)];
		} finally {
			if (embedded?.started) await embedded.stop();
		}
	} catch (error) {
		const fix = env().DATABASE_URL ? "Check DATABASE_URL and that the server accepts it." : "See the log in the data directory's postgres folder.";
		return [{ name: "database", ok: false, detail: messageOf(error), fix }];
	}
}

async function checkPort(): Promise<Check> {
	const running = findRunningStudio();
	if (running) {
		const ok = await answers(running.host, running.port);
		return {
			name: "port",
			ok,
			detail: ok
				? `the studio runs at ${running.address}`
				: `a studio (process ${running.pid}) is there, but does not answer on ${running.host}:${running.port}`,
			fix: ok ? null : "While it starts (the first build takes some minutes) wait and ask again; otherwise stop that process and npm start.",
		};
	}
	const { STUDIO_HOST: host, PORT: port } = env();
	const problem = await addressProblem(host, port);
	return { name: "port", ok: problem === null, detail: problem?.message ?? `${host}:${port} is free`, fix: problem?.fix ?? null };
}

function checkBrowser(): Check {
	const browser = findBrowser();
	// Only the browser tests need it, so its absence is not a fault of the installation.
	return {
		name: "browser for tests",
		ok: true,
		detail: browser ?? "none: browser tests would be skipped",
		fix: browser ? null : "Install the package chromium, or set CHROMIUM to its path.",
	};
}

/** `doctor`: what this machine has, and how to mend what it lacks. Fails when a check fails. */
export async function doctor(): Promise<CommandResult> {
	const checks = [checkNode(), checkGit(), checkDisk(), checkSecret(), ...(await checkDatabase()), await checkPort(), checkBrowser()];
	const ok = checks.every((check) => check.ok);
	return { document: { ok, checks }, failed: !ok };
}
