import { once } from "node:events";
import { Readable } from "node:stream";
import { AppError } from "@/server/kernel/errors";
import { logger } from "@/server/kernel/logger";
import { gitMissing, runGit, startGit } from "./git-process";
import type { GitRepository } from "./git-repository";

/** One clone of a harness takes a second; what takes longer than this is a client that does not read. */
const MAX_MS = 120_000;
const MAX_AT_ONCE = 8;
let running = 0;

/** What git itself is told; `findForeignWant` says why that is not enough. */
const settingsFor = (refs: readonly string[]): string[] => [
	"uploadpack.allowAnySHA1InWant=false",
	"uploadpack.allowReachableSHA1InWant=false",
	"uploadpack.allowTipSHA1InWant=false",
	"uploadpack.allowRefInWant=false",
	"uploadpack.allowFilter=false",
	"uploadpack.hideRefs=refs/",
	...refs.map((ref) => `uploadpack.hideRefs=!${ref}`),
];

export interface UploadPackRequest {
	/** Full names of the refs that exist for this client, e.g. `refs/heads/main`. */
	refs: readonly string[];
	/** What the client wants and has; null: it asks which refs there are. */
	body: Buffer | null;
	/** Ends it when the client goes away. */
	signal: AbortSignal;
}

/**
 * Reads a repository for a git client over HTTP (protocol 0): the advertisement of refs, or a pack. Nothing can be written
 * through it. Throws `unavailable` when too many are under way (or there is no git), `bad-input` for what no client
 * sends; one that takes too long breaks the stream.
 */
export async function uploadPack(repository: GitRepository, { refs, body, signal }: UploadPackRequest): Promise<ReadableStream<Uint8Array>> {
	if (running >= MAX_AT_ONCE) throw new AppError("unavailable", "Too many are reading this repository.", { reason: "git-busy", fix: "Try again in a moment." });
	running++;
	try {
		const foreign = body && (await findForeignWant(repository, refs, body));
		if (!foreign) return await start(repository, refs, body, signal, () => running--);
		running--;
		return new Blob([packetLine(`ERR upload-pack: not our ref ${foreign}`)]).stream();
	} catch (error) {
		running--;
		throw error;
	}
}

async function start(
	repository: GitRepository,
	refs: readonly string[],
	body: Buffer | null,
	signal: AbortSignal,
	onEnd: () => void,
): Promise<ReadableStream<Uint8Array>> {
	const mode = body === null ? ["--http-backend-info-refs"] : [];
	const child = startGit(repository.directory, ["upload-pack", "--strict", "--stateless-rpc", ...mode], settingsFor(refs));
	// Git may end before it has read everything.
	child.stdin.on("error", () => undefined);
	let stderr = "";
	child.stderr.on("data", (chunk: Buffer) => {
		if (stderr.length < 2_000) stderr += chunk.toString();
	});
	await once(child, "spawn").catch((cause: unknown) => {
		throw gitMissing(cause);
	});
	const stop = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]);
	const end = () => void child.stdout.destroy(new Error("the reading was ended"));
	stop.addEventListener("abort", end);
	child.once("close", (code) => {
		onEnd();
		stop.removeEventListener("abort", end);
		// The client has been told by git itself, inside the protocol.
		if (code !== 0) logger.info({ code, stderr: stderr.slice(0, 500) }, "a git client was refused, or went away");
	});
	// Whoever stops reading, or has read everything, needs no git any more.
	child.stdout.once("close", () => child.kill("SIGKILL"));
	if (stop.aborted) end();
	child.stdin.end(body ?? "");
	return Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;
}

/**
 * The first object that a client wants and may not have: no commit of the shown refs' history, and none of their tags.
 * Git hides refs, not objects: over HTTP it gives any tree or file to whoever names its id, and in protocol 2 any commit.
 */
async function findForeignWant(repository: GitRepository, refs: readonly string[], body: Buffer): Promise<string | null> {
	const wants = readPacketLines(body).flatMap((line) => /^want ([0-9a-f]{40})(?:[ \n]|$)/.exec(line)?.[1] ?? []);
	const { stdout: tips } = await runGit(repository.directory, ["for-each-ref", "--format=%(objectname)", ...refs]);
	const shown = tips.toString().split("\n").filter(Boolean);
	const { stdout: commits } = await runGit(repository.directory, ["rev-list", "--stdin"], { input: `${shown.join("\n")}\n` });
	const allowed = new Set([...shown, ...commits.toString().split("\n")]);
	return wants.find((id) => !allowed.has(id)) ?? null;
}

/** Lines as git frames them: four hexadecimal digits of length, then the text; less than four is a mark without text. */
function readPacketLines(body: Buffer): string[] {
	const lines: string[] = [];
	for (let at = 0; at < body.length; ) {
		const length = Number.parseInt(/^[0-9a-f]{4}/i.exec(body.subarray(at, at + 4).toString("latin1"))?.[0] ?? "", 16);
		if (Number.isNaN(length) || at + length > body.length)
			throw new AppError("bad-input", "This is no request of a git client.", {
				reason: "git-request",
				fix: "Use a git client: git clone …/api/git/WORKSPACE.git.",
			});
		lines.push(body.subarray(at + 4, at + Math.max(length, 4)).toString("latin1"));
		at += Math.max(length, 4);
	}
	return lines;
}

/** A text as git frames it. */
export const packetLine = (text: string): string => `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, "0")}${text}`;
