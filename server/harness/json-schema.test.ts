import { describe, expect, it } from "vitest";
import { schemaChecker, schemaProblems } from "./json-schema";

type Schema = Record<string, unknown>;

/** `count` definitions, each made of the name of the next one; the last is an object of any kind. */
function chain(count: number, make: (next: Schema, index: number) => Schema): Schema {
	const last: Schema = { type: "object" };
	const $defs = Object.fromEntries(
		Array.from({ length: count + 1 }, (_, index) => [`d${index}`, index === count ? last : make({ $ref: `#/$defs/d${index + 1}` }, index)]),
	);
	return { type: "object", $ref: "#/$defs/d0", $defs };
}
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
const nested = (depth: number, inner: Schema): Schema => times(depth, () => 0).reduce<Schema>((schema) => ({ not: schema }), inner);

const heavy: [string, Schema, string, (string | number)[]?][] = [
	["references that multiply: 9 to the power of 30", chain(30, (next) => ({ allOf: times(9, () => next) })), "json-schema-applied", ["$defs", "d26"]],
	["the same by alternatives and conditions", chain(20, (next) => ({ anyOf: [next, next], if: next })), "json-schema-applied"],
	[
		"the same by anchors, which nothing but the engine follows",
		{
			type: "object",
			$ref: "#a0",
			$defs: Object.fromEntries(times(31, (i) => [i, i < 30 ? { $anchor: `a${i}`, allOf: times(9, () => ({ $ref: `#a${i + 1}` })) } : { $anchor: "a30" }])),
		},
		"json-schema-work",
	],
	["a chain of 900 references", chain(900, (next) => ({ properties: { a: next } })), "json-schema-deep"],
	[
		"a chain of 900 anchors",
		{
			type: "object",
			$ref: "#a0",
			$defs: Object.fromEntries(times(901, (i) => [i, i < 900 ? { $anchor: `a${i}`, properties: { a: { $ref: `#a${i + 1}` } } } : { $anchor: "a900" }])),
		},
		"json-schema-deep",
	],
	["100 000 schemas in one another", nested(100_000, {}), "json-schema-deep"],
	[
		"2 000 properties with alternatives",
		{ type: "object", properties: Object.fromEntries(times(2_000, (i) => [i, { anyOf: [{ type: "string" }] }])) },
		"json-schema-nodes",
	],
	["70 000 characters", { type: "object", description: "x".repeat(70_000) }, "json-schema-large"],
	[
		"patterns that repeat repeats",
		{ type: "object", properties: Object.fromEntries(times(40, (i) => [i, { pattern: "((a{10}){10}){10}" }])) },
		"json-schema-patterns",
	],
];

describe("schemaProblems", () => {
	it.each(heavy)("refuses %s", (_name, schema, id, path) => {
		const [problem, ...more] = schemaProblems(schema);
		expect(more).toEqual([]);
		expect(problem).toMatchObject({ severity: "error", rule: "json-schema-heavy", ...(path ? { path } : {}) });
		expect(problem?.at("inputSchema")).toMatchObject({ phrase: { id } });
		expect(problem?.at("inputSchema").message).not.toMatch(/call stack/i);
		expect(() => schemaChecker(schema)).toThrow(/schema/);
	});

	it.each<[string, Schema]>([
		[
			"a definition that 100 properties share",
			{
				type: "object",
				properties: Object.fromEntries(times(100, (i) => [i, { $ref: "#/$defs/money" }])),
				$defs: { money: { type: "object", properties: { amount: { type: "number" } } } },
			},
		],
		[
			"a tree of filters that refers to itself from many places",
			{ type: "object", properties: { and: { type: "array", items: { $ref: "#" } }, or: { type: "array", items: { $ref: "#" } }, not: { $ref: "#" } } },
		],
		[
			"400 properties with alternatives",
			{ type: "object", properties: Object.fromEntries(times(400, (i) => [`p${i}`, { anyOf: [{ type: "string" }, { type: "null" }] }])) },
		],
		["5 000 names of a list", { type: "object", properties: { city: { enum: times(5_000, (i) => `c${i}`) } } }],
	])("has nothing against %s", (_name, schema) => {
		expect(schemaProblems(schema)).toEqual([]);
		expect(schemaChecker(schema)({})).toEqual({ ok: true });
	});
});

const given = (depth: number): unknown => times(depth, () => 0).reduce<unknown>((value) => ({ a: value }), {});
const tooMuch = { ok: false, errors: [{ path: "", message: "too large or too deep to be checked against the schema" }] };

describe("schemaChecker", () => {
	it("gives up a value whose depth multiplies the work, and checks the next one", () => {
		const twice = { properties: { a: { $ref: "#" } } };
		const check = schemaChecker({ type: "object", allOf: [twice, twice] });
		expect(check(given(3))).toEqual({ ok: true });
		expect(check(given(60))).toEqual(tooMuch);
		expect(check(given(3))).toEqual({ ok: true });
	});

	it("gives up a value that is too deep for the stack", () => {
		expect(schemaChecker({ type: "object", properties: { a: { $ref: "#" } } })(given(100_000))).toEqual(tooMuch);
	});

	it("gives up a long list against hundreds of alternatives, before their messages fill the memory", () => {
		const check = schemaChecker({ type: "object", properties: { list: { items: { anyOf: times(900, (i) => ({ const: i })) } } } });
		expect(check({ list: times(200, () => 7) })).toEqual({ ok: true });
		expect(check({ list: times(30_000, () => -1) })).toEqual(tooMuch);
	});

	it("finds an item twice in a list of thousands", () => {
		const check = schemaChecker({ type: "object", properties: { list: { uniqueItems: true } } });
		expect(check({ list: times(20_000, (i) => ({ i })) })).toEqual({ ok: true });
		expect(
			check({
				list: [
					{ a: 1, b: 2 },
					{ b: 2, a: 1 },
				],
			}),
		).toEqual({ ok: false, errors: [{ path: "list", message: "must NOT have duplicate items" }] });
	});
});
