import { describe, expect, it } from "vitest";
import { GatePolicySchema } from "@/server/evolution/contract";
import { type GateNumber, toGatePolicy, toGateValues } from "./gate-values";

const policy = GatePolicySchema.parse({});
const values = toGateValues(policy);

describe("the form of the gate policy", () => {
	it("shows shares as percent and gives the same policy back", () => {
		expect([values.numbers.minCoverage, values.numbers.alarmMinShare, values.numbers.alpha]).toEqual(["60", "15", "0.05"]);
		expect(toGatePolicy(values)).toEqual({ content: policy });
	});

	it.each<[GateNumber, string]>([
		["deltaPoints", "21"],
		["marginPoints", "-1"],
		["alpha", "0"],
		["alpha", ""],
		["minCoverage", "101"],
		["alarmMinNet", "0"],
		["alarmMinShare", "x"],
		["patience", "1.5"],
		["maxHoldoutReadings", "11"],
	])("refuses %s = %j", (name, text) => {
		const result = toGatePolicy({ ...values, numbers: { ...values.numbers, [name]: text } });
		expect("problems" in result && [...result.problems]).toEqual([name]);
	});

	it("wants at least one dimension, and whatever it accepts the server accepts", () => {
		const none = toGatePolicy({ ...values, dimensions: [] });
		expect("problems" in none && [...none.problems]).toEqual(["dimensions"]);
		for (const text of ["0.001", "0.2", "0.05"]) {
			const result = toGatePolicy({ ...values, numbers: { ...values.numbers, alpha: text } });
			expect("content" in result && GatePolicySchema.safeParse(result.content).success).toBe(true);
		}
	});
});
