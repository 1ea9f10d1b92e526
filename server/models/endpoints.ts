import type { Database } from "@/server/db/client";
import { readKeyVariable } from "@/server/kernel/env";
import { AppError } from "@/server/kernel/errors";
import { seal, unseal } from "@/server/kernel/secret";
import { recordAudit } from "@/server/workspace";
import type { Actor } from "@/server/workspace/contract";
import type { OpenEndpoint } from "./chat-model";
import {
	type CreateEndpoint,
	CreateEndpointSchema,
	type Endpoint,
	type EndpointRole,
	type KeyInput,
	type UpdateEndpoint,
	UpdateEndpointSchema,
} from "./contract";
import * as repository from "./models.repository";
import { assertUrlAllowed } from "./private-address";

type KeyColumns = Pick<repository.EndpointRow, "sealedKey" | "keyEnv">;

function toDto(row: repository.EndpointRow, roles: readonly { role: EndpointRole; endpointId: string }[]): Endpoint {
	const { workspaceId: _, sealedKey, keyEnv, ...rest } = row;
	const key: Endpoint["key"] = keyEnv
		? { kind: "variable", name: keyEnv, present: readKeyVariable(keyEnv) !== undefined }
		: sealedKey
			? { kind: "stored" }
			: { kind: "none" };
	return { ...rest, key, roles: roles.filter((entry) => entry.endpointId === row.id).map((entry) => entry.role) };
}

/** The key columns after a change; `kept` is what there was, or nothing where it may not be kept. */
function keyColumns(input: KeyInput, kept: KeyColumns): KeyColumns {
	switch (input.kind) {
		case "keep":
			return kept;
		case "none":
			return { sealedKey: null, keyEnv: null };
		case "stored":
			return { sealedKey: seal(input.value), keyEnv: null };
		case "variable":
			return { sealedKey: null, keyEnv: input.name };
	}
}

const unknownEndpoint = () =>
	new AppError("not-found", "There is no such endpoint.", {
		reason: "endpoint-unknown",
		fix: "An admin may have removed it: look at the list in Settings, Models.",
	});

async function findIn(db: Database, workspaceId: string, id: string): Promise<repository.EndpointRow> {
	const row = await repository.findEndpointRow(db, id);
	if (row?.workspaceId !== workspaceId) throw unknownEndpoint();
	return row;
}

/** All that is registered, without any key. */
export async function listEndpoints(db: Database, workspaceId: string): Promise<Endpoint[]> {
	const [rows, roles] = await Promise.all([repository.listEndpointRows(db, workspaceId), repository.listRoleRows(db, workspaceId)]);
	return rows.map((row) => toDto(row, roles));
}

/** Registers an endpoint. Throws `bad-input` for a private address that is not allowed, `conflict` for a taken name. */
export async function createEndpoint(db: Database, workspaceId: string, actor: Actor, input: CreateEndpoint): Promise<Endpoint> {
	const { key, ...rest } = CreateEndpointSchema.parse(input);
	assertUrlAllowed(rest.baseUrl, rest.allowPrivate);
	return db.$transaction(async (tx) => {
		const row = await repository.insertEndpoint(tx, workspaceId, { ...rest, ...keyColumns(key, { sealedKey: null, keyEnv: null }) });
		const detail = { baseUrl: rest.baseUrl, model: rest.model, key: key.kind, allowPrivate: rest.allowPrivate };
		await recordAudit(tx, { workspaceId, actor, action: "endpoint.create", subject: rest.name, detail });
		return toDto(row, []);
	});
}

/** Changes an endpoint. A key is kept only while the host stays: elsewhere it would be told to a stranger. */
export async function updateEndpoint(
	db: Database,
	workspaceId: string,
	actor: Actor,
	input: UpdateEndpoint,
): Promise<{ endpoint: Endpoint; keyCleared: boolean }> {
	const { id, key, ...rest } = UpdateEndpointSchema.parse(input);
	assertUrlAllowed(rest.baseUrl, rest.allowPrivate);
	const before = await findIn(db, workspaceId, id);
	const sameHost = new URL(before.baseUrl).origin === new URL(rest.baseUrl).origin;
	const kept: KeyColumns = sameHost ? before : { sealedKey: null, keyEnv: null };
	const keyCleared = key.kind === "keep" && !sameHost && (before.sealedKey !== null || before.keyEnv !== null);
	return db.$transaction(async (tx) => {
		const { sealedKey, keyEnv } = keyColumns(key, kept);
		const row = await repository.updateEndpointRow(tx, id, { ...rest, sealedKey, keyEnv });
		const detail = {
			before: {
				name: before.name,
				baseUrl: before.baseUrl,
				model: before.model,
				extraBody: before.extraBody,
				limits: before.limits,
				allowPrivate: before.allowPrivate,
			},
			after: { name: rest.name, baseUrl: rest.baseUrl, model: rest.model, extraBody: rest.extraBody, limits: rest.limits, allowPrivate: rest.allowPrivate },
			key: keyCleared ? "cleared" : key.kind,
		};
		await recordAudit(tx, { workspaceId, actor, action: "endpoint.update", subject: rest.name, detail });
		return { endpoint: toDto(row, await repository.listRoleRows(tx, workspaceId)), keyCleared };
	});
}

/** Removes an endpoint that plays no part. */
export async function deleteEndpoint(db: Database, workspaceId: string, actor: Actor, id: string): Promise<void> {
	const row = await findIn(db, workspaceId, id);
	await db.$transaction(async (tx) => {
		const playing = (await repository.listRoleRows(tx, workspaceId)).filter((entry) => entry.endpointId === id).map((entry) => entry.role);
		if (playing.length > 0)
			throw new AppError("precondition", `${row.name} plays ${playing.join(", ")}.`, {
				reason: "endpoint-in-use",
				params: { name: row.name, roles: playing.join(", ") },
				fix: "Give these roles to another endpoint, or to the built-in engine, first.",
			});
		await repository.deleteEndpointRow(tx, id);
		await recordAudit(tx, { workspaceId, actor, action: "endpoint.delete", subject: row.name });
	});
}

/** Gives a role to an endpoint, or back to the built-in engine (null). */
export async function assignRole(db: Database, workspaceId: string, actor: Actor, role: EndpointRole, endpointId: string | null): Promise<void> {
	const row = endpointId === null ? null : await findIn(db, workspaceId, endpointId);
	await db.$transaction(async (tx) => {
		await repository.setRoleRow(tx, workspaceId, role, endpointId);
		await recordAudit(tx, { workspaceId, actor, action: "endpoint.role", subject: role, detail: { endpoint: row?.name ?? "built-in" } });
	});
}

/** The key in the clear, or null for none. Throws `precondition` when it is named but not there. */
function openKey(row: repository.EndpointRow): string | null {
	if (row.keyEnv) {
		const value = readKeyVariable(row.keyEnv)?.trim();
		if (value && /^[\x21-\x7e]+$/.test(value)) return value;
		throw new AppError("precondition", `The server's environment has no usable ${row.keyEnv}.`, {
			reason: "key-variable-missing",
			params: { name: row.keyEnv },
			fix: `Start the studio with ${row.keyEnv} set, or store a key in Settings → Endpoints.`,
		});
	}
	return row.sealedKey ? unseal(row.sealedKey) : null;
}

/** An endpoint with its key, for the model behind it; `workspaceId` null is for callers that hold a checked id. */
export async function openEndpoint(db: Database, workspaceId: string | null, id: string): Promise<OpenEndpoint & { updatedAt: Date }> {
	const row = await repository.findEndpointRow(db, id);
	if (!row || (workspaceId !== null && row.workspaceId !== workspaceId)) throw unknownEndpoint();
	const { sealedKey: _sealed, keyEnv: _env, workspaceId: _workspace, ...rest } = row;
	return { ...rest, key: openKey(row) };
}

/** Throws `not-found` for an endpoint that is not of this workspace. */
export async function assertEndpoint(db: Database, workspaceId: string, id: string): Promise<void> {
	await findIn(db, workspaceId, id);
}

/** What identifies an endpoint's answers now, with the settings that it is made of; never the key. */
export async function describeEndpoint(
	db: Database,
	workspaceId: string,
	id: string,
	fingerprintOf: (endpoint: Pick<OpenEndpoint, "baseUrl" | "model" | "extraBody">) => string,
) {
	const { name, baseUrl, model, extraBody } = await findIn(db, workspaceId, id);
	return { name, baseUrl, model, extraBody, fingerprint: fingerprintOf({ baseUrl, model, extraBody }) };
}
