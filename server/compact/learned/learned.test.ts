import { describe, expect, it } from "vitest";
import type { AppError } from "@/server/kernel/errors";
import { createRandom } from "@/server/kernel/random";
import { encodeText } from "../encode-text";
import { toCandidate } from "./brain";
import { readCheckpoint, writeCheckpoint } from "./checkpoint";
import { chooseBest, chooseBySampling, DECISION_KINDS, type DecisionInput } from "./decision";
import { DIMENSIONS, dropFeatures, identityRow, toFeatures } from "./features";
import { Gradient } from "./gradient";
import { fromHalf, toHalf } from "./half";
import { Optimiser } from "./optimiser";
import { initialParameters, type Parameters, SCALAR_COUNT, scalarAt } from "./parameters";
import { Scorer } from "./scorer";

const decision: DecisionInput = {
	kind: "skill",
	situation: toFeatures(encodeText("how bright is this lamp")),
	candidates: [
		toCandidate("skill", { id: "brightness", text: "brightness of a lamp in watts", lexical: 0.4 }),
		toCandidate("skill", { id: "parcel", text: "where a parcel is", lexical: 0.1, plan: true }),
		toCandidate("skill", { id: "none", text: null, lexical: 0.004 }),
	],
};
const slopes = [0.7, -1.3, 0.6];

function filled(seed: number): Parameters {
	const parameters = initialParameters(seed);
	const random = createRandom(seed);
	for (let i = 0; i < parameters.embedding.length; i++) parameters.embedding[i] = random.next() - 0.5;
	for (let i = 0; i < parameters.identity.length; i++) parameters.identity[i] = random.next() - 0.5;
	for (let i = 0; i < SCALAR_COUNT; i++) parameters.scalars[i] = random.next() + 0.5;
	return parameters;
}

/** Σ slope · logit is quadratic in every parameter, so that a central difference is exact but for rounding. */
function difference(parameters: Parameters, table: Float32Array, at: number, options = {}): number {
	const before = table[at] as number;
	const valueAt = (value: number) => {
		table[at] = value;
		const logits = new Scorer(parameters, options).score(decision);
		return slopes.reduce((sum, slope, i) => sum + slope * (logits[i] as number), 0);
	};
	const step = 0.25;
	const slope = (valueAt(before + step) - valueAt(before - step)) / (2 * step);
	table[at] = before;
	return slope;
}

describe("the scorer", () => {
	it.each([{}, { withoutIdentity: true }, { withoutLexical: true }])("has the gradient of finite differences with %o", (options) => {
		const parameters = filled(3);
		const gradient = new Gradient();
		new Scorer(parameters, options).backward(decision, slopes, gradient);
		gradient.flush();
		for (let i = 0; i < SCALAR_COUNT; i++) expect(gradient.scalars[i]).toBeCloseTo(difference(parameters, parameters.scalars, i, options), 4);
		const rows = [...decision.situation.buckets, ...(decision.candidates[0]?.features?.buckets ?? [])];
		expect(rows.length).toBeGreaterThan(10);
		for (const row of rows) {
			const at = row * DIMENSIONS + (row % DIMENSIONS);
			expect(gradient.embedding.valueAt(row, row % DIMENSIONS)).toBeCloseTo(difference(parameters, parameters.embedding, at, options), 3);
		}
		for (const { identity } of decision.candidates) {
			const at = identity * DIMENSIONS + 5;
			expect(gradient.identity.valueAt(Math.floor(at / DIMENSIONS), at % DIMENSIONS)).toBeCloseTo(difference(parameters, parameters.identity, at, options), 3);
		}
	});

	it("remembers no encoding across a change of parameters", () => {
		const parameters = filled(4);
		const scorer = new Scorer(parameters);
		const before = [...scorer.score(decision)];
		const gradient = new Gradient();
		scorer.backward(decision, slopes, gradient);
		new Optimiser(parameters).step(gradient, { rate: 0.05, encoder: 1, scalars: 1 });
		const after = [...scorer.score(decision)];
		expect(after).toEqual([...new Scorer(parameters).score(decision)]);
		const loss = (logits: number[]) => slopes.reduce((sum, slope, i) => sum + slope * (logits[i] as number), 0);
		expect(loss(after)).toBeLessThan(loss(before));
		expect(gradient.norm()).toBe(0);
	});

	it("takes the best, or draws by the softmax", () => {
		const logits = Float64Array.from([0, Math.log(3), Math.log(6)]);
		expect(chooseBest(decision, logits)).toBe(2);
		const sample = chooseBySampling(createRandom(1).next);
		const counts = [0, 0, 0];
		for (let i = 0; i < 5000; i++) {
			const drawn = sample(decision, logits);
			counts[drawn] = (counts[drawn] as number) + 1;
		}
		expect((counts[2] as number) / (counts[0] as number)).toBeGreaterThan(4.5);
		expect((counts[2] as number) / (counts[0] as number)).toBeLessThan(8);
	});

	it("knows a candidate by its exact name and kind, and a text by grams of length 1", () => {
		expect(identityRow("skill", "price")).not.toBe(identityRow("skill", "prices"));
		expect(identityRow("skill", "price")).not.toBe(identityRow("tool", "price"));
		const { weights } = decision.situation;
		expect(Math.hypot(...weights)).toBeCloseTo(1, 5);
		expect(toFeatures(encodeText("价格 12")).buckets).toEqual(toFeatures(encodeText("价格 77")).buckets);
		const all = dropFeatures(decision.situation, 0, Math.random);
		expect(all).toEqual(decision.situation);
		expect(dropFeatures(decision.situation, 1, Math.random).buckets).toHaveLength(0);
	});
});

describe("a checkpoint", () => {
	const parameters = filled(5);
	const bytes = writeCheckpoint(parameters, { recipe: "test" });

	it("is at most 5 MB and reads back as it was, within half precision", () => {
		expect(bytes.length).toBeLessThanOrEqual(5 * 1024 * 1024);
		const read = readCheckpoint(bytes);
		expect(read.made).toEqual({ recipe: "test" });
		expect(read.parameters.scalars).toEqual(parameters.scalars);
		for (const at of [0, 1, 999, parameters.embedding.length - 1]) {
			expect(Math.abs((read.parameters.embedding[at] as number) - (parameters.embedding[at] as number))).toBeLessThan(2 ** -12);
		}
		expect(Buffer.compare(writeCheckpoint(read.parameters, { recipe: "test" }), bytes)).toBe(0);
	});

	const patched = (change: (copy: Buffer) => Buffer) => change(Buffer.from(bytes));
	it.each([
		["a text", Buffer.from("not a checkpoint at all")],
		["nothing", Buffer.alloc(0)],
		["a file cut short", patched((copy) => copy.subarray(0, copy.length - 7))],
		["a header cut short", patched((copy) => copy.subarray(0, 40))],
		["one bit turned", patched((copy) => copy.fill((copy[copy.length - 500] as number) ^ 1, copy.length - 500, copy.length - 499))],
		["another format", patched((copy) => Buffer.from(copy.toString("latin1").replace('"format":1', '"format":2'), "latin1"))],
		["other dimensions", patched((copy) => Buffer.from(copy.toString("latin1").replace('"dimensions":48', '"dimensions":64'), "latin1"))],
		["a file too large", Buffer.concat([bytes, Buffer.alloc(5 * 1024 * 1024)])],
	])("refuses %s with a reason", (_what, wrong) => {
		expect(() => readCheckpoint(wrong)).toThrowError(expect.objectContaining({ reason: "checkpoint-format" }));
	});

	it("refuses weights that are no numbers", () => {
		const broken = filled(6);
		broken.embedding[7] = Number.NaN;
		expect(() => readCheckpoint(writeCheckpoint(broken, {}))).toThrow("no numbers");
	});

	const changed = (change: (parameters: Parameters) => void) => {
		const parameters = filled(7);
		change(parameters);
		return writeCheckpoint(parameters, {});
	};
	it.each<[string, string, string[], (parameters: Parameters) => void]>([
		["a scorer's weight of 1e30", "checkpoint-weight-large", ["scorer", "skill.dot", "1e+30"], ({ scalars }) => scalars.fill(1e30, 3, 4)],
		["a negative one of that size", "checkpoint-weight-large", ["scorer", "fact.lexical", "-20000"], ({ scalars }) => scalars.fill(-20_000, 28, 29)],
		["an encoder's weight of 60000", "checkpoint-weight-large", ["encoder", "row 2, dimension 4", "60000"], ({ embedding }) => embedding.fill(6e4, 100, 101)],
		["an encoder's row that is long though no weight is", "checkpoint-weight-large", ["encoder", "row 3"], ({ embedding }) => embedding.fill(60, 144, 192)],
		["names that weigh too much", "checkpoint-weight-large", ["names", "row 0, dimension 9", "61"], ({ identity }) => identity.fill(61, 9, 10)],
		["an empty encoder", "checkpoint-weight-none", ["encoder"], ({ embedding }) => embedding.fill(0)],
		["a scorer of zeros", "checkpoint-weight-none", ["scorer", "skill"], ({ scalars }) => scalars.fill(0)],
		["a scorer that is blind for tools", "checkpoint-weight-none", ["scorer", "tool"], ({ scalars }) => scalars.fill(0, 16, 20)],
	])("refuses %s with the part, the value and its place", (_what, reason, said, change) => {
		const refusal = (() => {
			try {
				readCheckpoint(changed(change));
			} catch (error) {
				return error as AppError;
			}
			return null;
		})();
		expect(refusal).toMatchObject({ code: "bad-input", reason });
		for (const part of said) expect(`${refusal?.message} ${Object.values(refusal?.params ?? {}).join(" ")}`).toContain(part);
	});

	it("takes what is untrained, and what went a hundred times as far as the base", () => {
		expect(readCheckpoint(writeCheckpoint(initialParameters(1), {})).made).toEqual({});
		const far = changed(({ embedding, identity, scalars }) => {
			embedding.set(embedding.map((value) => value * 14));
			identity.set(identity.map((value) => value * 12));
			scalars.fill(1250, 0, 1);
		});
		expect(readCheckpoint(far).parameters.scalars[0]).toBe(1250);
	});

	it("keeps every half-precision number", () => {
		for (let half = 0; half < 65_536; half++) {
			const value = fromHalf(half);
			if (!Number.isNaN(value)) expect(toHalf(value)).toBe(half === 0x8000 ? 0x8000 : half);
		}
		expect([toHalf(1), toHalf(65_536), toHalf(-2), toHalf(2 ** -25), toHalf(1 + 2 ** -11)]).toEqual([0x3c00, 0x7c00, 0xc000, 0, 0x3c00]);
	});

	it("has room for every kind of decision", () => {
		expect(new Set(DECISION_KINDS.flatMap((kind) => [scalarAt(kind, "lexical"), scalarAt(kind, "dot")])).size).toBe(DECISION_KINDS.length * 2);
	});
});
