import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { closeServices, createServices, type Services } from "@/server/composition";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { setEnvironment } from "@/server/kernel/env";
import { sha256 } from "@/server/kernel/hash";
import type { Workspace } from "@/server/workspace/contract";
import { createWorkspaceFromFolder } from "../create-workspace";
import { writeWorkspace } from "../testing/write-workspace";
import { removeCheckpoint } from "./checkpoint";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let root: string;
let database: TestDatabase;
let services: Services;
let workspace: Workspace;

beforeAll(async () => {
	root = fs.mkdtempSync(path.join(os.tmpdir(), "remove-checkpoint-"));
	setEnvironment({ STUDIO_DATA_DIR: path.join(root, "data") });
	vi.spyOn(process.stderr, "write").mockReturnValue(true);
	database = await createTestDatabase();
	services = await createServices({ databaseUrl: database.url, connections: 4 });
	const cases = [{ id: "dev-1", category: "greeting", split: "dev" as const, message: sha256("dev") }];
	writeWorkspace(path.join(root, "w"), { role: "---\ntitle: Role\n---\nYou answer.\n", cases });
	({ workspace } = await createWorkspaceFromFolder(services, path.join(root, "w"), undefined, "w"));
});
afterAll(async () => {
	await closeServices(services);
	await database.drop();
	vi.restoreAllMocks();
	fs.rmSync(root, { recursive: true, force: true });
});

const actor = { id: "usr_1", name: "Ada" };
const bytes = () => fs.readFileSync("server/training/checkpoints/base.ckpt");
const imported = async (name: string) => (await services.training.importCheckpoint({ workspaceId: workspace.id, name, bytes: bytes() }, actor)).version;
const remove = (policy: string, yes: boolean) =>
	removeCheckpoint({ services, signal: new AbortController().signal, workspace: async () => workspace }, { workspace: "w", policy, yes });
const names = async () => (await services.policies.list(workspace.id)).map(({ name }) => name);

describe("removing an imported checkpoint", () => {
	it("without --yes says that it can go, with it takes the version and its file, and is audited", async () => {
		await imported("elsewhere");
		expect(await remove("elsewhere", false)).toMatchObject({ document: { policy: "elsewhere", removed: false }, unconfirmed: true });
		expect(await names()).toContain("elsewhere");
		expect(await database.db.checkpoint.count()).toBe(1);
		expect(await remove("elsewhere", true)).toMatchObject({ document: { policy: "elsewhere", removed: true }, unconfirmed: false });
		expect(await names()).not.toContain("elsewhere");
		expect(await database.db.checkpoint.count()).toBe(0);
		const audit = await database.db.auditEntry.findMany({ where: { action: "policy.remove" } });
		expect(audit).toMatchObject([{ actorName: "Studio", subject: "policy elsewhere" }]);
		await expect(remove("elsewhere", true)).rejects.toMatchObject({ reason: "policy-unknown" });
	});

	it("refuses while something refers to it, and says what", async () => {
		const { id: policyVersionId } = await imported("used");
		const { db } = database;
		const suite = await services.evaluation.requireSuite(workspace.id, "t1");
		const own = { workspaceId: workspace.id, policyVersionId, judgeVersionId: "j", suiteVersionId: suite.id };
		const run = { ...own, treeId: "t", suiteKey: "t1", split: "dev", trials: 1, seed: 1, reason: "manual", requestedById: "u", planned: 1, status: "done" };
		await db.run.create({ data: { ...run, id: "run_7", number: 7 } });
		const training = { workspaceId: workspace.id, recipe: "hat", seed: 1, status: "done", source: {}, settings: {}, requestedById: "u" };
		await db.training.create({ data: { ...training, id: "trn_3", number: 3, policyVersionId } });
		const evolution = { ...own, slug: "e", title: "Autumn", branch: "evolution/e", baseCommit: "c", status: "active", createdById: "u" };
		await db.evolution.create({ data: { ...evolution, id: "evo_1", number: 1 } });
		await expect(remove("used", true)).rejects.toMatchObject({ code: "precondition", reason: "policy-in-use", params: { by: "T-3, “Autumn”, R-7" } });
		expect(await names()).toContain("used");
	});

	it("refuses what did not come from a file", async () => {
		await services.policies.ensureCompact(workspace.id);
		await expect(remove("compact", true)).rejects.toMatchObject({ reason: "policy-not-imported" });
	});
});
