import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { GitRepository } from "./git-repository";
import { packetLine, uploadPack } from "./upload-pack";

/* What a clone over HTTP sees, and that nothing else can be had, is tested with a real git in `server/release/serve-git.test.ts`. */

let root: string;
let repository: GitRepository;
let commit: string;
const refs = ["refs/heads/main"];

beforeAll(async () => {
	root = fs.mkdtempSync(path.join(os.tmpdir(), "upload-pack-"));
	repository = new GitRepository(path.join(root, "a.git"));
	await repository.create();
	// More than the pipes between git and a client that does not read can hold.
	const files = Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`part-${i}.txt`, randomBytes(150_000).toString("base64")]));
	commit = (await repository.writeCommit(files, [], { message: { subject: "Large" }, author: { name: "A", email: "a@b.c" }, at: new Date() })).commit;
	await repository.moveBranch("main", commit, null);
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

const clone = (signal = new AbortController().signal) =>
	uploadPack(repository, { refs, body: Buffer.from(`${packetLine(`want ${commit}\n`)}0000${packetLine("done\n")}`), signal });
const read = async (stream: ReadableStream<Uint8Array>) => Buffer.from(await new Response(stream).arrayBuffer()).toString("latin1");

describe("reading a repository for a git client", () => {
	it("gives a whole pack", async () => {
		const pack = await read(await clone());
		expect(pack.length).toBeGreaterThan(2_200_000);
		expect(pack).toContain("PACK");
	});

	it("is for a few at once; one that goes away makes room", async () => {
		const stop = new AbortController();
		const unread: ReadableStream<Uint8Array>[] = [];
		// The git of a stream that was read to its end takes a moment to leave.
		for (let i = 0; i < 8; i++) unread.push(await vi.waitFor(() => clone(i === 0 ? stop.signal : undefined), { timeout: 10_000 }));
		await expect(clone()).rejects.toMatchObject({ code: "unavailable", reason: "git-busy" });
		stop.abort();
		await unread[1]?.cancel();
		await vi.waitFor(async () => expect(await read(await clone())).toContain("PACK"), { timeout: 10_000 });
		await expect(read(unread[0] as ReadableStream<Uint8Array>)).rejects.toThrow();
		for (const stream of unread.slice(2)) expect(await read(stream)).toContain("PACK");
	});

	it.each(["want", "00zz", "fffffwant", "0032want 1234"])("refuses what is not framed as git does: %s", async (text) => {
		const body = Buffer.from(text);
		await expect(uploadPack(repository, { refs, body, signal: new AbortController().signal })).rejects.toMatchObject({ reason: "git-request" });
	});
});
