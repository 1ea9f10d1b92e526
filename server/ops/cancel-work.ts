import { setTimeout as sleep } from "node:timers/promises";
import type { Services } from "@/server/composition";
import { AppError } from "@/server/kernel/errors";
import type { UnderWay } from "@/server/workspace";
import { SERVICE_ACTORS } from "@/server/workspace/contract";

export type WorkStores = Pick<Services, "workspace" | "evaluation" | "evolution" | "training" | "tries">;

/** A worker that died holds on to a run for some seconds; a living one lets go within a few. */
const GIVE_UP_MS = 60_000;
const AGAIN_MS = 250;
const actor = SERVICE_ACTORS.system;

async function cancelOne({ evaluation, evolution, training, tries }: WorkStores, workspaceId: string, { kind, id, userId }: UnderWay): Promise<void> {
	switch (kind) {
		case "run":
			return evaluation.control(workspaceId, id, "cancel", actor);
		case "training":
			return training.cancel(await training.getIn(workspaceId, id), actor.id);
		case "ablation":
			return training.ablations.cancel(await training.ablations.getIn(workspaceId, id), actor.id);
		case "task":
			return evolution.cancelTask({ workspaceId, taskId: id, actor });
		case "try":
			return tries.cancel({ workspaceId, userId: userId ?? "" }, id);
	}
}

/** What ended by itself meanwhile is as good as cancelled. */
const isOver = (error: unknown) => error instanceof AppError && (error.code === "conflict" || error.code === "not-found");

/** Ends what is being cancelled and has no living worker that would. */
async function endAbandoned({ evaluation, tries }: WorkStores, underWay: readonly UnderWay[], signal: AbortSignal): Promise<void> {
	await evaluation.endSettled();
	for (const { kind, id, status } of underWay) if (kind === "try" && status === "cancelling") await tries.run(id, signal);
}

/**
 * Cancels everything that a workspace has under way, as a person would on its pages, and waits until it is over; each is
 * `said` once. What another queues meanwhile is cancelled too. Also works without a running studio. What does not end within
 * a minute is left as it is, for the caller to find. Returns the names of what it cancelled.
 */
export async function cancelWork(stores: WorkStores, workspaceId: string, said: (line: string) => void, signal: AbortSignal): Promise<string[]> {
	const cancelled = new Map<string, string>();
	const startedAt = Date.now();
	for (;;) {
		const underWay = await stores.workspace.listUnderWay(workspaceId);
		if (underWay.length === 0 || Date.now() - startedAt > GIVE_UP_MS) return [...cancelled.values()];
		signal.throwIfAborted();
		for (const work of underWay.filter(({ id, status }) => status !== "cancelling" || !cancelled.has(id))) {
			if (!cancelled.has(work.id)) said(`cancelling ${work.name} (${work.status})`);
			cancelled.set(work.id, work.name);
			await cancelOne(stores, workspaceId, work).catch((error) => {
				if (!isOver(error)) throw error;
			});
		}
		await endAbandoned(stores, await stores.workspace.listUnderWay(workspaceId), signal);
		if ((await stores.workspace.listUnderWay(workspaceId)).length > 0) await sleep(AGAIN_MS);
	}
}
