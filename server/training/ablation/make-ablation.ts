import { AppError, messageOf } from "@/server/kernel/errors";
import { logger } from "@/server/kernel/logger";
import type { Ablation, AblationDocument } from "../ablation.contract";
import type { TrainingPorts } from "../ports";
import type { TrainingSettings } from "../stages/settings";
import * as repository from "./ablation.repository";
import { type AblationShare, joinShares, nameOfPart, planParts } from "./join-shares";
import { performAblation } from "./perform-ablation";

/** Wakes who looks at a workspace's ablations. */
export const ablationsKey = (workspaceId: string): string => `ablations:${workspaceId}`;

/** How often a running ablation looks whether a person stopped it. */
const LOOK_EVERY_MS = 1000;

/** Part after part; those that were kept are taken as they are. */
async function perform(ports: TrainingPorts, ablation: Ablation, settings: TrainingSettings, signal: AbortSignal): Promise<AblationDocument> {
	const { id, workspaceId, createdAt } = ablation;
	const { harness, split, cases, seeds } = ablation.settings;
	const kept = new Map((await repository.listParts(ports.db, id)).map(({ part, share }) => [part, share as AblationShare]));
	const shares: AblationShare[] = [];
	for (const part of planParts(seeds)) {
		const known = kept.get(nameOfPart(part));
		if (known) {
			shares.push(known);
			continue;
		}
		const before = process.cpuUsage();
		const made = await performAblation(ports, { workspaceId, harness, parts: [part], split, cases, settings, signal });
		signal.throwIfAborted();
		const { user, system } = process.cpuUsage(before);
		const share = { ...made, cpuSeconds: (user + system) / 1e6 };
		shares.push(share);
		await repository.keepPart(ports.db, id, nameOfPart(part), share);
		await ports.publish(ablationsKey(workspaceId));
	}
	const workspace = await ports.workspaceSlug(workspaceId);
	return joinShares(shares, { workspace, seeds, split, wallSeconds: (Date.now() - createdAt.getTime()) / 1000 });
}

/** Makes a running ablation to its end; the signal of a worker that stops leaves it to the next one. */
export async function makeAblation(ports: TrainingPorts, ablation: Ablation, settings: TrainingSettings, signal: AbortSignal): Promise<void> {
	const { db } = ports;
	const { id, workspaceId } = ablation;
	const stop = new AbortController();
	const look = setInterval(() => {
		void repository.isRunning(db, id).then(
			(on) => on || stop.abort(),
			() => undefined,
		);
	}, LOOK_EVERY_MS);
	await ports.publish(ablationsKey(workspaceId));
	try {
		await repository.moveAblation(db, id, "done", { result: await perform(ports, ablation, settings, AbortSignal.any([signal, stop.signal])) });
	} catch (error) {
		if (signal.aborted) throw error;
		// What a person stopped is over already.
		if (stop.signal.aborted) return;
		const known = error instanceof AppError ? error : null;
		if (!known) logger.error({ err: error, ablationId: id }, "an ablation failed");
		await repository.moveAblation(db, id, "failed", { error: { reason: known?.reason ?? "internal", message: messageOf(error).slice(0, 500) } });
	} finally {
		clearInterval(look);
		await ports.publish(ablationsKey(workspaceId));
	}
}
