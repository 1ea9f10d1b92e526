import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import { points } from "@/server/evaluation";
import { AppError } from "@/server/kernel/errors";
import { SERVICE_ACTORS } from "@/server/workspace/contract";
import type { Session } from "../session";
import { type CommandResult, progress } from "./output";
import type { TrainOptions } from "./read-options";

/** `train`: queues a training, follows it on stderr and prints its card, its curves and the policy version. Ctrl-C leaves it on the queue. */
export async function train(session: Session, { workspace, recipe, seed, harness }: z.infer<typeof TrainOptions>): Promise<CommandResult> {
	const { training, policies } = session.services;
	const { id: workspaceId } = await session.workspace(workspace);
	const running = (await training.list(workspaceId)).find((one) => one.status === "queued" || one.status === "running");
	const same = running?.recipe === recipe && running.seed === seed;
	// The same command again follows what a killed one left.
	const id = running && same ? running.id : await training.start({ workspaceId, recipe, seed, harness, requestedById: SERVICE_ACTORS.system.id });
	let shown = "";
	for (;;) {
		const now = await training.get(id);
		const records = await training.records(id);
		const last = records.at(-1);
		const line = last ? `${last.stage} ${last.step}: loss ${last.loss.toFixed(4)}` : now.card ? "data made" : now.status;
		if (line !== shown) progress(line);
		shown = line;
		if (now.status === "failed")
			throw new AppError("precondition", `The training failed: ${now.error?.message ?? "no reason given"}`, { reason: now.error?.reason ?? "internal" });
		if (now.status === "cancelled")
			throw new AppError("cancelled", `The training T-${now.number} was cancelled.`, {
				reason: "training-cancelled",
				fix: `It goes on from its last step on its page (Training, T-${now.number}, Go on).`,
			});
		if (now.status === "done") {
			const version = (await policies.list(workspaceId)).find((candidate) => candidate.config.checkpointId === now.checkpointId);
			const measured = records.flatMap(({ sample, ...record }) =>
				sample === null ? [] : [{ ...record, sample: { t1: points(sample.t1), t2: sample.t2 === null ? null : points(sample.t2) } }],
			);
			return {
				document: {
					training: id,
					recipe,
					seed,
					policy: version?.name ?? null,
					checkpoint: now.checkpointId,
					card: now.card,
					steps: records.length,
					curves: measured,
				},
			};
		}
		await sleep(500);
	}
}
