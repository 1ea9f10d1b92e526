import { randomBytes } from "node:crypto";
import type { Database } from "@/server/db/client";
import type { Clock } from "@/server/kernel/clock";
import { AppError } from "@/server/kernel/errors";
import { sha256 } from "@/server/kernel/hash";
import { recordAudit } from "@/server/workspace";
import type { Actor } from "@/server/workspace/contract";
import * as repository from "./auth.repository";
import { type CreateToken, CreateTokenSchema, type TokenScope } from "./contract";

const PREFIX = "hes_";
const DAY_MS = 86_400_000;
const TOUCH_EVERY_MS = 60_000;

/** A machine that showed a valid token. */
export interface TokenBearer {
	tokenId: string;
	workspaceId: string;
	name: string;
}

/** Makes a token; its text is returned once, only its hash is kept. */
export async function createToken(db: Database, clock: Clock, workspaceId: string, actor: Actor, input: CreateToken): Promise<{ id: string; token: string }> {
	const { name, scopes, expiresInDays } = CreateTokenSchema.parse(input);
	const token = PREFIX + randomBytes(32).toString("base64url");
	const expiresAt = new Date(clock.now().getTime() + expiresInDays * DAY_MS);
	const id = await db.$transaction(async (tx) => {
		const made = await repository.insertToken(tx, { workspaceId, name, hash: sha256(token), scopes, createdById: actor.id, expiresAt });
		await recordAudit(tx, { workspaceId, actor, action: "token.create", subject: name, detail: { scopes, expiresAt: expiresAt.toISOString() } });
		return made;
	});
	return { id, token };
}

/** Ends a token at once. */
export async function revokeToken(db: Database, clock: Clock, workspaceId: string, actor: Actor, id: string): Promise<void> {
	await db.$transaction(async (tx) => {
		const name = await repository.revokeTokenRow(tx, workspaceId, id, clock.now());
		if (name === null) throw new AppError("not-found", "There is no such token, or it is revoked already.", { reason: "token-unknown" });
		await recordAudit(tx, { workspaceId, actor, action: "token.revoke", subject: name });
	});
}

/** Who an `Authorization: Bearer …` header belongs to. Throws `unauthenticated` for a bad token, `forbidden` for a missing scope. */
export async function verifyToken(db: Database, clock: Clock, authorization: string | null, scope: TokenScope): Promise<TokenBearer> {
	const text = /^Bearer\s+(\S{1,200})$/i.exec(authorization ?? "")?.[1];
	const row = text?.startsWith(PREFIX) ? await repository.findTokenByHash(db, sha256(text)) : null;
	const now = clock.now();
	if (!row || row.revokedAt !== null || row.expiresAt <= now)
		throw new AppError("unauthenticated", "This token is not valid, or it has expired.", { reason: "token-invalid", fix: "Ask an admin for a new token." });
	if (!row.scopes.includes(scope))
		throw new AppError("forbidden", `This token lacks the scope ${scope}.`, { reason: "token-scope", params: { scope }, fix: "Make a token with this scope." });
	if (row.lastUsedAt === null || now.getTime() - row.lastUsedAt.getTime() > TOUCH_EVERY_MS) await repository.touchToken(db, row.id, now);
	return { tokenId: row.id, workspaceId: row.workspaceId, name: row.name };
}
