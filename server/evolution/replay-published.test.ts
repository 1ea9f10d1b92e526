import { describe, expect, it } from "vitest";
import { replayPublished } from "./replay-published";

const report = replayPublished();
const round = (name: string) => {
	const found = report.rounds.find((r) => r.name === name);
	if (!found?.verdicts) throw new Error(`no round ${name}`);
	return { ...found, verdicts: found.verdicts };
};

describe("the published series", () => {
	it("gives the published scores to two decimals", () => {
		expect(report.rounds.map((r) => [r.name, r.test?.accuracy?.value.toFixed(2), r.test?.effectiveness?.value.toFixed(2)])).toEqual([
			["base", "82.40", "87.16"],
			["Evo.1", "92.13", "84.16"],
			["Evo.2", "92.55", "92.75"],
			["Evo.3", "91.51", "91.51"],
			["Evo.4", "90.89", "89.96"],
		]);
	});

	it("Evo.1 is not eligible: Effectiveness −3.0, 15 discordant, p = 6e-5", () => {
		const { eligible, verdicts } = round("Evo.1");
		expect(eligible).toBe(false);
		const e = verdicts.againstBaseline.effectiveness;
		expect(e.delta.toFixed(1)).toBe("-3.0");
		expect(e.fixed + e.broken).toBe(15);
		expect(e.p).toBeCloseTo(2 / 2 ** 15, 8);
		expect(e.verdict).toBe("regressed");
		expect(verdicts.effect).toBe("trade-off");
	});

	it("recommends Evo.2", () => {
		expect(report.recommended).toBe("Evo.2");
		expect(round("Evo.2")).toMatchObject({ eligible: true, verdicts: { effect: "anchor", strikes: 0, stale: 0 } });
	});

	it("Evo.3: Accuracy unchanged (5 broken, p = 0.0625, inside ±3), Effectiveness regressed (6 discordant, p = 0.031): a strike", () => {
		const { againstAnchor, effect, strikes } = round("Evo.3").verdicts;
		expect(againstAnchor.against).toBe("Evo.2");
		expect(againstAnchor.accuracy).toMatchObject({ verdict: "unchanged", fixed: 0, broken: 5 });
		expect(againstAnchor.accuracy.p).toBeCloseTo(0.0625, 10);
		expect(againstAnchor.accuracy.low.toFixed(1)).toBe("-2.0");
		expect(againstAnchor.accuracy.high).toBeLessThan(0);
		expect(againstAnchor.effectiveness).toMatchObject({ verdict: "regressed", fixed: 0, broken: 6 });
		expect(againstAnchor.effectiveness.p).toBeCloseTo(0.03125, 10);
		expect({ effect, strikes }).toEqual({ effect: "strike", strikes: 1 });
	});

	it("Evo.4 is a second strike, and the evolution stops after it", () => {
		expect(round("Evo.4").verdicts).toMatchObject({ effect: "strike", strikes: 2, againstAnchor: { against: "Evo.2" } });
		expect(report.stopped).toBe("Evo.4");
	});
});
