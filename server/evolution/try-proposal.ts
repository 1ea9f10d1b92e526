import { applyChanges } from "@/server/harness";
import type { FileChanges } from "@/server/harness/contract";
import { AppError } from "@/server/kernel/errors";
import type { Actor } from "@/server/workspace/contract";
import { runRequest } from "./close-round";
import * as repository from "./evolution.repository";
import { listFindings } from "./finding.repository";
import type { EvolutionDeps } from "./ports";
import { assertValid, lastRevision, requireProposal } from "./save-proposal";

/**
 * Runs a proposal on the evidence cases of its findings only (and those its manifest predicts), before it is submitted: a
 * quick look, no evidence for a reviewer. `changes` are edits that were not saved yet.
 */
export async function tryOnEvidence(
	deps: EvolutionDeps,
	input: { workspaceId: string; proposalId: string; actor: Actor; changes?: FileChanges },
): Promise<{ runId: string; cases: number }> {
	const { workspaceId, actor } = input;
	const proposal = await requireProposal(deps, workspaceId, input.proposalId);
	const evolution = await repository.getEvolution(deps.db, proposal.evolutionId);
	const revision = lastRevision(proposal);
	const findings = await listFindings(deps.db, { ids: proposal.findingIds });
	const { predictedFixes, predictedBreaks } = revision.manifest;
	const caseIds = [...new Set([...findings.flatMap((f) => f.caseIds), ...predictedFixes, ...predictedBreaks])];
	if (caseIds.length === 0)
		throw new AppError("precondition", "This proposal names no evidence case.", {
			reason: "proposal-no-cases",
			fix: "Name the cases it should fix in its manifest, or submit it to evaluate all of dev.",
		});
	const files = applyChanges(await deps.harness.readFiles(workspaceId, revision.commit), input.changes ?? {});
	await assertValid(deps, workspaceId, files);
	const treeId = input.changes ? await deps.harness.keepFiles(files) : revision.treeId;
	const request = runRequest(evolution, { commit: revision.commit, treeId }, { split: "dev", reason: "manual", requestedById: actor.id });
	const run = await deps.evaluation.startPartial(input.changes ? { ...request, commit: null } : request, caseIds);
	return { runId: run.id, cases: caseIds.length };
}
