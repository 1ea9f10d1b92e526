import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inheritEnvironment } from "@/server/kernel/env";

/* Commands that brought up the database and a worker, told to stop: real processes, in a group of their own as in a terminal. */

let root: string;

beforeAll(() => {
	root = fs.mkdtempSync(path.join(os.tmpdir(), "interrupt-"));
	fs.chmodSync(root, 0o755);
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

interface Command {
	process: ChildProcess;
	/** Resolves when stderr has said this. */
	says(what: RegExp): Promise<unknown>;
	/** Exit code and the document, once it has ended. */
	ended: Promise<{ code: number | null; document: Record<string, unknown> }>;
}

function start(args: string[]): Command {
	const env = inheritEnvironment({ STUDIO_DATA_DIR: root, STUDIO_PG_FSYNC: "off" });
	delete env.DATABASE_URL;
	const child = spawn(process.execPath, ["--import", "tsx", "server/cli.ts", ...args, "--json"], { stdio: ["ignore", "pipe", "pipe"], detached: true, env });
	let [out, err] = ["", ""];
	child.stdout.on("data", (chunk) => (out += chunk));
	child.stderr.on("data", (chunk) => (err += chunk));
	return {
		process: child,
		says: (what) => expect.poll(() => err, { timeout: 120_000, interval: 50 }).toMatch(what),
		ended: once(child, "close").then(([code]) => ({ code, document: JSON.parse(out) })),
	};
}

const isAlive = (pid: number) => {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
};

const postmaster = () => Number(fs.readFileSync(path.join(root, "postgres/data/postmaster.pid"), "utf8").split("\n", 1)[0]);
const group = (command: Command) => -(command.process.pid ?? 0);

async function expectNothingLeft(command: Command, database: number): Promise<void> {
	// A zombie of the group may be there a moment longer.
	await expect.poll(() => [isAlive(group(command)), isAlive(database)], { timeout: 10_000 }).toEqual([false, false]);
	expect(fs.existsSync(path.join(root, "postgres/data/postmaster.pid"))).toBe(false);
}

describe("a command that is interrupted", { timeout: 300_000 }, () => {
	it("takes down what it brought up when Ctrl-C comes twice, and says so as JSON", async () => {
		const command = start(["evaluate", "--workspace", "live-avatar"]);
		await command.says(/\d+\/\d+ episodes/);
		const database = postmaster();
		process.kill(group(command), "SIGINT");
		await command.says(/interrupted/);
		process.kill(group(command), "SIGINT");
		expect(await command.ended).toMatchObject({ code: 1, document: { error: { code: "cancelled", reason: "interrupted" } } });
		await expectNothingLeft(command, database);
	});

	it("takes it down when SIGTERM comes to it alone, while the worker starts", async () => {
		const command = start(["evaluate", "--workspace", "live-avatar"]);
		await expect.poll(() => fs.existsSync(path.join(root, "postgres/data/postmaster.pid")), { timeout: 60_000, interval: 10 }).toBe(true);
		const database = postmaster();
		command.process.kill("SIGTERM");
		expect(await command.ended).toMatchObject({ code: 1, document: { error: { code: "cancelled" } } });
		await expectNothingLeft(command, database);
	});

	it("reports the rounds that a loop has finished", async () => {
		const command = start(["loop", "--workspace", "live-avatar", "--rounds", "1", "--unattended"]);
		await command.says(/Evo\.1: diagnosing/);
		const database = postmaster();
		process.kill(group(command), "SIGINT");
		const { code, document } = await command.ended;
		expect(code).toBe(1);
		expect(document).toMatchObject({ workspace: "live-avatar", rounds: [{ name: "base" }], release: null, notes: [expect.stringMatching(/^Interrupted/)] });
		await expectNothingLeft(command, database);
	});

	it.skipIf(!fs.existsSync("/proc/self/task"))("takes its worker along when it is killed", async () => {
		const command = start(["evaluate", "--workspace", "live-avatar", "--trials", "20", "--no-cache"]);
		command.ended.catch(() => undefined); // it says nothing any more
		await command.says(/\d+\/\d+ episodes/);
		const database = postmaster();
		const pid = command.process.pid ?? 0;
		const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
		const workers = children.filter((child) => fs.readFileSync(`/proc/${child}/cmdline`, "utf8").includes("server/worker.ts"));
		expect(workers).toHaveLength(1);
		process.kill(pid, "SIGKILL");
		await expect.poll(() => workers.filter(isAlive), { timeout: 30_000 }).toEqual([]);
		process.kill(database, "SIGINT");
		await expect.poll(() => isAlive(database), { timeout: 30_000 }).toBe(false);
	});
});
