import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AppError } from "@/server/kernel/errors";
import { closeDispatchers, guardedFetch } from "@/server/models";
import { createSandbox } from "@/server/sandbox";
import { createSimulator } from "./create-simulator";
import { parseBundle } from "./parse-bundle";
import type { ToolConnection } from "./ports";

const sandbox = createSandbox({ threads: 1 });
const connections: Record<string, Omit<ToolConnection, "name">> = {};
const simulator = createSimulator({
	sandbox,
	bundles: { getBundleFiles: async () => ({}) },
	connections: {
		async openConnection(_workspaceId, name) {
			const found = connections[name];
			if (!found) throw new AppError("not-found", `There is no connection named ${name}.`);
			return { name, ...found };
		},
	},
	fetchFor: guardedFetch,
});
const bundle = parseBundle({
	"world/books.json": '{"dune":{"title":"Dune","copies":3}}',
	"rooms.json": '{"desk":{"title":"Desk","now":"2026-03-02T10:00:00+01:00","book":{"$world":"books.dune"}}}',
	"tools/look.js": `export default { run({ args, world, room }) { const b = world.books[args.id]; if (!b) throw new Error("No book " + args.id); return { ...b, at: new Date().toISOString(), where: room.title }; } };`,
	"tools/loop.js": "export default { run() { for (;;); } };",
	"tools/change.js": "export default { run({ world }) { world.books.dune.copies = 0; return {}; } };",
	"tools/odd.js": "export default { run() { return () => 1; } };",
});
let child: ChildProcess;
let origin: string;

beforeAll(async () => {
	child = spawn(process.execPath, [fileURLToPath(new URL("./testing/tool-servers.mjs", import.meta.url))], { stdio: ["ignore", "pipe", "inherit", "ipc"] });
	const [line] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
	origin = `http://127.0.0.1:${String(line).trim()}`;
	const headers = { "x-key": "open sesame" };
	Object.assign(connections, {
		plain: { kind: "http", url: `${origin}/tools/`, headers, allowPrivate: true },
		catalogue: { kind: "mcp", url: `${origin}/mcp`, headers, allowPrivate: true },
		catalogueJson: { kind: "mcp", url: `${origin}/mcp?json=1`, headers, allowPrivate: true },
		evil: { kind: "mcp", url: `${origin}/evil`, headers: {}, allowPrivate: true },
		locked: { kind: "mcp", url: `${origin}/mcp`, headers: {}, allowPrivate: true },
		guardedHttp: { kind: "http", url: origin, headers, allowPrivate: false },
		guardedMcp: { kind: "mcp", url: `${origin}/mcp`, headers, allowPrivate: false },
		named: { kind: "http", url: origin.replace("127.0.0.1", "localhost"), headers, allowPrivate: false },
		metadata: { kind: "http", url: "http://169.254.169.254", headers, allowPrivate: false },
		down: { kind: "http", url: "http://127.0.0.1:1", headers, allowPrivate: true },
	});
});
afterAll(async () => {
	await simulator.close();
	await closeDispatchers();
	await sandbox.close();
	child.kill();
});

const room = simulator.resolveRoom(bundle, { base: "desk", set: {} });
const execute = (binding: { kind: string; [key: string]: string }, args: Record<string, unknown> = {}, timeoutMs = 3_000) => {
	const executor = simulator.executors("w1", bundle)[binding.kind];
	if (!executor) throw new Error(`no executor ${binding.kind}`);
	return executor.execute({ binding, args, room, seed: 1, scope: "s", signal: new AbortController().signal, timeoutMs });
};

describe("simulator executor", () => {
	it("runs a handler on the frozen world at the room's time", async () => {
		expect(await execute({ kind: "simulator", handler: "look" }, { id: "dune" })).toEqual({
			title: "Dune",
			copies: 3,
			at: "2026-03-02T09:00:00.000Z",
			where: "Desk",
		});
	});
	it.each([
		["look", "bad-input", "No book x"],
		["loop", "timeout", "did not end in time"],
		["change", "bad-input", "read-only"],
		["odd", "upstream", "returned function"],
		["missing", "not-found", "no handler “missing”"],
		["toString", "not-found", "no handler “toString”"],
	])("%s fails as %s", async (handler, code, message) => {
		await expect(execute({ kind: "simulator", handler }, { id: "x" })).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
		expect(await execute({ kind: "simulator", handler: "look" }, { id: "dune" })).toMatchObject({ copies: 3 });
	});
});

describe("http executor", () => {
	it("posts the arguments, or puts them into the query, under the connection's address", async () => {
		expect(await execute({ kind: "http", connection: "plain", tool: "echo" }, { a: 1 })).toEqual({
			method: "POST",
			path: "/tools/echo",
			args: { a: 1 },
			key: "open sesame",
		});
		expect(await execute({ kind: "http", connection: "plain", tool: "x", method: "GET", path: "/deep/echo" }, { a: "b", n: 2 })).toMatchObject({
			method: "GET",
			path: "/tools/deep/echo",
			args: { a: "b", n: "2" },
		});
	});
	it.each([
		["forbidden", "forbidden", "Permission denied."],
		["broken", "upstream", "answered 500"],
		["refuse", "bad-input", "bad title"],
		["half", "upstream", "not valid JSON"],
		["deep", "upstream", "not valid JSON"],
		["huge", "upstream", "more than 256 KiB"],
		["redirect", "unavailable", "can't be reached"],
		["nothing", "bad-input", "404"],
	])("%s fails as %s", async (tool, code, message) => {
		await expect(execute({ kind: "http", connection: "plain", tool })).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
	});
	it("gives up in time", async () => {
		await expect(execute({ kind: "http", connection: "plain", tool: "hang" }, {}, 80)).rejects.toMatchObject({ code: "timeout" });
	});
	it.each(["guardedHttp", "named", "metadata"])("refuses the private address of %s", async (connection) => {
		await expect(execute({ kind: "http", connection, tool: "echo" })).rejects.toMatchObject({ reason: "private-address" });
	});
	it("never leaves the connection's prefix, nor takes another kind of connection", async () => {
		await expect(execute({ kind: "http", connection: "plain", tool: "x", path: "/../secret/echo" })).rejects.toMatchObject({ reason: "tool-path-outside" });
		await expect(execute({ kind: "http", connection: "catalogue", tool: "x" })).rejects.toMatchObject({ reason: "connection-kind" });
		await expect(execute({ kind: "http", connection: "gone", tool: "x" })).rejects.toMatchObject({ code: "not-found" });
		await expect(execute({ kind: "http", connection: "down", tool: "x" })).rejects.toMatchObject({ code: "unavailable" });
	});
});

describe("mcp executor", () => {
	it.each(["catalogue", "catalogueJson"])("calls a tool of a real server through %s", async (connection) => {
		expect(await execute({ kind: "mcp", connection, tool: "find_book" }, { title: "Dune" })).toEqual({ title: "Dune", copies: 3 });
		expect(await execute({ kind: "mcp", connection, tool: "say" }, { text: "hello" })).toEqual({ text: "hello" });
		expect(await execute({ kind: "mcp", connection, tool: "say" }, { text: '{"a":1}' })).toEqual({ a: 1 });
	});
	it.each([
		["find_book", { title: "none" }, "bad-input", "No such book."],
		["find_book", {}, "bad-input", "title"],
		["unknown", {}, "bad-input", "unknown"],
	])("%s with %o fails as %s", async (tool, args, code, message) => {
		await expect(execute({ kind: "mcp", connection: "catalogue", tool }, args)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
	});
	it("gives up in time, refuses huge answers, and works again afterwards", async () => {
		await expect(execute({ kind: "mcp", connection: "catalogue", tool: "sleep" }, {}, 80)).rejects.toMatchObject({ code: "timeout" });
		await expect(execute({ kind: "mcp", connection: "catalogueJson", tool: "huge" })).rejects.toMatchObject({ code: "upstream" });
		await expect(execute({ kind: "mcp", connection: "catalogue", tool: "huge" })).rejects.toMatchObject({ code: "upstream" });
		expect(await execute({ kind: "mcp", connection: "catalogueJson", tool: "find_book" }, { title: "Dune" })).toMatchObject({ copies: 3 });
	});
	describe("of a server without manners", () => {
		const counts = async () => (await (await fetch(`${origin}/evil?counts`)).json()) as { begun: number; running: number; bytes: number };
		const call = (tool: string, timeoutMs?: number) => execute({ kind: "mcp", connection: "evil", tool }, {}, timeoutMs);

		it("ends the reading of a stream whose line never ends, and keeps what else the session does", async () => {
			const [drowned, polite] = await Promise.allSettled([call("endless", 60_000), call("polite")]);
			expect(drowned).toMatchObject({ status: "rejected", reason: { code: "upstream", reason: "tool-answer-too-large" } });
			expect(polite).toEqual({ status: "fulfilled", value: { text: "hello" } });
			await expect.poll(async () => (await counts()).running).toBe(0);
			// What was on its way between the two processes is not kept by either.
			expect((await counts()).bytes).toBeLessThan(64 << 20);
			expect(await call("polite")).toEqual({ text: "hello" });
		});
		it("ends the reading of an answer that did not come in time", async () => {
			await expect(call("silent", 80)).rejects.toMatchObject({ code: "timeout" });
			await expect.poll(async () => (await counts()).running).toBe(0);
		});
		it("does not listen to messages that nobody asked for", async () => {
			// Only the one endless answer to a call of the first test.
			expect(await counts()).toMatchObject({ begun: 1 });
		});
	});
	it("refuses a private address and a server that wants another key, without naming the address", async () => {
		await expect(execute({ kind: "mcp", connection: "guardedMcp", tool: "say" }, { text: "x" })).rejects.toMatchObject({ reason: "private-address" });
		await expect(execute({ kind: "mcp", connection: "locked", tool: "say" }, { text: "x" })).rejects.toMatchObject({
			code: "unavailable",
			message: "The connection “locked” can't be reached.",
		});
	});
});
