import { expect, it, vi } from "vitest";
import { createEngine } from "./engine.mjs";

// As if the parser had been led to overlook how the engine reads the text.
vi.mock("./module-source.mjs", () => ({ toFactory: (source: string) => `(function (globalThis) { "use strict"; ${source}; })` }));

const limits = { timeMs: 50, hardMs: 1_000, memoryBytes: 16 << 20, stackBytes: 256 << 10, maxOutput: 1_000 };
const READS = "return { run: () => typeof LEAK }";

it.each([
	["another function", "}); let LEAK = []; (function () { return { run: () => 1 };"],
	[
		"another function that claims to be the whole",
		"}); let LEAK = []; Object.assign(function () { return { run: () => 1 }; }, { toString: () => 'all of it' }); (function () {",
	],
	["an error behind what was left", "}); var LEAK = []; throw new Error('late'); (function () {"],
	["no function at all", "}); let LEAK = []; ({ run: () => 1 }, function () {"],
])("refuses a text that leaves its wrapper for %s, with the realm that it ran in", async (_name, source) => {
	const engine = await createEngine();
	const call = (text: string) =>
		engine.run({ kind: "run", scope: text, source: text, json: "{}", shared: [], seed: 1, nowMs: 0, freezeInput: false, limits }, () => "null");
	expect(await call(READS)).toMatchObject({ ok: true, json: '"undefined"' });
	expect(await call(source)).toMatchObject({ ok: false, kind: "compile" });
	expect(await call(`${READS} `)).toMatchObject({ ok: true, json: '"undefined"' });
});
