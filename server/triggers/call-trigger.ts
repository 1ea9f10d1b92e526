import { isStorable } from "@/server/db/storable";
import { AppError } from "@/server/kernel/errors";
import { newId } from "@/server/kernel/id";
import { refusalOf } from "@/server/release";
import { emitEvent, recordAudit } from "@/server/workspace";
import { errors } from "./errors";
import { countCalls } from "./firing.repository";
import type { TriggerDeps } from "./ports";
import { findTriggerRow } from "./trigger.repository";

/** Calls of one trigger in a minute. Numbers of ours, as the size of what a call may carry. */
const MOST_CALLS = 30;
const MOST_BYTES = 4_096;

/** The scope of a token that may call this trigger, and nothing else. */
export const callScope = (triggerId: string) => `trigger.call:${triggerId}` as const;

export interface CallTrigger {
	workspaceId: string;
	triggerId: string;
	caller: { tokenId: string; name: string };
	/** The same key is the same call. */
	key: string | null;
	payload: Record<string, unknown> | null;
}

/** Writes a machine's call into the event log; the trigger decides about it like about any other event. Returns the call's id. */
export async function callTrigger(deps: TriggerDeps, { workspaceId, triggerId, caller, key, payload }: CallTrigger): Promise<{ callId: string }> {
	const { db, clock } = deps;
	const trigger = await findTriggerRow(db, workspaceId, triggerId);
	if (!trigger) throw errors.unknown();
	if (!trigger.enabled || trigger.content.event !== "api-call") throw errors.notCallable();
	if ((await countCalls(db, workspaceId, triggerId, new Date(clock.now().getTime() - 60_000))) >= MOST_CALLS) throw errors.callTooOften();
	const callId = key ?? newId("call");
	await db.$transaction(async (tx) => {
		await emitEvent(tx, workspaceId, { type: "trigger.called", triggerId, callId, by: caller.name, payload });
		const actor = { id: `token:${caller.tokenId}`, name: caller.name };
		await recordAudit(tx, { workspaceId, actor, action: "trigger.call", subject: `${trigger.name} v${trigger.version}`, detail: { callId } });
	});
	return { callId };
}

const badPayload = () =>
	new AppError("bad-input", "A call carries one JSON object of at most 4 kB, or nothing.", {
		reason: "trigger-payload",
		fix: "Send a smaller object, or none.",
	});

async function readPayload(request: Request): Promise<Record<string, unknown> | null> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
		bytes += chunk.byteLength;
		if (bytes > MOST_BYTES) throw badPayload();
		chunks.push(chunk);
	}
	const text = Buffer.concat(chunks).toString("utf8").trim();
	if (text === "") return null;
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw badPayload();
	}
	// Escapes may hide what the database refuses.
	if (typeof value !== "object" || value === null || Array.isArray(value) || !isStorable(JSON.stringify(value).replaceAll("\\u0000", "\u0000")))
		throw badPayload();
	return value as Record<string, unknown>;
}

function readKey(request: Request): string | null {
	const key = request.headers.get("idempotency-key");
	if (key === null || /^[\x21-\x7e]{1,100}$/.test(key)) return key;
	throw new AppError("bad-input", "An Idempotency-Key has 1 to 100 visible ASCII characters.", { reason: "trigger-call-key" });
}

interface ServeDeps {
	auth: { verifyToken(authorization: string | null, scope: `trigger.call:${string}`): Promise<{ workspaceId: string; tokenId: string; name: string }> };
	workspace: { find(slug: string): Promise<{ id: string } | null> };
	triggers: { call(input: CallTrigger): Promise<{ callId: string }> };
}

/** `POST`: a call by a machine whose token is for this trigger. 202: it is in the event log, and its decision will be in the log of firings. */
export async function serveTriggerCall(deps: ServeDeps, request: Request, target: { slug: string; triggerId: string }): Promise<Response> {
	try {
		const caller = await deps.auth.verifyToken(request.headers.get("authorization"), callScope(target.triggerId));
		const workspace = await deps.workspace.find(target.slug);
		if (workspace?.id !== caller.workspaceId) throw errors.unknown();
		const [key, payload] = [readKey(request), await readPayload(request)];
		const { callId } = await deps.triggers.call({ workspaceId: workspace.id, triggerId: target.triggerId, caller, key, payload });
		return Response.json({ callId }, { status: 202 });
	} catch (error) {
		return refusalOf(error);
	}
}
