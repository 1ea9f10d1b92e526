import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { closeServices, createServices, type Services, workOnRuns } from "@/server/composition";
import { countPresent } from "@/server/db/presence";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { keepRepositories } from "@/server/keep-repositories";
import { setEnvironment } from "@/server/kernel/env";
import { sha256 } from "@/server/kernel/hash";
import { KEEPER_PRESENCE } from "@/server/worker-presence";
import { createWorkspaceFromFolder } from "./create-workspace";
import { writeWorkspace } from "./testing/write-workspace";

/* Two workers over one database: one beside the repositories, one on a machine that has none. */

vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

const olga = { id: "usr_olga", name: "Olga" };
const stop = new AbortController();
const loops: Promise<unknown>[] = [];
let root: string;
let database: TestDatabase;
let beside: Services;
let remote: Services;
let workspaceId: string;

async function servicesIn(folder: string): Promise<Services> {
	setEnvironment({ STUDIO_DATA_DIR: path.join(root, folder) });
	return createServices({ databaseUrl: database.url, connections: 5 });
}

beforeAll(async () => {
	root = fs.mkdtempSync(path.join(os.tmpdir(), "keep-repositories-"));
	database = await createTestDatabase();
	beside = await servicesIn("beside");
	remote = await servicesIn("remote");
	const cases = Array.from({ length: 24 }, (_, i) => ({
		id: `case-${i}`,
		category: `c${i % 2}`,
		split: i < 12 ? "dev" : "test",
		message: `${sha256(String(i))} please`,
		rubric: [{ kind: "contains", any: ["a word that no reply has"] }],
	}));
	writeWorkspace(path.join(root, "workspace"), { role: "---\ntitle: Role\n---\nYou answer.\n", cases });
	workspaceId = (await createWorkspaceFromFolder(beside, path.join(root, "workspace"))).workspace.id;
});
afterAll(async () => {
	stop.abort();
	await Promise.all(loops);
	await Promise.all([closeServices(beside), closeServices(remote)]);
	await database.drop();
	fs.rmSync(root, { recursive: true, force: true });
});

const until = <T>(look: () => Promise<T>) => vi.waitFor(look, { timeout: 30_000, interval: 50 });

describe("a worker without the repositories", () => {
	let evolutionId: string;
	let taskId: string;
	const statusOf = async () => (await beside.evolution.task({ workspaceId, taskId }))?.status;

	it("runs episodes, and leaves engines' tasks and events to another", async () => {
		loops.push(workOnRuns(remote, stop.signal), keepRepositories(remote, database.url, stop.signal));
		evolutionId = (await beside.evolution.start({ workspaceId, actor: olga, title: "Apart" })).id;
		await until(async () => expect(await database.db.run.count({ where: { status: "done" } })).toBe(2));
		taskId = (await beside.evolution.diagnose({ workspaceId, evolutionId, actor: olga })).taskId;
		// A job that was sent later and is done shows that the remote worker looked for jobs, and for events, since.
		const done: string[] = [];
		const probe = { name: "probe", schema: z.object({}), concurrency: 1, retryLimit: 0 };
		await remote.queue.work(probe, async () => void done.push("probe"));
		await beside.queue.send(probe, {});
		await until(async () => expect(done).toEqual(["probe"]));
		expect(await statusOf()).toBe("queued");
		expect(await database.db.outboxEvent.count({ where: { type: "run.finished", deliveredAt: null } })).toBe(2);
		expect(await countPresent(database.url, KEEPER_PRESENCE)).toBe(0);
	});

	it("does so while one beside the repositories does them", async () => {
		loops.push(keepRepositories(beside, database.url, stop.signal));
		await until(async () => expect(await statusOf()).toBe("done"));
		await until(async () => expect((await beside.evolution.rounds(evolutionId))[0]?.standing).toBeTruthy());
		expect(await countPresent(database.url, KEEPER_PRESENCE)).toBe(1);
		expect((await beside.evolution.findings({ workspaceId, evolutionId })).length).toBeGreaterThan(0);
	});
});
