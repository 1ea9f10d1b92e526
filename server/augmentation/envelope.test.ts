import { describe, expect, it } from "vitest";
import { sampleHarness } from "@/server/harness/testing/sample-harness";
import { augment } from "./augment";
import { type Envelope, MAX_COUNT, type Transform } from "./contract";
import { checkEnvelope, DEFAULT_ENVELOPE, envelopeProblems, narrowEnvelope } from "./envelope";
import { distance, fitEnvelope } from "./envelope-distance";
import { loadSamples } from "./testing/sample-cases";

const withRename = (transform: Transform): Envelope => ({ ...DEFAULT_ENVELOPE, tools: { ...DEFAULT_ENVELOPE.tools, rename: transform } });
const withRetries = (transform: Transform): Envelope => ({ ...DEFAULT_ENVELOPE, hooks: { ...DEFAULT_ENVELOPE.hooks, retries: transform } });
const on = (likelihood: number, min: number, max: number): Transform => ({ allowed: true, likelihood, strength: { min, max } });

describe("envelopes", () => {
	it("the default one can be used", () => {
		expect(envelopeProblems(DEFAULT_ENVELOPE)).toEqual([]);
		expect(checkEnvelope(JSON.parse(JSON.stringify(DEFAULT_ENVELOPE)))).toEqual(DEFAULT_ENVELOPE);
	});
	it.each([
		["the ends are swapped", withRename(on(0.5, 0.8, 0.2)), ["strength-order"]],
		["a share above 1", withRename(on(0.5, 0, 1.2)), ["strength-range"]],
		["a negative strength", withRename(on(0.5, -1, 1)), ["strength-range"]],
		["a likelihood above 1", withRename(on(2, 0, 1)), ["likelihood-range"]],
		["no number", withRename(on(Number.NaN, 0, 1)), ["likelihood-range"]],
		["allowed and never", withRename(on(0, 0, 1)), ["likelihood-zero"]],
		["allowed with no strength", withRename(on(1, 0, 0)), ["strength-zero"]],
		["half a retry", withRetries(on(1, 1, 1.5)), ["strength-whole"]],
		["too many retries", withRetries(on(1, 1, MAX_COUNT + 1)), ["strength-range"]],
	])("refuses: %s", (_what, envelope, rules) => {
		expect(envelopeProblems(envelope).map((problem) => problem.rule)).toEqual(rules);
		expect(() => checkEnvelope(envelope)).toThrow();
	});
	it("refuses what is no envelope, with the place", () => {
		expect(() => checkEnvelope({ ...DEFAULT_ENVELOPE, hooks: {} })).toThrow(/hooks\.retries/);
	});
});

const [first] = (await loadSamples()).filter((sample) => sample.cases.length > 0);

describe("distance", () => {
	const files = first?.files ?? {};
	it("is nothing between a harness and itself", () => {
		const same = distance(files, files, narrowEnvelope(DEFAULT_ENVELOPE, []));
		expect(same.inside).toBe(true);
		expect(same.dimensions.map((one) => one.distance)).toEqual([0, 0, 0, 0, 0]);
	});
	it("finds every variant of an envelope inside it, and those of one dimension outside an envelope without it", () => {
		for (let seed = 0; seed < 25; seed++) {
			const variant = augment({ files, envelope: DEFAULT_ENVELOPE, seed, keep: "everything" });
			const found = distance(variant.files, files, DEFAULT_ENVELOPE);
			expect(found.dimensions.filter((one) => !one.inside)).toEqual([]);
		}
		for (const dimension of ["skillIdentity", "skillContent", "tools", "prompts", "hooks"] as const) {
			const variant = augment({ files, envelope: narrowEnvelope(DEFAULT_ENVELOPE, [dimension]), seed: 5, keep: "everything" });
			const found = distance(variant.files, files, narrowEnvelope(DEFAULT_ENVELOPE, []));
			expect(found.dimensions.filter((one) => !one.inside).map((one) => one.dimension)).toEqual([dimension]);
			expect(found.dimensions.find((one) => one.dimension === dimension)?.distance).toBeNull();
		}
	});
});

describe("fitEnvelope", () => {
	it("allows what was seen, as often and as large as it was seen, and nothing else", () => {
		const value = (limit: number, retries = 1) => ({
			"harness.yaml": (sampleHarness()["harness.yaml"] as string)
				.replace("value: 80", `value: ${limit}`)
				.replace("maxHookRetries: 1", `maxHookRetries: ${retries}`),
		});
		const history = [
			sampleHarness(),
			sampleHarness(value(90)),
			sampleHarness({ "harness.yaml": "broken: [" }),
			sampleHarness(value(90, 3)),
			sampleHarness(value(95, 3)),
		];
		const { envelope, steps, seen } = fitEnvelope(history);
		expect(steps).toBe(3);
		expect(envelope.prompts.perturb).toEqual({ allowed: true, likelihood: 2 / 3, strength: { min: 0.5, max: 0.5 } });
		expect(envelope.hooks.retries).toEqual({ allowed: true, likelihood: 1 / 3, strength: { min: 2, max: 2 } });
		expect(envelope.tools.rename.allowed).toBe(false);
		expect(seen.prompts?.perturb).toBe(2);
		expect(envelopeProblems(envelope)).toEqual([]);
	});
});
