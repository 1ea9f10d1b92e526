import { SERVICE_ACTORS, type StudioEvent } from "@/server/workspace/contract";
import { evaluateRound, runRequest, settleRounds } from "./close-round";
import * as repository from "./evolution.repository";
import type { EvolutionDeps } from "./ports";
import { findProposalsOfRun } from "./proposal.repository";
import { headOf } from "./require-evolution";
import { settleProposal } from "./submit-proposal";
import { startEvidence } from "./update-proposal";

const SYSTEM = SERVICE_ACTORS.system.id;

/**
 * What this domain does after an event. Events come at least once and in any state: every branch reads the rows and does
 * only what is still to do.
 */
export async function handleEvent(deps: EvolutionDeps, workspaceId: string, event: StudioEvent): Promise<void> {
	switch (event.type) {
		case "run.finished":
			return afterRun(deps, event.runId, event.status);
		case "proposal.submitted":
			return startEvidence(deps, event.proposalId, SYSTEM);
		case "proposal.landed": {
			// The visible rule "a proposal lands → dev evaluation". The landed tree is usually the reviewed one, and then its run is found.
			if (!(await deps.isRuleEnabled(workspaceId, "landing-dev"))) return;
			const evolution = await repository.getEvolution(deps.db, event.evolutionId);
			const commit = await headOf(deps, evolution);
			const treeId = await deps.harness.treeOf(workspaceId, commit);
			await deps.evaluation.ensureRun(runRequest(evolution, { commit, treeId }, { split: "dev", reason: "landing", requestedById: SYSTEM }));
			return;
		}
		case "round.closed":
			// The visible rule "a round closes → regression suites". Switched off, a reviewer starts the runs from the round's page.
			if (await deps.isRuleEnabled(workspaceId, "closing-regression")) await evaluateRound(deps, event.roundId, SYSTEM);
			return;
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
