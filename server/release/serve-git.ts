import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { TokenScope } from "@/server/auth/contract";
import { refusalOf } from "@/server/db/refusal";
import { type GitRepository, packetLine, uploadPack } from "@/server/harness";
import { AppError } from "@/server/kernel/errors";
import type { ReleaseService } from "./release-service";

export interface ServeGitDeps {
	auth: { verifyToken(authorization: string | null, scope: TokenScope): Promise<{ workspaceId: string }> };
	workspace: { find(slug: string): Promise<{ id: string } | null> };
	harness: { repository(workspaceId: string): Promise<GitRepository> };
	release: Pick<ReleaseService, "tags">;
}

/** `<workspace>.git`, and the path below it. */
export interface GitTarget {
	repository: string;
	path: string;
}

/** Wants and haves of a client that has every release there will ever be. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const unzip = promisify(gunzip);

const unknown = () =>
	new AppError("not-found", "There is no such repository.", { reason: "release-unknown", fix: "Clone …/api/git/<workspace>.git; it can only be read." });
const badRequest = () =>
	new AppError("bad-input", "This is no request of a git client.", { reason: "git-request", fix: "Use a git client: git clone …/api/git/WORKSPACE.git." });

const readOnly = () =>
	new AppError("forbidden", "This repository is read only: it shows what is released.", {
		reason: "git-read-only",
		fix: "Edits go through proposals: edit the harness in the studio and submit it; a reviewer lands it, and a release moves main.",
	});

/** Whether a client wants to write: git asks for this before it sends anything. */
const isPush = (request: Request, { path }: GitTarget): boolean =>
	path === "git-receive-pack" || (path === "info/refs" && serviceOf(request) === "git-receive-pack");
const serviceOf = (request: Request): string | null => new URL(request.url).searchParams.get("service");

/** Git asks people for a name and a password and sends both as Basic: the password is the token. */
export function bearerOf(authorization: string | null): string | null {
	const basic = /^Basic\s+([A-Za-z0-9+/=]{1,600})$/i.exec(authorization ?? "")?.[1];
	if (!basic) return authorization;
	const pair = Buffer.from(basic, "base64").toString();
	return `Bearer ${pair.slice(pair.indexOf(":") + 1)}`;
}

async function readBody(request: Request): Promise<Buffer> {
	if (request.headers.get("content-type") !== "application/x-git-upload-pack-request") throw badRequest();
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of request.body ?? []) {
		bytes += chunk.length;
		if (bytes > MAX_BODY_BYTES) throw badRequest();
		chunks.push(chunk);
	}
	const body = Buffer.concat(chunks);
	if (request.headers.get("content-encoding") !== "gzip") return body;
	return unzip(body, { maxOutputLength: MAX_BODY_BYTES }).catch(() => {
		throw badRequest();
	});
}

/**
 * Git's smart HTTP protocol for a workspace's agent harness, read only: `main` (what is live) and the tags of releases,
 * and no object outside their history. A token with the scope `release.read` opens it, as bearer or as Basic password;
 * a workspace of another token looks like none. Whoever pushes is told where edits go.
 */
export async function serveGit(deps: ServeGitDeps, request: Request, target: GitTarget): Promise<Response> {
	try {
		return await answer(deps, request, target);
	} catch (error) {
		// Git shows people the text of a refusal, if it is plain.
		if (error instanceof AppError && error.reason === "git-read-only")
			return new Response(`${error.message}\n${error.fix}\n`, {
				status: 403,
				headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
			});
		const refusal = refusalOf(error);
		// Only so asked does git send the password of an address, or ask a person for one.
		if (refusal.status === 401) refusal.headers.set("www-authenticate", 'Basic realm="releases", charset="UTF-8"');
		return refusal;
	}
}

async function answer(deps: ServeGitDeps, request: Request, target: GitTarget): Promise<Response> {
	const push = isPush(request, target);
	const bearer = await deps.auth.verifyToken(bearerOf(request.headers.get("authorization")), "release.read").catch((error: unknown) => {
		// No right would let it push: a token without this one is told the same, about whatever repository.
		throw push && error instanceof AppError && error.code === "forbidden" ? readOnly() : error;
	});
	const slug = /^(.+)\.git$/.exec(target.repository)?.[1];
	const workspace = slug ? await deps.workspace.find(slug) : null;
	if (workspace?.id !== bearer.workspaceId) throw unknown();
	if (push) throw readOnly();
	const advertise = request.method === "GET" && target.path === "info/refs" && serviceOf(request) === "git-upload-pack";
	if (!advertise && !(request.method === "POST" && target.path === "git-upload-pack")) throw unknown();
	const body = advertise ? null : await readBody(request);
	const tags = await deps.release.tags(workspace.id);
	const pack = await uploadPack(await deps.harness.repository(workspace.id), {
		refs: ["refs/heads/main", ...tags.map((tag) => `refs/tags/${tag}`)],
		body,
		signal: request.signal,
	});
	return new Response(advertise ? withService(pack) : pack, {
		headers: { "content-type": `application/x-git-upload-pack-${advertise ? "advertisement" : "result"}`, "cache-control": "no-store", vary: "authorization" },
	});
}

/** The advertisement over HTTP begins by naming its service. */
function withService(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
	const head = Buffer.from(`${packetLine("# service=git-upload-pack\n")}0000`);
	return stream.pipeThrough(new TransformStream({ start: (controller) => controller.enqueue(head) }));
}
