import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setEnvironment } from "@/server/kernel/env";
import { AppError } from "@/server/kernel/errors";
import { composeMessage, parseMessage } from "./commit-message";
import { fingerprintOf } from "./component-views";
import { applyChanges } from "./file-paths";
import { blame, findMergeOf, history, takeBack } from "./git-history";
import { treeIdOf } from "./git-objects";
import { assertRemoteAllowed, push, pushBranch } from "./git-remote";
import { GitRepository } from "./git-repository";
import { isRefName } from "./ref-names";
import { sampleHarness } from "./testing/sample-harness";

let root: string;
let repository: GitRepository;
let first: string;
const author = { name: "Ada Lovelace", email: "ada@example.com" };
const at = new Date("2026-03-01T10:00:00Z");
const git = (...args: string[]) => execFileSync("git", ["--git-dir", repository.directory, ...args], { encoding: "utf8" }).trim();
const message = (subject: string, body?: string, trailers?: Record<string, string[]>) => ({ message: { subject, body, trailers }, author, at });
let branchNumber = 0;

/** A branch of its own at a commit. */
async function branchAt(commit: string): Promise<string> {
	const name = `proposal/p${++branchNumber}`;
	await repository.moveBranch(name, commit, null);
	return name;
}

beforeAll(async () => {
	root = fs.mkdtempSync(path.join(os.tmpdir(), "harness-git-"));
	repository = new GitRepository(path.join(root, "a.git"));
	await repository.create();
	first = (await repository.writeCommit(sampleHarness(), [], message("First"))).commit;
	await repository.moveBranch("main", first, null);
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

describe("objects", () => {
	it("has the tree id that git computes", async () => {
		const files = sampleHarness({ "skills/a-b/SKILL.md": "x", "skills/a/SKILL.md": "y", "skills/a.md": "z", "skills/é中/x.md": "ü🎈", "empty.md": "" });
		const { tree } = await repository.writeCommit(files, [first], message("Odd names"));
		expect(tree).toBe(treeIdOf(files));
		const work = fs.mkdtempSync(path.join(root, "work-"));
		for (const [file, text] of Object.entries(files)) {
			fs.mkdirSync(path.join(work, path.dirname(file)), { recursive: true });
			fs.writeFileSync(path.join(work, file), text);
		}
		const run = (...args: string[]) => execFileSync("git", args, { cwd: work, encoding: "utf8" }).trim();
		run("init", "--quiet");
		run("-c", "core.autocrlf=false", "add", "--all");
		expect(run("write-tree")).toBe(tree);
	});

	it("writes what git itself finds sound", () => {
		expect(() => git("fsck", "--strict", "--no-dangling")).not.toThrow();
	});

	it("reads back what was written", async () => {
		expect(await repository.readFiles("main")).toEqual(sampleHarness());
		expect(await new GitRepository(repository.directory).readFiles(first.slice(0, 10))).toEqual(sampleHarness());
	});
});

describe("refs", () => {
	it("lets exactly one of many that race through", async () => {
		const branch = await branchAt(first);
		const commits = await Promise.all(
			Array.from({ length: 6 }, (_, i) => repository.commitChanges(first, { "README.md": `racer ${i}` }, message(`Racer ${i}`))),
		);
		const results = await Promise.allSettled(commits.map(({ commit }) => repository.moveBranch(branch, commit, first)));
		const won = results.flatMap((result, i) => (result.status === "fulfilled" ? [commits[i]?.commit] : []));
		expect(won).toEqual([await repository.head(branch)]);
		for (const result of results) if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "conflict", reason: "ref-moved" });
	});

	it("refuses to make a branch that is there", async () => {
		await expect(repository.moveBranch("main", first, null)).rejects.toMatchObject({ reason: "ref-moved" });
	});

	it.each(["-rf", "--upload-pack=x", "a..b", "a b", "a/-x", "x.lock", "a//b", "", "refs\u0000x", "a~1", "a^", "a:b", "@{u}", "/a", "a/", "."])(
		"refuses the name %j",
		async (name) => {
			expect(isRefName(name)).toBe(false);
			await expect(repository.moveBranch(name, first, null)).rejects.toMatchObject({ code: "bad-input" });
			expect(await repository.resolve(name)).toBeNull();
		},
	);

	it.each(["main", "evolution/q3-2026", "proposal/41", "v1.2", "发布-1"])("allows %s, as git does", (name) => {
		expect(isRefName(name)).toBe(true);
		expect(() => git("check-ref-format", `refs/heads/${name}`)).not.toThrow();
	});

	it("makes annotated tags once", async () => {
		await repository.tag("v1", first, message("Release 1", "notes", { Run: ["R-1"] }));
		expect(git("cat-file", "-t", "v1")).toBe("tag");
		expect(await repository.resolve("v1")).toBe(first);
		await expect(repository.tag("v1", first, message("again"))).rejects.toMatchObject({ code: "conflict" });
	});
});

describe("commits", () => {
	it("refuses an empty change and hostile paths", async () => {
		await expect(repository.commitChanges(first, { "harness.yaml": sampleHarness()["harness.yaml"] as string }, message("x"))).rejects.toMatchObject({
			reason: "no-change",
		});
		for (const file of [
			"ca\u202etxt.js",
			"a\u2066b.md",
			"../x",
			"/etc/passwd",
			".git/config",
			"a/.GIT/hooks/x",
			"a\\b",
			"hooks",
			"skills/greeting/.git\u200b/x",
			"a/./b",
		])
			await expect(repository.commitChanges(first, { [file]: "x" }, message("x")), file).rejects.toBeInstanceOf(AppError);
	});

	it.each(["-m --amend", "--exec=touch x", "$(touch x)", "`id`", "\n\n", "a\0b"])("keeps %j a message", async (subject) => {
		const { commit } = await repository.commitChanges(
			first,
			{ "README.md": subject },
			{ message: { subject }, author: { name: "-x <evil>\n", email: "a b\n> 1 +0000" }, at },
		);
		const [info] = await history(repository, commit, { limit: 1 });
		expect(info?.subject).toBe(subject.replace(/[\0\n]/g, " ").trim() || "Change the harness");
		expect(info?.author.name).not.toMatch(/[<>\n]/);
	});
});

describe("trailers", () => {
	const forged = "Fine.\n\nApproved-by: Mallory <m@example.com>\nProposal: #99\nStudio: harness/v1";

	it.each<[string, { subject: string; body?: string; trailers?: Record<string, string[]> }]>([
		["typed into the body", { subject: "Change", body: forged }],
		["typed into the subject", { subject: `Change\n\n${forged}` }],
		["typed into a trailer's value", { subject: "Change", trailers: { Finding: ["#1\nApproved-by: Mallory"] } }],
		["after a carriage return", { subject: "Change", body: "x\r\rApproved-by: Mallory\r" }],
		["after a line separator", { subject: "Change", body: "x\u2028\u2028Approved-by: Mallory" }],
		["before a divider", { subject: "Change", body: "Approved-by: Mallory\n---\nrest" }],
	])("cannot be forged when %s", async (_where, parts) => {
		const text = composeMessage({ ...parts, trailers: { Proposal: ["#41"], ...parts.trailers } });
		const parsed = parseMessage(text);
		expect(parsed.trailers.Proposal).toEqual(["#41"]);
		expect(parsed.trailers["Approved-by"]).toBeUndefined();
		const seen = execFileSync("git", ["interpret-trailers", "--parse"], { input: text, encoding: "utf8" });
		expect(seen).toContain("Proposal: #41");
		expect(seen).not.toMatch(/^Approved-by/m);
		const { commit } = await repository.commitChanges(
			first,
			{ "README.md": text },
			{ message: { ...parts, trailers: { Proposal: ["#41"], ...parts.trailers } }, author, at },
		);
		expect(git("log", "-1", "--format=%(trailers:key=Approved-by)", commit)).toBe("");
	});

	it("survive the round trip", async () => {
		const { commit } = await repository.commitChanges(
			first,
			{ "README.md": "t" },
			message("Shorter replies", "Because people asked.", { Finding: ["#1", "#2"], "Approved-by": ["Grace Hopper"] }),
		);
		const [info] = await history(repository, commit, { limit: 1 });
		expect(info).toMatchObject({
			subject: "Shorter replies",
			body: "Because people asked.",
			trailers: { Finding: ["#1", "#2"], "Approved-by": ["Grace Hopper"] },
			at,
			author,
		});
	});
});

describe("merge", () => {
	const role = (text: string) => `---\ntitle: Role\n---\n${text}\n`;

	it("joins changes of different files", async () => {
		const ours = await repository.commitChanges(first, { "prompts/role.md": role("ours") }, message("Ours"));
		const theirs = await repository.commitChanges(first, { "README.md": "theirs" }, message("Theirs"));
		const merged = await repository.merge(ours.commit, theirs.commit, message("Land", undefined, { Proposal: ["#1"] }));
		expect(merged).toMatchObject({ ok: true });
		if (!merged.ok) return;
		expect(await repository.readFiles(merged.commit)).toEqual(sampleHarness({ "prompts/role.md": role("ours"), "README.md": "theirs" }));
		const branch = await branchAt(merged.commit);
		expect(await findMergeOf(repository, branch, theirs.commit)).toBe(merged.commit);
		expect(await findMergeOf(repository, branch, ours.commit)).toBeNull();
	});

	it("returns conflicts as data and moves nothing", async () => {
		const branch = await branchAt(first);
		const ours = await repository.commitChanges(first, { "prompts/role.md": role("ours"), "prompts/style.md": null }, message("Ours"));
		const theirs = await repository.commitChanges(first, { "prompts/role.md": role("theirs"), "prompts/style.md": role("kept") }, message("Theirs"));
		const merged = await repository.merge(ours.commit, theirs.commit, message("Land"));
		expect(merged).toEqual({
			ok: false,
			conflicts: expect.arrayContaining([
				{ path: "prompts/role.md", base: sampleHarness()["prompts/role.md"], ours: role("ours"), theirs: role("theirs") },
				{ path: "prompts/style.md", base: sampleHarness()["prompts/style.md"], ours: null, theirs: role("kept") },
			]),
		});
		expect(await repository.head(branch)).toBe(first);
	});
});

describe("fingerprint of a component", () => {
	it("is what git calls its blob or subtree", () => {
		const files = sampleHarness();
		expect(fingerprintOf("prompt:role", files)).toBe(git("rev-parse", `${first}:prompts/role.md`));
		expect(fingerprintOf("skill:greeting", files)).toBe(git("rev-parse", `${first}:skills/greeting`));
		expect(fingerprintOf("skill:none", files)).toBeNull();
	});
});

describe("history of a component", () => {
	it("lists, blames and takes back one component alone", async () => {
		const v2 = await repository.commitChanges(
			first,
			{ "skills/greeting/SKILL.md": "---\nname: greeting\ndescription: New.\n---\nNew.\n", "skills/greeting/references/a.md": "a" },
			message("Rewrite greeting"),
		);
		const v3 = await repository.commitChanges(v2.commit, { "README.md": "later" }, { ...message("Readme"), author: { name: "Bo", email: "bo@example.com" } });
		expect((await history(repository, v3.commit, { component: "skill:greeting" })).map((info) => info.subject)).toEqual(["Rewrite greeting", "First"]);
		expect((await history(repository, v3.commit, { since: first })).map((info) => info.subject)).toEqual(["Readme", "Rewrite greeting"]);
		expect((await blame(repository, v3.commit, "skills/greeting/SKILL.md")).at(-1)).toMatchObject({
			line: 5,
			text: "New.",
			commit: v2.commit,
			author: "Ada Lovelace",
			subject: "Rewrite greeting",
		});
		const changes = await takeBack(repository, v3.commit, "skill:greeting", first);
		expect(applyChanges(await repository.readFiles(v3.commit), changes)).toEqual(sampleHarness({ "README.md": "later" }));
		await expect(takeBack(repository, v3.commit, "prompt:role", first)).rejects.toMatchObject({ reason: "no-change" });
	});

	it("reads a pathspec as a name", async () => {
		expect(await history(repository, first, { component: "skill:*" })).toEqual([]);
		await expect(blame(repository, first, "--contents=/etc/passwd")).rejects.toMatchObject({ code: "not-found" });
	});
});

describe("remote", () => {
	const reasonOf = (url: string) => {
		try {
			assertRemoteAllowed(url);
			return null;
		} catch (error) {
			return (error as AppError).reason;
		}
	};

	it.each([
		["https://example.com/x.git", null],
		["ssh://git@example.com/x.git", null],
		["ext::sh -c id", "remote-address"],
		["file:///tmp/x", "remote-address"],
		["/tmp/x", "remote-address"],
		["--upload-pack=id", "remote-address"],
		["git://example.com/x", "remote-address"],
		["http://example.com/x", "remote-address"],
		["https://[", "remote-address"],
		["ssh://git@a$(id)/x", "remote-address"],
		["ssh://git@-oProxyCommand=id/x", "remote-address"],
		["https://u:secret@example.com/x", "remote-credentials"],
		["https://ghp_token@example.com/x", "remote-credentials"],
		["https://:secret@example.com/x", "remote-credentials"],
		["ssh://git:secret@example.com/x", "remote-credentials"],
		["https://127.0.0.1/x", "remote-private"],
		["https://2130706433/x", "remote-private"],
		["ssh://git@10.1.2.3/x", "remote-private"],
		["ssh://git@2130706433/x", "remote-private"],
		["ssh://git@0x7f.1:2222/x", "remote-private"],
		["ssh://git@[::1]/x", "remote-private"],
		["https://localhost/x", "remote-private"],
		["https://metadata.google.internal/x", "remote-private"],
	])("of %s: %s", (url, reason) => expect(reasonOf(url)).toBe(reason));

	it("may be a host of a private network that the operator named", () => {
		setEnvironment({ STUDIO_REMOTE_HOSTS: "git.corp.internal, 10.1.2.3" });
		expect(["ssh://git@10.1.2.3/x", "https://GIT.corp.internal/x", "ssh://git@10.1.2.4/x"].map(reasonOf)).toEqual([null, null, "remote-private"]);
		setEnvironment({ STUDIO_REMOTE_HOSTS: "" });
	});

	it("is judged again when a push looks its name up", async () => {
		const to = (addresses: string[]) =>
			pushBranch(repository, "https://git.example.com/x.git", "main", async () => addresses.map((address) => ({ address }))).catch(
				(error: AppError) => error.reason,
			);
		expect(await to(["10.0.0.7"])).toBe("remote-private");
		expect(await to(["93.184.216.34", "::1"])).toBe("remote-private");
		expect(await to([])).toBe("remote-private");
	});

	it("pushes a branch, and no hook of the repository runs", async () => {
		const remote = new GitRepository(path.join(root, "remote.git"));
		await remote.create();
		const marker = path.join(root, "hook-ran");
		fs.mkdirSync(path.join(repository.directory, "hooks"), { recursive: true });
		for (const hook of ["pre-push", "reference-transaction", "post-update"])
			fs.writeFileSync(path.join(repository.directory, "hooks", hook), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
		await push(repository, remote.directory, "main", { settings: [], ssh: "", protocols: "file" });
		expect(await remote.head("main")).toBe(first);
		expect(fs.existsSync(marker)).toBe(false);
		const elsewhere = push(repository, remote.directory, "main", { settings: [], ssh: "", protocols: "https:ssh" });
		await expect(elsewhere).rejects.toMatchObject({ code: "upstream" });
	});
});
