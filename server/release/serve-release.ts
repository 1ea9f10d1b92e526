import { isAllowed, type Role, type SessionUser, type TokenScope } from "@/server/auth/contract";
import { databaseFailure } from "@/server/db/failures";
import { AppError, type ErrorCode } from "@/server/kernel/errors";
import { sha256 } from "@/server/kernel/hash";
import type { ReleaseService } from "./release-service";

/** What serving needs of people and tokens; Host and Origin are checked first. */
export interface ServeReleaseDeps {
	auth: {
		checkRequest(method: string, headers: Headers): { message: string; reason: string; fix: string } | null;
		findSession(headers: Headers): Promise<{ user: SessionUser } | null>;
		findMembership(userId: string, slug: string): Promise<{ id: string; roles: Role[] } | null>;
		verifyToken(authorization: string | null, scope: TokenScope): Promise<{ workspaceId: string }>;
	};
	workspace: { find(slug: string): Promise<{ id: string } | null> };
	release: Pick<ReleaseService, "fetch">;
}

const FILE = /^(v[1-9]\d{0,5}|current)\.(tar\.gz|json)$/;
const unknown = () =>
	new AppError("not-found", "There is no such release.", { reason: "release-unknown", fix: "Ask for vN.tar.gz, vN.json, current.tar.gz or current.json." });

/** The workspace's id for whoever asks: a token of this workspace, or a member. One that they may not see looks like none. */
async function authorise(deps: ServeReleaseDeps, request: Request, slug: string): Promise<string> {
	const authorization = request.headers.get("authorization");
	if (authorization !== null) {
		const bearer = await deps.auth.verifyToken(authorization, "release.read");
		const workspace = await deps.workspace.find(slug);
		if (workspace?.id !== bearer.workspaceId) throw unknown();
		return workspace.id;
	}
	const refusal = deps.auth.checkRequest(request.method, request.headers);
	if (refusal) throw new AppError("forbidden", refusal.message, { reason: refusal.reason, fix: refusal.fix });
	const session = await deps.auth.findSession(request.headers);
	if (!session)
		throw new AppError("unauthenticated", "Sign in, or send an API token with the scope release.read.", {
			reason: "unauthenticated",
			fix: "An admin makes tokens in Settings.",
		});
	const workspace = await deps.auth.findMembership(session.user.id, slug);
	if (!workspace) throw unknown();
	if (!isAllowed("workspace.read", workspace.roles)) throw new AppError("forbidden", "Your roles here do not allow this.", { reason: "role-forbids" });
	return workspace.id;
}

/** Whether one of the validators that the client has is this one (RFC 9110, weak comparison). */
export function isFresh(ifNoneMatch: string | null, etag: string): boolean {
	if (ifNoneMatch === null) return false;
	return ifNoneMatch.split(",").some((value) => {
		const given = value.trim().replace(/^W\//, "");
		return given === "*" || given === etag;
	});
}

/**
 * Answers with an archive or a manifest, its digest and an ETag; 304 where the client has it. `current` changes when a
 * release is made, so nothing is cached without asking again.
 */
export async function serveRelease(deps: ServeReleaseDeps, request: Request, target: { slug: string; file: string }): Promise<Response> {
	const [, tag, format] = FILE.exec(target.file) ?? [];
	if (!tag || !format) throw unknown();
	const workspaceId = await authorise(deps, request, target.slug);
	const { archive, digest, manifest } = await deps.release.fetch({ workspaceId, slug: target.slug, tag });
	const json = JSON.stringify(manifest, null, 2);
	const etag = format === "json" ? `"${sha256(json)}"` : `"sha256:${digest}"`;
	const headers: Record<string, string> = {
		etag,
		"cache-control": "private, no-cache",
		vary: "authorization, cookie",
		"x-release": manifest.tag,
		"x-commit": manifest.commit,
		"x-archive-digest": manifest.digest,
	};
	if (isFresh(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
	if (format === "json") return new Response(json, { headers: { ...headers, "content-type": "application/json; charset=utf-8" } });
	return new Response(new Uint8Array(archive), {
		headers: {
			...headers,
			"content-type": "application/gzip",
			"content-length": String(archive.length),
			"content-disposition": `attachment; filename="${target.slug}-${manifest.tag}.tar.gz"`,
			"repr-digest": `sha-256=:${Buffer.from(digest, "hex").toString("base64")}:`,
		},
	});
}

const STATUS: Partial<Record<ErrorCode, number>> = {
	unauthenticated: 401,
	forbidden: 403,
	"not-found": 404,
	"bad-input": 400,
	"rate-limited": 429,
	unavailable: 503,
};

/** What a machine is told when it is refused. What is no AppError is a bug and thrown on. */
export function refusalOf(error: unknown): Response {
	const known = error instanceof AppError ? error : databaseFailure(error);
	if (!known) throw error;
	const { code, reason, message, fix } = known;
	return Response.json({ code: reason, message, ...(fix ? { fix } : {}) }, { status: STATUS[code] ?? 409 });
}
