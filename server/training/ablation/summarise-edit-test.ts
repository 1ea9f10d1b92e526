import type { Estimate } from "../ablation.contract";
import type { EditTestRow } from "./perform-edit-test";
import { drawSamples, intervalOf, type Sample } from "./resample";
import { ANY_SEED } from "./run-ablation";

/** Share of the errors under the harness before that are none under the harness after, and the other way round. */
interface EditEffect {
	policy: EditTestRow["policy"];
	errorsBefore: number;
	errorsAfter: number;
	/** Of the errors before: the share that the new harness fixed. */
	fixed: Estimate;
	/** Of what was right before: the share that the new harness broke. */
	broken: Estimate;
	/** Change of the number of errors; −0.5 means that half of them are gone. */
	change: Estimate;
}

/** What counts as an error: anything but full marks. Of ours. */
const isError = (score: number) => score < 1;

interface Counts {
	wrong: number;
	right: number;
	fixed: number;
	broken: number;
}

function count(rows: readonly EditTestRow[], weights: Float64Array): Counts {
	const counts = { wrong: 0, right: 0, fixed: 0, broken: 0 };
	for (const { before, after } of rows) {
		before.forEach((score, i) => {
			const weight = weights[i] as number;
			const [was, is] = [isError(score), isError(after[i] as number)];
			if (was) counts.wrong += weight;
			else counts.right += weight;
			if (was && !is) counts.fixed += weight;
			if (!was && is) counts.broken += weight;
		});
	}
	return counts;
}

const READ = {
	fixed: ({ wrong, fixed }: Counts) => fixed / wrong,
	broken: ({ right, broken }: Counts) => broken / right,
	change: ({ wrong, fixed, broken }: Counts) => (broken - fixed) / wrong,
};

/**
 * What an edited harness does to each policy's errors, paired by case, with 95 % intervals of resampled groups and seeds; and
 * the difference of the shares fixed between the HAT policy and the Fixed one, from the same resamples.
 */
export function summariseEditTest(rows: readonly EditTestRow[], groups: readonly string[]) {
	const seeds = [...new Set(rows.map((row) => row.seed))].filter((seed) => seed !== ANY_SEED);
	const policies = [...new Set(rows.map((row) => row.policy))];
	const rowsOf = (policy: string, drawn: readonly number[]) => {
		const own = rows.filter((row) => row.policy === policy);
		return own.length === 1 ? own : drawn.flatMap((seed) => own.filter((row) => row.seed === seed));
	};
	const { whole, resamples } = drawSamples(seeds, groups, "edit-test");
	const countsOf = (policy: string, { seeds: drawn, weights }: Sample) => count(rowsOf(policy, drawn), weights);
	const interval = (read: (sample: Sample) => number) => intervalOf(read(whole), resamples.map(read));
	const effects = policies.map((policy): EditEffect => {
		const { wrong, fixed, broken } = countsOf(policy, whole);
		const of = (key: keyof typeof READ) => interval((sample) => READ[key](countsOf(policy, sample)));
		const perSeed = Math.max(1, rowsOf(policy, seeds).length);
		return {
			policy,
			errorsBefore: wrong / perSeed,
			errorsAfter: (wrong - fixed + broken) / perSeed,
			fixed: of("fixed"),
			broken: of("broken"),
			change: of("change"),
		};
	});
	const difference = interval((sample) => READ.fixed(countsOf("hat", sample)) - READ.fixed(countsOf("fixed", sample)));
	return { effects, hatMinusFixed: { ...difference, holds: difference.low > 0 ? ("appears" as const) : ("does not appear" as const) } };
}
