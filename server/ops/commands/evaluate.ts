import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import { intervalPoints, points, pointsOrNull, scorePoints } from "@/server/evaluation";
import { type Comparison, type RunSummary, SplitSchema } from "@/server/evaluation/contract";
import { AppError } from "@/server/kernel/errors";
import { SERVICE_ACTORS } from "@/server/workspace/contract";
import type { Session } from "../session";
import { type CommandResult, progress } from "./output";
import type { CompareOptions, EvaluateOptions } from "./read-options";
import { type ComparedRun, cannotCompare } from "./refuse-comparison";

type Options = z.infer<typeof EvaluateOptions>;

/** A ref or commit of the workspace's repository, or a folder (then there is no commit). */
export async function findHarness(session: Session, workspaceId: string, what: string): Promise<{ commit: string | null; treeId: string }> {
	if (!fs.existsSync(what) || !fs.statSync(what).isDirectory()) {
		const { commit, treeId } = await session.services.harness.resolveHarness(workspaceId, what);
		return { commit, treeId };
	}
	const { files, unreadable } = await session.services.harness
		.loadFolder(path.resolve(what))
		.then((loaded) => ({ files: loaded.files, unreadable: loaded.problems }));
	const problems = [...unreadable, ...(await session.services.harness.validate(workspaceId, files))].filter((problem) => problem.severity === "error");
	if (problems.length > 0)
		throw new AppError(
			"bad-input",
			`The harness in ${what} is not valid:\n${problems.map((problem) => `${problem.file}:${problem.line} ${problem.message}`).join("\n")}`,
			{
				reason: "harness-invalid",
				fix: `npm run -s studio -- validate ${what}`,
				data: problems,
			},
		);
	return { commit: null, treeId: await session.services.harness.saveSnapshot(files) };
}

/** Waits for a run's end, with progress on stderr. Ctrl-C leaves it on the queue, to be resumed. */
export async function waitForRun(session: Session, workspaceId: string, runId: string): Promise<RunSummary> {
	let shown = "";
	for (;;) {
		const state = await session.services.evaluation.progress(runId);
		const line = `${state.valid + state.infraErrors}/${state.planned} episodes, ${state.infraErrors} errors`;
		if (line !== shown) progress(line);
		shown = line;
		if (state.status === "done" || state.status === "failed" || state.status === "cancelled") {
			const run = await session.services.evaluation.get(workspaceId, runId);
			if (run.status !== "done" || !run.summary)
				throw new AppError("precondition", `The run ended as ${run.status}: ${run.error ?? "no reason given"}`, { reason: "run-not-done" });
			return run.summary;
		}
		await sleep(200);
	}
}

/** A run without a valid episode measured nothing: its scores are null, never 0. */
export function summaryDocument(summary: RunSummary) {
	return {
		cases: summary.cases,
		trials: summary.trials,
		coverage: points(summary.coverage),
		...scorePoints(summary, summary.coverage > 0),
		skillSelection: pointsOrNull(summary.skillSelection),
		toolRationality: pointsOrNull(summary.toolRationality),
		recovery: pointsOrNull(summary.recovery),
		noise: pointsOrNull(summary.noise),
		latencyMs: summary.latencyMs,
		tokens: summary.tokens,
		modelCalls: summary.modelCalls,
		cachedCalls: summary.cachedCalls,
		infraErrors: summary.infraErrors,
		standing: summary.standing,
		perCategory: summary.perCategory.map((row) => ({ ...row, accuracy: intervalPoints(row.accuracy), effectiveness: intervalPoints(row.effectiveness) })),
	};
}

function comparisonDocument(comparison: Comparison) {
	const dimension = (d: Comparison["dimensions"]["accuracy"]) => ({
		delta: points(d.delta),
		low: points(d.low),
		high: points(d.high),
		p: d.p,
		verdict: d.verdict,
		nonInferior: d.nonInferior,
		fixed: d.fixed,
		broken: d.broken,
	});
	return {
		base: comparison.baseRunId,
		run: comparison.runId,
		cases: comparison.cases,
		avgDelta: points(comparison.avgDelta),
		dimensions: { accuracy: dimension(comparison.dimensions.accuracy), effectiveness: dimension(comparison.dimensions.effectiveness) },
		perCategory: comparison.perCategory.map((row) => ({
			category: row.category,
			cases: row.cases,
			accuracy: { ...dimension(row.accuracy), pHolm: row.accuracy.pHolm },
			effectiveness: { ...dimension(row.effectiveness), pHolm: row.effectiveness.pHolm },
		})),
		alarms: comparison.alarms,
		invalid: comparison.invalid,
	};
}

/** Runs of the same workspace, suite, split and judge that are done, newest first: what a run can be compared with. */
async function comparableWith(session: Session, workspaceId: string, run: ComparedRun): Promise<number[]> {
	const { rows } = await session.services.evaluation.list({
		workspaceId,
		status: ["done"],
		split: [SplitSchema.parse(run.split)],
		suiteKey: [run.suiteKey],
		reason: [],
		policyVersionId: [],
		text: "",
		sort: "number",
		descending: true,
		offset: 0,
		limit: 50,
	});
	return rows.filter((row) => row.judgeVersionId === run.judgeVersionId && row.id !== run.id).map((row) => row.number);
}

/** The comparison; throws `bad-input`, naming runs that do compare, where these two measure different things. */
async function compareOrRefuse(session: Session, workspaceId: string | null, base: ComparedRun, run: ComparedRun): Promise<Comparison> {
	const comparison = await session.services.evaluation.compare(base.id, run.id);
	if (comparison.invalid === null) return comparison;
	const comparable = workspaceId && { base: await comparableWith(session, workspaceId, base), run: await comparableWith(session, workspaceId, run) };
	throw cannotCompare(base, run, comparison.invalid, comparable || null);
}

const hasRegressed = (comparison: Comparison) => Object.values(comparison.dimensions).some((dimension) => dimension.verdict === "regressed");

/** `evaluate`: one run to its end. Fails when no episode was valid. With `--against RUN --fail-on regressed` it fails when a dimension regressed. */
export async function evaluate(session: Session, options: Options): Promise<CommandResult> {
	const workspace = await session.workspace(options.workspace);
	const { services } = session;
	const suite = await services.evaluation.requireSuite(workspace.id, options.suite);
	const [harness, policy, judge] = await Promise.all([
		findHarness(session, workspace.id, options.harness),
		services.policies.find(workspace.id, options.policy),
		services.judges.current(workspace.id),
	]);
	// An unknown reference is refused before anything runs.
	const against = options.against ? await services.evaluation.resolve(workspace.id, options.against) : null;
	if (against && (against.split !== options.split || against.suiteKey !== suite.key))
		throw new AppError("bad-input", `R-${against.number} is over ${against.suiteKey} ${against.split}, not ${suite.key} ${options.split}.`, {
			reason: "runs-not-comparable",
			fix: `Give --against a run over ${suite.key} ${options.split}.`,
		});
	const run = await services.evaluation.start(
		{
			workspaceId: workspace.id,
			suiteVersionId: suite.id,
			split: options.split,
			...harness,
			policyVersionId: policy.id,
			judgeVersionId: judge.id,
			trials: options.trials,
			seed: options.seed,
			useCache: options.cache,
			reason: "manual",
		},
		SERVICE_ACTORS.system,
	);
	progress(`R-${run.number}: ${run.planned} episodes`);
	const summary = await waitForRun(session, workspace.id, run.id);
	const comparison = against ? await compareOrRefuse(session, workspace.id, against, run) : null;
	return {
		document: {
			runId: run.id,
			number: run.number,
			harness: { commit: harness.commit, tree: harness.treeId },
			policy: policy.name,
			judge: judge.name,
			suite: suite.key,
			suiteVersion: suite.version,
			split: options.split,
			seed: options.seed,
			...summaryDocument(summary),
			...(comparison ? { comparison: comparisonDocument(comparison) } : {}),
		},
		failed: summary.coverage === 0 || (options.failOn === "regressed" && comparison !== null && hasRegressed(comparison)),
	};
}

/** `compare RUN_A RUN_B`: paired, case by case. Runs by id, or by number with `--workspace`. */
export async function compare(session: Session, base: string, other: string, options: z.infer<typeof CompareOptions>): Promise<CommandResult> {
	const workspaceId = options.workspace ? (await session.workspace(options.workspace)).id : null;
	const find = async (reference: string) => {
		const [byId] = await session.services.evaluation.findRuns([reference]);
		if (byId) return byId;
		if (!workspaceId)
			throw new AppError("not-found", `There is no run with the id "${reference}".`, {
				reason: "run-not-found",
				fix: "To name runs by number (R-12), add --workspace.",
			});
		return session.services.evaluation.resolve(workspaceId, reference);
	};
	const [a, b] = [await find(base), await find(other)];
	if (a.split === "holdout" || b.split === "holdout")
		throw new AppError("forbidden", "The holdout gives back overall counts only.", { reason: "holdout-sealed" });
	const comparison = await compareOrRefuse(session, workspaceId, a, b);
	return { document: comparisonDocument(comparison), failed: options.failOn === "regressed" && hasRegressed(comparison) };
}
