import type { Database } from "@/server/db/client";
import { AppError } from "@/server/kernel/errors";
import { recordAudit } from "@/server/workspace";
import type { Actor } from "@/server/workspace/contract";
import { listCaseIds } from "../cases/case.repository";
import { findSuiteVersion } from "../cases/suite.repository";
import type { RunReason, Split, VariantPlan } from "../contract";
import type { EvaluationPorts } from "../ports";
import { type EstimateInput, estimateRun } from "./estimate-run";
import { findEqualRun, findRun, insertRun, moveRun, type RunRow, requeueRun } from "./run.repository";
import { nextStatus, type RunCommand } from "./run-state";
import { CHUNK_EPISODES, RUNS_KEY } from "./run-worker";

export interface StartRun {
	workspaceId: string;
	suiteVersionId: string;
	split: Split;
	treeId: string;
	commit: string | null;
	policyVersionId: string;
	judgeVersionId: string;
	trials: number;
	seed: number;
	useCache?: boolean;
	/** Under variants of the harness, one for each trial. */
	variants?: VariantPlan | null;
	reason: RunReason;
	/** Only these cases: the run is partial, never a round's point. */
	caseIds?: readonly string[];
}

const MAX_EPISODES = 200_000;

function chunksOf(ids: readonly string[], trials: number): string[][] {
	const size = Math.max(1, Math.floor(CHUNK_EPISODES / trials));
	return Array.from({ length: Math.ceil(ids.length / size) }, (_, i) => ids.slice(i * size, (i + 1) * size));
}

async function planCases(db: Database, input: StartRun): Promise<string[]> {
	const all = (await listCaseIds(db, input.suiteVersionId, input.split)).map((row) => row.id);
	const wanted = input.caseIds ? new Set(input.caseIds) : null;
	const ids = wanted ? all.filter((id) => wanted.has(id)) : all;
	if (ids.length === 0)
		throw new AppError("precondition", wanted ? "None of these cases is in the suite." : `The suite has no case in the split ${input.split}.`, {
			reason: "run-no-cases",
			params: { split: input.split },
			fix: "Import cases first, or choose another split.",
		});
	if (ids.length * input.trials > MAX_EPISODES)
		throw new AppError("bad-input", `A run has at most ${MAX_EPISODES.toLocaleString("en")} episodes.`, {
			reason: "run-too-large",
			params: { limit: MAX_EPISODES },
		});
	return ids;
}

async function checkInput(db: Database, input: StartRun) {
	if (!Number.isInteger(input.trials) || input.trials < 1 || input.trials > 50)
		throw new AppError("bad-input", "A case is run 1 to 50 times.", { reason: "run-trials", params: { limit: 50 } });
	if (!Number.isInteger(input.seed) || Math.abs(input.seed) > 2 ** 31 - 1)
		throw new AppError("bad-input", "The seed is a whole number of 32 bits.", { reason: "run-seed" });
	// Only a release gate (or the release itself) reads the holdout.
	if (input.split === "holdout" && input.reason !== "holdout")
		throw new AppError("forbidden", "The holdout is sealed: only a release gate reads it.", { reason: "holdout-sealed" });
	const suite = await findSuiteVersion(db, input.suiteVersionId);
	if (!suite || suite.workspaceId !== input.workspaceId)
		throw new AppError("not-found", "There is no such suite version.", { reason: "suite-version-not-found" });
	return suite;
}

/** Queues a run of planned = cases × trials episodes, with its estimate. Throws `bad-input`, `precondition` or `not-found` with what to do. */
export function startRun(db: Database, ports: EvaluationPorts, input: StartRun, actor: Actor): Promise<RunRow> {
	return queueRun(db, ports, input, actor, { once: false });
}

async function queueRun(db: Database, ports: EvaluationPorts, input: StartRun, actor: Actor, { once }: { once: boolean }): Promise<RunRow> {
	const suite = await checkInput(db, input);
	const ids = await planCases(db, input);
	const facts = await ports.workspaceFacts(input.workspaceId);
	const estimate = await estimateRun(db, ports, { ...input, cases: ids.length } satisfies EstimateInput);
	const { caseIds, useCache = true, variants = null, ...rest } = input;
	const asked = {
		...{ ...rest, useCache, variants, estimate },
		suiteKey: suite.key,
		bundleId: facts.bundleId,
		partial: caseIds !== undefined,
		requestedById: actor.id,
		planned: ids.length * input.trials,
		chunks: chunksOf(ids, input.trials),
	};
	const { id, isNew } = await insertRun(db, asked, { once });
	const run = await requireRun(db, id);
	if (!isNew) return run;
	await recordAudit(db, {
		workspaceId: input.workspaceId,
		actor,
		action: "run.start",
		subject: `run R-${run.number}`,
		detail: {
			suite: suite.key,
			split: input.split,
			commit: input.commit,
			tree: input.treeId,
			reason: input.reason,
			planned: run.planned,
			...(variants ? { variants: variants.suite } : {}),
		},
	});
	await ports.publish(RUNS_KEY);
	await ports.publish(`runs:${input.workspaceId}`);
	return run;
}

/** The equal run that is done or under way, else a new one: safe to repeat, also in the same moment, by whoever does not know whether it was asked for. */
export async function ensureRun(db: Database, ports: EvaluationPorts, input: StartRun, actor: Actor): Promise<RunRow> {
	const facts = await ports.workspaceFacts(input.workspaceId);
	const { workspaceId, suiteVersionId, split, treeId, policyVersionId, judgeVersionId, trials, seed, variants = null } = input;
	const equal = await findEqualRun(
		db,
		{ workspaceId, suiteVersionId, split, treeId, policyVersionId, judgeVersionId, bundleId: facts.bundleId, trials, seed, variants },
		{ live: true },
	);
	return equal ?? queueRun(db, ports, input, actor, { once: true });
}

export async function requireRun(db: Database, id: string): Promise<RunRow> {
	const run = await findRun(db, id);
	if (!run) throw new AppError("not-found", "There is no such run.", { reason: "run-not-found" });
	return run;
}

/** Cancels, resumes, or retries the errors of a run. What is already there is kept. */
export async function controlRun(db: Database, ports: EvaluationPorts, id: string, command: RunCommand, actor: Actor): Promise<void> {
	const run = await requireRun(db, id);
	const next = nextStatus(command, { status: run.status, unfinished: run.planned - run.valid - run.infraErrors, infraErrors: run.infraErrors });
	if (next === null) return;
	if (next === "cancelling") {
		if (!(await moveRun(db, id, ["queued", "running"], { status: "cancelling" })))
			throw new AppError("conflict", "The run has just ended.", { reason: "run-not-cancellable", params: { status: run.status } });
	} else await requeueRun(db, id, { dropErrors: command === "retry-errors" });
	await recordAudit(db, { workspaceId: run.workspaceId, actor, action: `run.${command}`, subject: `run R-${run.number}` });
	await ports.publish(`run:${id}`);
	await ports.publish(RUNS_KEY);
}
