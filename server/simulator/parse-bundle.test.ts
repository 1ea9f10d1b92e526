import { describe, expect, it } from "vitest";
import { bundleProblems, parseBundle } from "./parse-bundle";
import { resolveRoom } from "./resolve-room";

const files = {
	"world/books.json": '{"dune":{"title":"Dune","copies":3},"emma":{"title":"Emma","pages":400}}',
	"rooms.json":
		'{"desk":{"title":"Desk","now":"2026-03-02T10:00:00+01:00","book":{"$world":"books.dune"},"list":[{"$world":"books.emma.title"}],"viewer":{"name":"Ada","level":2}}}',
	"tools/look.js": "export default { run() { return {}; } };",
	"harness/harness.yaml": "left aside",
};

describe("parseBundle", () => {
	it("puts what handlers share in front of each, and takes it for no handler", () => {
		const { handlers } = parseBundle({ ...files, "tools/_shared.js": "const two = () => 2;" });
		expect(handlers).toEqual({ look: "const two = () => 2;\nexport default { run() { return {}; } };" });
	});
	it("reads world, rooms and handlers, frozen, under an id of its own files only", () => {
		const bundle = parseBundle(files);
		expect(Object.keys(bundle.world)).toEqual(["books"]);
		expect(Object.keys(bundle.handlers)).toEqual(["look"]);
		expect(Object.isFrozen((bundle.world.books as { dune: object }).dune)).toBe(true);
		expect(parseBundle({ ...files, "harness/harness.yaml": "other" }).id).toBe(bundle.id);
		expect(parseBundle({ ...files, "tools/look.js": "other" }).id).not.toBe(bundle.id);
		expect(parseBundle({}).rooms).toEqual({});
	});

	it.each<[string, Record<string, string>, string, string]>([
		["JSON without end", { "world/books.json": `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}` }, "world/books.json", "stand in one another"],
		["broken JSON", { "world/books.json": "{" }, "world/books.json", "not valid JSON"],
		["rooms that are a list", { "rooms.json": "[]" }, "rooms.json", "must be an object"],
		[
			"a path that the world lacks",
			{ "rooms.json": '{"a":{"now":"2026-03-02T10:00:00Z","x":{"$world":"books.none"}}}' },
			"rooms.json",
			"nothing at “books.none”",
		],
		["a path into a prototype", { "rooms.json": '{"a":{"now":"2026-03-02T10:00:00Z","x":{"$world":"books.constructor"}}}' }, "rooms.json", "nothing at"],
		["a time without offset", { "rooms.json": '{"a":{"now":"2026-03-02T10:00:00"}}' }, "rooms.json", "now"],
		["a room without a time", { "rooms.json": '{"a":{}}' }, "rooms.json", "now"],
		["a world key with a dot", { "world/a.b.json": "{}" }, "world/a.b.json", "named after a key"],
		["a handler's name", { "tools/1 x.js": "" }, "tools/1 x.js", "a handler's id"],
	])("names the file for %s", (_name, change, file, message) => {
		expect(bundleProblems({ ...files, ...change })).toEqual([{ file, message: expect.stringContaining(message) }]);
		expect(() => parseBundle({ ...files, ...change })).toThrow(expect.objectContaining({ code: "bad-input", reason: "bundle-invalid" }));
	});
});

describe("resolveRoom", () => {
	const bundle = parseBundle(files);
	it("puts the world's values in place, and gives equal references one frozen room", () => {
		const room = resolveRoom(bundle, { base: "desk", set: {} });
		expect(room).toMatchObject({ book: { title: "Dune", copies: 3 }, list: ["Emma"], notes: {} });
		expect(resolveRoom(bundle, { base: "desk", set: {} })).toBe(room);
		expect(Object.isFrozen(room.viewer)).toBe(true);
		expect(resolveRoom(bundle)).toMatchObject({ title: "Desk" });
	});
	it("merges `set` deeply, and replaces where it refers to the world or is a list", () => {
		const set = { viewer: { level: 5 }, book: { $world: "books.emma" }, list: [1], extra: { deep: { $world: "books.dune.copies" } } };
		expect(resolveRoom(bundle, { base: "desk", set })).toMatchObject({ viewer: { name: "Ada", level: 5 }, list: [1], extra: { deep: 3 } });
		expect(resolveRoom(bundle, { base: "desk", set }).book).toEqual({ title: "Emma", pages: 400 });
		expect(resolveRoom(bundle, { base: "desk", set: { book: { copies: 0 } } }).book).toEqual({ title: "Dune", copies: 0 });
	});
	it("pollutes no prototype and knows no inherited room", () => {
		const set = JSON.parse('{"__proto__":{"polluted":1},"viewer":{"constructor":{"x":1}}}') as Record<string, unknown>;
		const room = resolveRoom(bundle, { base: "desk", set });
		expect(({} as { polluted?: number }).polluted).toBeUndefined();
		expect(Object.hasOwn(room.viewer, "constructor")).toBe(false);
		expect(() => resolveRoom(bundle, { base: "toString", set: {} })).toThrow(expect.objectContaining({ reason: "room-unknown" }));
	});
	it("an empty workspace has a room of its own", () => {
		expect(resolveRoom(parseBundle({}))).toMatchObject({ now: "2026-01-01T00:00:00Z" });
		expect(() => resolveRoom(parseBundle({}), { base: "desk", set: {} })).toThrow(expect.objectContaining({ reason: "room-unknown" }));
	});
});
