import { recordAudit } from "@/server/workspace";
import type { Actor } from "@/server/workspace/contract";
import type { RetrainingProposal } from "./contract";
import { errors } from "./errors";
import type { TriggerDeps } from "./ports";
import * as repository from "./retraining.repository";

export interface DecideRetraining {
	workspaceId: string;
	id: string;
	actor: Actor;
	note?: string | undefined;
}

async function requireRetraining({ db }: TriggerDeps, workspaceId: string, id: string): Promise<RetrainingProposal> {
	const found = await repository.findRetraining(db, workspaceId, id);
	if (!found) throw errors.retrainingUnknown();
	return found;
}

const subjectOf = ({ recipe, seed, trigger }: RetrainingProposal) => `retraining ${recipe} seed ${seed}, proposed by ${trigger.name}`;

async function decide(deps: TriggerDeps, input: DecideRetraining, status: "confirmed" | "rejected"): Promise<RetrainingProposal> {
	const { workspaceId, id, actor } = input;
	const proposal = await requireRetraining(deps, workspaceId, id);
	const decision = { status, note: input.note?.trim() || null, byId: actor.id, byName: actor.name, at: deps.clock.now() };
	await deps.db.$transaction(async (tx) => {
		if (!(await repository.decideRetrainingRow(tx, id, decision))) throw errors.retrainingDecided(proposal.status);
		const action = status === "confirmed" ? "retraining.confirm" : "retraining.reject";
		await recordAudit(tx, { workspaceId, actor, action, subject: subjectOf(proposal), ...(decision.note ? { reason: decision.note } : {}) });
	});
	return proposal;
}

/**
 * A person confirms what a trigger proposed: the training is queued, and the proposal names it. Where it cannot start
 * (another one is not over), the proposal waits again and the error is thrown. Throws `conflict` for one that was decided.
 */
export async function confirmRetraining(deps: TriggerDeps, input: DecideRetraining): Promise<{ trainingId: string }> {
	const { workspaceId, id, actor } = input;
	const { recipe, seed, options } = await decide(deps, input, "confirmed");
	try {
		const trainingId = await deps.training.start({ workspaceId, recipe, seed, options, requestedById: actor.id });
		await repository.setRetrainingTraining(deps.db, id, trainingId);
		return { trainingId };
	} catch (error) {
		await repository.reopenRetrainingRow(deps.db, workspaceId, id);
		throw error;
	} finally {
		await deps.publish(`triggers:${workspaceId}`);
	}
}

/** A person says no, with a note. Throws `conflict` for one that was decided. */
export async function rejectRetraining(deps: TriggerDeps, input: DecideRetraining): Promise<void> {
	await decide(deps, input, "rejected");
	await deps.publish(`triggers:${input.workspaceId}`);
}
