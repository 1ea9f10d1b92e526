import { createHmac } from "node:crypto";
import { z } from "zod";
import type { JobDefinition } from "@/server/jobs/contract";
import { AppError } from "@/server/kernel/errors";
import { unseal } from "@/server/kernel/secret";
import { guardedFetch } from "@/server/models";
import type { Action, Delivery } from "./contract";
import { type DeliveryRow, ensureDelivery, findDelivery, noteAttempt } from "./delivery.repository";
import { errors } from "./errors";
import type { Fired } from "./fired";
import type { TriggerDeps } from "./ports";

/** One attempt at a call; the next is sent to the queue with a delay. */
export const webhookJob: JobDefinition<{ deliveryId: string }> = {
	name: "webhook",
	schema: z.object({ deliveryId: z.string() }),
	concurrency: 2,
	retryLimit: 5,
};

/** Pauses before the second attempt, the third, and so on; after the last one the call is given up. Numbers of ours. */
const BACK_OFF_MS = [10_000, 60_000, 5 * 60_000, 30 * 60_000, 2 * 3600_000];
const TIMEOUT_MS = 10_000;
/** Answers that may be another one later; every other status of 400 and above is final. */
const PASSING = new Set([408, 409, 425, 429]);

/** `t=<seconds>,v1=<HMAC-SHA-256 of "<seconds>.<body>" in hex>`: who checks it also sees how old the call is. */
export function signBody(secret: string, body: string, at: Date): string {
	const seconds = Math.floor(at.getTime() / 1000);
	return `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`;
}

/** Writes the call of a firing down and queues it. Safe to repeat. */
export async function queueDelivery(deps: TriggerDeps, { trigger, firing, event }: Fired, action: Extract<Action, { type: "call-webhook" }>): Promise<string> {
	if (!trigger.sealedSecret) throw errors.noSecret();
	const { id, name, version, workspaceId } = trigger;
	const body = JSON.stringify({
		id: firing.id,
		event,
		at: firing.eventAt.toISOString(),
		workspace: workspaceId,
		trigger: { id, name, version },
		facts: firing.inputs,
		subject: firing.subject,
	});
	const row = { firingId: firing.id, workspaceId, url: action.url, allowPrivate: action.allowPrivate, sealedSecret: trigger.sealedSecret, body };
	const deliveryId = await ensureDelivery(deps.db, row);
	await deps.queue.send(webhookJob, { deliveryId }, { singletonKey: deliveryId });
	return deliveryId;
}

interface Attempt {
	answered: number | null;
	/** Null: it arrived. */
	error: Delivery["error"];
	final: boolean;
}

/** What went wrong on the way, without the address. */
function failureOf(error: unknown): Attempt {
	for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 6; cause = cause.cause, depth++) {
		if (cause instanceof AppError) {
			const { reason, message, params } = cause;
			return { answered: null, error: { reason, message, params }, final: cause.code === "bad-input" || cause.code === "precondition" };
		}
		if (cause.name === "TimeoutError") {
			const params = { seconds: TIMEOUT_MS / 1000 };
			return { answered: null, error: { reason: "webhook-timeout", message: "It did not answer in time.", params }, final: false };
		}
	}
	return { answered: null, error: { reason: "webhook-unreachable", message: "It can't be reached.", params: {} }, final: false };
}

async function attempt(row: DeliveryRow, now: Date, signal: AbortSignal): Promise<Attempt> {
	try {
		const signature = signBody(unseal(row.sealedSecret ?? ""), row.body, now);
		const response = await guardedFetch(row.allowPrivate)(row.url, {
			method: "POST",
			body: row.body,
			redirect: "manual",
			headers: { "content-type": "application/json", "studio-delivery": row.id, "studio-signature": signature },
			signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
		});
		// What it says is not read: nothing of a server's answer may reach the log.
		await response.body?.cancel();
		const { status } = response;
		if (response.ok) return { answered: status, error: null, final: true };
		const error = { reason: "webhook-status", message: `It answered ${status}.`, params: { status } };
		return { answered: status, error, final: status < 500 && !PASSING.has(status) };
	} catch (error) {
		if (signal.aborted) throw error;
		return failureOf(error);
	}
}

/** A worker's part: one attempt, and the next one queued with a longer pause. Nothing happens to one that is over. */
export async function deliverWebhook(deps: TriggerDeps, deliveryId: string, signal: AbortSignal): Promise<void> {
	const row = await findDelivery(deps.db, deliveryId);
	if (row?.status !== "queued") return;
	const now = deps.clock.now();
	const { answered, error, final } = await attempt(row, now, signal);
	const pauses = deps.backOffMs ?? BACK_OFF_MS;
	const pause = error === null || final ? undefined : pauses[row.attempts];
	const status = error === null ? "delivered" : pause === undefined ? "failed" : "queued";
	const nextAt = pause === undefined ? null : new Date(now.getTime() + pause);
	await noteAttempt(deps.db, deliveryId, { status, answered, error, nextAt, attempts: row.attempts + 1 }, now);
	if (pause !== undefined) await deps.queue.send(webhookJob, { deliveryId }, { startAfterMs: pause });
	await deps.publish(`triggers:${row.workspaceId}`);
}
