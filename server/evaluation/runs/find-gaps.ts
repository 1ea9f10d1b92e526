import type { Database } from "@/server/db/client";
import type { RobustnessGap, VariantPlan } from "../contract";
import { pairedGap } from "../statistics";
import { readCaseScores } from "./result.repository";
import { findDoneBeside, findRun, type RunRow } from "./run.repository";

/** T1 and T2 of one harness, policy and judge on the same cases, and what T2 loses. */
export interface MeasuredGap {
	t1: RunRow;
	t2: RunRow;
	/** In which words the variants were written. */
	words: VariantPlan["book"];
	gap: RobustnessGap;
}

/**
 * The T1−T2 gaps that a finished run completes: as T2 against the newest T1 of the same harness, policy and judge, or as T1
 * against each T2 that is there. Empty for any other run, for one that is not done, and for the holdout.
 */
export async function findGaps(db: Database, runId: string): Promise<MeasuredGap[]> {
	const run = await findRun(db, runId);
	if (run?.status !== "done" || run.partial || run.split === "holdout") return [];
	const beside = await findDoneBeside(db, run);
	const pairs =
		run.variants === null
			? beside.filter((other) => other.variants?.suite === "t2").map((t2) => ({ t1: run, t2 }))
			: run.variants.suite === "t2"
				? beside
						.filter((other) => other.variants === null)
						.slice(0, 1)
						.map((t1) => ({ t1, t2: run }))
				: [];
	return Promise.all(
		pairs.map(async ({ t1, t2 }) => {
			const [base, scores] = await Promise.all([readCaseScores(db, t1.id), readCaseScores(db, t2.id)]);
			return { t1, t2, words: t2.variants?.book ?? "transforms", gap: pairedGap(base, scores) };
		}),
	);
}
