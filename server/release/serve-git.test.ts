import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AuthService, createAuthService, createHostPolicy } from "@/server/auth";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { createHarnessService, type GitRepository, type HarnessService, packetLine } from "@/server/harness";
import { systemClock } from "@/server/kernel/clock";
import { inheritEnvironment } from "@/server/kernel/env";
import { createWorkspaceService } from "@/server/workspace";
import { serveGit } from "./serve-git";

const run = promisify(execFile);
const admin = { id: "u1", name: "Ada" };
const author = { name: "Ada", email: "ada@example.com" };
const NAMES = /^[\w.:-]+\t(.*)$/;

let database: TestDatabase;
let root: string;
let server: http.Server;
let origin: string;
let auth: AuthService;
let harness: HarnessService;
let repository: GitRepository;
let token: string;
/** What the database calls releases. */
const tags = ["v1"];
const hidden: Record<string, string> = {};

/** A git of a machine that has never heard of this studio. */
const git = (...args: string[]) =>
	run("git", args, {
		cwd: root,
		env: inheritEnvironment({ HOME: root, GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" }),
	});
const address = (secret = token, slug = "w") => `${origin.replace("//", `//anyone:${secret}@`)}/api/git/${slug}.git`;
const refused = (promise: Promise<unknown>) => promise.then(() => "answered").catch((error: { stderr?: string }) => error.stderr ?? String(error));

async function commitOn(branch: string, from: string, files: Record<string, string>): Promise<string> {
	const { commit } = await repository.commitChanges(from, files, { message: { subject: `On ${branch}` }, author, at: new Date("2026-03-01T10:00:00Z") });
	await repository.moveBranch(branch, commit, await repository.head(branch));
	return commit;
}

const blobOf = (text: string) => createHash("sha1").update(`blob ${text.length}\0${text}`).digest("hex");
const tokenOf = async (workspaceId: string, scope: "release.read" | "trigger.call:trg_1" = "release.read") =>
	(await auth.createToken(workspaceId, admin, { name: scope, scopes: [scope], expiresInDays: 1 })).token;

beforeAll(async () => {
	database = await createTestDatabase();
	root = fs.mkdtempSync(path.join(os.tmpdir(), "serve-git-"));
	for (const [id, slug] of [
		["ws_1", "w"],
		["ws_2", "other"],
	] as const)
		await database.db.workspace.create({ data: { id, slug, title: { en: slug, zh: slug }, language: "en", measure: "rubric", categories: [] } });
	auth = createAuthService(database.db, {
		secret: "test-secret-of-at-least-thirty-two-characters",
		baseUrl: "http://127.0.0.1:3999",
		port: 3999,
		hosts: createHostPolicy({ host: "127.0.0.1", port: 3999, embedded: true }),
		demoToken: null,
	});
	token = await tokenOf("ws_1");
	const surroundings = { handlers: async () => null, connections: async () => null, rooms: async () => ({}) };
	harness = createHarnessService({ db: database.db, clock: systemClock, directory: path.join(root, "repositories"), surroundings });
	const message = { subject: "Base", author };
	const base = await harness.createFromFiles("ws_1", "agent", { "harness.yaml": "base\n" }, message);
	repository = await harness.repository("ws_1");
	const released = await commitOn("main", base.commit, { "harness.yaml": "first release\n" });
	await repository.tag("v1", released, { message, author, at: new Date() });
	hidden.evolution = await commitOn("evo/one", released, { "harness.yaml": "round one\n" });
	hidden.proposal = await commitOn("proposal/pro_1", hidden.evolution, { "secret.md": "a proposal\n" });
	hidden.draft = (await repository.writeCommit({ "harness.yaml": "a draft\n" }, [released], { message, author, at: new Date() })).commit;
	hidden.tree = await repository.treeOf(hidden.proposal);
	hidden.file = blobOf("a proposal\n");
	hidden.tag = await repository.tag("backup", hidden.proposal, { message, author, at: new Date() });
	await repository.tag("v2", hidden.evolution, { message, author, at: new Date() });

	const deps = { auth, workspace: createWorkspaceService(database.db), harness, release: { tags: async () => tags } };
	server = http.createServer(async (incoming, outgoing) => {
		const url = new URL(incoming.url ?? "/", "http://studio");
		const [, name = "", rest = ""] = /^\/api\/git\/([^/]+)\/(.+)$/.exec(url.pathname) ?? [];
		const body = incoming.method === "POST" ? { body: Readable.toWeb(incoming), duplex: "half" } : {};
		const request = new Request(url, { method: incoming.method, headers: incoming.headers as Record<string, string>, ...body } as RequestInit);
		const response = await serveGit(deps, request, { repository: name, path: rest });
		outgoing.writeHead(response.status, Object.fromEntries(response.headers));
		for await (const chunk of response.body ?? []) outgoing.write(chunk);
		outgoing.end();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
	server.close();
	await database.drop();
	fs.rmSync(root, { recursive: true, force: true });
});

describe("releases by git", () => {
	it.each(["0", "1", "2"])("shows main and the releases, and nothing else, to a client of protocol %s", async (version) => {
		const { stdout } = await git("-c", `protocol.version=${version}`, "ls-remote", address());
		expect(
			stdout
				.trim()
				.split("\n")
				.map((line) => NAMES.exec(line)?.[1]),
		).toEqual(["HEAD", "refs/heads/main", "refs/tags/v1", "refs/tags/v1^{}"]);
	});

	it("is cloned with the token as password or as bearer, with the history of what is live", async () => {
		await git("clone", "--quiet", address(), "as-password");
		await git("-c", `http.extraHeader=Authorization: Bearer ${token}`, "clone", "--quiet", "--branch", "v1", `${origin}/api/git/w.git`, "as-bearer");
		for (const folder of ["as-password", "as-bearer"]) {
			expect(fs.readFileSync(path.join(root, folder, "harness.yaml"), "utf8")).toBe("first release\n");
			expect((await git("-C", folder, "rev-list", "--count", "--all")).stdout.trim()).toBe("2");
			await git("-C", folder, "fsck", "--strict");
			expect((await git("-C", folder, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)")).stdout).not.toContain(hidden.proposal);
		}
	});

	it("is fetched again when there is a new release, also where one was cloned without its past", async () => {
		await git("clone", "--quiet", "--depth", "1", address(), "shallow");
		await git("clone", "--quiet", address(), "follower");
		const next = await commitOn("main", await repository.requireCommit("main"), { "harness.yaml": "third release\n" });
		await repository.tag("v3", next, { message: { subject: "v3" }, author, at: new Date() });
		tags.push("v3");
		for (const folder of ["shallow", "follower"]) {
			await git("-C", folder, "pull", "--quiet", "--ff-only", "--tags");
			expect((await git("-C", folder, "rev-parse", "v3^{commit}")).stdout.trim()).toBe(next);
			expect(fs.readFileSync(path.join(root, folder, "harness.yaml"), "utf8")).toBe("third release\n");
		}
	});

	it.each(["evolution", "proposal", "draft", "tree", "file", "tag"])("refuses an object of the repository that no release holds: %s", async (name) => {
		await git("init", "--quiet", `thief-${name}`);
		for (const version of ["0", "1", "2"])
			expect(await refused(git("-c", `protocol.version=${version}`, "-C", `thief-${name}`, "fetch", address(), hidden[name] ?? ""))).toMatch(
				/not our ref|unadvertised object/,
			);
		// A client that keeps to no rule at all.
		expect(await repository.readBlobs([hidden.file ?? ""])).toEqual(new Map([[hidden.file, "a proposal\n"]]));
		const want = `want ${hidden[name]} side-band-64k\n`;
		const ask = (body: Buffer, headers: Record<string, string> = {}) =>
			fetch(`${origin}/api/git/w.git/git-upload-pack`, {
				method: "POST",
				headers: { authorization: `Bearer ${token}`, "content-type": "application/x-git-upload-pack-request", ...headers },
				body: new Uint8Array(body),
			}).then((response) => response.text());
		const plain = Buffer.from(`${packetLine(want)}0000${packetLine("done\n")}`);
		expect(await ask(plain)).toContain("not our ref");
		expect(await ask(gzipSync(plain), { "content-encoding": "gzip" })).toContain("not our ref");
		const second = Buffer.from(`${packetLine("command=fetch")}0001${packetLine(`want ${hidden[name]}\n`)}${packetLine("done\n")}0000`);
		expect(await ask(second, { "git-protocol": "version=2" })).not.toContain("PACK");
	});

	it.each(["0", "1", "2"])("cannot be written to, and says to a client of protocol %s where edits go", async (version) => {
		const push = (where: string) => refused(git("-c", `protocol.version=${version}`, "-C", "follower", "push", where, "HEAD:refs/heads/mine"));
		for (const where of [address(), address(await tokenOf("ws_1", "trigger.call:trg_1"))]) {
			const said = await push(where);
			expect(said).toMatch(/remote: This repository is read only/);
			expect(said).toMatch(/remote: Edits go through proposals/);
		}
		expect(await push(address("hes_wrong"))).toMatch(/Authentication failed/);
		expect(await push(address(await tokenOf("ws_2")))).toMatch(/not found/);
		expect(await push(address(token, "nothing"))).toMatch(/not found/);
		expect(await push(`${origin}/api/git/w.git`)).toMatch(/could not read Username/);
		expect(await repository.head("mine")).toBeNull();
	});

	it.each([
		["nobody", async () => `${origin}/api/git/w.git`, /could not read Username/],
		["a wrong token", async () => address("hes_wrong"), /Authentication failed/],
		["a token for something else", async () => address(await tokenOf("ws_1", "trigger.call:trg_1")), /403/],
		["a token of another workspace", async () => address(await tokenOf("ws_2")), /not found/],
		["a workspace that is not there", async () => address(token, "nothing"), /not found/],
		["a token of this workspace that asks for another", async () => address(token, "other"), /not found/],
	])("is closed to %s", async (_who, where, words) => {
		expect(await refused(git("ls-remote", await where()))).toMatch(words);
	});

	it("refuses what is no request of git", async () => {
		const ask = (file: string, init: RequestInit = {}) =>
			fetch(`${origin}/api/git/w.git/${file}`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } }).then((response) => response.status);
		const type = { "content-type": "application/x-git-upload-pack-request" };
		for (const file of ["HEAD", "config", "objects/info/packs", "info/refs", "git-upload-pack"]) expect(await ask(file)).toBe(404);
		expect(await ask("info/refs?service=git-receive-pack")).toBe(403);
		expect(await ask("git-receive-pack", { method: "POST" })).toBe(403);
		expect(await ask("git-upload-pack", { method: "POST", body: "0000" })).toBe(400);
		const bomb = new Uint8Array(gzipSync(Buffer.alloc(32 * 1024 * 1024)));
		expect(await ask("git-upload-pack", { method: "POST", headers: { ...type, "content-encoding": "gzip" }, body: bomb })).toBe(400);
		expect(await ask("git-upload-pack", { method: "POST", headers: { ...type, "content-encoding": "gzip" }, body: "not gzip" })).toBe(400);
		expect(await ask("git-upload-pack", { method: "POST", headers: type, body: new Uint8Array(5 * 1024 * 1024) })).toBe(400);
	});
});
