import { describe, expect, it } from "vitest";
import { mergeChoices, readTyped, suggest } from "./case-choices";

const options = mergeChoices([
	{ why: "F-7", cases: [{ id: "cas_1", key: "claims-041", message: "这个能治湿疹吗" }] },
	{
		why: "R-3",
		cases: [
			{ id: "cas_1", key: "claims-041", message: "这个能治湿疹吗" },
			{ id: "cas_2", key: "price-002", message: "Is it cheaper tomorrow?" },
		],
	},
]);

describe("cases to choose from", () => {
	it("stand once, with every reason", () => {
		expect(options.map(({ key, why }) => [key, why])).toEqual([
			["claims-041", ["F-7", "R-3"]],
			["price-002", ["R-3"]],
		]);
	});

	it.each([
		["", ["cas_1", "cas_2"]],
		["湿疹", ["cas_1"]],
		["F-7", ["cas_1"]],
		["PRICE cheaper", ["cas_2"]],
		["nothing like it", []],
	])("are found by key, message or reason: %j", (typed, ids) => {
		expect(suggest(options, [], typed).map((option) => option.id)).toEqual(ids);
	});

	it("leave out what is chosen", () => {
		expect(suggest(options, ["cas_1"], "").map((option) => option.id)).toEqual(["cas_2"]);
	});

	it.each([
		["Claims-041，price-002", ["cas_1", "cas_2"]],
		["cas_2 other-9 other-9", ["cas_2", "other-9"]],
		[" , ", []],
	])("are read from typed text: %j", (typed, ids) => {
		expect(readTyped(typed, options)).toEqual(ids);
	});
});
