import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { env } from "@/server/kernel/env";
import { createRandom } from "@/server/kernel/random";
import { readBaseCheckpoint } from "../checkpoints/read-base";
import { partOf, poseForMeasure, poseForTraining, splitOf } from "./pose-items";
import { measureGeneral } from "./pretrain";
import { readGeneralData } from "./read-general-data";

const folder = path.resolve(env().STUDIO_TEST_DATA);
const there = fs.existsSync(path.join(folder, "bfcl"));

describe("the base checkpoint", () => {
	it("is there, small enough, and says what made it and how it measured beside overlap alone", () => {
		const { made, digest } = readBaseCheckpoint();
		expect(digest).toMatch(/^[0-9a-f]{64}$/);
		const report = made.report as { base: { balanced: number }; lexical: { balanced: number } };
		expect(report.base.balanced).toBeGreaterThanOrEqual(report.lexical.balanced);
		expect(made).toMatchObject({ recipe: "pretrain", seed: expect.any(Number) });
	});
});

describe.skipIf(!there)(`general data (${there ? folder.split(path.sep).at(-1) : "skipped: STUDIO_TEST_DATA has no bfcl"})`, () => {
	const data = there ? readGeneralData(folder) : { items: [], tools: [], skills: [] };

	it("has splits that share no function, and never offers a function of training elsewhere", () => {
		expect(data.items.length).toBeGreaterThan(800);
		for (const split of ["pick", "report"] as const) {
			const part = partOf(data, split);
			expect(part.items.length).toBeGreaterThan(100);
			const offered = part.items.flatMap((item) => [...(item.answer ? [item.answer] : []), ...item.others]);
			expect(offered.filter((choice) => splitOf(choice.name) === "train")).toEqual([]);
			expect(part.pools.tool.every((choice) => splitOf(choice.name) === split)).toBe(true);
		}
	});

	it("poses a request with its answer among the candidates, or with none of them right", () => {
		const part = partOf(data, "pick");
		const posed = poseForMeasure(part, 1);
		expect(posed.choice.every(({ input, right }) => right < input.candidates.length - 1)).toBe(true);
		expect(posed.irrelevance.every(({ input, right }) => input.candidates[right]?.none === 1)).toBe(true);
		const once = poseForTraining(part, createRandom(3)).map(({ input, right }) => input.candidates[right]?.id);
		expect(poseForTraining(part, createRandom(3)).map(({ input, right }) => input.candidates[right]?.id)).toEqual(once);
	});

	it("measures the shipped weights as their header says", () => {
		const measured = measureGeneral(data, readBaseCheckpoint().parameters);
		const report = readBaseCheckpoint().made.report as { base: typeof measured };
		// Half precision may turn a choice that hangs on a hair.
		for (const key of ["choice", "irrelevance", "routing"] as const) expect(Math.abs(measured[key] - report.base[key])).toBeLessThan(0.02);
	});
});
