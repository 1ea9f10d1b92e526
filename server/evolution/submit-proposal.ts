import { emitEvent, recordAudit } from "@/server/workspace";
import type { Actor } from "@/server/workspace/contract";
import { runRequest } from "./close-round";
import { findRunMap } from "./comparisons";
import { errors } from "./errors";
import * as repository from "./evolution.repository";
import type { EvolutionDeps } from "./ports";
import * as proposals from "./proposal.repository";
import { nextStatus } from "./proposal-state";
import { headOf } from "./require-evolution";
import type { EvolutionRow, ProposalRow } from "./rows";
import { assertValid, lastRevision, publishProposal, requireProposal } from "./save-proposal";

/**
 * Submits the last revision: it validates, stands on the branch's head, and is evaluated on dev against that head. The
 * proposal is in review when both runs are done.
 */
export async function submitProposal(deps: EvolutionDeps, input: { workspaceId: string; proposalId: string; actor: Actor }): Promise<void> {
	const { workspaceId, actor } = input;
	const proposal = await requireProposal(deps, workspaceId, input.proposalId);
	const evolution = await repository.getEvolution(deps.db, proposal.evolutionId);
	if (evolution.status === "closed") throw errors.evolutionClosed();
	if (!nextStatus(proposal.status, "submit")) throw errors.wrongStatus(proposal.status, "submit");
	const revision = lastRevision(proposal);
	const head = await headOf(deps, evolution);
	if (revision.baseCommit !== head) throw errors.baseMoved({ base: revision.baseCommit.slice(0, 10), head: head.slice(0, 10) });
	await assertValid(deps, workspaceId, await deps.harness.readFiles(workspaceId, revision.commit));
	await ensureEvidence(deps, evolution, proposal, actor.id);
	await deps.db.$transaction(async (tx) => {
		const current = await proposals.lockProposal(tx, proposal.id);
		const status = nextStatus(current.status, "submit");
		if (!status) throw errors.wrongStatus(current.status, "submit");
		if (lastRevision(current).id !== revision.id) throw errors.revisionStale({ seen: revision.index, last: lastRevision(current).index });
		await proposals.updateProposal(tx, proposal.id, { status });
		await emitEvent(tx, workspaceId, { type: "proposal.submitted", proposalId: proposal.id });
		await recordAudit(tx, { workspaceId, actor, action: "proposal.submit", subject: `proposal #${proposal.number} r${revision.index}` });
	});
	await settleProposal(deps, proposal.id);
	await publishProposal(deps, workspaceId, proposal.id);
}

/** The dev runs of the last revision and of what it would land on. Equal runs are found again, so this can be repeated. */
export async function ensureEvidence(deps: EvolutionDeps, evolution: EvolutionRow, proposal: ProposalRow, requestedById: string): Promise<void> {
	const revision = lastRevision(proposal);
	const baseTree = await deps.harness.treeOf(evolution.workspaceId, revision.baseCommit);
	const request = (harness: { commit: string; treeId: string }) => runRequest(evolution, harness, { split: "dev", reason: "proposal", requestedById });
	const base = await deps.evaluation.ensureRun(request({ commit: revision.baseCommit, treeId: baseTree }));
	const run = await deps.evaluation.ensureRun(request({ commit: revision.commit, treeId: revision.treeId }));
	await proposals.setRevisionRuns(deps.db, revision.id, { devRunId: run.id, baseRunId: base.id });
}

/** Moves a proposal on when its runs are over: into review, or back to draft where a run failed or was cancelled. Safe to repeat. */
export async function settleProposal(deps: EvolutionDeps, proposalId: string): Promise<void> {
	const proposal = await proposals.getProposal(deps.db, proposalId);
	if (proposal.status !== "evaluating") return;
	const revision = lastRevision(proposal);
	const runs = await findRunMap(deps, [revision.devRunId, revision.baseRunId]);
	const states = [revision.devRunId, revision.baseRunId].map((id) => (id ? runs.get(id)?.status : undefined));
	const over = states.every((s) => s === "done") ? "evaluated" : states.some((s) => s === "failed" || s === "cancelled") ? "evaluation-failed" : null;
	if (!over) return;
	await deps.db.$transaction(async (tx) => {
		const current = await proposals.lockProposal(tx, proposalId);
		const status = nextStatus(current.status, over);
		// Another revision, or a repetition of this event, came first.
		if (!status || lastRevision(current).id !== revision.id) return;
		await proposals.updateProposal(tx, proposalId, { status });
	});
	await publishProposal(deps, proposal.workspaceId, proposalId);
}
