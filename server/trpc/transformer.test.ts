import superjson from "superjson";
import { expect, it } from "vitest";
import { transformer } from "./transformer";

it.each(["constructor", "prototype", "__proto__"])("carries data with the key %s, which superjson refuses", (key) => {
	const data = JSON.parse(`{"at":[{"${key}":{"x":1},"plain":2}]}`) as unknown;
	const answer = { row: data, when: new Date(0), names: new Map([["a", 1]]) };
	const read = superjson.deserialize<typeof answer>(JSON.parse(JSON.stringify(transformer.serialize(answer))));
	expect(read).toEqual({ row: { at: [{ [`‹${key}›`]: { x: 1 }, plain: 2 }] }, when: new Date(0), names: new Map([["a", 1]]) });
	expect(Object.getPrototypeOf(read.row)).toBe(Object.prototype);
});

it("changes nothing else", () => {
	const answer = { a: 1, when: new Date(5), big: 3n, absent: undefined };
	expect(transformer.deserialize(transformer.serialize(answer))).toEqual(answer);
});
