import { describe, expect, it } from "vitest";
import { augment } from "./augment";
import { DEFAULT_ENVELOPE } from "./envelope";
import { checkVariant, lostBy, read } from "./testing/check-variant";
import { keepOf, loadSamples, type SampleCase } from "./testing/sample-cases";

const SEEDS = 200;

/** Cases that need the same skills and tools have the same variants: each is checked against all of its cases. */
function byNeed(cases: readonly SampleCase[]): SampleCase[][] {
	const groups = new Map<string, SampleCase[]>();
	for (const one of cases) {
		const need = JSON.stringify([one.skills, one.tools]);
		groups.set(need, [...(groups.get(need) ?? []), one]);
	}
	return [...groups.values()];
}

const samples = await loadSamples();

describe("every case of the samples, each under its own variants", () => {
	for (const { name, files, cases } of samples) {
		const original = read({ files });
		it.skipIf(cases.length === 0).each(byNeed(cases).map((group) => [group[0]?.id ?? "", group] as const))(
			`${name}: %s and its like, ${SEEDS} seeds`,
			(_id, group) => {
				const keep = keepOf(original, group[0] as SampleCase);
				for (let seed = 0; seed < SEEDS; seed++) {
					const variant = augment({ files, treeId: original.treeId, envelope: DEFAULT_ENVELOPE, seed, keep });
					const harness = checkVariant(original, variant, keep);
					expect(group.flatMap((one) => lostBy(original, harness, variant, one))).toEqual([]);
				}
			},
			600_000,
		);
	}
});
