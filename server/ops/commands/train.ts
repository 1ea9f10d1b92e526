import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import { AppError } from "@/server/kernel/errors";
import { SERVICE_ACTORS } from "@/server/workspace/contract";
import type { Session } from "../session";
import { type CommandResult, points, progress } from "./output";
import type { AblationOptions, TrainOptions } from "./read-options";

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
		if (now.status === "done") {
			const version = (await policies.list(workspaceId)).find((candidate) => candidate.config.checkpointId === now.checkpointId);
			const measured = records.filter((record) => record.sample !== null);
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

/** `hat-ablation`: base, both recipes after each stage, over several seeds, with what of the report's claims appears here. */
export async function hatAblation(session: Session, { workspace, seeds, harness, cases }: z.infer<typeof AblationOptions>): Promise<CommandResult> {
	const { id: workspaceId } = await session.workspace(workspace);
	const { rows, table, claims, ...about } = await session.services.training.ablate({
		workspaceId,
		harness,
		seeds,
		cases,
		signal: session.signal,
		onRow: ({ policy, seed, measured, general }) =>
			progress(
				`seed ${seed} ${policy}: T1 ${points(measured.t1)} T2 ${points(measured.t2)} held-out ${points(measured.heldOut)}${general === null ? "" : ` general ${points(general)}`}`,
			),
	});
	const cell = (value: { mean: number; margin: number | null } | null) =>
		value && { mean: points(value.mean), margin: value.margin === null ? null : points(value.margin) };
	return {
		document: {
			...about,
			table: table.map(({ policy, cells }) => ({ policy, ...Object.fromEntries(Object.entries(cells).map(([metric, value]) => [metric, cell(value)])) })),
			claims: claims.map(({ claim, holds, needed, value }) => ({ claim, holds, needed, value: Number.isFinite(value.mean) ? value : null })),
			rows,
		},
	};
}
