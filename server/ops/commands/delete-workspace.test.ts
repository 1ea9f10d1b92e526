import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { closeServices, createServices, type Services } from "@/server/composition";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { dataPath, inheritEnvironment, setEnvironment } from "@/server/kernel/env";
import { sha256 } from "@/server/kernel/hash";
import { createWorkspaceFromFolder } from "../create-workspace";
import { writeWorkspace } from "../testing/write-workspace";
import { deleteWorkspace } from "./delete-workspace";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const SEALED = "SEALEDTEXT";
const cases = (["dev", "test", "holdout"] as const).map((split) => ({
	...{ id: `${split}-1`, category: "greeting", split },
	message: `${split === "holdout" ? SEALED : "open"} ${sha256(split)}`,
}));

let root: string;
let database: TestDatabase;
let services: Services;
const said: string[] = [];

beforeAll(async () => {
	root = fs.mkdtempSync(path.join(os.tmpdir(), "delete-workspace-"));
	setEnvironment({ STUDIO_DATA_DIR: path.join(root, "data") });
	vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
	database = await createTestDatabase();
	services = await createServices({ databaseUrl: database.url, connections: 4 });
	writeWorkspace(path.join(root, "w"), { role: "---\ntitle: Role\n---\nYou answer.\n", cases });
});
afterAll(async () => {
	await closeServices(services);
	await database.drop();
	vi.restoreAllMocks();
	fs.rmSync(root, { recursive: true, force: true });
});

/** A workspace with something of everything: what is evaluated, trained, triggered, released and waits to be imported. */
async function makeWorkspace(slug: string): Promise<string> {
	const { workspace } = await createWorkspaceFromFolder(services, path.join(root, "w"), undefined, slug);
	const { db } = database;
	const { id: workspaceId, bundleId } = workspace.bundleId ? workspace : await services.workspace.getById(workspace.id);
	const { treeId, commit } = await services.harness.resolveHarness(workspaceId, "main");
	const suite = await services.evaluation.requireSuite(workspaceId, "t1");
	const own = { workspaceId, treeId, bundleId, policyVersionId: "p", judgeVersionId: "j" };
	const id = (kind: string) => `${kind}_${slug}`;
	const run = { ...own, commit, suiteVersionId: suite.id, suiteKey: "t1", split: "dev", trials: 1, seed: 1, reason: "manual", requestedById: "u", planned: 1 };
	await db.run.create({
		data: { ...run, id: id("run"), number: 1, status: "done", chunks: { create: { id: id("chk"), index: 0, caseIds: [], status: "done" } } },
	});
	await db.episode.create({
		data: { id: id("epi"), runId: id("run"), caseId: "c", trial: 0, outcome: "replied", category: "x", record: { create: { trajectory: { slug } } } },
	});
	const training = { workspaceId, recipe: "hat", seed: 1, status: "done", source: {}, settings: {}, requestedById: "u" };
	await db.training.create({ data: { ...training, id: id("trn"), number: 1 } });
	await db.trainingPoint.create({ data: { trainingId: id("trn"), position: 0, record: { of: workspaceId } } });
	const trigger = await db.trigger.create({ data: { id: id("trg"), workspaceId, name: "T", content: {} } });
	const firing = { workspaceId, triggerId: trigger.id, version: 1, eventKey: "k", outboxId: "1", event: "e", eventAt: new Date(), decision: "fired" };
	await db.triggerFiring.create({ data: { ...firing, id: id("fir"), why: {}, inputs: {}, subject: {}, outcome: "done" } });
	await db.triggerEffect.create({ data: { kind: "run", subjectId: id("run"), firingId: id("fir") } });
	const evolution = {
		...own,
		suiteVersionId: suite.id,
		slug: "e",
		title: "E",
		branch: "evolution/e",
		baseCommit: commit ?? "",
		status: "active",
		createdById: "u",
	};
	const { treeId: _treeId, bundleId: _bundleId, ...stored } = evolution;
	await db.evolution.create({ data: { ...stored, id: id("evo"), number: 1, rounds: { create: { id: id("rnd"), index: 0, status: "closed", treeId } } } });
	await db.retrainingAdvice.create({ data: { id: id("adv"), workspaceId, key: "k", state: "keep-editing", advice: {} } });
	await db.adviceRule.create({ data: { id: id("adr"), workspaceId, version: 1, content: {}, createdById: "u", reason: "why" } });
	await services.uploads.append({ workspaceId, userId: "usr_1" }, "abcdefgh1", 0, Buffer.from(`message\n${SEALED}\n`));
	return workspaceId;
}

/** Tables in which a text occurs, in any column. */
async function tablesWith(text: string): Promise<string[]> {
	const tables = await database.db.$queryRaw<{ name: string }[]>`
		select table_name::text as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'`;
	const found: string[] = [];
	for (const { name } of tables) {
		const rows = await database.db.$queryRawUnsafe<unknown[]>(`select 1 from "${name}" t where t::text like $1 limit 1`, `%${text}%`);
		if (rows.length > 0) found.push(name);
	}
	return found.sort();
}
const repositories = () => fs.readdirSync(dataPath("repositories")).sort();
const uploads = () => fs.readdirSync(dataPath("uploads"));
const { signal } = new AbortController();
const remove = (slug: string, yes = true, only: Partial<Services> = {}, cancel = false) =>
	deleteWorkspace({ services: { ...services, ...only }, signal }, slug, { yes, cancel });

describe("deleting a workspace", () => {
	it("without --yes says what would go, and touches nothing", async () => {
		const id = await makeWorkspace("first");
		const before = await tablesWith(id);
		const { document, unconfirmed } = await remove("first", false);
		expect(unconfirmed).toBe(true);
		expect(document).toMatchObject({
			deleted: false,
			workspace: { id, slug: "first" },
			rows: { Case: 3, Run: 1, Episode: 1, Training: 1 },
			repositories: 1,
			uploads: 1,
		});
		expect(JSON.stringify(document) + said.join()).not.toContain(SEALED);
		expect(await tablesWith(id)).toEqual(before);
		expect(await services.workspace.find("first")).not.toBeNull();
	});

	it.each([
		["run", () => database.db.run.update({ where: { id: "run_first" }, data: { status: "queued" } })],
		["training", () => database.db.training.update({ where: { id: "trn_first" }, data: { status: "running" } })],
	])("refuses while a %s is under way, and names it", async (kind, begin) => {
		await begin();
		for (const yes of [false, true])
			await expect(remove("first", yes)).rejects.toMatchObject({
				code: "precondition",
				reason: "workspace-at-work",
				params: { work: expect.stringMatching(kind === "run" ? /^R-1 \(queued\)$/ : /^training 1 \(running\)$/) },
				fix: expect.any(String),
			});
		expect(await services.workspace.find("first")).not.toBeNull();
		await database.db.run.updateMany({ data: { status: "done" } });
		await database.db.training.updateMany({ data: { status: "done" } });
	});

	it("with --cancel cancels all of it first, though no worker runs, and says what", async () => {
		const id = await makeWorkspace("busy");
		const { db } = database;
		const later = new Date(Date.now() - 1_000);
		await db.run.update({ where: { id: "run_busy" }, data: { status: "running" } });
		await db.runChunk.update({ where: { id: "chk_busy" }, data: { status: "leased", owner: "died", leaseUntil: later } });
		const source = { treeId: "t", commit: null, suiteVersionId: "s", bundleId: null, baseDigest: "d", generalData: null };
		const envelope = JSON.parse(JSON.stringify(await services.envelopes.current(id)));
		await db.training.update({ where: { id: "trn_busy" }, data: { status: "running", source: { ...source, envelope } } });
		const ablation = { id: "abl_busy", workspaceId: id, number: 1, status: "queued", requestedById: "u", total: 1, origin: "page" };
		await db.ablation.create({ data: { ...ablation, settings: { seeds: 1, split: "test", harness: "main" } } });
		const task = { id: "tsk_busy", workspaceId: id, evolutionId: "evo_busy", kind: "diagnose", status: "running", input: {}, requestedById: "u" };
		await db.evolutionTask.create({ data: task });
		const tried = {
			workspaceId: id,
			userId: "usr_1",
			source: "s",
			treeId: "t",
			policyVersionId: "p",
			policyName: "p",
			input: { message: "m", history: [], room: { base: "r", set: {} }, faults: [], seed: 1 },
		};
		await db.tryRun.createMany({
			data: [
				{ ...tried, id: "try_queued", status: "queued" },
				{ ...tried, id: "try_left", status: "cancelling" },
			],
		});
		const names = ["R-1", "ablation 1", "diagnose tsk_busy", "training 1", "try try_left", "try try_queued"];
		const { document: asked } = await remove("busy", false, {}, true);
		expect(asked).toMatchObject({ deleted: false, underWay: expect.arrayContaining(["R-1 (running)", "try try_left (cancelling)"]) });
		expect(await db.run.findUnique({ where: { id: "run_busy" } })).toMatchObject({ status: "running" });

		const { document } = await remove("busy", true, {}, true);
		expect(document).toMatchObject({ deleted: true, cancelled: expect.any(Array) });
		expect([...(document as { cancelled: string[] }).cancelled].sort()).toEqual(names);
		expect(said.join("")).toContain("cancelling R-1 (running)");
		expect(await services.workspace.find("busy")).toBeNull();
		const audit = await db.auditEntry.findMany({ where: { workspaceId: id }, select: { action: true, actorName: true } });
		for (const action of ["run.cancel", "training.cancel", "ablation.cancel"]) expect(audit).toContainEqual({ action, actorName: "Studio" });
	});

	it("takes everything that is the workspace's own, keeps what it shares and what was audited, and says no sealed word", async () => {
		const other = await makeWorkspace("second");
		const [id, others] = [(await services.workspace.get("first")).id, await tablesWith(other)];
		const { treeId } = await services.harness.resolveHarness(other, "main");
		const { document } = await remove("first");
		expect(document).toMatchObject({ deleted: true, before: false, rows: { Case: 3 }, repositories: 1, elsewhere: 0, uploads: 1 });
		for (const text of [id, "run_first", "epi_first", "trn_first", "fir_first", "rnd_first"])
			expect(await tablesWith(text), text).toEqual(text === id ? ["AuditEntry"] : []);
		expect(await tablesWith(other)).toEqual(others);
		expect(repositories()).toHaveLength(1);
		expect(uploads()).toHaveLength(1);
		expect(await services.harness.loadSnapshot(treeId)).toHaveProperty(["prompts/role.md"]);
		expect(await services.workspace.getBundleFiles((await services.workspace.getById(other)).bundleId ?? "")).toHaveProperty(["rooms.json"]);
		const audit = await database.db.auditEntry.findMany({ where: { workspaceId: id }, select: { action: true, actorName: true, detail: true } });
		expect(audit.map(({ action }) => action)).toEqual(expect.arrayContaining(["workspace.create", "case.import", "workspace.delete"]));
		expect(JSON.stringify([document, said, audit])).not.toContain(SEALED);
		expect(await tablesWith(SEALED)).toEqual(["Case"]);
	});

	it("finishes what a crash left, when it is run again", async () => {
		const id = (await services.workspace.get("second")).id;
		const died = new Error("killed");
		// As after kill -9 between the database and the disk: the transaction is done, nothing else is.
		const dying = { ...services.repositories, remove: () => Promise.reject(died) };
		await expect(remove("second", true, { repositories: dying })).rejects.toBe(died);
		expect([repositories().length, uploads().length]).toEqual([1, 1]);
		// Somebody stored something for it at that moment.
		await database.db.outboxEvent.create({ data: { workspaceId: id, type: "run.ended", payload: {} } });
		await expect(remove("second", false)).rejects.toMatchObject({ code: "not-found", fix: expect.stringContaining("--yes") });
		expect((await remove("second")).document).toMatchObject({ deleted: true, before: true, workspace: { id }, repositories: 1, uploads: 1 });
		expect([repositories(), uploads(), await tablesWith(id), await tablesWith(SEALED)]).toEqual([[], [], ["AuditEntry"], []]);
		expect((await remove("second")).document).toMatchObject({ deleted: true, before: true, repositories: 0, uploads: 0 });
		// What nobody names any more is gone with the last that named it.
		expect([await database.db.harnessSnapshot.count(), await database.db.workspaceBundle.count()]).toEqual([0, 0]);
	});

	it("gives the name back, and never touches its new owner", async () => {
		const id = await makeWorkspace("second-again");
		await remove("second-again");
		const { workspace } = await createWorkspaceFromFolder(services, path.join(root, "w"), undefined, "second-again");
		expect(workspace.id).not.toBe(id);
		expect((await remove("second-again", false)).document).toMatchObject({ deleted: false, workspace: { id: workspace.id }, rows: { Case: 3 } });
	});

	it("knows no name that no workspace ever had, and is exit code 2 of the command line until it is confirmed", async () => {
		await expect(remove("nowhere")).rejects.toMatchObject({ code: "not-found", reason: "workspace-unknown", fix: expect.stringContaining("second-again") });
		const studio = (...args: string[]) =>
			spawnSync(process.execPath, ["--import", "tsx", "server/cli.ts", "delete-workspace", "second-again", ...args], {
				encoding: "utf8",
				env: inheritEnvironment({ DATABASE_URL: database.url, STUDIO_DATA_DIR: path.join(root, "data"), STUDIO_SECRET: sha256("secret") }),
			});
		const asked = studio("--json");
		expect([asked.status, JSON.parse(asked.stdout).deleted, asked.stderr]).toEqual([2, false, expect.stringContaining("--yes")]);
		const done = studio("--json", "--yes");
		expect([done.status, JSON.parse(done.stdout).deleted]).toEqual([0, true]);
	});
});

/* A table that names neither its workspace nor a row of it that takes it along has to be thought of in remove-workspace.repository.ts. */
it("every table of the schema is a workspace's own, goes with a row of it, or is known", async () => {
	const rows = await database.db.$queryRaw<{ name: string }[]>`
		with recursive own as (
			select table_name::text as name from information_schema.columns where table_schema = current_schema() and column_name = 'workspaceId'
			union
			select child.relname::text from pg_constraint c join pg_class child on child.oid = c.conrelid
			join pg_class parent on parent.oid = c.confrelid join own on own.name = parent.relname
			where c.contype = 'f' and c.confdeltype = 'c'
		)
		select table_name::text as name from information_schema.tables
		where table_schema = current_schema() and table_type = 'BASE TABLE' and table_name not in (select name from own) order by 1`;
	expect(rows.map(({ name }) => name)).toEqual(
		[
			...["User", "Session", "Account", "Verification", "RateLimit", "_prisma_migrations", "Workspace"],
			...["HarnessSnapshot", "WorkspaceBundle", "ResponseCache", "AugmentationRewriting"],
			...["TrainingPoint", "TriggerEffect"],
		].sort(),
	);
});
