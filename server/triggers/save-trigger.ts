import type { z } from "zod";
import { seal } from "@/server/kernel/secret";
import { recordAudit } from "@/server/workspace";
import type { Actor } from "@/server/workspace/contract";
import { checkTrigger } from "./check-trigger";
import { type SaveTrigger, SaveTriggerSchema, type SecretInputSchema, type TriggerContent } from "./contract";
import { errors } from "./errors";
import type { TriggerDeps } from "./ports";
import { readCron } from "./read-cron";
import * as repository from "./trigger.repository";

interface Who {
	workspaceId: string;
	actor: Actor;
}

async function requireTrigger({ db }: TriggerDeps, workspaceId: string, id: string): Promise<repository.TriggerRow> {
	const found = await repository.findTriggerRow(db, workspaceId, id);
	if (!found) throw errors.unknown();
	return found;
}

/** When a schedule is due next; null for what is no schedule, or is off. */
function nextDue({ schedule }: TriggerContent, enabled: boolean, now: Date): Date | null {
	return schedule && enabled ? readCron(schedule).next(now) : null;
}

const urlOf = (content: TriggerContent | undefined) => (content?.action.type === "call-webhook" ? content.action.url : null);

/** The sealed secret after a change. It is kept only while the host stays: elsewhere it would be told to a stranger. */
function secretAfter(content: TriggerContent, secret: z.infer<typeof SecretInputSchema>, before: repository.TriggerRow | null): string | null {
	const url = urlOf(content);
	if (url === null) return null;
	if (secret.kind === "set") return seal(secret.value);
	const known = urlOf(before?.content);
	if (!before?.sealedSecret || known === null || new URL(known).origin !== new URL(url).origin) throw errors.noSecret();
	return before.sealedSecret;
}

/** Makes a trigger, or writes its next version. Throws `bad-input` for what can't work, `conflict` when another changed it meanwhile. */
export async function saveTrigger(deps: TriggerDeps, { workspaceId, actor, input }: Who & { input: SaveTrigger }): Promise<{ id: string; version: number }> {
	const { id, version, name, enabled, content, secret, reason } = SaveTriggerSchema.parse(input);
	const before = id === null ? null : await requireTrigger(deps, workspaceId, id);
	if (before?.key) throw errors.builtIn();
	await checkTrigger(deps, workspaceId, content);
	const change = { name, enabled, content, sealedSecret: secretAfter(content, secret, before), dueAt: nextDue(content, enabled, deps.clock.now()) };
	const saved = await deps.db.$transaction(async (tx) => {
		const triggerId = before ? before.id : await repository.insertTrigger(tx, workspaceId, change, actor);
		if (before && !(await repository.changeTrigger(tx, before.id, version, change, actor))) throw errors.changed();
		const next = before ? version + 1 : 1;
		await repository.insertVersion(tx, { triggerId, version: next, name, enabled, content }, actor, reason);
		await recordAudit(tx, {
			workspaceId,
			actor,
			action: before ? "trigger.update" : "trigger.create",
			subject: `${name} v${next}`,
			...(reason ? { reason } : {}),
			detail: { ...(before ? { before: before.content } : {}), after: content, enabled, secret: secret.kind },
		});
		return { id: triggerId, version: next };
	});
	await deps.publish(`triggers:${workspaceId}`);
	return saved;
}

export interface SwitchTrigger extends Who {
	id: string;
	enabled: boolean;
	/** The version that the person saw. */
	version: number;
	reason?: string | undefined;
}

/** Turns a trigger on or off, the loop's own too. Throws `conflict` when another changed it meanwhile. */
export async function switchTrigger(deps: TriggerDeps, { workspaceId, actor, id, enabled, version, reason }: SwitchTrigger): Promise<void> {
	const { name, content } = await requireTrigger(deps, workspaceId, id);
	const dueAt = nextDue(content, enabled, deps.clock.now());
	await deps.db.$transaction(async (tx) => {
		if (!(await repository.changeTrigger(tx, id, version, { enabled, dueAt }, actor))) throw errors.changed();
		await repository.insertVersion(tx, { triggerId: id, version: version + 1, name, enabled, content }, actor, reason);
		const action = enabled ? "trigger.enable" : "trigger.disable";
		await recordAudit(tx, { workspaceId, actor, action, subject: `${name} v${version + 1}`, ...(reason ? { reason } : {}) });
	});
	await deps.publish(`triggers:${workspaceId}`);
}

/** Takes a trigger away; its log stays. Throws `conflict` when another changed it meanwhile. */
export async function deleteTrigger(deps: TriggerDeps, { workspaceId, actor, id, version, reason }: Omit<SwitchTrigger, "enabled">): Promise<void> {
	const { key, name } = await requireTrigger(deps, workspaceId, id);
	if (key) throw errors.builtIn();
	await deps.db.$transaction(async (tx) => {
		const gone = { deletedAt: deps.clock.now(), sealedSecret: null, dueAt: null, enabled: false };
		if (!(await repository.changeTrigger(tx, id, version, gone, actor))) throw errors.changed();
		await recordAudit(tx, { workspaceId, actor, action: "trigger.delete", subject: name, ...(reason ? { reason } : {}) });
	});
	await deps.publish(`triggers:${workspaceId}`);
}
