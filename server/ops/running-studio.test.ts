import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { env, setEnvironment } from "@/server/kernel/env";
import { addressProblem, beginningOf, findRunningStudio, makeDataDirectory, removeRunningStudio, writeRunningStudio } from "./running-studio";

const before = env().STUDIO_DATA_DIR;
let folder: string;
beforeAll(() => {
	folder = fs.mkdtempSync(path.join(os.tmpdir(), "studio-running-"));
	setEnvironment({ STUDIO_DATA_DIR: folder });
});
afterAll(() => {
	setEnvironment({ STUDIO_DATA_DIR: before });
	fs.rmSync(folder, { recursive: true, force: true });
});
const at = { address: "http://localhost:1", host: "127.0.0.1", port: 1 };
const write = (state: object) => fs.writeFileSync(path.join(folder, "studio.json"), JSON.stringify({ ...at, ...state }));

describe("the studio that runs on a data directory", () => {
	it("is found while its process lives, and not where another process has its number", async () => {
		const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
		await once(other, "spawn");
		const pid = other.pid as number;
		write({ pid, since: beginningOf(pid) });
		expect(findRunningStudio()).toMatchObject({ pid, address: at.address });
		removeRunningStudio();
		expect(findRunningStudio(), "one of another process stays").not.toBeNull();
		write({ pid, since: beginningOf(process.pid) });
		expect(findRunningStudio()).toBeNull();
		write({ pid, since: beginningOf(pid) });
		other.kill("SIGKILL");
		await once(other, "exit");
		expect(findRunningStudio()).toBeNull();
	});

	it("is not this process itself, which forgets what it wrote", () => {
		writeRunningStudio(at);
		expect(findRunningStudio()).toBeNull();
		removeRunningStudio();
		expect(fs.existsSync(path.join(folder, "studio.json"))).toBe(false);
	});
});

describe("where it cannot run", () => {
	it.each([
		["8.8.8.8", "is no address of this machine"],
		["no-such-host.invalid", "STUDIO_HOST=no-such-host.invalid"],
	])("says of %s what is wrong", async (host, words) => {
		expect((await addressProblem(host, 3999))?.message).toContain(words);
	});

	it("says that a port is taken, and nothing of one that is free", async () => {
		const server = net.createServer();
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		const { port } = server.address() as net.AddressInfo;
		expect((await addressProblem("127.0.0.1", port))?.message).toContain("in use");
		await new Promise((resolve) => server.close(resolve));
		expect(await addressProblem("127.0.0.1", port)).toBeNull();
	});

	it("refuses a data directory that it cannot make", () => {
		fs.writeFileSync(path.join(folder, "file"), "");
		setEnvironment({ STUDIO_DATA_DIR: path.join(folder, "file", "data") });
		expect(makeDataDirectory).toThrow(expect.objectContaining({ reason: "data-directory-unwritable" }));
		setEnvironment({ STUDIO_DATA_DIR: path.join(folder, "a", "b") });
		makeDataDirectory();
		expect(fs.readdirSync(path.join(folder, "a", "b"))).toEqual([]);
		setEnvironment({ STUDIO_DATA_DIR: folder });
	});

	it.skipIf(process.platform !== "linux")("refuses one under /proc instead of hanging", () => {
		setEnvironment({ STUDIO_DATA_DIR: "/proc/x/y" });
		expect(makeDataDirectory).toThrow(expect.objectContaining({ reason: "data-directory-unwritable" }));
		setEnvironment({ STUDIO_DATA_DIR: folder });
	});
});
