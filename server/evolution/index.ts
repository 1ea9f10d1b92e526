import type { Role } from "@/server/auth/contract";
import type { JobQueue } from "@/server/jobs/contract";
import type { StudioEvent } from "@/server/workspace/contract";
import { assessPair, gateReference, releasePolicy } from "./assess-gate";
import { closeRound, evaluateRound, settleRounds } from "./close-round";
import { compareRuns, findRunMap } from "./comparisons";
import type { ProposalStatus } from "./contract";
import { type DecideFinding, decideFinding } from "./decide-finding";
import { startDiagnosis } from "./diagnose";
import { readEditRecord } from "./edit-record";
import { errors } from "./errors";
import * as repository from "./evolution.repository";
import { gateConditions } from "./gate-conditions";
import { acknowledgeAlarm, readGatePolicies, readGatePolicy, updateGatePolicy } from "./gate-policy";
import { evaluateLanding, handleEvent } from "./handle-event";
import { evolutionTaskJob } from "./jobs/evolution-task";
import { type LandProposal, landProposal, reconcileLandings } from "./land-proposal";
import { loadOverview } from "./load-overview";
import { measurePair } from "./measure-pair";
import { type OpenFinding, openFinding } from "./open-finding";
import type { EvolutionDeps } from "./ports";
import { countLandings, findProposal } from "./proposal.repository";
import { cancelTask, requestEdits, runTask } from "./propose-edits";
import { readFindingByNumber, readFindings, readTask, readTasks } from "./read-findings";
import { readApproval, readProposal, readProposals } from "./read-proposal";
import { readRound } from "./read-round";
import { closeEvolution, reopenEvolution } from "./reopen-evolution";
import { headOf, requireEvolution } from "./require-evolution";
import { addComment, resolveThread, reviewProposal } from "./review-proposal";
import type { EvolutionRow } from "./rows";
import { type CreateProposal, createProposal, saveRevision, withdrawProposal } from "./save-proposal";
import { type StartEvolution, startEvolution } from "./start-evolution";
import { submitProposal } from "./submit-proposal";
import { tryOnEvidence } from "./try-proposal";
import { updateFromBranch } from "./update-proposal";

export type { GateAlarm, GateConditions, GateSide } from "./assess-gate";
export { toDigest, toRoundComparison } from "./comparisons";
export { recommendRound, roundName } from "./early-stop-state";
export type { EditRecord } from "./edit-record";
export { createBuiltInDiagnosis } from "./engines/diagnose-built-in";
export { draftSkills } from "./engines/draft-skills";
export { createBuiltInEditor } from "./engines/edit-built-in";
export { createLlmDiagnosis } from "./engines/llm-diagnosis";
export { createLlmEditor } from "./engines/llm-editor";
export { evaluateRollbackGate, isReadyForHoldout } from "./evaluate-gate";
export { createEvaluationPort } from "./evaluation-port";
export { createHarnessPort } from "./harness-port";
export { evolutionTaskJob } from "./jobs/evolution-task";
export { reportComparison, reportScores } from "./loop-report";
export type { EvolutionDeps, ReleaseFact } from "./ports";
export { replayPublished } from "./replay-published";
export type { EvolutionRow, RoundRow } from "./rows";

/**
 * Findings, proposals, reviews, rounds, gates, early stop. Roles are checked by whoever calls; every other right (author
 * rule, status, stopped evolution) is checked here.
 */
export function createEvolutionService(deps: EvolutionDeps) {
	return {
		start: (input: StartEvolution) => startEvolution(deps, input),
		overview: (input: { workspaceId: string; evolutionId?: string; viewer: { id: string; roles: readonly Role[] } }) => loadOverview(deps, input),
		close: (input: Parameters<typeof closeEvolution>[1]) => closeEvolution(deps, input),
		reopen: (input: Parameters<typeof reopenEvolution>[1]) => reopenEvolution(deps, input),
		find: (workspaceId: string, evolutionId: string) => requireEvolution(deps, workspaceId, evolutionId),

		diagnose: (input: Parameters<typeof startDiagnosis>[1]) => startDiagnosis(deps, input),
		/** Where the finding of a number is; throws `not-found`. */
		findingByNumber: (input: Parameters<typeof readFindingByNumber>[1]) => readFindingByNumber(deps, input),
		findings: (input: Parameters<typeof readFindings>[1]) => readFindings(deps, input),
		/** Writes a finding that no diagnosis made. */
		openFinding: (input: OpenFinding) => openFinding(deps, input),
		decideFinding: (input: DecideFinding) => decideFinding(deps, input),
		requestEdits: (input: Parameters<typeof requestEdits>[1]) => requestEdits(deps, input),
		tasks: (input: { workspaceId: string; evolutionId: string }) => readTasks(deps, input),
		task: (input: { workspaceId: string; taskId: string }) => readTask(deps, input),
		cancelTask: (input: Parameters<typeof cancelTask>[1]) => cancelTask(deps, input),

		createProposal: (input: CreateProposal) => createProposal(deps, input),
		saveRevision: (input: Parameters<typeof saveRevision>[1]) => saveRevision(deps, input),
		submitProposal: (input: Parameters<typeof submitProposal>[1]) => submitProposal(deps, input),
		updateFromBranch: (input: Parameters<typeof updateFromBranch>[1]) => updateFromBranch(deps, input),
		tryOnEvidence: (input: Parameters<typeof tryOnEvidence>[1]) => tryOnEvidence(deps, input),
		withdrawProposal: (input: Parameters<typeof withdrawProposal>[1]) => withdrawProposal(deps, input),
		proposals: (input: { workspaceId: string; evolutionId?: string; roundId?: string; status?: ProposalStatus[] }) => readProposals(deps, input),
		proposal: (input: Parameters<typeof readProposal>[1]) => readProposal(deps, input),
		review: (input: Parameters<typeof reviewProposal>[1]) => reviewProposal(deps, input),
		comment: (input: Parameters<typeof addComment>[1]) => addComment(deps, input),
		resolveThread: (input: Parameters<typeof resolveThread>[1]) => resolveThread(deps, input),
		land: (input: LandProposal) => landProposal(deps, input),
		/** For release notes: what a landed proposal said of itself, and who approved it. */
		approvalOf: (workspaceId: string, proposalId: string) => readApproval(deps, workspaceId, proposalId),

		round: (input: Parameters<typeof readRound>[1]) => readRound(deps, input),
		closeRound: (input: Parameters<typeof closeRound>[1]) => closeRound(deps, input),
		/** Starts (or starts again) the runs of a round that is being closed: after a failure, or with the rule switched off. */
		async evaluateRound(input: { workspaceId: string; roundId: string; actor: { id: string } }): Promise<void> {
			const round = await repository.findRound(deps.db, input.workspaceId, input.roundId);
			if (!round) throw errors.roundUnknown();
			await evaluateRound(deps, round.id, input.actor.id);
		},
		/** Queues (or finds) the dev run of what landed last. */
		evaluateLanding: (input: { evolutionId: string; actor: { id: string } }) => evaluateLanding(deps, input.evolutionId, input.actor.id),

		gatePolicy: (workspaceId: string) => readGatePolicy(deps, workspaceId),
		gatePolicies: (workspaceId: string) => readGatePolicies(deps, workspaceId),
		updateGatePolicy: (input: Parameters<typeof updateGatePolicy>[1]) => updateGatePolicy(deps, input),
		acknowledgeAlarm: (input: Parameters<typeof acknowledgeAlarm>[1]) => acknowledgeAlarm(deps, input),

		/** For the release domain: rounds, the gate and the comparisons it decides on. */
		evolutions: (workspaceId: string) => repository.listEvolutions(deps.db, workspaceId),
		rounds: (evolutionId: string) => repository.listRounds(deps.db, evolutionId),
		findRound: (workspaceId: string, roundId: string) => repository.findRound(deps.db, workspaceId, roundId),
		getEvolution: (evolutionId: string) => repository.getEvolution(deps.db, evolutionId),
		gateReference: (evolution: EvolutionRow) => gateReference(deps, evolution),
		releasePolicy: (evolution: EvolutionRow) => releasePolicy(deps, evolution),
		assessPair: (input: Parameters<typeof assessPair>[1]) => assessPair(deps, input),
		/** What editing has come to under the policy in force: for whoever decides between editing and retraining. */
		editRecord: (input: Parameters<typeof readEditRecord>[1]) => readEditRecord(deps, input),
		/** Two policies or harnesses over dev, test, T2 and T3. */
		measurePair: (input: Parameters<typeof measurePair>[1]) => measurePair(deps, input),
		/** Under what a candidate that no round made is compared: the newest evolution's suite and repetitions, the judge in force. */
		gateConditions: (workspaceId: string) => gateConditions(deps, workspaceId),
		runs: (ids: readonly (string | null)[]) => findRunMap(deps, ids),
		compare: (workspaceId: string, baseRunId: string | null, runId: string | null) => compareRuns(deps, workspaceId, baseRunId, runId),

		// For triggers: what an event is about.
		/** The newest evolution that is not closed; null when there is none. */
		current: async (workspaceId: string) => (await repository.listEvolutions(deps.db, workspaceId)).find((one) => one.status !== "closed") ?? null,
		head: (evolution: EvolutionRow) => headOf(deps, evolution),
		findProposal: (workspaceId: string, proposalId: string) => findProposal(deps.db, workspaceId, proposalId),
		countLandings: (workspaceId: string, from: Date, to: Date) => countLandings(deps.db, workspaceId, from, to),

		onEvent: (workspaceId: string, event: StudioEvent) => handleEvent(deps, workspaceId, event),
		/** The worker's part: engines' tasks from the queue. */
		work: (jobs: JobQueue) => jobs.work(evolutionTaskJob, ({ taskId }, signal) => runTask(deps, taskId, signal)),
		runTask: (taskId: string, signal: AbortSignal) => runTask(deps, taskId, signal),
		settleRounds: (evolutionId: string) => settleRounds(deps, evolutionId),
		reconcile: (workspaceId: string, evolutionId: string) => reconcileLandings(deps, workspaceId, evolutionId),
	};
}

export type EvolutionService = ReturnType<typeof createEvolutionService>;
