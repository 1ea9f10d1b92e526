import { recordAudit } from "@/server/workspace";
import type { Actor } from "@/server/workspace/contract";
import { roundName } from "./early-stop-state";
import { errors } from "./errors";
import * as repository from "./evolution.repository";
import type { EvolutionDeps } from "./ports";
import { requireEvolution } from "./require-evolution";

/** A reviewer overrides the early stop, with a written reason; the count starts again, the anchor stays. */
export async function reopenEvolution(deps: EvolutionDeps, input: { workspaceId: string; evolutionId: string; actor: Actor; reason: string }): Promise<void> {
	const { workspaceId, actor, reason } = input;
	await requireEvolution(deps, workspaceId, input.evolutionId);
	await deps.db.$transaction(async (tx) => {
		const evolution = await repository.lockEvolution(tx, input.evolutionId);
		if (evolution.status !== "stopped") throw errors.evolutionNotStopped();
		const afterRound = evolution.stoppedAfter ?? 0;
		await repository.updateEvolution(tx, evolution.id, {
			status: "active",
			stoppedAt: null,
			stoppedAfter: null,
			stopReason: null,
			reopenings: [...evolution.reopenings, { afterRound, reason, byId: actor.id, at: deps.clock.now() }],
		});
		await recordAudit(tx, { workspaceId, actor, action: "evolution.reopen", subject: `${evolution.branch} after ${roundName(afterRound)}`, reason });
	});
	await deps.publish(`evolution:${workspaceId}`);
}

/** Ends a campaign for good: nothing lands any more. Its rounds can still be released. */
export async function closeEvolution(deps: EvolutionDeps, input: { workspaceId: string; evolutionId: string; actor: Actor; reason?: string }): Promise<void> {
	const { workspaceId, actor } = input;
	await requireEvolution(deps, workspaceId, input.evolutionId);
	await deps.db.$transaction(async (tx) => {
		const evolution = await repository.lockEvolution(tx, input.evolutionId);
		if (evolution.status === "closed") return;
		await repository.updateEvolution(tx, evolution.id, { status: "closed", closedAt: deps.clock.now() });
		await recordAudit(tx, { workspaceId, actor, action: "evolution.close", subject: evolution.branch, reason: input.reason });
	});
	await deps.publish(`evolution:${workspaceId}`);
}
