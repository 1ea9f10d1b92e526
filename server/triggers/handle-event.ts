import { AppError, type ErrorCode, messageOf } from "@/server/kernel/errors";
import { logger } from "@/server/kernel/logger";
import type { DeliveredEvent } from "@/server/workspace/contract";
import { decideFiring } from "./decide-firing";
import * as firings from "./firing.repository";
import { performAction } from "./perform-action";
import type { TriggerDeps } from "./ports";
import { type EventAtHand, readEvent } from "./read-event";
import { ensureBuiltIns, listTriggerRows, type TriggerRow } from "./trigger.repository";

/** What may pass by itself, and is tried again with the event. */
const PASSING: readonly ErrorCode[] = ["rate-limited", "timeout", "unavailable", "upstream", "internal", "cancelled"];
/** How often an action that fails like this is tried; the loop's own rules are tried for as long as it takes. A number of ours. */
const MOST_ATTEMPTS = 5;

async function perform(deps: TriggerDeps, trigger: TriggerRow, at: EventAtHand, firing: firings.FiringRow): Promise<void> {
	await firings.countAttempt(deps.db, firing.id);
	try {
		const result = await performAction(deps, { trigger, firing, event: at.event });
		await firings.finishFiring(deps.db, firing.id, "done", result, deps.clock.now());
	} catch (error) {
		const known = error instanceof AppError ? error : null;
		const passing = !known || PASSING.includes(known.code);
		if (passing && (trigger.key !== null || firing.attempts + 1 < MOST_ATTEMPTS)) throw error;
		if (!known) logger.error({ err: error, firing: firing.id }, "triggers: an action failed");
		const reason = known?.reason ?? "internal";
		const message = known ? known.message : "Something went wrong inside the studio.";
		await firings.finishFiring(deps.db, firing.id, "failed", { error: { reason, message, params: known?.params ?? {} } }, deps.clock.now());
	}
}

async function decide(deps: TriggerDeps, delivered: DeliveredEvent, trigger: TriggerRow, at: EventAtHand): Promise<void> {
	const { db } = deps;
	const { id: triggerId, workspaceId, version, content } = trigger;
	const now = deps.clock.now();
	const { facts, subject, chain } = at;
	const about = {
		...{ workspaceId, triggerId, version, eventKey: at.key, outboxId: delivered.id, event: at.event, eventAt: at.at },
		...{ inputs: facts, subject, chain, createdAt: now },
	};
	const before = await firings.findFiring(db, triggerId, at.key);
	// A worker died, or the action was to be tried again.
	if (before?.outcome === "pending") return perform(deps, trigger, at, before);
	// The same delivery once more: this trigger is done with it, another one is not.
	if (before?.outboxId === delivered.id) return;
	if (before) return firings.noteRepeat(db, about);
	const fired = (await firings.readFired(db, [triggerId], now)).get(triggerId) ?? { firedAt: [], lastFiredAt: null };
	const { decision, why } = decideFiring({ triggerId, content, facts, chain, now, seen: false, ...fired });
	const firing = await firings.insertFiring(db, { ...about, decision, why });
	if (decision === "fired") await perform(deps, trigger, at, firing);
}

/**
 * What the triggers of a workspace do after one of its events. Events come at least once and one after another, so cool-down
 * and budget are counted without a lock, and an action finds what an earlier attempt made. Throws what may pass by itself.
 */
export async function handleTriggers(deps: TriggerDeps, delivered: DeliveredEvent): Promise<void> {
	const { workspaceId } = delivered;
	await ensureBuiltIns(deps.db, workspaceId);
	const enabled = (await listTriggerRows(deps.db, workspaceId)).filter((trigger) => trigger.enabled);
	if (enabled.length === 0) return;
	const events = await readEvent(deps, delivered, new Set(enabled.map((trigger) => trigger.content.event)));
	const failures: unknown[] = [];
	for (const at of events)
		for (const trigger of enabled) {
			if (trigger.content.event !== at.event || (at.triggerId !== null && at.triggerId !== trigger.id)) continue;
			// One that fails holds up no other; the event comes again for it alone.
			await decide(deps, delivered, trigger, at).catch((error: unknown) => failures.push(error));
		}
	if (events.length > 0) await deps.publish(`triggers:${workspaceId}`);
	if (failures.length === 0) return;
	if (failures.length > 1) logger.warn({ errors: failures.map(messageOf) }, "triggers: several actions will be tried again");
	throw failures[0];
}
