import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { startEmbeddedPostgres } from "@/server/db/embedded-postgres";
import { deployMigrations } from "@/server/db/migrations";
import { dataPath, env } from "@/server/kernel/env";
import { messageOf } from "@/server/kernel/errors";
import { studioSecret } from "@/server/kernel/secret";
import { findBrowser } from "../browser";
import { findRunningStudio, isPortFree } from "../launcher";
import type { CommandResult } from "./output";

interface Check {
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
		fs.mkdirSync(dataPath(), { recursive: true });
		const probe = dataPath(`.doctor-${process.pid}`);
		fs.writeFileSync(probe, "x");
		fs.rmSync(probe);
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

async function checkDatabase(): Promise<Check> {
	try {
		const given = env().DATABASE_URL;
		const embedded = given ? null : await startEmbeddedPostgres();
		try {
			await deployMigrations(given ?? embedded?.url ?? "");
		} finally {
			if (embedded?.started) await embedded.stop();
		}
		return {
			name: "database",
			ok: true,
			detail: given ? "DATABASE_URL answers; migrations are applied" : "the embedded PostgreSQL runs; migrations are applied",
			fix: null,
		};
	} catch (error) {
		return {
			name: "database",
			ok: false,
			detail: messageOf(error),
			fix: env().DATABASE_URL ? "Check DATABASE_URL and that the server accepts it." : "See the log in the data directory's postgres folder.",
		};
	}
}

async function checkPort(): Promise<Check> {
	const running = findRunningStudio();
	if (running) return { name: "port", ok: true, detail: `the studio runs at ${running.address}`, fix: null };
	const ok = await isPortFree(env().STUDIO_HOST, env().PORT);
	return {
		name: "port",
		ok,
		detail: `${env().STUDIO_HOST}:${env().PORT} is ${ok ? "free" : "in use"}`,
		fix: ok ? null : `Start with another one: PORT=${env().PORT + 1} npm start`,
	};
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
	const checks = [checkNode(), checkGit(), checkDisk(), checkSecret(), await checkDatabase(), await checkPort(), checkBrowser()];
	const ok = checks.every((check) => check.ok);
	return { document: { ok, checks }, failed: !ok };
}
