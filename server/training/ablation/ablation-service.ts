import { z } from "zod";
import type { JobDefinition } from "@/server/jobs/contract";
import { AppError, messageOf } from "@/server/kernel/errors";
import { recordAudit } from "@/server/workspace";
import type { AuditAction } from "@/server/workspace/contract";
import { type Ablation, type AblationDocument, AblationDocumentSchema, type AblationSettings } from "../ablation.contract";
import type { TrainingPorts } from "../ports";
import { HAT_DEFAULTS, type TrainingSettings } from "../stages/settings";
import * as repository from "./ablation.repository";
import { planParts } from "./join-shares";
import { ablationsKey, makeAblation } from "./make-ablation";
import { nameClaims } from "./summarise-ablation";

/** One at a time in a worker, since it uses a whole core for many minutes; taken over when its process dies. */
export const ablationJob: JobDefinition<{ ablationId: string }> = {
	name: "ablation",
	schema: z.object({ ablationId: z.string() }),
	concurrency: 1,
	retryLimit: 10,
};

const badFile = (why: string) =>
	new AppError("bad-input", `This file is no ablation: ${why}`, {
		reason: "ablation-file",
		params: { why },
		fix: "Make it with hat-ablation --json, or take it from Export.",
	});

/** The document in a file. Throws `bad-input` that names the first thing that is wrong with it. */
export function readAblationFile(text: string): AblationDocument {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		throw badFile(messageOf(error).slice(0, 200));
	}
	const { data, error } = AblationDocumentSchema.safeParse(value);
	if (data) return nameClaims(data);
	const [issue] = error.issues;
	throw badFile(`${issue?.path.join(".") || "the document"}: ${issue?.message ?? "not as it should be"}`.slice(0, 200));
}

/** Ablations of a workspace: started on the page, stored by the command, or loaded from a file. */
export function createAblationService(ports: TrainingPorts, settings: TrainingSettings = HAT_DEFAULTS) {
	const { db } = ports;
	const audit = async (action: AuditAction, workspaceId: string, number: number, byId: string, detail: Parameters<typeof recordAudit>[1]["detail"]) => {
		const name = (await ports.personNames([byId])).get(byId) ?? byId;
		await recordAudit(db, { workspaceId, actor: { id: byId, name }, action, subject: `ablation A-${number}`, detail });
		await ports.publish(ablationsKey(workspaceId));
	};

	/** Throws `not-found`; also for another workspace's, where one is given. */
	async function requireAblation(id: string, workspaceId?: string): Promise<Ablation> {
		const found = await repository.findAblation(db, id);
		if (!found || (workspaceId !== undefined && found.workspaceId !== workspaceId))
			throw new AppError("not-found", "There is no such ablation.", { reason: "ablation-unknown" });
		return found;
	}

	return {
		list: (workspaceId: string) => repository.listAblations(db, workspaceId),
		/** Throws `not-found`. */
		getIn: (workspaceId: string, id: string) => requireAblation(id, workspaceId),

		/** Queues an ablation. Throws `conflict` while the workspace has one that is not over, `precondition` where there is nothing to train on. */
		async start(workspaceId: string, wanted: AblationSettings, byId: string): Promise<{ id: string; number: number }> {
			const { commit, treeId } = await ports.resolveHarness(workspaceId, wanted.harness);
			const { dev, pool } = await ports.readTrainingCases(await ports.currentSuiteVersion(workspaceId));
			if (dev.length + pool.length === 0)
				throw new AppError("precondition", "There are no dev cases to train on.", { reason: "training-no-cases", fix: "Import cases into the split dev." });
			// Every part has to be about the same files, whatever lands meanwhile.
			const fixed = { ...wanted, harness: commit ?? treeId };
			const made = await repository.insertAblation(db, { workspaceId, settings: fixed, requestedById: byId, total: planParts(wanted.seeds).length });
			if (!made)
				throw new AppError("conflict", "An ablation of this workspace is not over yet.", {
					reason: "ablation-running",
					fix: "Wait until it is done, or cancel it.",
				});
			await ports.queue.send(ablationJob, { ablationId: made.id }, { singletonKey: made.id });
			await audit("ablation.start", workspaceId, made.number, byId, { ...fixed });
			return made;
		},

		/** Stops one; nothing happens to one that is over. */
		async cancel({ id, workspaceId, number }: Pick<Ablation, "id" | "workspaceId" | "number">, byId: string): Promise<void> {
			if (await repository.moveAblation(db, id, "cancelled")) await audit("ablation.cancel", workspaceId, number, byId, {});
		},

		/** Keeps what the command made, or what a file holds. Throws `bad-input` for a file of another workspace. */
		async store(workspace: { id: string; slug: string }, result: AblationDocument, origin: "command" | "file", byId: string) {
			if (result.workspace !== workspace.slug)
				throw new AppError("bad-input", `This ablation was measured in the workspace ${result.workspace}.`, {
					reason: "ablation-other-workspace",
					params: { workspace: result.workspace },
					fix: "Load it there.",
				});
			const { seeds, split, harness, cases } = result;
			const about = { seeds, split, cases: Math.max(1, cases.measured), harness: harness.commit ?? harness.treeId };
			const made = await repository.insertFound(db, { workspaceId: workspace.id, settings: about, requestedById: byId, origin, result: nameClaims(result) });
			await audit("ablation.store", workspace.id, made.number, byId, { origin, seeds, split });
			return made;
		},

		/** A worker's part: performs a queued ablation, or goes on with one whose worker died. */
		async run(id: string, signal: AbortSignal): Promise<void> {
			const ablation = await requireAblation(id);
			if (await repository.moveAblation(db, id, "running")) await makeAblation(ports, ablation, settings, signal);
		},

		/** Lets this process perform ablations. */
		work(): Promise<void> {
			return ports.queue.work(ablationJob, ({ ablationId }, signal) => this.run(ablationId, signal));
		},
	};
}
