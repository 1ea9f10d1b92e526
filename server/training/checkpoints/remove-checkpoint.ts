import { AppError } from "@/server/kernel/errors";
import type { PolicyVersion } from "@/server/policies/contract";
import { recordAudit } from "@/server/workspace";
import type { Actor } from "@/server/workspace/contract";
import type { TrainingPorts } from "../ports";
import * as repository from "../training.repository";

type Ports = Pick<TrainingPorts, "db" | "findPolicy" | "policyReferences" | "removePolicy">;

const MAX_NAMED = 5;

/** Why an imported checkpoint stays; null when it may go. `references` are names, as people know them. Pure. */
export function whyKept({ name, kind, config }: Pick<PolicyVersion, "name" | "kind" | "config">, references: readonly string[]): AppError | null {
	if (kind !== "checkpoint")
		return new AppError("precondition", `${name} is no imported checkpoint.`, {
			reason: "policy-not-imported",
			params: { name },
			fix: "Only a checkpoint that came from a file can be removed.",
		});
	if (config.initial)
		return new AppError("precondition", `${name} came with the workspace, and acts until a release binds another policy.`, {
			reason: "policy-initial",
			params: { name },
			fix: "It goes with the workspace.",
		});
	if (references.length === 0) return null;
	const named = references.slice(0, MAX_NAMED).join(", ");
	const by = references.length > MAX_NAMED ? `${named}, …` : named;
	return new AppError("precondition", `${name} is referred to by ${by}.`, {
		reason: "policy-in-use",
		params: { name, by },
		fix: "What was measured, released or trained with it has to stay readable, so it stays too.",
	});
}

/** Names of what refers to a policy version: runs, releases, evolutions, and the training that made it. */
async function referencesTo(ports: Ports, { id, workspaceId }: PolicyVersion): Promise<string[]> {
	const trainings = await repository.listTrainingsOfPolicy(ports.db, workspaceId, id);
	return [...trainings.map((number) => `T-${number}`), ...(await ports.policyReferences(workspaceId, id))];
}

/**
 * Removes an imported checkpoint: its policy version, and its file. By name or id. Throws `not-found`, and `precondition` that
 * says what refers to it. With `confirmed` false it only answers or refuses.
 */
export async function removeCheckpoint(
	ports: Ports,
	{ workspaceId, policy, actor, confirmed }: { workspaceId: string; policy: string; actor: Actor; confirmed: boolean },
): Promise<{ id: string; name: string }> {
	const version = await ports.findPolicy(workspaceId, policy);
	const kept = whyKept(version, await referencesTo(ports, version));
	if (kept) throw kept;
	const { id, name, config } = version;
	if (confirmed)
		await ports.db.$transaction(async (tx) => {
			await ports.removePolicy(tx, id);
			if (config.checkpointId !== undefined) await repository.deleteCheckpointRow(tx, workspaceId, config.checkpointId);
			await recordAudit(tx, { workspaceId, actor, action: "policy.remove", subject: `policy ${name}`, detail: { checkpoint: config.checkpointId ?? null } });
		});
	return { id, name };
}
