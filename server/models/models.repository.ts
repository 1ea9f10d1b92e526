import { z } from "zod";
import type { Database, DatabaseOrTransaction } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { AppError } from "@/server/kernel/errors";
import { newId } from "@/server/kernel/id";
import { type EndpointLimits, EndpointLimitsSchema, type EndpointRole, EndpointRoleSchema } from "./contract";
import { CachedResponseSchema, type CacheStore } from "./response-cache";

const endpointSelect = {
	id: true,
	workspaceId: true,
	name: true,
	baseUrl: true,
	model: true,
	sealedKey: true,
	keyEnv: true,
	extraBody: true,
	limits: true,
	allowPrivate: true,
	updatedAt: true,
} as const;

const EndpointRowSchema = z.object({
	id: z.string(),
	workspaceId: z.string(),
	name: z.string(),
	baseUrl: z.string(),
	model: z.string(),
	sealedKey: z.string().nullable(),
	keyEnv: z.string().nullable(),
	extraBody: z.record(z.string(), z.json()),
	limits: EndpointLimitsSchema,
	allowPrivate: z.boolean(),
	updatedAt: z.date(),
});
export type EndpointRow = z.infer<typeof EndpointRowSchema>;

export interface EndpointWrite {
	name: string;
	baseUrl: string;
	model: string;
	sealedKey: string | null;
	keyEnv: string | null;
	extraBody: Record<string, unknown>;
	limits: EndpointLimits;
	allowPrivate: boolean;
}

function onTaken(name: string, reason: string) {
	return (cause: { code?: string }): never => {
		if (cause.code !== "P2002") throw cause;
		throw new AppError("conflict", `${name} exists already.`, { reason, params: { name }, fix: "Choose another name.", cause });
	};
}
const toData = (write: EndpointWrite) => ({ ...write, extraBody: write.extraBody as Prisma.InputJsonValue });

export async function listEndpointRows(db: DatabaseOrTransaction, workspaceId: string): Promise<EndpointRow[]> {
	const rows = await db.endpoint.findMany({ where: { workspaceId }, select: endpointSelect, orderBy: { name: "asc" } });
	return rows.map((row) => EndpointRowSchema.parse(row));
}

export async function findEndpointRow(db: DatabaseOrTransaction, id: string): Promise<EndpointRow | null> {
	const row = await db.endpoint.findUnique({ where: { id }, select: endpointSelect });
	return row && EndpointRowSchema.parse(row);
}

export async function insertEndpoint(db: DatabaseOrTransaction, workspaceId: string, write: EndpointWrite): Promise<EndpointRow> {
	const data = { id: newId("ep"), workspaceId, ...toData(write) };
	return EndpointRowSchema.parse(await db.endpoint.create({ data, select: endpointSelect }).catch(onTaken(write.name, "endpoint-exists")));
}

export async function updateEndpointRow(db: DatabaseOrTransaction, id: string, write: EndpointWrite): Promise<EndpointRow> {
	return EndpointRowSchema.parse(
		await db.endpoint.update({ where: { id }, data: toData(write), select: endpointSelect }).catch(onTaken(write.name, "endpoint-exists")),
	);
}

export async function deleteEndpointRow(db: DatabaseOrTransaction, id: string): Promise<void> {
	await db.endpoint.delete({ where: { id }, select: { id: true } });
}

export async function listRoleRows(db: DatabaseOrTransaction, workspaceId: string): Promise<{ role: EndpointRole; endpointId: string }[]> {
	const rows = await db.endpointRole.findMany({ where: { workspaceId }, select: { role: true, endpointId: true } });
	return rows.map((row) => ({ role: EndpointRoleSchema.parse(row.role), endpointId: row.endpointId }));
}

export async function setRoleRow(db: DatabaseOrTransaction, workspaceId: string, role: EndpointRole, endpointId: string | null): Promise<void> {
	if (endpointId === null) await db.endpointRole.deleteMany({ where: { workspaceId, role } });
	else
		await db.endpointRole.upsert({
			where: { workspaceId_role: { workspaceId, role } },
			create: { workspaceId, role, endpointId },
			update: { endpointId },
			select: { role: true },
		});
}

export interface ConnectionWrite {
	name: string;
	kind: string;
	url: string;
	sealedHeaders: string | null;
	allowPrivate: boolean;
}
const connectionSelect = { id: true, workspaceId: true, name: true, kind: true, url: true, sealedHeaders: true, allowPrivate: true, updatedAt: true } as const;

export const listConnectionRows = (db: DatabaseOrTransaction, workspaceId: string) =>
	db.connection.findMany({ where: { workspaceId }, select: connectionSelect, orderBy: { name: "asc" } });
export const findConnectionRow = (db: DatabaseOrTransaction, id: string) => db.connection.findUnique({ where: { id }, select: connectionSelect });
export const findConnectionByName = (db: DatabaseOrTransaction, workspaceId: string, name: string) =>
	db.connection.findUnique({ where: { workspaceId_name: { workspaceId, name } }, select: connectionSelect });
export const insertConnection = (db: DatabaseOrTransaction, workspaceId: string, write: ConnectionWrite) =>
	db.connection.create({ data: { id: newId("con"), workspaceId, ...write }, select: connectionSelect }).catch(onTaken(write.name, "connection-exists"));
export const updateConnectionRow = (db: DatabaseOrTransaction, id: string, write: ConnectionWrite) =>
	db.connection.update({ where: { id }, data: write, select: connectionSelect }).catch(onTaken(write.name, "connection-exists"));
export async function deleteConnectionRow(db: DatabaseOrTransaction, id: string): Promise<void> {
	await db.connection.delete({ where: { id }, select: { id: true } });
}

/** The table of cached responses. */
export function createCacheStore(db: Database): CacheStore {
	return {
		async read(keys) {
			const rows = await db.responseCache.findMany({
				where: { OR: keys.map(({ fingerprint, requestHash }) => ({ fingerprint, requestHash })) },
				select: { fingerprint: true, requestHash: true, response: true },
			});
			// What another version of the studio wrote in another form is asked again.
			return rows.flatMap((row) => {
				const { data } = CachedResponseSchema.safeParse(row.response);
				return data ? [{ ...row, response: data }] : [];
			});
		},
		async write(rows) {
			await db.responseCache.createMany({
				data: rows.map((row) => ({ ...row, response: row.response as unknown as Prisma.InputJsonValue })),
				skipDuplicates: true,
			});
		},
	};
}
