import { AppError } from "@/server/kernel/errors";
import { recordAudit } from "@/server/workspace";
import type { Actor } from "@/server/workspace/contract";
import { findRunMap } from "./comparisons";
import { type GatePolicy, GatePolicySchema } from "./contract";
import { errors } from "./errors";
import * as gates from "./gate.repository";
import { personOf } from "./overview-facts";
import type { EvolutionDeps } from "./ports";

/**
 * Puts a new version of the gate policy in force. `expectedVersion` is the one that the admin saw. Every change is logged
 * with its reason. Throws `precondition` for an added suite that the workspace does not have.
 */
export async function updateGatePolicy(
	deps: EvolutionDeps,
	input: { workspaceId: string; actor: Actor; content: GatePolicy; reason: string; expectedVersion: number },
): Promise<{ version: number }> {
	const { workspaceId, actor, reason } = input;
	const content = GatePolicySchema.parse(input.content);
	const version = await deps.db
		.$transaction(async (tx) => {
			const before = await gates.currentGatePolicy(tx, workspaceId);
			if (before.version !== input.expectedVersion) throw errors.gatePolicyChanged();
			// One that does not exist would never have a run, and a critical suite without a run blocks every release.
			for (const key of Object.keys(content.suites))
				if (!Object.hasOwn(before.content.suites, key) && !(await deps.evaluation.currentSuiteVersion(workspaceId, key))) throw errors.noSuite(key);
			await gates.insertGatePolicy(tx, workspaceId, { version: before.version + 1, content, reason, createdById: actor.id });
			await recordAudit(tx, {
				workspaceId,
				actor,
				action: "gate-policy.update",
				subject: `gate policy v${before.version + 1}`,
				reason,
				detail: { before: before.content, after: content },
			});
			return before.version + 1;
		})
		.catch((error: unknown) => {
			// Two admins in the same moment: the unique version refuses the second.
			if (error instanceof Error && "code" in error && error.code === "P2002") throw errors.gatePolicyChanged();
			throw error;
		});
	await deps.publish(`evolution:${workspaceId}`);
	return { version };
}

/** A reviewer acknowledges a category alarm in writing. The first acknowledgement stands; repeating it changes nothing. */
export async function acknowledgeAlarm(
	deps: EvolutionDeps,
	input: { workspaceId: string; runId: string; baseRunId: string; category: string; actor: Actor; reason: string },
): Promise<void> {
	const { workspaceId, runId, baseRunId, category, actor, reason } = input;
	const runs = await findRunMap(deps, [runId, baseRunId]);
	if (runs.size < new Set([runId, baseRunId]).size) throw new AppError("not-found", "There is no such run in this workspace.", { reason: "run-unknown" });
	await deps.db.$transaction(async (tx) => {
		const isNew = await gates.insertAcknowledgement(tx, workspaceId, { runId, baseRunId, category, userId: actor.id, reason });
		if (!isNew) return;
		const [run, base] = [runs.get(runId), runs.get(baseRunId)];
		await recordAudit(tx, { workspaceId, actor, action: "alarm.acknowledge", subject: `${category}: R-${run?.number} against R-${base?.number}`, reason });
	});
	await deps.publish(`evolution:${workspaceId}`);
}

async function toViews(deps: EvolutionDeps, rows: readonly gates.GatePolicyRow[]) {
	const people = await deps.people(rows.flatMap((row) => row.createdById ?? []));
	return rows.map(({ createdById, ...row }) => ({ ...row, createdBy: personOf(people, createdById) }));
}

/** The policy in force, with who put it there. */
export async function readGatePolicy(deps: EvolutionDeps, workspaceId: string) {
	const row = await gates.currentGatePolicy(deps.db, workspaceId);
	const [view] = await toViews(deps, [row]);
	return { ...row, createdBy: view?.createdBy ?? null };
}

/** Every version, newest first. */
export async function readGatePolicies(deps: EvolutionDeps, workspaceId: string) {
	return toViews(deps, await gates.listGatePolicies(deps.db, workspaceId));
}
