import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Role } from "@/server/auth/contract";
import type { Services } from "@/server/composition";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { createHarnessService, exportSkills } from "@/server/harness";
import { systemClock } from "@/server/kernel/clock";
import { createCaller } from "../../root";

/* Through the router, with real git and database: what a person does on the Harness page. */

const room = { title: "the lobby", now: "2026-03-01T10:00:00+08:00", viewer: { name: "Ada" }, notes: {} };
const files = {
	"harness.yaml":
		"apiVersion: harness/v1\nkind: agent\nname: sample\nconstraints:\n  replyMaxChars: { value: 80, min: 50, max: 100, unit: chars }\npipeline: [role, { skills: index }]\n",
	"prompts/role.md": "---\ntitle: Role\n---\nYou answer in {{ room.title }}.\n",
	"skills/greeting/SKILL.md": "---\nname: greeting\ndescription: Greets people.\n---\n- when someone says hello: “Hello.”\n",
};
const author = { name: "Seed", email: "seed@example.com" };

let database: TestDatabase;
let services: Services;
let directory: string;
const as = (roles: Role[], id = "u1") =>
	createCaller({
		user: { id, name: "Ada", email: "ada@example.com", demo: false },
		services: { ...services, auth: { findMembership: async () => ({ id: "ws_1", slug: "w", roles }) } as unknown as Services["auth"] },
	} as Parameters<typeof createCaller>[0]).harness;

beforeAll(async () => {
	database = await createTestDatabase();
	directory = fs.mkdtempSync(path.join(os.tmpdir(), "harness-router-"));
	const harness = createHarnessService({
		db: database.db,
		clock: systemClock,
		directory,
		surroundings: { handlers: async () => ["look_up"], connections: async () => ["catalog"], rooms: async () => ({ lobby: room }) },
	});
	services = { db: database.db, harness } as unknown as Services;
	await harness.createFromFiles("ws_1", "agent", files, { subject: "First", author });
});
afterAll(async () => {
	await database.drop();
	fs.rmSync(directory, { recursive: true, force: true });
});

const workspace = "w";

describe("the Harness page", () => {
	it("edits, validates, previews, discards and takes back", async () => {
		const caller = as(["operator"]);
		expect(await caller.open({ workspace })).toMatchObject({ draft: null, problems: [], branch: "main" });
		const text = files["prompts/role.md"].replace("You answer", "You answer briefly");
		const saved = await caller.draftSave({ workspace, version: 0, patch: { "prompts/role.md": text } });
		expect(saved).toMatchObject({ draft: { version: 1 }, problems: [] });
		expect(await caller.preview({ workspace })).toMatchObject({
			room: "lobby",
			blocks: [
				{ id: "role", status: "modified", text: "You answer briefly in the lobby." },
				{ id: "skill-index", status: "same" },
			],
		});
		expect((await caller.validate({ workspace, changes: { "prompts/role.md": "---\ntitle: R\n---\n{{ room.nothing }}" } })).problems).toMatchObject([
			{ rule: "liquid-variable" },
		]);
		const { id } = await caller.draftDiscard({ workspace, version: 1 });
		expect((await caller.open({ workspace })).draft).toBeNull();
		await caller.draftRestore({ workspace, id });
		expect((await caller.open({ workspace })).draft?.changes).toEqual({ "prompts/role.md": text });
	});

	it("imports in two steps, and exports", async () => {
		const caller = as(["operator"], "u2");
		const archive = exportSkills({ "skills/farewell/SKILL.md": "---\nname: farewell\ndescription: Says goodbye.\n---\nBye.\n" }).bytes.toString("base64");
		expect(await caller.importSkills({ workspace, archive })).toMatchObject({ report: { imported: ["farewell"] }, draft: null });
		expect(await caller.importSkills({ workspace, archive, apply: true })).toMatchObject({ draft: { version: 1 } });
		const json = JSON.stringify({ tools: [{ name: "find", description: "Finds.", inputSchema: { type: "object" } }] });
		const tools = await caller.importTools({ workspace, json, binding: { kind: "mcp", connection: "catalog" }, apply: true, version: 1 });
		expect(tools).toMatchObject({ report: { imported: ["find"] }, draft: { version: 2 } });
		expect((await caller.open({ workspace })).problems).toEqual([]);
		expect(await caller.exportTools({ workspace })).toEqual({ tools: [] });
		expect((await caller.archive({ workspace, format: "tar.gz" })).digest).toMatch(/^[0-9a-f]{64}$/);
	});

	it("shows history and takes one component back through the draft", async () => {
		const caller = as(["operator"], "u3");
		const head = (await services.harness.head("ws_1", "main")) as string;
		await services.harness.createBranch("ws_1", "evolution/x", head);
		const changed = await services.harness.commit("ws_1", {
			branch: "evolution/x",
			expectedHead: head,
			changes: { "prompts/role.md": "---\ntitle: Role\n---\nOther.\n" },
			message: { subject: "Other role", author },
		});
		const log = await caller.history({ workspace, revision: "evolution/x", component: "prompt:role" });
		expect(log.map((commit) => commit.subject)).toEqual(["Other role", "First"]);
		expect((await caller.blame({ workspace, revision: changed.commit, path: "prompts/role.md" })).at(-1)).toMatchObject({
			text: "Other.",
			subject: "Other role",
		});
		const draft = await caller.draftTakeBack({ workspace, branch: "evolution/x", version: 0, component: "prompt:role", revision: head });
		expect(draft.changes).toEqual({ "prompts/role.md": files["prompts/role.md"] });
		expect((await caller.compare({ workspace, from: "main", to: "evolution/x" })).files).toMatchObject([{ path: "prompts/role.md", status: "modified" }]);
	});

	it("lets a viewer look and not touch", async () => {
		const caller = as(["viewer"], "u4");
		expect((await caller.open({ workspace })).components.length).toBeGreaterThan(0);
		await expect(caller.draftSave({ workspace, version: 0, patch: {} })).rejects.toMatchObject({ code: "FORBIDDEN" });
		await expect(caller.remoteSet({ workspace, url: null })).rejects.toMatchObject({ code: "FORBIDDEN" });
	});

	it("refuses a remote that runs a program", async () => {
		const caller = as(["admin"]);
		await expect(caller.remoteSet({ workspace, url: "ext::sh -c id" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
		await caller.remoteSet({ workspace, url: "https://example.com/h.git" });
		expect(await database.db.auditEntry.count({ where: { action: "harness.remote" } })).toBe(1);
	});

	it("refuses text that cannot be stored, by field, and reports it as a problem of the file while one types", async () => {
		const patch = { "prompts/role.md": "---\ntitle: Role\n---\nYou\u0000 answer.\n" };
		const cause = { reason: "text-unstorable", params: { field: "patch.prompts/role.md" } };
		await expect(as(["operator"]).draftSave({ workspace, version: 0, patch })).rejects.toMatchObject({ code: "BAD_REQUEST", cause });
		const { problems } = await as(["operator"]).validate({ workspace, changes: patch });
		expect(problems).toContainEqual(expect.objectContaining({ rule: "file-unstorable", file: "prompts/role.md", line: 4, column: 4 }));
	});
});
