import { afterAll, describe, expect, it } from "vitest";
import { createSandbox } from "./create-sandbox";

const sandbox = createSandbox({ threads: 2 });
afterAll(() => sandbox.close());
const options = (scope: string, seed = 1) => ({ scope, seed, nowMs: Date.parse("2026-11-27T12:15:00Z") });

describe("createSandbox", () => {
	it("gives each scope a state of its own and forgets it on release", async () => {
		const module = { source: "let n = 0;\nexport default { run() { n += 1; return n; } };", globals: "hook" as const };
		const values = [];
		for (const scope of ["a", "a", "b", "a", "b"]) values.push(await sandbox.run(module, {}, options(scope)));
		expect(values.map((result) => result.ok && result.value)).toEqual([1, 2, 1, 3, 2]);
		sandbox.release("a");
		expect(await sandbox.run(module, {}, options("a"))).toMatchObject({ value: 1 });
	});

	it("has no randomness but the seed and no clock but the caller's", async () => {
		const source = `export default { run() { return [Math.random(), Math.random(), Date.now(), new Date().toISOString(), new Date(2026, 0, 2, 3).getHours(), new Date("2026-01-02T03:04").getMinutes(), String(new Date(0))]; } };`;
		const first = await sandbox.run({ source }, {}, options("r1", 5));
		const second = await sandbox.run({ source }, {}, options("r2", 5));
		const third = await sandbox.run({ source }, {}, options("r3", 6));
		expect(first).toMatchObject({ ok: true });
		expect(first.ok && first.value).toEqual(second.ok && second.value);
		expect(first.ok && first.value).not.toEqual(third.ok && third.value);
		expect(first.ok && (first.value as unknown[]).slice(2)).toEqual([
			Date.parse("2026-11-27T12:15:00Z"),
			"2026-11-27T12:15:00.000Z",
			3,
			4,
			"1970-01-01T00:00:00.000Z",
		]);
	});

	it("preloads data once, frozen, and gives it under its keys", async () => {
		const data = { world: { products: { p1: { price: 99 } } } };
		const read = await sandbox.run(
			{ source: "export default { run({ world, args }) { return world.products[args.id].price; } };", data, dataId: "w1", globals: "none" },
			{ args: { id: "p1" } },
			options("d1"),
		);
		expect(read).toMatchObject({ ok: true, value: 99 });
		const write = await sandbox.run(
			{ source: "export default { run({ world }) { world.products.p1.price = 1; return 1; } };", data, dataId: "w1", globals: "none" },
			{},
			options("d2"),
		);
		expect(write).toMatchObject({ ok: false, kind: "throw" });
		const freeze = await sandbox.run(
			{ source: "export default { run({ room }) { room.now = 1; return 1; } };", globals: "none" },
			{ room: { now: "x" } },
			options("d3"),
		);
		expect(freeze).toMatchObject({ ok: false, kind: "throw" });
	});

	it("keeps ordinary code working in the locked realm", async () => {
		const source = `
			class NotFound extends Error { constructor(m) { super(m); this.name = "NotFound"; this.extra = 1; } }
			const counts = {};
			export default { async run({ words }) {
				for (const w of words) counts[w] = (counts[w] ?? 0) + 1;
				counts.toString = 2; counts.constructor = 3;
				try { throw new NotFound("x"); } catch (e) { if (e.name !== "NotFound" || !(e instanceof Error)) return null; }
				const grouped = Object.entries(counts).map(([k, v]) => k + v).toSorted();
				return await Promise.resolve([...grouped, ...new Set("aab"), [..."你好👍"].length]);
			} };`;
		expect(await sandbox.run({ source, globals: "hook" }, { words: ["a", "b", "a"] }, options("w"))).toMatchObject({
			ok: true,
			value: ["a2", "b1", "constructor3", "toString2", "a", "b", 3],
		});
	});

	it.each([
		["fields but functions", "export default { on: 'reply', failure: 'open', run() {} };", { ok: true, value: { on: "reply", failure: "open" } }],
		["no run", "export default { on: 'reply' };", { ok: false, kind: "invalid" }],
		["bad syntax", "export default { on: };", { ok: false, kind: "compile" }],
	])("describes a module: %s", async (_name, source, expected) => {
		expect(await sandbox.describe({ source })).toMatchObject(expected);
	});

	it("keeps a realm for each set of data: what one world's code breaks costs no other its state", async () => {
		const single = createSandbox({ threads: 1 });
		const counts = "let n = 0;\nexport default { run({ world, loop }) { while (loop) {} n += 1; return world.name + n; } };";
		const call = (dataId: string, scope: string, loop = false) =>
			single.run({ source: counts, data: worlds[dataId as keyof typeof worlds], dataId, globals: "none" }, { loop }, options(scope));
		const worlds = { "world-a": { world: { name: "a" } }, "world-b": { world: { name: "b" } } };
		expect(await call("world-a", "ep-a")).toMatchObject({ value: "a1" });
		expect(await call("world-b", "ep-b")).toMatchObject({ value: "b1" });
		// The realm of world-b is thrown away with all that it holds.
		expect(await call("world-b", "ep-loop", true)).toMatchObject({ ok: false, kind: "timeout" });
		expect(await call("world-b", "ep-b")).toMatchObject({ value: "b1" });
		expect(await call("world-a", "ep-a")).toMatchObject({ value: "a2" });
		await single.close();
	});

	it("honours narrower limits and says what was too much", async () => {
		const source = "export default { run() { return 'x'.repeat(100); } };";
		expect(await sandbox.run({ source }, {}, { ...options("l"), limits: { maxOutput: 50 } })).toMatchObject({ ok: false, kind: "output" });
		expect(await sandbox.run({ source }, {}, options("l"))).toMatchObject({ ok: true });
	});

	it("lets no scope starve on memory that another holds", async () => {
		const hoarder = {
			source: "const held = [];\nexport default { run() { for (let i = 0; i < 120; i++) held.push(new Array(10000).fill(i)); return held.length; } };",
		};
		const results = await Promise.all(
			Array.from({ length: 12 }, (_, i) =>
				sandbox.run(hoarder, {}, { ...options(`hoard-${i}`), limits: { timeMs: 2000, hardMs: 5000, memoryBytes: 32 << 20 } }),
			),
		);
		expect(results.map((result) => (result.ok ? result.value : result))).toEqual(Array(12).fill(120));
	});
});
