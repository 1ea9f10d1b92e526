import type { Database } from "@/server/db/client";
import { AppError } from "@/server/kernel/errors";
import type { Actor } from "@/server/workspace/contract";
import * as cases from "./cases/case.repository";
import { casesToCsv, casesToJsonLines } from "./cases/export-cases";
import * as importing from "./cases/import-cases";
import type { TableSource } from "./cases/read-table";
import * as suites from "./cases/suite.repository";
import { type ImportOptionsInput, type RunInfo, RunInfoSchema, type RunProgress } from "./contract";
import type { EvaluationPorts } from "./ports";
import { countWorkers } from "./runs/chunk.repository";
import { type ComparisonRule, compareById, compareSealed, listFlips } from "./runs/compare-service";
import { type EstimateInput, estimateRun } from "./runs/estimate-run";
import { findGaps } from "./runs/find-gaps";
import { finishSettledRuns } from "./runs/finish-run";
import { MAX_REFERENCES } from "./runs/load-run";
import { readFailures, readPassing } from "./runs/read-for-engines";
import * as results from "./runs/result.repository";
import * as runs from "./runs/run.repository";
import type { RunCommand } from "./runs/run-state";
import { RunWorker, type RunWorkerOptions } from "./runs/run-worker";
import { controlRun, ensureRun, requireRun, type StartRun, startRun } from "./runs/start-run";
import { liveScores, pairedGap } from "./statistics";

/** What other domains see of a run. */
export interface RunView {
	id: string;
	number: number;
	status: RunInfo["status"];
	split: string;
	reason: RunInfo["reason"];
	/** Under variants of the harness. */
	variants: RunInfo["variants"];
	treeId: string;
	commit: string | null;
	suiteVersionId: string;
	suiteKey: string;
	policyVersionId: string;
	judgeVersionId: string;
	done: number;
	/** Episodes that ended with a result. */
	valid: number;
	planned: number;
	summary: RunInfo["summary"];
	createdAt: Date;
	finishedAt: Date | null;
}

function toView(run: runs.RunRow): RunView {
	const { id, number, status, split, reason, variants, treeId, commit, suiteVersionId, suiteKey, policyVersionId, judgeVersionId } = run;
	const { valid, planned, summary, createdAt, finishedAt } = run;
	return {
		id,
		number,
		status,
		split,
		reason,
		variants,
		treeId,
		commit,
		suiteVersionId,
		suiteKey,
		policyVersionId,
		judgeVersionId,
		done: valid + run.infraErrors,
		valid,
		planned,
		summary,
		createdAt,
		finishedAt,
	};
}

/** Adds the names that people read, and takes the figures of a sealed run away. */
async function toInfos(ports: EvaluationPorts, rows: readonly runs.RunRow[]): Promise<RunInfo[]> {
	const unique = (values: string[]) => [...new Set(values)];
	const [versions, people] = await Promise.all([
		ports.versionNames({ policies: unique(rows.map((row) => row.policyVersionId)), judges: unique(rows.map((row) => row.judgeVersionId)) }),
		ports.personNames(unique(rows.map((row) => row.requestedById))),
	]);
	return rows.map((row) =>
		RunInfoSchema.parse({
			...row,
			policyName: versions.policies.get(row.policyVersionId) ?? row.policyVersionId,
			judgeName: versions.judges.get(row.judgeVersionId) ?? row.judgeVersionId,
			requestedBy: people.get(row.requestedById) ?? row.requestedById,
			summary: row.split === "holdout" ? null : row.summary,
		}),
	);
}

async function readProgress(db: Database, runId: string): Promise<RunProgress> {
	const run = await requireRun(db, runId);
	const sealed = run.split === "holdout";
	const [figures, workers, scores] = await Promise.all([
		results.readLiveFigures(db, runId),
		countWorkers(db, runId),
		// A run that is done has its summary: nothing to compute.
		sealed || run.summary ? [] : results.readCaseScores(db, runId),
	]);
	const shown = sealed ? null : (run.summary ?? liveScores(scores, run.trials));
	const done = figures.valid + figures.infraErrors;
	const live = run.status === "queued" || run.status === "running";
	return {
		status: run.status,
		planned: run.planned,
		valid: figures.valid,
		infraErrors: figures.infraErrors,
		coverage: run.planned === 0 ? 0 : figures.valid / run.planned,
		perSecond: live ? figures.perSecond : 0,
		leftMs: live && figures.perSecond > 0 ? Math.round(((run.planned - done) / figures.perSecond) * 1_000) : null,
		elapsedMs: run.startedAt ? (run.finishedAt ?? new Date()).getTime() - run.startedAt.getTime() : 0,
		accuracy: shown?.accuracy ?? null,
		effectiveness: shown?.effectiveness ?? null,
		latencyMs: figures.latencyMs,
		tokens: figures.tokens,
		workers,
	};
}

/** Suites and cases. Whatever lists or exports them leaves the holdout out. */
function createCaseService(db: Database, ports: EvaluationPorts) {
	const withScene = async (target: importing.ImportTarget): Promise<importing.ImportTarget> => {
		const [scene, { measure, categories }] = await Promise.all([ports.scene(target.workspaceId), ports.workspaceFacts(target.workspaceId)]);
		return { ...target, scene, measure, categories };
	};
	return {
		listSuites: (workspaceId: string) => suites.listSuites(db, workspaceId),
		currentSuiteVersion: (workspaceId: string, suiteKey: string) => suites.findCurrentSuiteVersion(db, workspaceId, suiteKey),
		/** The same; throws `not-found` where the workspace has no such suite. */
		async requireSuite(workspaceId: string, suiteKey: string) {
			const suite = await suites.findCurrentSuiteVersion(db, workspaceId, suiteKey);
			if (suite) return suite;
			throw new AppError("not-found", `The workspace has no suite "${suiteKey}".`, { reason: "suite-unknown" });
		},
		/** What a training may see: dev cases of a suite version, and the newest messages that are there for training alone, of groups that test and holdout do not touch. */
		readTrainingCases: (suiteVersionId: string) => cases.readTrainingCases(db, suiteVersionId),
		/** Reference replies by category as a run's judge sees them; null where the workspace does not measure by them. Throws `not-found`. */
		async references(suiteVersionId: string): Promise<Record<string, string[]> | null> {
			const suite = await suites.findSuiteVersion(db, suiteVersionId);
			if (!suite) throw new AppError("not-found", "There is no such suite version.", { reason: "suite-version-not-found" });
			const { measure } = await ports.workspaceFacts(suite.workspaceId);
			return measure === "reference-intent" ? cases.readReferences(db, suiteVersionId, MAX_REFERENCES) : null;
		},
		/** Test cases to measure trainings on: those of a suite version, and of the workspace's other suites as they are now. */
		readMeasuredCases: (suiteVersionId: string) => cases.readMeasuredCases(db, suiteVersionId),
		findSuiteVersion: (id: string) => suites.findSuiteVersion(db, id),
		async listCases(workspaceId: string, filter: cases.CaseListFilter) {
			const suite = await suites.findSuiteVersion(db, filter.suiteVersionId);
			if (suite?.workspaceId !== workspaceId) throw new AppError("not-found", "There is no such suite version.", { reason: "suite-version-not-found" });
			return cases.listCases(db, filter);
		},
		caseKeys: (workspaceId: string, ids: readonly string[]) => cases.listCaseKeys(db, workspaceId, ids),
		/** An open case with its earlier texts and its last results. */
		async findCase(workspaceId: string, caseId: string) {
			const one = await cases.findOpenCase(db, workspaceId, caseId);
			if (!one) throw new AppError("not-found", "There is no such case.", { reason: "case-not-found" });
			const history = await cases.listCaseHistory(db, workspaceId, one.key);
			const ids = history.map((row) => row.id);
			return { case: one, history, episodes: await results.listCaseEpisodes(db, workspaceId, ids, 50) };
		},
		dryRunImport: async (target: importing.ImportTarget, source: TableSource, options: ImportOptionsInput) =>
			importing.dryRunImport(db, await withScene(target), source, options),
		importCases: async (target: importing.ImportTarget, source: TableSource, actor: Actor, options: ImportOptionsInput) =>
			importing.importCases(db, await withScene(target), source, actor, options),
		importCaseFiles: async (target: importing.ImportTarget, files: Record<string, string>, actor: Actor, folder?: string) =>
			importing.importCaseFiles(db, await withScene(target), files, actor, folder),
		editCase: async (target: importing.ImportTarget, caseId: string, edit: importing.CaseEdit, actor: Actor) =>
			importing.editCase(db, await withScene(target), caseId, edit, actor),
		removeCases: (target: importing.ImportTarget, caseIds: readonly string[], actor: Actor) => importing.removeCases(db, target, caseIds, actor),
		/** Dev and test cases of a suite version as CSV or JSON lines; the holdout is never among them. */
		async exportCases(workspaceId: string, suiteVersionId: string, format: "csv" | "jsonl"): Promise<string> {
			const suite = await suites.findSuiteVersion(db, suiteVersionId);
			if (suite?.workspaceId !== workspaceId) throw new AppError("not-found", "There is no such suite version.", { reason: "suite-version-not-found" });
			const open = [...(await cases.readOpenCases(db, suiteVersionId, "dev")), ...(await cases.readOpenCases(db, suiteVersionId, "test"))];
			return format === "csv" ? casesToCsv(open) : casesToJsonLines(open);
		},
	};
}

/** What other domains' rules and engines read of runs. */
function createReadings(db: Database) {
	return {
		/** The T1−T2 gaps that a finished run completes. */
		gapsOf: (runId: string) => findGaps(db, runId),
		// For the engines of evolution: dev only.
		readFailures: (runId: string) => readFailures(db, runId),
		readPassing: (runId: string) => readPassing(db, runId),
		countSparse: (runId: string) => results.countSparse(db, runId),
	};
}

/** Suites, cases, runs and comparisons. The only way to them from other domains. */
export function createEvaluationService(db: Database, ports: EvaluationPorts) {
	/** A run of this workspace; looks like one that does not exist otherwise. */
	async function runOf(workspaceId: string, runId: string): Promise<runs.RunRow> {
		const run = await requireRun(db, runId);
		if (run.workspaceId !== workspaceId) throw new AppError("not-found", "There is no such run.", { reason: "run-not-found" });
		return run;
	}
	async function resolve(workspaceId: string, reference: string): Promise<runs.RunRow> {
		const number = /^(?:#?R-?|#)?(\d{1,9})$/i.exec(reference.trim())?.[1];
		const run = number ? await runs.findRunByNumber(db, workspaceId, Number(number)) : await runs.findRun(db, reference);
		if (run?.workspaceId === workspaceId) return run;
		throw new AppError("not-found", `There is no run "${reference.slice(0, 80)}" in this workspace.`, {
			reason: "run-not-found",
			params: { run: reference.slice(0, 80) },
		});
	}
	async function openRunOf(workspaceId: string, runId: string): Promise<runs.RunRow> {
		const run = await resolve(workspaceId, runId);
		if (run.split === "holdout") throw new AppError("forbidden", "The holdout gives back overall counts only.", { reason: "holdout-sealed" });
		return run;
	}
	return Object.assign(createCaseService(db, ports), createReadings(db), {
		// ---- runs ----
		start: async (input: StartRun, actor: Actor): Promise<RunView> => toView(await startRun(db, ports, input, actor)),
		ensureRun: async (input: StartRun, actor: Actor): Promise<RunView> => toView(await ensureRun(db, ports, input, actor)),
		/** The newest complete equal run, to be taken instead of a new one; with `live` one that is under way too. Null when there is none. */
		async findEquivalentRun(input: StartRun, { live = false }: { live?: boolean } = {}): Promise<RunView | null> {
			const { bundleId } = await ports.workspaceFacts(input.workspaceId);
			const { workspaceId, suiteVersionId, split, treeId, policyVersionId, judgeVersionId, trials, seed, variants = null } = input;
			const equal = await runs.findEqualRun(
				db,
				{ workspaceId, suiteVersionId, split, treeId, policyVersionId, judgeVersionId, bundleId, trials, seed, variants },
				{ live },
			);
			return equal ? toView(equal) : null;
		},
		findRuns: async (ids: readonly string[]): Promise<RunView[]> => (await runs.findRuns(db, ids)).map(toView),
		/** By id, or by number as people write it (`219`, `R-219`). Throws `not-found`. */
		async get(workspaceId: string, reference: string): Promise<RunInfo> {
			const [info] = await toInfos(ports, [await resolve(workspaceId, reference)]);
			return info as RunInfo;
		},
		/** The same without names. */
		resolve: async (workspaceId: string, reference: string): Promise<RunView> => toView(await resolve(workspaceId, reference)),
		async list(filter: runs.RunListFilter): Promise<{ rows: RunInfo[]; total: number }> {
			const { rows, total } = await runs.listRuns(db, filter);
			return { rows: await toInfos(ports, rows), total };
		},
		progress: (runId: string): Promise<RunProgress> => readProgress(db, runId),
		async control(workspaceId: string, runId: string, command: RunCommand, actor: Actor): Promise<void> {
			await runOf(workspaceId, runId);
			await controlRun(db, ports, runId, command, actor);
		},
		/** Ends runs on which nobody works any more: what a worker does at every turn, for where none runs. Returns their ids. */
		endSettled: (): Promise<string[]> => finishSettledRuns(db),
		async estimate(input: Omit<EstimateInput, "cases">) {
			const ids = await cases.listCaseIds(db, input.suiteVersionId, input.split);
			return estimateRun(db, ports, { ...input, cases: ids.length });
		},
		/** The loop that a worker process runs until the signal aborts. */
		work: (signal: AbortSignal, options: RunWorkerOptions = {}): Promise<void> => new RunWorker(db, ports, options).run(signal),

		// ---- results ----
		async results(workspaceId: string, runId: string, query: Parameters<typeof results.listResults>[2]) {
			await openRunOf(workspaceId, runId);
			return results.listResults(db, runId, query);
		},
		async facets(workspaceId: string, runId: string) {
			await openRunOf(workspaceId, runId);
			return results.readFacets(db, runId);
		},
		async episode(workspaceId: string, episodeId: string) {
			const found = await results.findEpisode(db, episodeId);
			if (!found) throw new AppError("not-found", "There is no such episode.", { reason: "episode-not-found" });
			await openRunOf(workspaceId, found.runId);
			return found;
		},

		// ---- comparisons ----
		compare: (baseRunId: string, runId: string, rule: ComparisonRule = {}) => compareById(db, baseRunId, runId, rule),
		/** What a run under variants loses against the run on the harness itself, paired by case. Throws `precondition` where one is not done or they cannot be compared, `forbidden` for the holdout. */
		async gap(baseRunId: string, runId: string) {
			const comparison = await compareById(db, baseRunId, runId);
			if (comparison.invalid) throw new AppError("precondition", comparison.invalid, { reason: "runs-not-comparable" });
			const [base, scores] = await Promise.all([results.readCaseScores(db, baseRunId), results.readCaseScores(db, runId)]);
			return pairedGap(base, scores);
		},
		compareSealed: (baseRunId: string, runId: string, rule: ComparisonRule = {}) => compareSealed(db, baseRunId, runId, rule),
		async compareIn(workspaceId: string, baseReference: string, reference: string) {
			const base = await openRunOf(workspaceId, baseReference);
			const run = await openRunOf(workspaceId, reference);
			return { comparison: await compareById(db, base.id, run.id), flips: await listFlips(db, base.id, run.id) };
		},
	});
}

export type EvaluationService = ReturnType<typeof createEvaluationService>;
