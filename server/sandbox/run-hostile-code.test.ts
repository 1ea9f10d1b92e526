import { afterAll, describe, expect, it } from "vitest";
import type { SandboxFailureKind, SandboxResult } from "./contract";
import { createSandbox } from "./create-sandbox";

const sandbox = createSandbox({ threads: 1 });
afterAll(() => sandbox.close());

const NOW = Date.parse("2026-11-27T12:15:00Z");
const hook = (body: string, before = "") => `${before}\nexport default { on: "reply", run(input) { ${body} } };`;
const run = (source: string, scope: string, input: Record<string, unknown> = { reply: "hello" }): Promise<SandboxResult> =>
	sandbox.run({ source, globals: "hook" }, input, { scope, seed: 7, nowMs: NOW, limits: { hardMs: 600 } });

/** A decent hook of another episode that keeps state of its own. */
const GOOD = hook(
	"count += 1; return input.reply === 'hello' && ({}).polluted === undefined ? replace('seen ' + count) : block('polluted', '');",
	"let count = 0;",
);

type Expected = SandboxFailureKind | { value: unknown };
const ofAny = (...kinds: Expected[]) => kinds;

/** Leaves its wrapper where `<!--` begins a comment, with a list that every instance shares. */
const LEAVES_WRAPPER = `let x = 1, g = 1; let q = 1 <!--x /*
}); let LEAK = []; (function(globalThis){ "use strict"; let x=1,g=1; 1 */x/g;
export default { on: "reply", run(i) { LEAK.push(i.reply); return replace(LEAK.join()); } };`;

const hostile: [name: string, source: string, expected: Expected[]][] = [
	["an endless loop", hook("for (;;) {}"), ofAny("timeout")],
	["an endless loop that catches what stops it", hook("for (;;) { try { for (;;) {} } catch {} finally { continue } }"), ofAny("timeout")],
	["an endless loop at load time", hook("return pass()", "while (true) {}"), ofAny("timeout")],
	["a power of big integers", hook("return replace(String((2n ** 100000n) ** 1000n).length)"), ofAny("killed", "memory", "timeout", "throw")],
	["a huge array filled", hook("return replace(new Array(2 ** 32 - 1).fill(0).length)"), ofAny("killed", "memory", "timeout")],
	["holes of a huge array joined", hook("return replace([].concat(new Array(2 ** 31)).indexOf(1))"), ofAny("killed", "memory", "timeout")],
	["very deep JSON", hook("return replace(JSON.parse('['.repeat(2e6) + ']'.repeat(2e6)))"), ofAny("stack", "memory", "killed", "timeout", "throw", "crash")],
	[
		"a result nested very deep",
		hook("let v = []; for (let i = 0; i < 2e5; i++) v = [v]; return replace(v)"),
		ofAny("stack", "invalid", "timeout", "memory", "killed"),
	],
	["a result nested deeper than anyone reads", hook("let v = []; for (let i = 0; i < 3000; i++) v = [v]; return replace(v)"), ofAny("invalid")],
	["a bomb of memory", hook("const a = []; for (;;) a.push(new Array(1e5).fill('x'.repeat(100)))"), ofAny("memory", "timeout", "killed")],
	["strings that double", hook("let s = 'x'; for (;;) s += s"), ofAny("memory", "throw")],
	["a typed array of 1 GiB", hook("return replace(new Uint8Array(2 ** 30).length)"), ofAny("memory", "throw")],
	["recursion without end", hook("const f = () => f() + 1; return f()"), ofAny("stack")],
	["backtracking", hook("return replace(/^(a+)+$/.test('a'.repeat(40) + '!'))"), ofAny("timeout", "killed")],
	[
		"a regular expression over a long text",
		hook("return replace(/(.*)*x/.test('a'.repeat(1e6)))"),
		ofAny("timeout", "killed", "throw", "memory", "stack", { value: { outcome: "replace", value: false } }),
	],
	["pollution of Object.prototype", hook("Object.prototype.polluted = 1; return pass()"), ofAny("throw")],
	["pollution through __proto__", hook("({}).__proto__.polluted = 1; return pass()"), ofAny("throw")],
	["pollution by defineProperty", hook("Object.defineProperty(Object.prototype, 'polluted', { value: 1 }); return pass()"), ofAny("throw")],
	["another Array.prototype.map", hook("Array.prototype.map = () => ['gone']; return pass()"), ofAny("throw")],
	["a prototype of iterators changed", hook("Object.getPrototypeOf([][Symbol.iterator]()).next = () => ({ done: true }); return pass()"), ofAny("throw")],
	["a prototype of generators changed", hook("Object.getPrototypeOf(function* () {}).prototype.next = null; return pass()"), ofAny("throw")],
	["escape by constructor.constructor", hook("return replace(({}).constructor.constructor('return globalThis.process')())"), ofAny("throw")],
	["escape by the constructor of async functions", hook("return replace((async () => {}).constructor('return 1')())"), ofAny("throw")],
	["indirect eval", hook("return replace((0, eval)('1+1'))"), ofAny("throw")],
	[
		"reading the process",
		hook("return replace(typeof process + typeof require + typeof globalThis.process + typeof fetch + typeof setTimeout)"),
		ofAny({ value: { outcome: "replace", value: "undefinedundefinedundefinedundefinedundefined" } }),
	],
	["dynamic import", hook("return import('node:fs')"), ofAny("throw", "invalid")],
	["a static import", `import fs from "node:fs";\n${hook("return pass()")}`, ofAny("compile")],
	["a global variable set", hook("globalThis.leak = 1; return pass()"), ofAny("throw")],
	["pass replaced", hook("globalThis.pass = () => block('x', 'y'); return pass()"), ofAny("throw")],
	["retry redefined", hook("Object.defineProperty(globalThis, 'retry', { value: () => pass() }); return retry('x')"), ofAny("throw")],
	[
		"pass redefined through the object that a sloppy function gets",
		hook("const g = (function () { return this })(); g.pass = 1; return pass()"),
		ofAny("throw"),
	],
	["undefined and NaN redefined", hook("Object.defineProperty(globalThis, 'NaN', { value: 1 }); return pass()"), ofAny("throw")],
	[
		"JSON redefined",
		hook("Reflect.defineProperty(globalThis, 'JSON', { value: 1 }); return replace(typeof JSON)"),
		ofAny({ value: { outcome: "replace", value: "object" } }),
	],
	["Math.random replaced", hook("Math.random = () => 4; return pass()"), ofAny("throw")],
	["JSON.stringify replaced", hook("JSON.stringify = () => 'null'; return pass()"), ofAny("throw")],
	["a getter that loops in the result", hook("return { get outcome() { for (;;) {} } }"), ofAny("timeout")],
	["a getter that throws in the result", hook("return { get outcome() { throw new Error('no') } }"), ofAny("invalid")],
	["toJSON that returns a huge text", hook("return { toJSON: () => 'x'.repeat(300000) }"), ofAny("output")],
	["a proxy as the result", hook("return new Proxy({}, { ownKeys() { for (;;) {} } })"), ofAny("timeout")],
	["a promise that never settles", hook("return new Promise(() => {})"), ofAny("invalid")],
	["jobs that make jobs without end", hook("const again = () => Promise.resolve().then(again); return again()"), ofAny("timeout", "invalid")],
	["a job left behind that loops", hook("Promise.resolve().then(() => { for (;;) {} }); return pass()"), ofAny({ value: { outcome: "pass" } })],
	["a thenable", hook("return { then() { for (;;) {} } }"), ofAny({ value: {} })],
	["a thrown null", hook("throw null"), ofAny("throw")],
	["a thrown object with a looping message", hook("throw { get message() { for (;;) {} } }"), ofAny("timeout")],
	["a thrown text that claims a timeout", hook("throw 'interrupted'"), ofAny("timeout", "throw")],
	["a function as the result", hook("return () => 1"), ofAny("invalid")],
	["a symbol as the result", hook("return Symbol('x')"), ofAny("invalid")],
	["nothing as the result", hook(""), ofAny("invalid")],
	["a big integer as the result", hook("return 1n"), ofAny("invalid")],
	["a cycle as the result", hook("const a = {}; a.a = a; return a"), ofAny("invalid")],
	["a huge text as the result", hook("return replace('x'.repeat(1e6))"), ofAny("output")],
	["no default export", "const x = 1;", ofAny("compile")],
	["text that closes its wrapper", "}); globalThis.x = 1; (function () { return {", ofAny("compile")],
	["a default export without run", "export default { on: 'reply' };", ofAny("throw")],
	["text that closes its wrapper behind a comment of HTML", LEAVES_WRAPPER, ofAny("compile")],
	["the end of a comment of HTML", `let a = 1;\n--> a\n${hook("return pass()")}`, ofAny("compile")],
	["the same behind a comment of many lines", `let a = 1; /*\n*/ --> a\n${hook("return pass()")}`, ofAny("compile")],
	[
		"what only looks like it",
		// biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder is the code's own
		hook("let a = 3; return replace([a-->0, `<!--${/<!--/.source}`, '<!--'].join())"),
		ofAny({ value: { outcome: "replace", value: "true,<!--<!--,<!--" } }),
	],
	["a line that U+2028 ends", hook("let a = 1; // \u2028 a = 2;\n return replace(a)"), ofAny({ value: { outcome: "replace", value: 2 } })],
	["a text that U+2028 does not end", hook("return replace('\u2028'.length)"), ofAny({ value: { outcome: "replace", value: 1 } })],
	["a hashbang", `#!/bin/sh }); let x = 1; (function () {\n${hook("return pass()")}`, ofAny("compile")],
	["a template that is not closed", `${hook("return pass()")}\n\``, ofAny("compile")],
	["a regular expression that is not closed", `${hook("return pass()")}\n/`, ofAny("compile")],
	["a comment that is not closed", `${hook("return pass()")}\n/*`, ofAny("compile")],
	["import.meta", hook("import.meta.count = (import.meta.count ?? 0) + 1; return replace(import.meta.count)"), ofAny("compile")],
	["the caller of its caller", hook("return replace(String(arguments.callee.caller))"), ofAny("throw")],
	[
		"the caller by name",
		hook("return replace(String((function f() { return f.caller })()))"),
		ofAny("throw", { value: { outcome: "replace", value: "undefined" } }),
	],
	["escape by the constructor of generators", hook("return replace((function* () {}).constructor('yield 1')().next().value)"), ofAny("throw")],
	["escape by the constructor of async generators", hook("return replace(typeof (async function* () {}).constructor('yield 1'))"), ofAny("throw")],
	["a hook into stack traces", hook("Error.prepareStackTrace = () => 'x'; return pass()"), ofAny("throw")],
	["a limit for everyone's stack traces", hook("Error.stackTraceLimit = 1; return pass()"), ofAny("throw")],
	["state on the object of a template, which every instance shares", hook("const at = (s) => s; at`x`.count = 1; return pass()"), ofAny("throw")],
	["state on the text of a template", hook("const at = (s) => s.raw; at`x`.count = 1; return pass()"), ofAny("throw")],
	["a job left behind by a call that fails", hook("Promise.resolve().then(() => { for (;;) {} }); throw new Error('no')"), ofAny("throw")],
	["a job left behind by a module that fails", hook("return pass()", "Promise.resolve().then(() => { for (;;) {} }); throw new Error('no');"), ofAny("throw")],
	["a loop that waits at the top", `for await (const x of []) {}\n${hook("return pass()")}`, ofAny("compile")],
	[
		"what waits where it may",
		hook("return (async () => { for await (const x of [1]) await x; return replace(await 2) })()"),
		ofAny({ value: { outcome: "replace", value: 2 } }),
	],
	["top-level await", `await 1;\n${hook("return pass()")}`, ofAny("compile")],
];

describe("hostile code", () => {
	it.each(hostile)("%s", async (name, source, expected) => {
		const witness = `witness-${name}`;
		expect(await run(GOOD, witness)).toMatchObject({ ok: true, value: { value: "seen 1" } });
		const result = await run(source, `hostile-${name}`);
		if (result.ok) expect(expected).toContainEqual({ value: result.value });
		else expect(expected, result.message).toContain(result.kind);
		const after = await run(GOOD, `other-${name}`);
		expect(after).toMatchObject({ ok: true, value: { outcome: "replace", value: "seen 1" } });
		sandbox.release(witness);
	});

	it.each([
		["a variable at the top", "let count = 0;\nexport default { on: 'reply', run() { count += 1; return replace(count); } };"],
		["a field of the export", "export default { on: 'reply', count: 0, run() { this.count += 1; return replace(this.count); } };"],
		["a class", "class Counter { static count = 0; }\nexport default { on: 'reply', run() { Counter.count += 1; return replace(Counter.count); } };"],
		["a regular expression", "const any = /x/g;\nexport default { on: 'reply', run() { any.exec('xx'); return replace(any.lastIndex); } };"],
		["the function around the module", "export default { on: 'reply', run: (() => { const f = arguments; return () => replace(f.length); })() };"],
	])("starts each episode anew with %s", async (name, source) => {
		expect(await run(source, `anew-${name}-1`)).toMatchObject({ ok: true, value: { value: 1 } });
		expect(await run(source, `anew-${name}-2`)).toMatchObject({ ok: true, value: { value: 1 } });
	});

	it("answers every other episode's calls that wait beside one that must be killed", async () => {
		const bad = run(hook("return replace(new Array(2 ** 32 - 1).fill(0).length)"), "beside");
		const others = await Promise.all(Array.from({ length: 40 }, (_, i) => run(GOOD, `beside-${i}`)));
		expect(others.every((result) => result.ok)).toBe(true);
		expect((await bad).ok).toBe(false);
	});
});
