import { createRandom } from "@/server/kernel/random";
import { nextNumber, recordAudit } from "@/server/workspace";
import type { Actor } from "@/server/workspace/contract";
import { runRequest } from "./close-round";
import type { DiagnosisCase } from "./contract";
import { errors } from "./errors";
import * as repository from "./evolution.repository";
import { insertFinding, supersedeUndecided } from "./finding.repository";
import type { EvolutionDeps } from "./ports";
import { headOf, requireEvolution } from "./require-evolution";
import type { FindingEvidence, TaskRow } from "./rows";

const EXAMPLES = 3;

/**
 * Starts a diagnosis of the branch's head on dev. A task that is under way is returned instead of a second one; while the
 * dev run is not done the task waits for it.
 */
export async function startDiagnosis(
	deps: EvolutionDeps,
	input: { workspaceId: string; evolutionId: string; actor: Actor; unattended?: boolean; shuffle?: boolean; seed?: number },
): Promise<{ taskId: string }> {
	const { workspaceId, actor } = input;
	const evolution = await requireEvolution(deps, workspaceId, input.evolutionId);
	if (evolution.status === "closed") throw errors.evolutionClosed();
	const active = (await repository.listTasks(deps.db, evolution.id, { kind: "diagnose", status: ["queued", "running"] }, 1))[0];
	if (active) return { taskId: active.id };
	const commit = await headOf(deps, evolution);
	const treeId = await deps.harness.treeOf(workspaceId, commit);
	const run = await deps.evaluation.ensureRun(runRequest(evolution, { commit, treeId }, { split: "dev", reason: "landing", requestedById: actor.id }));
	const taskId = await deps.db.$transaction(async (tx) => {
		const id = await repository.insertTask(tx, {
			workspaceId,
			evolutionId: evolution.id,
			kind: "diagnose",
			input: { runId: run.id, findingIds: [], seed: input.seed ?? evolution.seed, shuffle: input.shuffle ?? false },
			unattended: input.unattended ?? false,
			requestedById: actor.id,
		});
		await recordAudit(tx, { workspaceId, actor, action: "finding.diagnose", subject: `run R-${run.number} on ${evolution.branch}` });
		return id;
	});
	if (run.status === "done") await deps.enqueueTask(taskId);
	await deps.publish(`evolution:${workspaceId}`);
	return { taskId };
}

/**
 * The control experiment: everything that says what went wrong is dealt to a failure of another category (messages stay
 * where they are), so that an edit has as much to work with and nothing true to say. Within a category a deal would often
 * be right by chance; only where there is no other category may one keep its own.
 */
export function shuffleFailures(failed: readonly DiagnosisCase[], seed: number): DiagnosisCase[] {
	const deal = createRandom(`shuffle/${seed}`).shuffle(failed);
	const clash = (i: number, j: number) => failed[i]?.category === deal[j]?.category;
	for (let i = 0; i < failed.length; i++) {
		if (!clash(i, i)) continue;
		const j = failed.findIndex((_, at) => !clash(i, at) && !clash(at, i));
		if (j >= 0) [deal[i], deal[j]] = [deal[j] as DiagnosisCase, deal[i] as DiagnosisCase];
	}
	return failed.map((own, i) => ({ ...(deal[i] ?? own), caseId: own.caseId, episodeId: own.episodeId, category: own.category, message: own.message }));
}

/** The failures of a task's run, as the engine may see them. */
export async function failuresOf(deps: EvolutionDeps, task: TaskRow): Promise<DiagnosisCase[]> {
	if (!task.input.runId) return [];
	const failed = await deps.evaluation.readFailures(task.input.runId);
	return task.input.shuffle ? shuffleFailures(failed, task.input.seed) : failed;
}

/** Runs the diagnosis engine and keeps its findings, all at once. Repeating it after a crash writes nothing twice. */
export async function runDiagnosis(deps: EvolutionDeps, task: TaskRow, signal: AbortSignal): Promise<void> {
	const evolution = await repository.getEvolution(deps.db, task.evolutionId);
	const runId = task.input.runId ?? "";
	const run = (await deps.evaluation.findRuns([runId]))[0];
	const failed = await failuresOf(deps, task);
	const { language, titles } = await repository.findWorkspaceFacts(deps.db, task.workspaceId);
	const files = await deps.harness.readFiles(task.workspaceId, run?.commit ?? evolution.baseCommit);
	const engine = await deps.diagnosisEngine(task.workspaceId);
	const result = await engine.diagnose({ failed, total: run?.summary?.cases ?? failed.length, files, language, titles }, signal);
	signal.throwIfAborted();
	const byCase = new Map(failed.map((c) => [c.caseId, c]));
	await deps.db.$transaction(
		async (tx) => {
			const round = await repository.findOpenRound(tx, evolution.id);
			const finished = await repository.finishTask(tx, task.id, {
				status: "done",
				finishedAt: deps.clock.now(),
				engine: result.engine,
				notice: result.notice?.text ?? null,
				result: { findings: result.value.length, noticeReasons: result.notice?.reasons ?? [] },
			});
			if (!finished) return;
			await supersedeUndecided(tx, evolution.id);
			for (const draft of result.value) {
				const known = draft.caseIds.filter((id) => byCase.has(id));
				await insertFinding(tx, {
					number: await nextNumber(tx, task.workspaceId, "finding"),
					evolutionId: evolution.id,
					roundId: round?.id ?? "",
					runId,
					taskId: task.id,
					category: draft.category,
					failureType: draft.failureType,
					component: draft.component,
					title: draft.title,
					hypothesis: draft.hypothesis,
					confidence: draft.confidence,
					engine: result.engine,
					share: failed.length === 0 ? 0 : known.length / failed.length,
					caseIds: known,
					episodeIds: known.flatMap((id) => byCase.get(id)?.episodeId ?? []),
					evidence: { examples: examplesOf(known, byCase), original: null, phrases: draft.phrases ?? {} },
				});
			}
		},
		{ timeout: 30_000 },
	);
	await deps.publish(`evolution:${task.workspaceId}`);
}

/** A few of a finding's cases, so that its card needs no trajectory. */
export function examplesOf(caseIds: readonly string[], byCase: ReadonlyMap<string, DiagnosisCase>): FindingEvidence["examples"] {
	return caseIds.slice(0, EXAMPLES).flatMap((id) => {
		const c = byCase.get(id);
		if (!c) return [];
		const failed = c.evidence.filter((e) => !e.ok);
		const rules = [...new Set(failed.map((e) => e.rule))];
		const phrases = Object.fromEntries(failed.flatMap((e) => (e.phrase ? [[e.rule, e.phrase]] : [])));
		return [{ caseId: c.caseId, episodeId: c.episodeId, message: c.message, reply: c.reply, rules, phrases, loadedSkills: c.loadedSkills }];
	});
}
