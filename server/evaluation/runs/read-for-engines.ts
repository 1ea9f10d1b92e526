import { TrajectorySchema } from "@/server/agent/contract";
import type { Database } from "@/server/db/client";
import { FailureTypeSchema, VerdictSchema } from "@/server/judge/contract";
import { AppError } from "@/server/kernel/errors";
import type { Phrase } from "@/server/kernel/phrase.contract";
import { readOpenCases } from "../cases/case.repository";
import { listRecords } from "./result.repository";
import { requireRun } from "./start-run";

/** What a diagnosis may see of one failed episode: trajectory and verdict evidence; never the rubric. Shaped as `evolution` reads it. */
export interface FailedCase {
	caseId: string;
	episodeId: string;
	category: string;
	message: string;
	reply: string | null;
	failureType: ReturnType<typeof FailureTypeSchema.parse>;
	blamed: string | null;
	loadedSkills: string[];
	toolCalls: { name: string; handler: string; ok: boolean; result: unknown; fault?: string }[];
	evidence: { kind: string; ok: boolean; rule: string; phrase?: Phrase; sentence?: string; fact?: string }[];
	reference: string | null;
}

export interface PassedCase {
	caseId: string;
	category: string;
	message: string;
	loadedSkills: string[];
	reply: string | null;
	reference: string | null;
}

/** Engines see `dev` only: diagnosing on `test` would be editing on it. */
async function requireDevRun(db: Database, runId: string) {
	const run = await requireRun(db, runId);
	if (run.split !== "dev") throw new AppError("forbidden", "Diagnosis and editing read dev runs only.", { reason: "dev-only" });
	const references = new Map((await readOpenCases(db, run.suiteVersionId, "dev")).map((one) => [one.id, one.content.reference ?? null]));
	return references;
}

/** Failed episodes of a dev run, one a case. Throws `forbidden` for any other split. */
export async function readFailures(db: Database, runId: string): Promise<FailedCase[]> {
	const references = await requireDevRun(db, runId);
	return (await listRecords(db, runId, "failed")).flatMap((row) => {
		const trajectory = TrajectorySchema.safeParse(row.trajectory);
		const verdict = VerdictSchema.safeParse(row.verdict);
		if (!trajectory.success || !verdict.success) return [];
		return [
			{
				caseId: row.caseId,
				episodeId: row.id,
				category: row.category,
				message: row.message,
				reply: row.reply,
				failureType: FailureTypeSchema.catch("no-answer").parse(row.failureType),
				blamed: row.blamed,
				loadedSkills: row.skills,
				toolCalls: trajectory.data.steps.flatMap((step) =>
					step.type === "tool"
						? [{ name: step.name, handler: step.handler, ok: step.ok, result: step.result ?? step.error, ...(step.fault ? { fault: step.fault } : {}) }]
						: [],
				),
				evidence: verdict.data.evidence.map(({ kind, ok, rule, phrase, sentence, fact }) => ({
					kind,
					ok,
					rule,
					...(phrase === undefined ? {} : { phrase }),
					...(sentence === undefined ? {} : { sentence }),
					...(fact === undefined ? {} : { fact }),
				})),
				reference: references.get(row.caseId) ?? null,
			},
		];
	});
}

/** Passed cases of a dev run: messages, loaded skills and replies only. Throws `forbidden` for any other split. */
export async function readPassing(db: Database, runId: string): Promise<PassedCase[]> {
	const references = await requireDevRun(db, runId);
	return (await listRecords(db, runId, "passed")).map((row) => ({
		caseId: row.caseId,
		category: row.category,
		message: row.message,
		loadedSkills: row.skills,
		reply: row.reply,
		reference: references.get(row.caseId) ?? null,
	}));
}
