import { z } from "zod";
import type { Database } from "@/server/db/client";
import { AppError } from "@/server/kernel/errors";
import { seal, unseal } from "@/server/kernel/secret";
import { recordAudit } from "@/server/workspace";
import type { Actor } from "@/server/workspace/contract";
import {
	type Connection,
	ConnectionKindSchema,
	type CreateConnection,
	CreateConnectionSchema,
	type OpenConnection,
	type UpdateConnection,
	UpdateConnectionSchema,
} from "./contract";
import * as repository from "./models.repository";
import { assertUrlAllowed } from "./private-address";

type Row = NonNullable<Awaited<ReturnType<typeof repository.findConnectionRow>>>;

function toDto(row: Row): Connection {
	const { id, name, url, allowPrivate, updatedAt } = row;
	return { id, name, kind: ConnectionKindSchema.parse(row.kind), url, hasHeaders: row.sealedHeaders !== null, allowPrivate, updatedAt };
}

const sealHeaders = (headers: Record<string, string>) => (Object.keys(headers).length > 0 ? seal(JSON.stringify(headers)) : null);

async function findIn(db: Database, workspaceId: string, id: string): Promise<Row> {
	const row = await repository.findConnectionRow(db, id);
	if (row?.workspaceId !== workspaceId) throw new AppError("not-found", "There is no such connection.", { reason: "connection-unknown", params: { name: "" } });
	return row;
}

export async function listConnections(db: Database, workspaceId: string): Promise<Connection[]> {
	return (await repository.listConnectionRows(db, workspaceId)).map(toDto);
}

/** Registers an http or mcp server for tools to name. */
export async function createConnection(db: Database, workspaceId: string, actor: Actor, input: CreateConnection): Promise<Connection> {
	const { headers, ...rest } = CreateConnectionSchema.parse(input);
	assertUrlAllowed(rest.url, rest.allowPrivate);
	return db.$transaction(async (tx) => {
		const row = await repository.insertConnection(tx, workspaceId, { ...rest, sealedHeaders: sealHeaders(headers ?? {}) });
		const detail = { kind: rest.kind, url: rest.url, headers: Object.keys(headers ?? {}), allowPrivate: rest.allowPrivate };
		await recordAudit(tx, { workspaceId, actor, action: "connection.create", subject: rest.name, detail });
		return toDto(row);
	});
}

/** Changes a connection. Headers are kept only while the host stays, as they may carry secrets of it. */
export async function updateConnection(
	db: Database,
	workspaceId: string,
	actor: Actor,
	input: UpdateConnection,
): Promise<{ connection: Connection; headersCleared: boolean }> {
	const { id, headers, ...rest } = UpdateConnectionSchema.parse(input);
	assertUrlAllowed(rest.url, rest.allowPrivate);
	const before = await findIn(db, workspaceId, id);
	const sameHost = new URL(before.url).origin === new URL(rest.url).origin;
	const headersCleared = headers === null && !sameHost && before.sealedHeaders !== null;
	const sealedHeaders = headers !== null ? sealHeaders(headers) : sameHost ? before.sealedHeaders : null;
	return db.$transaction(async (tx) => {
		const row = await repository.updateConnectionRow(tx, id, { ...rest, sealedHeaders });
		const detail = {
			before: { url: before.url, allowPrivate: before.allowPrivate },
			after: { url: rest.url, allowPrivate: rest.allowPrivate },
			headersCleared,
		};
		await recordAudit(tx, { workspaceId, actor, action: "connection.update", subject: rest.name, detail });
		return { connection: toDto(row), headersCleared };
	});
}

export async function deleteConnection(db: Database, workspaceId: string, actor: Actor, id: string): Promise<void> {
	const row = await findIn(db, workspaceId, id);
	await db.$transaction(async (tx) => {
		await repository.deleteConnectionRow(tx, id);
		await recordAudit(tx, { workspaceId, actor, action: "connection.delete", subject: row.name });
	});
}

/** A connection by the name that a tool's binding gives, with its headers opened. Throws `not-found`. */
export async function openConnection(db: Database, workspaceId: string, name: string): Promise<OpenConnection> {
	const row = await repository.findConnectionByName(db, workspaceId, name);
	if (!row)
		throw new AppError("not-found", `There is no connection named ${name}.`, {
			reason: "connection-unknown",
			params: { name },
			fix: "An admin registers connections in Settings → Connections.",
		});
	const headers = row.sealedHeaders ? z.record(z.string(), z.string()).parse(JSON.parse(unseal(row.sealedHeaders))) : {};
	return { name: row.name, kind: ConnectionKindSchema.parse(row.kind), url: row.url, headers, allowPrivate: row.allowPrivate };
}
