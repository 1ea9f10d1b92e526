import type { DeliveredEvent } from "@/server/workspace/contract";
import { type CallTrigger, callTrigger } from "./call-trigger";
import { checkTrigger } from "./check-trigger";
import { type DryRun, type Firing, type FiringFilter, type Schedule, type Trigger, type TriggerContent, TriggerContentSchema } from "./contract";
import { confirmRetraining, type DecideRetraining, rejectRetraining } from "./decide-retraining";
import { deliverWebhook, webhookJob } from "./deliver-webhook";
import { findDeliveries } from "./delivery.repository";
import { dryRun } from "./dry-run";
import { errors } from "./errors";
import { listFirings, readFired } from "./firing.repository";
import { handleTriggers } from "./handle-event";
import type { TriggerDeps } from "./ports";
import { readCron } from "./read-cron";
import { listRetrainings } from "./retraining.repository";
import { deleteTrigger, type SwitchTrigger, saveTrigger, switchTrigger } from "./save-trigger";
import { followSchedules } from "./tick-schedules";
import { ensureBuiltIns, findTriggerRow, listTriggerRows, listVersions, type TriggerRow } from "./trigger.repository";

export { callScope, serveTriggerCall } from "./call-trigger";
export { webhookJob } from "./deliver-webhook";
export type { TriggerDeps } from "./ports";

function toTrigger({ workspaceId: _, sealedSecret, ...row }: TriggerRow, fired: { firedAt: readonly Date[]; lastFiredAt: Date | null } | undefined): Trigger {
	return { ...row, hasSecret: sealedSecret !== null, lastFiredAt: fired?.lastFiredAt ?? null, firedToday: fired?.firedAt.length ?? 0 };
}

/** Triggers, their log, and the retrainings that they propose. Roles are checked by whoever calls. */
export function createTriggerService(deps: TriggerDeps) {
	const { db, clock } = deps;

	async function list(workspaceId: string): Promise<Trigger[]> {
		await ensureBuiltIns(db, workspaceId);
		const rows = await listTriggerRows(db, workspaceId);
		const fired = await readFired(
			db,
			rows.map((row) => row.id),
			clock.now(),
		);
		return rows.map((row) => toTrigger(row, fired.get(row.id)));
	}

	return {
		/** The two rules of the loop first, then the oldest. */
		list,
		/** All that it was, newest first. Throws `not-found`. */
		async versions(workspaceId: string, id: string) {
			if (!(await findTriggerRow(db, workspaceId, id))) throw errors.unknown();
			return listVersions(db, id);
		},
		save: (input: Parameters<typeof saveTrigger>[1]) => saveTrigger(deps, input),
		switch: (input: SwitchTrigger) => switchTrigger(deps, input),
		delete: (input: Omit<SwitchTrigger, "enabled">) => deleteTrigger(deps, input),

		/** The next times of a schedule. Throws `bad-input` for one that is none. */
		nextTimes(schedule: Schedule, count = 3): Date[] {
			const cron = readCron(schedule);
			const times: Date[] = [];
			for (let at = clock.now(); times.length < count; times.push(at)) at = cron.next(at);
			return times;
		},

		/** A page of the log, newest first. */
		async firings(workspaceId: string, filter: FiringFilter, page: { page: number; pageSize: number }): Promise<{ rows: Firing[]; total: number }> {
			const { rows, total } = await listFirings(db, workspaceId, filter, page);
			const deliveries = await findDeliveries(
				db,
				rows.map((row) => row.id),
			);
			return { total, rows: rows.map((row) => ({ ...row, delivery: deliveries.get(row.id) ?? null })) };
		},

		/** What one that is saved, or is still being written, would have done. Throws what saving it would throw. */
		async dryRun(input: { workspaceId: string; days: number; trigger: { id: string | null; name: string; content: unknown } }): Promise<DryRun> {
			const { workspaceId, days, trigger } = input;
			const content: TriggerContent = TriggerContentSchema.parse(trigger.content);
			const known = trigger.id === null ? null : await findTriggerRow(db, workspaceId, trigger.id);
			if (trigger.id !== null && !known) throw errors.unknown();
			const key = known?.key ?? null;
			if (key === null) await checkTrigger(deps, workspaceId, content);
			return dryRun(deps, { workspaceId, days, trigger: { id: trigger.id, name: trigger.name, key, content } });
		},

		/** Writes a machine's call into the event log. */
		call: (input: CallTrigger) => callTrigger(deps, input),

		// ---- retrainings that wait for a person ----

		/** Those that wait first, then the newest. */
		retrainings: (workspaceId: string) => listRetrainings(db, workspaceId),
		confirmRetraining: (input: DecideRetraining) => confirmRetraining(deps, input),
		rejectRetraining: (input: DecideRetraining) => rejectRetraining(deps, input),

		// ---- a worker's part ----

		/** What triggers do after an event; to be called after the loop's own part, in the order of the outbox. */
		onEvent: (delivered: DeliveredEvent) => handleTriggers(deps, delivered),
		/** Writes the events of schedules that are due, until aborted. */
		followSchedules: (signal: AbortSignal) => followSchedules(deps, signal),
		/** Lets this process call webhooks. */
		work: () => deps.queue.work(webhookJob, ({ deliveryId }, signal) => deliverWebhook(deps, deliveryId, signal)),
	};
}

export type TriggerService = ReturnType<typeof createTriggerService>;
