import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { env, setEnvironment } from "@/server/kernel/env";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres";
import { runAdminSql } from "./migrations";

/* A cluster of its own, whose server is killed as a crash does it. */

let folder: string;
let before: string;
let server: EmbeddedPostgres;
const file = (name: string) => path.join(folder, "postgres", name);
const pidFile = () => file("data/postmaster.pid");
const pidOf = () => Number(fs.readFileSync(pidFile(), "utf8").split("\n", 1)[0]);
const portOf = () => Number(fs.readFileSync(file("port"), "utf8"));
const bystanders: ChildProcess[] = [];

beforeAll(async () => {
	before = env().STUDIO_DATA_DIR;
	folder = fs.mkdtempSync(path.join(os.tmpdir(), "studio-crash-"));
	fs.chmodSync(folder, 0o755);
	// Durable, as it is outside of tests: what was committed must be there after the crash.
	setEnvironment({ STUDIO_DATA_DIR: folder, STUDIO_PG_FSYNC: "on" });
	server = await startEmbeddedPostgres();
	await runAdminSql(server.url, "create table kept as select 7 as n");
}, 60_000);
afterAll(async () => {
	for (const child of bystanders) child.kill("SIGKILL");
	await server.stop();
	setEnvironment({ STUDIO_DATA_DIR: before, STUDIO_PG_FSYNC: "off" });
	fs.rmSync(folder, { recursive: true, force: true });
});

/**
 * A silent listener on a port. What is left of a crashed server holds its port a moment longer; one that another test's
 * server has taken for good is occupied just as well.
 */
async function occupy(port: number): Promise<net.Server> {
	const listener = net.createServer(() => undefined);
	for (let attempt = 0; attempt < 100; attempt++) {
		const listening = await new Promise<boolean>((resolve, reject) => {
			listener.once("error", (error: NodeJS.ErrnoException) => (error.code === "EADDRINUSE" ? resolve(false) : reject(error)));
			listener.listen(port, "127.0.0.1", () => resolve(true));
		});
		if (listening) break;
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	return listener;
}

async function crash(): Promise<number> {
	const pid = pidOf();
	process.kill(pid, "SIGKILL");
	await expect.poll(() => server.isThere(), { timeout: 10_000 }).toBe(false);
	return pid;
}
const kept = async () => (await runAdminSql(server.url, "select n from kept")).rows;

describe("the embedded PostgreSQL", { timeout: 60_000 }, () => {
	it("is found by a second start, which may not stop it", async () => {
		const second = await startEmbeddedPostgres();
		expect(second).toMatchObject({ started: false, url: server.url });
	});

	it("comes back on its port after kill -9, with what was committed", async () => {
		await crash();
		await server.restart();
		expect(await kept()).toEqual([{ n: 7 }]);
		expect(await server.isThere()).toBe(true);
	});

	it("moves when another program takes its port while it is down, and is not taken for there until then", async () => {
		await crash();
		const before = server.url;
		const other = await occupy(portOf());
		try {
			expect(await server.isThere()).toBe(false);
			await server.restart();
			expect(server.url).not.toBe(before);
			expect(await server.isThere()).toBe(true);
			expect(await kept()).toEqual([{ n: 7 }]);
		} finally {
			other.close();
		}
	});

	it("is not taken for running where another process has its number and a silent listener its port", async () => {
		await crash();
		const port = portOf();
		const silent = await occupy(port);
		// The bystander lives as whoever runs the server, so that PostgreSQL would take it for its own.
		const { uid, gid } = fs.statSync(file("data"));
		const bystander = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { uid, gid, stdio: "ignore", cwd: "/" });
		bystanders.push(bystander);
		fs.writeFileSync(pidFile(), fs.readFileSync(pidFile(), "utf8").replace(/^\d+/, String(bystander.pid)));
		try {
			server = await startEmbeddedPostgres();
			expect(server.started).toBe(true);
			expect(portOf()).not.toBe(port);
			expect(await kept()).toEqual([{ n: 7 }]);
			expect(bystander.exitCode).toBeNull();
		} finally {
			silent.close();
		}
	});

	it("is not taken for running where the server of another folder has its port", async () => {
		await crash();
		const { STUDIO_DATA_DIR } = env();
		const others = fs.mkdtempSync(path.join(os.tmpdir(), "studio-other-"));
		fs.chmodSync(others, 0o755);
		setEnvironment({ STUDIO_DATA_DIR: others });
		const other = await startEmbeddedPostgres();
		setEnvironment({ STUDIO_DATA_DIR });
		try {
			fs.writeFileSync(file("port"), new URL(other.url).port);
			server = await startEmbeddedPostgres();
			expect(server.url).not.toBe(other.url);
			expect(await kept()).toEqual([{ n: 7 }]);
			const client = new pg.Client({ connectionString: server.url.replace("/studio", "/postgres") });
			await client.connect();
			await client.end();
		} finally {
			await other.stop();
			fs.rmSync(others, { recursive: true, force: true });
		}
	});
});
