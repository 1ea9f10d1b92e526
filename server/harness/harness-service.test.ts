import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { systemClock } from "@/server/kernel/clock";
import type { HarnessKind } from "./contract";
import { applyChanges } from "./file-paths";
import { createHarnessService, type HarnessService } from "./harness-service";
import { previewHarness } from "./preview-harness";
import { sampleHarness, sampleRoom } from "./testing/sample-harness";

let database: TestDatabase;
let service: HarnessService;
let directory: string;
let first: string;
const workspaceId = "ws_1";
const author = { name: "Ada", email: "ada@example.com" };
const message = (subject: string) => ({ subject, author });
const keyOf = (userId: string, branch = "main") => ({ workspaceId, userId, kind: "agent" as HarnessKind, branch });
const style = (text: string) => `---\ntitle: Style\n---\n${text}\n`;

beforeAll(async () => {
	database = await createTestDatabase();
	directory = fs.mkdtempSync(path.join(os.tmpdir(), "harness-service-"));
	service = createHarnessService({
		db: database.db,
		clock: systemClock,
		directory,
		surroundings: { handlers: async () => ["look_up"], connections: async () => [], rooms: async () => ({ lobby: sampleRoom }) },
	});
	first = (await service.createFromFiles(workspaceId, "agent", sampleHarness(), message("First"))).commit;
});
afterAll(async () => {
	await database.drop();
	fs.rmSync(directory, { recursive: true, force: true });
});

describe("repositories", () => {
	it("are made once", async () => {
		const again = await service.createFromFiles(workspaceId, "agent", sampleHarness({ "README.md": "x" }), message("Again"));
		expect(again.commit).toBe(first);
	});

	it("say when there is none", async () => {
		await expect(service.head("ws_none", "main")).rejects.toMatchObject({ code: "not-found", reason: "harness-missing" });
	});

	it("let one of two landings through and lose no commit", async () => {
		await service.createBranch(workspaceId, "evolution/a", first);
		await service.createBranch(workspaceId, "evolution/a", first);
		const land = (n: number) =>
			service.commit(workspaceId, { branch: "evolution/a", expectedHead: first, changes: { "README.md": `landing ${n}` }, message: message(`Landing ${n}`) });
		const results = await Promise.allSettled([land(1), land(2)]);
		expect(results.map((result) => result.status).sort((a, b) => (a < b ? -1 : 1))).toEqual(["fulfilled", "rejected"]);
		const lost = results.find((result) => result.status === "rejected");
		expect(lost?.reason).toMatchObject({ code: "conflict", reason: "ref-moved" });
		const won = results.find((result) => result.status === "fulfilled");
		expect(won?.value.commit).toBe(await service.head(workspaceId, "evolution/a"));
	});
});

describe("resolveHarness", () => {
	it("takes a branch, a commit, a tag and a tree", async () => {
		await service.tag(workspaceId, "v1", first, message("v1"));
		const byBranch = await service.resolveHarness(workspaceId, "main");
		expect(byBranch).toMatchObject({ commit: first, harness: { name: "sample" } });
		for (const what of ["v1", first, first.slice(0, 9)]) expect((await service.resolveHarness(workspaceId, what)).treeId).toBe(byBranch.treeId);
		expect(await service.resolveHarness(workspaceId, byBranch.treeId)).toMatchObject({ commit: null, treeId: byBranch.treeId });
		expect((await service.loadHarness(byBranch.treeId)).files).toEqual(sampleHarness());
	});

	it("does not know the trees of another workspace", async () => {
		const kept = await service.saveSnapshot(sampleHarness({ "README.md": "of another workspace" }));
		await expect(service.resolveHarness(workspaceId, kept)).rejects.toMatchObject({ code: "not-found", reason: "revision-missing" });
	});

	it("refuses what does not exist and what is not valid", async () => {
		await expect(service.resolveHarness(workspaceId, "nowhere")).rejects.toMatchObject({ code: "not-found" });
		const broken = { branch: "broken", expectedHead: first, changes: { "hooks/10-length.js": "export default {" }, message: message("Broken") };
		await service.createBranch(workspaceId, "broken", first);
		const { tree } = await service.commit(workspaceId, broken);
		await expect(service.resolveHarness(workspaceId, tree)).rejects.toMatchObject({
			reason: "harness-invalid",
			data: { problems: [{ rule: "hook-syntax" }] },
		});
	});

	it("reads a folder, and what it could not read is a problem", async () => {
		const folder = path.join(directory, "folder");
		for (const [file, text] of Object.entries(sampleHarness())) {
			fs.mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
			fs.writeFileSync(path.join(folder, file), text);
		}
		expect(await service.loadFolder(folder)).toMatchObject({ problems: [], treeId: await service.treeOf(workspaceId, first) });
		fs.writeFileSync(path.join(folder, "skills/greeting/logo.png"), Buffer.from([137, 80, 78, 71, 0]));
		expect(await service.loadFolder(folder)).toMatchObject({ harness: null, problems: [{ file: "skills/greeting/logo.png", rule: "file-unreadable" }] });
	});
});

describe("drafts", () => {
	it("keep any text, valid or not, and tell what changed", async () => {
		const key = keyOf("u1");
		const draft = await service.drafts.save(key, {
			version: 0,
			patch: { "hooks/10-length.js": "export default {", "prompts/role.md": null, "skills/new/SKILL.md": "x" },
		});
		const view = await service.openWorkbench(key);
		expect(view).toMatchObject({ head: first, baseMoved: false, draft: { id: draft.id, version: 1 } });
		expect(view.components.filter((component) => component.status !== "same").map(({ id, status, errors }) => [id, status, errors])).toEqual([
			["skill:new", "added", 1],
			["prompt:role", "deleted", 0],
			["hook:10-length", "modified", 1],
		]);
		expect(view.components.find((component) => component.id === "manifest:harness")?.errors).toBe(1);
		const next = await service.drafts.save(key, { version: 1, patch: {}, revert: ["hooks/10-length.js", "prompts/role.md"] });
		expect(next.changes).toEqual({ "skills/new/SKILL.md": "x" });
	});

	it("let exactly one of two tabs save", async () => {
		const key = keyOf("u2");
		await service.drafts.save(key, { version: 0, patch: { "README.md": "one" } });
		const results = await Promise.allSettled([
			service.drafts.save(key, { version: 1, patch: { "README.md": "two" } }),
			service.drafts.save(key, { version: 1, patch: { "README.md": "three" } }),
		]);
		expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
		await expect(service.drafts.save(key, { version: 1, patch: {} })).rejects.toMatchObject({ code: "conflict", reason: "draft-moved" });
		expect((await service.drafts.find(keyOf("u3"))) === null).toBe(true);
	});

	it("are one when two windows save for the first time at once", async () => {
		const key = keyOf("u-two-windows");
		const texts = ["one", "two", "three"];
		const saves = await Promise.allSettled(texts.map((text) => service.drafts.save(key, { version: 0, patch: { "README.md": text } })));
		expect(saves.filter((save) => save.status === "fulfilled")).toHaveLength(1);
		for (const save of saves) if (save.status === "rejected") expect(save.reason).toMatchObject({ code: "conflict", reason: "draft-moved" });
		expect(await service.drafts.list(workspaceId, "u-two-windows")).toHaveLength(1);
	});

	it("refuse a path that no harness can have", async () => {
		await expect(service.drafts.save(keyOf("u4"), { version: 0, patch: { "../x": "y" } })).rejects.toMatchObject({ reason: "path-not-allowed" });
	});

	it("come back after they were discarded", async () => {
		const key = keyOf("u5");
		const draft = await service.drafts.save(key, { version: 0, patch: { "README.md": "mine" } });
		const { id } = await service.drafts.discard(key, draft.version);
		expect(await service.drafts.find(key)).toBeNull();
		await expect(service.drafts.restore(id, workspaceId, "someone-else")).rejects.toMatchObject({ code: "not-found" });
		expect(await service.drafts.restore(id, workspaceId, "u5")).toMatchObject({ changes: { "README.md": "mine" } });
		const again = await service.drafts.find(key);
		await service.drafts.discard(key, again?.version ?? 0);
		await service.drafts.save(key, { version: 0, patch: { "README.md": "newer" } });
		await expect(service.drafts.restore(id, workspaceId, "u5")).rejects.toMatchObject({ reason: "draft-newer" });
	});

	it("move onto a branch that moved, with conflicts as data", async () => {
		const branch = "evolution/rebase";
		await service.createBranch(workspaceId, branch, first);
		const key = keyOf("u6", branch);
		const draft = await service.drafts.save(key, { version: 0, patch: { "prompts/style.md": style("Mine."), "README.md": "mine" } });
		const { commit } = await service.commit(workspaceId, {
			branch,
			expectedHead: first,
			changes: { "prompts/style.md": style("Theirs."), "prompts/role.md": null },
			message: message("Theirs"),
		});
		expect((await service.openWorkbench(key)).baseMoved).toBe(true);
		const stuck = await service.drafts.rebase(key, draft.version, author);
		expect(stuck).toMatchObject({ ok: false, head: commit, conflicts: [{ path: "prompts/style.md", ours: style("Theirs."), theirs: style("Mine.") }] });
		const done = await service.drafts.rebase(key, draft.version, author, { "prompts/style.md": "draft" });
		expect(done).toMatchObject({ ok: true, draft: { baseCommit: commit, changes: { "prompts/style.md": style("Mine."), "README.md": "mine" } } });
		const { files } = await service.draftFiles(key);
		expect(files).toEqual(applyChanges(sampleHarness(), { "prompts/style.md": style("Mine."), "README.md": "mine", "prompts/role.md": null }));
	});
});

describe("previewHarness", () => {
	it("shows what changed, block by block", () => {
		const before = service.requireHarness(sampleHarness());
		const after = service.requireHarness(
			sampleHarness({
				"prompts/style.md": style("Short."),
				"harness.yaml": (sampleHarness()["harness.yaml"] as string).replace("[role, ", "["),
				"prompts/role.md": null,
			}),
		);
		const view = previewHarness(after, before, { name: "lobby", room: sampleRoom });
		expect(view.blocks.map(({ id, status }) => [id, status])).toEqual([
			["skill-index", "same"],
			["tool-notes", "same"],
			["style", "modified"],
			["role", "deleted"],
		]);
		expect(view.tokens).toBeLessThan(view.tokensBefore ?? 0);
	});
});
