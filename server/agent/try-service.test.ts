import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNotifier, type Notifier } from "@/server/db/notifier";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { AppError } from "@/server/kernel/errors";
import { createSandbox } from "@/server/sandbox";
import { TryInputSchema, type TrySource } from "./contract";
import { type Script, sampleHarness, sampleRoom, say, scriptedPolicy, use } from "./testing/sample-harness";
import { createTryService, type TryPorts, type TryService } from "./try-service";

let database: TestDatabase;
let notifier: Notifier;
const sandbox = createSandbox({ threads: 1 });
const harness = sampleHarness();
const person = { workspaceId: "ws_1", userId: "u_1" };
const draft: TrySource = { kind: "draft", branch: "main", changes: {} };
const input = TryInputSchema.parse({ message: "Do you have Dune?" });
const sent: string[] = [];
let script: Script = [];

beforeAll(async () => {
	database = await createTestDatabase();
	notifier = createNotifier(database.url);
});
afterAll(async () => {
	await notifier.close();
	await sandbox.close();
	await database.drop();
});

function service(changes: Partial<TryPorts> = {}): TryService {
	return createTryService({
		db: database.db,
		notifier,
		queue: { send: async (_job, payload) => void sent.push((payload as { tryId: string }).tryId) },
		loadSource: async () => harness.files,
		saveSnapshot: async () => harness.treeId,
		loadHarness: async () => harness,
		currentPolicy: async () => ({ id: "pol_1", name: "scripted" }),
		namedPolicy: async (_workspaceId, name) => ({ id: `pol_${name}`, name }),
		loadPolicy: async () => scriptedPolicy(script),
		currentBundle: async () => null,
		openScene: async () => ({ room: sampleRoom, tools: { simulator: { execute: async () => ({ copies: 3 }) } } }),
		sandbox: () => sandbox,
		...changes,
	});
}
const never = new AbortController().signal;

describe("tries", () => {
	it("are computed by a worker and followed live: the first step is seen before the last is computed", async () => {
		const tries = service();
		let release: () => void = () => undefined;
		const gate = new Promise<void>((resolve) => {
			release = resolve;
		});
		script = [use(["find_book", { title: "Dune" }]), () => gate.then(() => say("Three."))];
		const id = await tries.start(person, { source: draft, input });
		expect(sent.at(-1)).toBe(id);
		expect(await tries.get(person, id)).toMatchObject({ status: "queued", steps: [], source: "draft:main", policyName: "scripted" });
		const computing = tries.run(id, never);
		const seen: string[] = [];
		let live = 0;
		for await (const now of tries.follow(person, id, never)) {
			seen.push(`${now.status} ${now.steps.length}`);
			if (now.status === "running" && now.steps.some((step) => step.type === "tool")) {
				live += 1;
				release();
			}
			if (now.status === "done") expect(now.trajectory).toMatchObject({ outcome: "replied", reply: "Three.", steps: now.steps });
		}
		await computing;
		expect(seen.at(-1)).toBe("done 5");
		expect(live).toBeGreaterThan(0);
		expect(await tries.list(person, draft)).toMatchObject([{ id, status: "done", outcome: "replied", reply: "Three.", message: "Do you have Dune?" }]);
		expect(await tries.list(person, { kind: "ref", ref: "main" })).toEqual([]);
	});

	it("belong to the person who asked", async () => {
		const tries = service();
		const id = await tries.start(person, { source: draft, input });
		const stranger = { ...person, userId: "u_2" };
		await expect(tries.get(stranger, id)).rejects.toMatchObject({ code: "not-found" });
		await expect(tries.cancel(stranger, id)).rejects.toMatchObject({ code: "not-found" });
		await expect(tries.follow(stranger, id, never).next()).rejects.toMatchObject({ code: "not-found" });
		expect(await tries.list(stranger)).toEqual([]);
		await tries.cancel(person, id);
	});

	it("can be cancelled before and while they run", async () => {
		const tries = service();
		const before = await tries.start(person, { source: draft, input });
		await tries.cancel(person, before);
		await tries.run(before, never);
		expect(await tries.get(person, before)).toMatchObject({ status: "cancelled", trajectory: null });

		script = [() => new Promise(() => undefined)];
		const during = await tries.start(person, { source: draft, input });
		const computing = tries.run(during, never);
		for await (const now of tries.follow(person, during, never)) {
			if (now.status === "running" && now.steps.length > 0) await tries.cancel(person, during);
		}
		await computing;
		expect(await tries.get(person, during)).toMatchObject({ status: "cancelled" });
		await tries.cancel(person, during);
		expect(await tries.get(person, during)).toMatchObject({ status: "cancelled" });
	});

	it("are taken over when their worker stops, and not computed twice", async () => {
		const tries = service();
		const stop = new AbortController();
		script = [() => new Promise(() => undefined)];
		const id = await tries.start(person, { source: draft, input });
		const first = tries.run(id, stop.signal);
		for await (const now of tries.follow(person, id, never)) if (now.steps.length > 0) break;
		stop.abort();
		await expect(first).rejects.toMatchObject({ code: "cancelled" });
		expect(await tries.get(person, id)).toMatchObject({ status: "running" });
		script = [say("again")];
		await tries.run(id, never);
		const done = await tries.get(person, id);
		expect(done).toMatchObject({ status: "done", trajectory: { reply: "again" } });
		script = [say("twice")];
		await tries.run(id, never);
		expect(await tries.get(person, id)).toEqual(done);
	});

	it("keep nothing of what cannot be tried, and say what failed later", async () => {
		const refused = service({ loadSource: () => Promise.reject(new AppError("precondition", "The harness is not valid.", { reason: "harness-invalid" })) });
		const count = await database.db.tryRun.count();
		await expect(refused.start(person, { source: draft, input })).rejects.toMatchObject({ reason: "harness-invalid" });
		expect(await database.db.tryRun.count()).toBe(count);

		const gone = service({
			loadPolicy: () =>
				Promise.reject(
					new AppError("precondition", "scripted can no longer be run.", { reason: "policy-changed", params: { name: "scripted" }, fix: "Start again." }),
				),
		});
		const id = await gone.start(person, { source: draft, input, policy: "scripted" });
		await gone.run(id, never);
		expect(await gone.get(person, id)).toMatchObject({
			status: "failed",
			error: { reason: "policy-changed", message: "scripted can no longer be run.", fix: "Start again.", params: { name: "scripted" } },
		});

		const broken = service({ loadHarness: () => Promise.reject(new TypeError("secret detail")) });
		const bug = await broken.start(person, { source: draft, input });
		await broken.run(bug, never);
		expect(await broken.get(person, bug)).toMatchObject({
			status: "failed",
			error: { reason: "internal", message: "Something went wrong inside the studio." },
		});
	});
});
