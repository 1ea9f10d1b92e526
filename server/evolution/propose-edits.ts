import { knownFailure } from "@/server/db/failures";
import { patientWithDatabase } from "@/server/db/while-away";
import { applyChanges } from "@/server/harness";
import type { HarnessFiles } from "@/server/harness/contract";
import { AppError, messageOf } from "@/server/kernel/errors";
import { logger } from "@/server/kernel/logger";
import { phraseOf } from "@/server/kernel/phrase";
import type { Phrase, Phrases } from "@/server/kernel/phrase.contract";
import { recordAudit } from "@/server/workspace";
import type { Actor } from "@/server/workspace/contract";
import type { ChangeManifest, EngineNotice } from "./contract";
import { failuresOf, runDiagnosis } from "./diagnose";
import { errors } from "./errors";
import * as repository from "./evolution.repository";
import { listFindings } from "./finding.repository";
import type { EvolutionDeps } from "./ports";
import { findProposal } from "./proposal.repository";
import { headOf, requireEvolution } from "./require-evolution";
import type { FindingRow, TaskRow } from "./rows";
import { createProposal } from "./save-proposal";

/** Asks the editing engine for a proposal for confirmed findings. Who asks is the proposal's author. */
export async function requestEdits(
	deps: EvolutionDeps,
	input: { workspaceId: string; evolutionId: string; findingIds: string[]; actor: Actor; seed?: number; unattended?: boolean; shuffle?: boolean },
): Promise<{ taskId: string }> {
	const { workspaceId, actor } = input;
	const evolution = await requireEvolution(deps, workspaceId, input.evolutionId);
	if (evolution.status === "closed") throw errors.evolutionClosed();
	if (evolution.status === "stopped") throw errors.evolutionStopped();
	const findings = await listFindings(deps.db, { evolutionId: evolution.id, ids: input.findingIds });
	if (findings.length === 0 || findings.some((f) => f.status !== "accepted" && f.status !== "modified")) throw errors.findingsNotConfirmed();
	const taskId = await deps.db.$transaction(async (tx) => {
		const id = await repository.insertTask(tx, {
			workspaceId,
			evolutionId: evolution.id,
			kind: "edit",
			// The findings' own run: its trajectories are what the engine reads.
			input: { runId: findings[0]?.runId, findingIds: findings.map((f) => f.id), seed: input.seed ?? evolution.seed, shuffle: input.shuffle ?? false },
			unattended: input.unattended ?? false,
			requestedById: actor.id,
		});
		await recordAudit(tx, { workspaceId, actor, action: "proposal.request", subject: findings.map((f) => `F-${f.number}`).join(", ") });
		return id;
	});
	await deps.enqueueTask(taskId);
	await deps.publish(`evolution:${workspaceId}`);
	return { taskId };
}

function toEditFinding(finding: FindingRow, failed: Awaited<ReturnType<typeof failuresOf>>) {
	const { title, hypothesis, category, failureType, component, note } = finding;
	return { title, hypothesis, category, failureType, component, note, cases: failed.filter((c) => finding.caseIds.includes(c.caseId)) };
}

/**
 * The findings that an edit is for: those of which it predicts to fix a case. All of them where it names no case of theirs,
 * as a model's edit may. What is left stays confirmed, for another edit.
 */
function addressedBy({ predictedFixes }: ChangeManifest, findings: readonly FindingRow[]): FindingRow[] {
	const fixes = new Set(predictedFixes);
	const addressed = findings.filter(({ caseIds }) => caseIds.some((id) => fixes.has(id)));
	return addressed.length > 0 ? addressed : [...findings];
}

/** Says which findings an edit leaves open; null when none. */
function noticeOfLeft(findings: readonly FindingRow[], addressed: readonly FindingRow[]): EngineNotice | null {
	const left = findings.filter((finding) => !addressed.includes(finding)).map(({ number }) => `F-${number}`);
	if (left.length === 0) return null;
	const names = left.join(", ");
	return {
		text: `No edit was found for ${names}. It can be proposed again, or edited by hand.`,
		reasons: [{ reason: "engine-findings-left", params: { findings: names } }],
	};
}

/** What people wrote beside the findings that they modified: a reviewer reads it in the manifest. */
const notesOf = (findings: readonly FindingRow[]) =>
	findings.flatMap(({ number, note, status }) => (status === "modified" && note ? [`F-${number}: ${note}`] : []));

/** The proposal's title, and the manifest with the phrases of what it quotes: findings' titles, and the summary's head as the title. */
function entitled(manifest: ChangeManifest, findings: readonly FindingRow[]): { title: string; manifest: ChangeManifest } {
	const [head = ""] = manifest.summary.split("\n");
	const title = head.slice(0, 140);
	const phrases: Phrases = { ...manifest.phrases };
	const say = (text: string, phrase: Phrase | undefined) => {
		if (phrase) phrases[text] = phrase;
	};
	for (const finding of findings) say(finding.title, phraseOf(finding.evidence.phrases, finding.title));
	say(title, phraseOf(phrases, head));
	const failurePattern = [manifest.failurePattern, ...notesOf(findings)].join("\n").slice(0, 2000);
	return { title, manifest: { ...manifest, failurePattern, phrases } };
}

async function runEdit(deps: EvolutionDeps, task: TaskRow, signal: AbortSignal): Promise<void> {
	const evolution = await repository.getEvolution(deps.db, task.evolutionId);
	const findings = await listFindings(deps.db, { evolutionId: evolution.id, ids: task.input.findingIds });
	const baseCommit = await headOf(deps, evolution);
	const [run] = await deps.evaluation.findRuns([task.input.runId ?? ""]);
	const [failed, passing, files, { language, titles }, engine] = await Promise.all([
		failuresOf(deps, task),
		deps.evaluation.readPassing(task.input.runId ?? ""),
		deps.harness.readFiles(task.workspaceId, baseCommit),
		repository.findWorkspaceFacts(deps.db, task.workspaceId),
		deps.editingEngine(task.workspaceId, run?.policyVersionId ?? null),
	]);
	const validate = (changed: HarnessFiles) => deps.harness.validate(task.workspaceId, changed);
	const result = await engine.edit(
		{ findings: findings.map((f) => toEditFinding(f, failed)), failures: failed, passing, files, validate, language, titles, seed: task.input.seed },
		signal,
	);
	signal.throwIfAborted();
	const addressed = result.value ? addressedBy(result.value.manifest, findings) : findings;
	const notices = [result.notice, noticeOfLeft(findings, addressed)].filter((notice) => notice !== null);
	const finish = ({ result: kept, ...rest }: Omit<Parameters<typeof repository.finishTask>[2], "finishedAt" | "engine" | "notice">) =>
		repository.finishTask(deps.db, task.id, {
			...rest,
			finishedAt: deps.clock.now(),
			engine: result.engine,
			notice: notices.map(({ text }) => text).join(" ") || null,
			result: { ...kept, noticeReasons: notices.flatMap(({ reasons }) => reasons) },
		});
	if (!result.value) {
		await finish({ status: "done" });
		return;
	}
	// What an engine wrote passes the same validator as a person's edit; a harness that does not is never proposed.
	const problems = (await validate(applyChanges(files, result.value.changes))).filter((p) => p.severity === "error");
	if (problems.length > 0) {
		const errorReasons = [{ reason: "engine-edit-invalid", params: {} }];
		await finish({ status: "failed", error: "The engine's edit does not validate.", result: { problems, errorReasons } });
		return;
	}
	const people = await deps.people([task.requestedById]);
	const actor = { id: task.requestedById, name: people.get(task.requestedById)?.name ?? task.requestedById };
	const made = await proposeOnce(deps, task, {
		actor,
		evolutionId: evolution.id,
		baseCommit,
		changes: result.value.changes,
		...entitled(result.value.manifest, addressed),
		findingIds: addressed.map((f) => f.id),
		engine: result.engine,
	});
	await finish({ status: "done", result: { proposalId: made.id } });
}

/** One proposal a task: a job that died after making it finds it again. */
async function proposeOnce(
	deps: EvolutionDeps,
	task: TaskRow,
	input: Omit<Parameters<typeof createProposal>[1], "workspaceId" | "taskId" | "unattended">,
): Promise<{ id: string }> {
	const id = task.id.replace(/^tsk_/, "pro_");
	if (await findProposal(deps.db, task.workspaceId, id)) return { id };
	return createProposal(deps, { ...input, workspaceId: task.workspaceId, taskId: task.id, unattended: task.unattended });
}

/** The queue's handler. The row owns the truth: a task that is over is left alone, a repeated one starts again from its row. */
export async function runTask(deps: EvolutionDeps, taskId: string, signal: AbortSignal): Promise<void> {
	if (!(await repository.claimTask(deps.db, taskId, deps.clock.now()))) return;
	const task = await repository.getTask(deps.db, taskId);
	await deps.publish(`evolution:${task.workspaceId}`);
	try {
		await patientWithDatabase(() => (task.kind === "diagnose" ? runDiagnosis(deps, task, signal) : runEdit(deps, task, signal)), signal);
	} catch (error) {
		// Shutting down: the job is delivered again.
		if (signal.aborted) throw error;
		const known = knownFailure(error) ?? new AppError("internal", "Something went wrong inside the studio.");
		if (known !== error) logger.error({ err: error, taskId }, "evolution: a task failed");
		const { reason, params } = known;
		await repository.finishTask(deps.db, taskId, {
			status: "failed",
			finishedAt: deps.clock.now(),
			error: messageOf(known),
			result: { errorReasons: [{ reason, params }] },
		});
	}
	await deps.publish(`evolution:${task.workspaceId}`);
}

/** Gives up a task that is queued or under way; an engine's answer that comes later is dropped. */
export async function cancelTask(deps: EvolutionDeps, input: { workspaceId: string; taskId: string; actor: Actor }): Promise<void> {
	const task = await repository.findTask(deps.db, input.workspaceId, input.taskId);
	if (!task) throw new AppError("not-found", "There is no such task.", { reason: "task-unknown" });
	await repository.finishTask(deps.db, task.id, { status: "cancelled", finishedAt: deps.clock.now() });
	await deps.publish(`evolution:${input.workspaceId}`);
}
