import { AppError } from "@/server/kernel/errors";

/** What tells two runs apart as far as a comparison is concerned. */
export interface ComparedRun {
	id: string;
	number: number;
	suiteKey: string;
	split: string;
	judgeVersionId: string;
}

/** Numbers of the runs that each of the two compares with, newest first. */
export interface Comparable {
	base: readonly number[];
	run: readonly number[];
}

const nameOf = (run: ComparedRun) => `R-${run.number} (${run.suiteKey} ${run.split})`;

const partners = (run: ComparedRun, numbers: readonly number[]) =>
	numbers.length > 0
		? `R-${run.number} compares with ${numbers
				.slice(0, 5)
				.map((number) => `R-${number}`)
				.join(", ")}.`
		: `R-${run.number} has no other run to compare with yet: evaluate --suite ${run.suiteKey} --split ${run.split} makes one.`;

/** The error for two runs that measure different things: verdicts over no common case would read as "nothing changed". */
export function cannotCompare(base: ComparedRun, run: ComparedRun, why: string, comparable: Comparable | null): AppError {
	return new AppError("bad-input", `${nameOf(base)} and ${nameOf(run)} cannot be compared. ${why}`, {
		reason: "runs-not-comparable",
		fix: comparable
			? `${partners(base, comparable.base)} ${partners(run, comparable.run)}`
			: "Two runs compare over one suite and split under one judge; with --workspace the runs that do are listed.",
	});
}
