import { expect, it } from "vitest";
import type { Flip } from "@/server/evaluation/contract";
import { flipsByCase } from "./flips-by-case";

const flip = (caseId: string, dimension: Flip["dimension"], change: number): Flip => ({
	caseId,
	caseKey: caseId,
	category: "a",
	message: caseId,
	dimension,
	change,
	before: 0,
	after: 0,
	beforeEpisodeId: null,
	afterEpisodeId: null,
});

it("is one row a case, with the dimensions of each direction, what broke first", () => {
	const rows = flipsByCase([
		flip("both", "accuracy", 1),
		flip("mixed", "accuracy", 1),
		flip("broken", "effectiveness", -0.5),
		flip("both", "effectiveness", 0.5),
		flip("mixed", "effectiveness", -1),
	]);
	expect(rows.map(({ caseId, broken, fixed }) => [caseId, broken, fixed])).toEqual([
		["mixed", ["effectiveness"], ["accuracy"]],
		["broken", ["effectiveness"], []],
		["both", [], ["accuracy", "effectiveness"]],
	]);
});
