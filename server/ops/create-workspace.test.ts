import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeServices, createServices, type Services } from "@/server/composition";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { setEnvironment } from "@/server/kernel/env";
import { sha256 } from "@/server/kernel/hash";
import { createWorkspaceFromCsv, createWorkspaceFromFolder } from "./create-workspace";
import { writeWorkspace } from "./testing/write-workspace";

const ROLE = "---\ntitle: Role\n---\nYou answer.\n";
const GOOD_CASE = { id: "one", category: "greeting", split: "dev", message: "hello there" };

let root: string;
let database: TestDatabase;
let services: Services;

beforeAll(async () => {
	root = fs.mkdtempSync(path.join(os.tmpdir(), "create-workspace-"));
	setEnvironment({ STUDIO_DATA_DIR: path.join(root, "data") });
	database = await createTestDatabase();
	services = await createServices({ databaseUrl: database.url, connections: 4 });
});
afterAll(async () => {
	await closeServices(services);
	await database.drop();
	fs.rmSync(root, { recursive: true, force: true });
});

function file(name: string, text: string): string {
	fs.writeFileSync(path.join(root, name), text);
	return path.join(root, name);
}

function folder(name: string, options: { role?: string; cases?: object[] }): string {
	writeWorkspace(path.join(root, name), { role: options.role ?? ROLE, cases: options.cases ?? [GOOD_CASE] });
	return path.join(root, name);
}

/** Everything that a workspace leaves, but the audit log. */
async function leftovers() {
	const { db } = database;
	const [workspaces, triggers, suites, cases, repositories] = await Promise.all([
		db.workspace.count(),
		db.trigger.count(),
		db.suite.count(),
		db.case.count(),
		db.harnessRepository.count(),
	]);
	const store = path.join(root, "data", "repositories");
	return { workspaces, triggers, suites, cases, repositories, folders: fs.existsSync(store) ? fs.readdirSync(store) : [] };
}
const NOTHING = { workspaces: 0, triggers: 0, suites: 0, cases: 0, repositories: 0, folders: [] };

const fromCsv = (csv: string, mapping?: { message: string; category?: string; reference?: string }) =>
	createWorkspaceFromCsv(services, { slug: "desk", csv, starter: "examples/support-desk", options: mapping ? { mapping } : {} });

const TABLE = `${["question,intent,answer", ...Array.from({ length: 30 }, (_, i) => `${sha256(String(i))},i${i % 3},reply ${sha256(`r${i}`)}`)].join("\n")}\n`;

describe("a workspace that cannot be made whole", () => {
	it.each([
		[
			"a column that is not there",
			() => fromCsv(file("a.csv", TABLE), { message: "utterance", category: "intent" }),
			{ reason: "import-missing-column", message: expect.stringContaining("question, intent, answer") },
		],
		[
			"no column that looks like a message",
			() => fromCsv(file("b.csv", "alpha,beta\n1,2\n")),
			{ reason: "import-mapping-needed", message: expect.stringContaining("alpha, beta") },
		],
		["rows of which none is good", () => fromCsv(file("c.csv", "question\nhello\n"), { message: "question" }), { reason: "import-nothing-accepted" }],
		[
			"a starter, which has no cases, and says how a workspace is made of it",
			() => createWorkspaceFromFolder(services, "examples/support-desk", undefined, "desk"),
			{
				reason: "workspace-without-cases",
				fix: expect.stringContaining("create-workspace support-desk --from-csv requests.csv --map message=instruction,category=intent,reference=response"),
			},
		],
		[
			"a folder without cases and without a README",
			() => createWorkspaceFromFolder(services, folder("i", { cases: [] })),
			{ reason: "workspace-without-cases", fix: expect.stringMatching(/create-workspace w --from-csv FILE --starter \S+\/i --map message=COLUMN/) },
		],
		["an empty table", () => fromCsv(file("d.csv", "")), { reason: "import-empty" }],
		["a harness that is not valid", () => createWorkspaceFromFolder(services, folder("e", { role: "{{ no closing" })), { reason: "harness-invalid" }],
		[
			"cases of which none is good",
			() => createWorkspaceFromFolder(services, folder("f", { cases: [{ ...GOOD_CASE, split: "nowhere" }] })),
			{ reason: "import-nothing-accepted" },
		],
		[
			"a second suite with the first one's id, which would take its place",
			() => {
				const made = folder("k", {});
				fs.appendFileSync(path.join(made, "workspace.yaml"), "suites: [{ id: t1, title: { en: Again, zh: Again } }]\n");
				return createWorkspaceFromFolder(services, made);
			},
			{ reason: "workspace-manifest-invalid", message: expect.stringContaining("t1") },
		],
		[
			"a suite that has no cases",
			() => {
				const made = folder("j", {});
				fs.appendFileSync(path.join(made, "workspace.yaml"), "suites: [{ id: wide, title: { en: Wide, zh: Wide } }]\n");
				return createWorkspaceFromFolder(services, made);
			},
			{ reason: "import-empty", message: expect.stringContaining("suites/wide/*.jsonl") },
		],
		[
			"a policy that the folder does not have",
			() => {
				const made = folder("h", {});
				fs.appendFileSync(path.join(made, "workspace.yaml"), "policy: hat\n");
				return createWorkspaceFromFolder(services, made);
			},
			{ reason: "workspace-policy-missing" },
		],
		[
			"a checkpoint of another format",
			() => {
				const made = folder("g", {});
				fs.mkdirSync(path.join(made, "policy"));
				fs.writeFileSync(path.join(made, "policy", "hat.ckpt"), "not a checkpoint");
				return createWorkspaceFromFolder(services, made);
			},
			{ reason: "checkpoint-format" },
		],
	])("leaves nothing: %s", async (_name, make, expected) => {
		await expect(make()).rejects.toMatchObject({ code: "bad-input", ...expected });
		expect(await leftovers()).toEqual(NOTHING);
	});

	it("says in the audit log that it was made and taken back, and why", async () => {
		const entries = await database.db.auditEntry.findMany({ where: { subject: "desk" }, orderBy: { at: "asc" }, select: { action: true, reason: true } });
		expect(entries.slice(0, 2)).toEqual([
			{ action: "workspace.create", reason: null },
			{ action: "workspace.take-back", reason: expect.stringContaining('no column "utterance"') },
		]);
	});

	it("can be made under the same name once the cause is mended, and a second one takes nothing of it away", async () => {
		const { report } = await fromCsv(file("a.csv", TABLE), { message: "question", category: "intent", reference: "answer" });
		expect(report).toMatchObject({ accepted: 30, rejectedTotal: 0 });
		const whole = await leftovers();
		expect(whole).toMatchObject({ workspaces: 1, suites: 1, cases: 30 });
		await expect(fromCsv(file("a.csv", TABLE), { message: "utterance" })).rejects.toMatchObject({ code: "conflict", reason: "workspace-exists" });
		expect(await leftovers()).toEqual(whole);
	});
});

describe("checkpoints of a folder", () => {
	const bytes = fs.readFileSync("server/training/checkpoints/base.ckpt");
	function withPolicy(name: string, manifest: string): string {
		const made = folder(name, {});
		fs.mkdirSync(path.join(made, "policy"));
		fs.writeFileSync(path.join(made, "policy", "hat.ckpt"), bytes);
		fs.appendFileSync(path.join(made, "workspace.yaml"), manifest);
		return made;
	}

	it("are policy versions; none acts that the manifest does not name", async () => {
		const { workspace } = await createWorkspaceFromFolder(services, withPolicy("a-policy", ""), undefined, "a-policy");
		expect((await services.policies.list(workspace.id)).map(({ name, kind }) => [name, kind])).toEqual([["hat", "checkpoint"]]);
		expect((await services.policies.current(workspace.id)).kind).toBe("compact");
	});

	it("act also where another file holds the same weights, and are refused under a name that means something else", async () => {
		const twice = withPolicy("twice", "policy: hat\n");
		fs.writeFileSync(path.join(twice, "policy", "a.ckpt"), bytes);
		const { workspace } = await createWorkspaceFromFolder(services, twice, undefined, "twice");
		expect(await services.policies.current(workspace.id)).toMatchObject({ name: "hat", kind: "checkpoint" });
		const wrong = withPolicy("wrong", "policy: compact\n");
		fs.renameSync(path.join(wrong, "policy", "hat.ckpt"), path.join(wrong, "policy", "compact.ckpt"));
		await expect(createWorkspaceFromFolder(services, wrong, undefined, "wrong")).rejects.toMatchObject({ reason: "policy-name-bad" });
		const folderInstead = folder("folder-instead", {});
		fs.mkdirSync(path.join(folderInstead, "policy", "x.ckpt"), { recursive: true });
		await expect(createWorkspaceFromFolder(services, folderInstead, undefined, "instead")).rejects.toMatchObject({ reason: "file-expected" });
	});

	it("act from the start where the manifest names one, and are the same file when they are taken out again", async () => {
		const { workspace } = await createWorkspaceFromFolder(services, withPolicy("with-policy", "policy: hat\n"), undefined, "with-policy");
		const current = await services.policies.current(workspace.id);
		expect(current).toMatchObject({ name: "hat", kind: "checkpoint", config: { initial: true } });
		expect((await services.loadPolicy(current.id)).describe()).toMatchObject({ name: "hat", fingerprint: current.fingerprint });
		expect(Buffer.compare(Buffer.from(await services.training.readCheckpointFile(current.config.checkpointId ?? "")), bytes)).toBe(0);
		// The same weights under another name are the version that is there.
		const again = await services.training.importCheckpoint({ workspaceId: workspace.id, name: "other", bytes }, { id: "u1", name: "Test" });
		expect(again.version).toMatchObject({ id: current.id, name: "hat" });
		expect((await services.policies.find(workspace.id, "compact")).kind).toBe("compact");
	});
});
