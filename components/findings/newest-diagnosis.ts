import { type Finding, isConfirmed } from "./types";

export interface Diagnosis {
	/** The run whose failures were clustered; null before the first diagnosis. */
	runId: string | null;
	runNumber: number | null;
	/** Its clusters, whatever was decided about them. */
	findings: Finding[];
	/** Dev cases that failed in that run. */
	failed: number;
	/** How many of them are in a cluster. */
	held: number;
}

/**
 * The figures of the newest diagnosis alone. Findings that were decided earlier stay on the page, but their shares are of
 * another run's failures, or of the same ones clustered anew: figures of two diagnoses are never added up.
 */
export function newestDiagnosis(findings: readonly Finding[]): Diagnosis {
	// What a trigger opened belongs to no diagnosis.
	const diagnosed = findings.filter((f) => !f.engine.startsWith("trigger:"));
	const newest = diagnosed.reduce<Finding | null>((best, f) => (best === null || f.number > best.number ? f : best), null);
	const own = diagnosed.filter((f) => f.runId === newest?.runId && f.taskId === newest.taskId);
	// Each finding knows its share, so each knows of how many.
	const known = own.find((f) => f.share > 0);
	return {
		runId: newest?.runId ?? null,
		runNumber: newest?.runNumber ?? null,
		findings: own,
		failed: known ? Math.round(known.cases / known.share) : 0,
		held: new Set(own.flatMap((f) => f.caseIds)).size,
	};
}

/** Every cluster of the newest diagnosis was rejected, and nothing of an earlier one waits: no edit will be asked for. */
export const allRejected = (all: readonly Finding[], newest: readonly Finding[]): boolean =>
	newest.length > 0 && newest.every((f) => f.status === "rejected") && !all.some((f) => f.status === "proposed" || isConfirmed(f));
