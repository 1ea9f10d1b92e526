import { SERVICE_ACTORS, type StudioEvent } from "@/server/workspace/contract";
import { runRequest, settleRounds } from "./close-round";
import * as repository from "./evolution.repository";
import type { EvolutionDeps } from "./ports";
import { findProposalsOfRun } from "./proposal.repository";
import { headOf } from "./require-evolution";
import { settleProposal } from "./submit-proposal";
import { startEvidence } from "./update-proposal";

const SYSTEM = SERVICE_ACTORS.system.id;

/**
 * What this domain does after an event, whatever a workspace's triggers say. Events come at least once and in any state:
 * every branch reads the rows and does only what is still to do.
 */
export async function handleEvent(deps: EvolutionDeps, _workspaceId: string, event: StudioEvent): Promise<void> {
	switch (event.type) {
		case "run.finished":
			return afterRun(deps, event.runId, event.status);
		case "proposal.submitted":
			return startEvidence(deps, event.proposalId, SYSTEM);
		default:
			return;
	}
}

async function afterRun(deps: EvolutionDeps, runId: string, status: string): Promise<void> {
	for (const round of await repository.findRoundsOfRun(deps.db, runId)) {
		await settleRounds(deps, round.evolutionId);
		const evolution = await repository.getEvolution(deps.db, round.evolutionId);
		await deps.publish(`evolution:${evolution.workspaceId}`);
	}
	for (const proposalId of await findProposalsOfRun(deps.db, runId)) await settleProposal(deps, proposalId);
	for (const task of await repository.findTasksOfRun(deps.db, runId)) {
		if (status === "done") await deps.enqueueTask(task.id);
		else if (status === "failed" || status === "cancelled")
			await repository.finishTask(deps.db, task.id, {
				status: "failed",
				finishedAt: deps.clock.now(),
				error: `The dev run it waited for was ${status}.`,
				result: { errorReasons: [{ reason: status === "failed" ? "engine-run-failed" : "engine-run-cancelled", params: {} }] },
			});
		await deps.publish(`evolution:${task.workspaceId}`);
	}
}

/** Evaluates what landed on an evolution's branch. The landed tree is usually the reviewed one, and then its run is found. */
export async function evaluateLanding(deps: EvolutionDeps, evolutionId: string, requestedById: string): Promise<{ id: string; number: number }> {
	const evolution = await repository.getEvolution(deps.db, evolutionId);
	const commit = await headOf(deps, evolution);
	const treeId = await deps.harness.treeOf(evolution.workspaceId, commit);
	const { id, number } = await deps.evaluation.ensureRun(runRequest(evolution, { commit, treeId }, { split: "dev", reason: "landing", requestedById }));
	return { id, number };
}
