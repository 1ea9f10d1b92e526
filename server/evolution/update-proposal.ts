import type { FileChanges } from "@/server/harness/contract";
import { emitEvent, recordAudit } from "@/server/workspace";
import { type Actor, SERVICE_ACTORS } from "@/server/workspace/contract";
import { errors } from "./errors";
import * as repository from "./evolution.repository";
import type { EvolutionDeps } from "./ports";
import * as proposals from "./proposal.repository";
import { nextStatus } from "./proposal-state";
import { headOf } from "./require-evolution";
import { authorOf, changedPaths, lastRevision, publishProposal, requireProposal } from "./save-proposal";
import { ensureEvidence, settleProposal } from "./submit-proposal";

export type UpdateOutcome = { outcome: "current" } | { outcome: "updated"; index: number } | { outcome: "conflict"; paths: string[] };

/**
 * Merges the evolution's branch into a proposal whose base moved. A clean merge is nobody's edit: it adds no author. What
 * was submitted already is evaluated again by itself. Conflicts are kept with the proposal for a person to resolve:
 * calling again with `resolutions` (by path) takes those, and who resolves becomes an author.
 */
export async function updateFromBranch(
	deps: EvolutionDeps,
	input: { workspaceId: string; proposalId: string; actor: Actor; resolutions?: FileChanges },
): Promise<UpdateOutcome> {
	const { workspaceId, actor, resolutions } = input;
	const found = await requireProposal(deps, workspaceId, input.proposalId);
	const evolution = await repository.getEvolution(deps.db, found.evolutionId);
	const author = await authorOf(deps, resolutions ? actor : SERVICE_ACTORS.system);
	const result = await deps.db.$transaction(
		async (tx): Promise<UpdateOutcome & { evaluate?: boolean }> => {
			const proposal = await proposals.lockProposal(tx, input.proposalId);
			const last = lastRevision(proposal);
			const status = nextStatus(proposal.status, "updated");
			if (!status) throw errors.wrongStatus(proposal.status, "update");
			const head = await headOf(deps, evolution);
			if (last.baseCommit === head) {
				if (proposal.status === "conflict") await proposals.updateProposal(tx, proposal.id, { status, conflict: [] });
				return { outcome: "current" };
			}
			const merged = await deps.harness.merge(workspaceId, {
				into: proposal.branch,
				expectedHead: (await deps.harness.head(workspaceId, proposal.branch)) ?? last.commit,
				ours: last.commit,
				from: head,
				message: { subject: `Update proposal #${proposal.number} from ${evolution.branch}`, author, trailers: { Proposal: [`#${proposal.number}`] } },
				...(resolutions ? { resolutions } : {}),
			});
			if (!merged.ok) {
				await proposals.updateProposal(tx, proposal.id, { status: "conflict", conflict: merged.conflicts });
				return { outcome: "conflict", paths: merged.conflicts.map((c) => c.path) };
			}
			const [before, after] = [await deps.harness.readFiles(workspaceId, head), await deps.harness.readFiles(workspaceId, merged.commit)];
			const files = changedPaths(before, after);
			await proposals.insertRevision(tx, {
				proposalId: proposal.id,
				index: last.index + 1,
				baseCommit: head,
				commit: merged.commit,
				treeId: merged.tree,
				authorId: resolutions ? actor.id : SERVICE_ACTORS.system.id,
				engine: resolutions ? "person" : "merge",
				manifest: { ...last.manifest, files },
			});
			await proposals.updateProposal(tx, proposal.id, {
				status,
				conflict: [],
				...(resolutions ? { authorIds: [...new Set([...proposal.authorIds, actor.id])] } : {}),
			});
			await recordAudit(tx, {
				workspaceId,
				actor,
				action: "proposal.update-from-branch",
				subject: `proposal #${proposal.number} r${last.index + 1}`,
				detail: { head, resolved: Object.keys(resolutions ?? {}) },
			});
			if (status === "evaluating") await emitEvent(tx, workspaceId, { type: "proposal.submitted", proposalId: proposal.id });
			return { outcome: "updated", index: last.index + 1, evaluate: status === "evaluating" };
		},
		{ timeout: 30_000 },
	);
	const { evaluate, ...outcome } = result as UpdateOutcome & { evaluate?: boolean };
	if (evaluate) await startEvidence(deps, input.proposalId, actor.id);
	await publishProposal(deps, workspaceId, input.proposalId);
	return outcome;
}

/** Evaluates what is submitted; also called by the event, so that a crash after the transaction loses nothing. */
export async function startEvidence(deps: EvolutionDeps, proposalId: string, requestedById: string): Promise<void> {
	const proposal = await proposals.getProposal(deps.db, proposalId);
	if (proposal.status !== "evaluating") return;
	const { devRunId, baseRunId } = lastRevision(proposal);
	// Runs that were started and failed are for a person to start again, not for an event that comes twice.
	if (!devRunId || !baseRunId) await ensureEvidence(deps, await repository.getEvolution(deps.db, proposal.evolutionId), proposal, requestedById);
	await settleProposal(deps, proposalId);
}
