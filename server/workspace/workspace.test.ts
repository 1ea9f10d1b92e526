import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { AppError } from "@/server/kernel/errors";
import { type DeliveredEvent, SERVICE_ACTORS, type WorkspaceManifest } from "./contract";
import { createWorkspaceService, deliverPending, emitEvent, nextNumber, recordAudit, type WorkspaceService } from "./index";

const actor = { id: "u1", name: "Maya" };
const manifest = (slug: string): WorkspaceManifest => ({
	apiVersion: "workspace/v1",
	slug,
	title: { en: slug, zh: slug },
	language: "en",
	measure: "rubric",
	suite: { id: "t1", title: { en: "T", zh: "T" } },
	categories: [],
	settings: {},
});

let database: TestDatabase;
let service: WorkspaceService;
beforeAll(async () => {
	database = await createTestDatabase();
	service = createWorkspaceService(database.db);
});
afterAll(() => database.drop());

async function reasonOf(promise: Promise<unknown>): Promise<string> {
	const error = await promise.then(
		() => null,
		(caught: unknown) => caught,
	);
	if (!(error instanceof AppError)) throw new Error(`expected an AppError, got ${String(error)}`);
	return error.reason;
}

describe("workspaces", () => {
	it("are made once, with settings and an audit entry", async () => {
		const made = await service.create(manifest("alpha"), SERVICE_ACTORS.system);
		expect(made.settings).toEqual({ allowUnattended: false, pricePerMillionTokens: 0 });
		expect(await reasonOf(service.create(manifest("alpha"), actor))).toBe("workspace-exists");
		expect(await reasonOf(service.get("nowhere"))).toBe("workspace-unknown");
		const after = await service.update(made.id, actor, { settings: { allowUnattended: true }, reason: "trial" });
		expect(after.settings).toEqual({ allowUnattended: true, pricePerMillionTokens: 0 });
		const { entries } = await service.queryAudit(made.id, { action: "workspace" }, { page: 1, pageSize: 10 });
		expect(entries.map((entry) => [entry.action, entry.actorName, entry.reason])).toEqual([
			["workspace.update", "Maya", "trial"],
			["workspace.create", "Studio", null],
		]);
	});

	it("keep their bundle by content", async () => {
		const made = await service.create(manifest("bundled"), actor);
		const first = await service.setBundle(made.id, { "world/a.json": "{}", "rooms.json": "{}" });
		expect(await service.setBundle(made.id, { "rooms.json": "{}", "world/a.json": "{}" })).toBe(first);
		expect((await service.get("bundled")).bundleId).toBe(first);
		expect(await service.getBundleFiles(first)).toEqual({ "world/a.json": "{}", "rooms.json": "{}" });
		expect(await reasonOf(service.getBundleFiles("nope"))).toBe("bundle-missing");
	});

	it("count from one, each number once, also in parallel", async () => {
		const made = await service.create(manifest("counted"), actor);
		const numbers = await Promise.all(Array.from({ length: 8 }, () => nextNumber(database.db, made.id, "run")));
		expect(numbers.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
	});
});

describe("the audit log", () => {
	it("is filtered and paged in the database", async () => {
		const { id } = await service.create(manifest("audited"), actor);
		for (let i = 0; i < 5; i++)
			await recordAudit(database.db, { workspaceId: id, actor: { id: "u2", name: "Zhou Min" }, action: "proposal.land", subject: `proposal #${i}` });
		const query = (filter: object, page = 1) => service.queryAudit(id, filter, { page, pageSize: 2 });
		expect((await query({ action: "proposal" })).total).toBe(5);
		expect((await query({ action: "proposal" }, 3)).entries).toHaveLength(1);
		expect((await query({ actor: "zhou" })).total).toBe(5);
		expect((await query({ actor: "u1" })).total).toBe(1);
		expect((await query({ search: "#3" })).entries[0]?.subject).toBe("proposal #3");
		expect((await query({ search: "100% _ '" })).total).toBe(0);
		expect((await query({ to: new Date("2020-01-01") })).total).toBe(0);
		expect(await service.listAuditActions(id)).toEqual(["proposal.land", "workspace.create"]);
	});

	it("keeps the phrases of a reason that the studio wrote, beside the detail", async () => {
		const { id } = await service.create(manifest("reasoned"), actor);
		const phrases = { "Nothing general.": { id: "nothing-general", params: {} } };
		const entry = { workspaceId: id, actor, action: "finding.reject" as const, subject: "finding F-1", detail: { before: "accepted" } };
		await recordAudit(database.db, { ...entry, reason: "Nothing general.", phrases });
		await recordAudit(database.db, { ...entry, reason: "Not ours." });
		const { entries } = await service.queryAudit(id, { action: "finding" }, { page: 1, pageSize: 2 });
		const of = (reason: string) => entries.find((one) => one.reason === reason);
		expect(of("Nothing general.")).toMatchObject({ phrases, detail: { before: "accepted" } });
		expect(of("Nothing general.")?.detail).not.toHaveProperty("phrases");
		expect(of("Not ours.")?.phrases).toEqual({});
	});
});

describe("the outbox", () => {
	let a: string;
	let b: string;
	const emit = (workspaceId: string, runId: string) => emitEvent(database.db, workspaceId, { type: "run.finished", runId, status: "done" });
	const runOf = (event: DeliveredEvent) => (event.event.type === "run.finished" ? event.event.runId : "?");
	beforeAll(async () => {
		a = (await service.create(manifest("outbox-a"), actor)).id;
		b = (await service.create(manifest("outbox-b"), actor)).id;
	});
	beforeEach(() => database.db.outboxEvent.deleteMany());

	it("delivers in order, once each when nothing fails", async () => {
		for (const run of ["1", "2", "3"]) await emit(a, run);
		const seen: string[] = [];
		expect(await deliverPending(database.db, async (event) => void seen.push(runOf(event)))).toEqual({ delivered: 3, failed: 0 });
		expect(seen).toEqual(["1", "2", "3"]);
		expect(await deliverPending(database.db, async (event) => void seen.push(runOf(event)))).toEqual({ delivered: 0, failed: 0 });
	});

	it("repeats what a handler failed at, holds back what follows in that workspace, and goes on in others", async () => {
		for (const run of ["1", "2"]) await emit(a, run);
		await emit(b, "9");
		const seen: string[] = [];
		let broken = true;
		const handler = async (event: DeliveredEvent) => {
			if (runOf(event) === "1" && broken) throw new Error("killed");
			seen.push(runOf(event));
		};
		expect(await deliverPending(database.db, handler)).toEqual({ delivered: 1, failed: 1 });
		expect(seen).toEqual(["9"]);
		broken = false;
		await deliverPending(database.db, handler);
		expect(seen).toEqual(["9", "1", "2"]);
	});

	it("sets aside an event that no repetition can mend, and one that it cannot read", async () => {
		await emit(a, "gone");
		await database.db.outboxEvent.create({ data: { workspaceId: a, type: "of.the.future", payload: {} } });
		await emit(a, "next");
		const seen: string[] = [];
		await deliverPending(database.db, async (event) => {
			if (runOf(event) === "gone") throw new AppError("not-found", "There is no such run.");
			seen.push(runOf(event));
		});
		expect(seen).toEqual(["next"]);
		expect(await database.db.outboxEvent.count({ where: { deliveredAt: null } })).toBe(0);
	});

	it("is shared by workers: each event goes to one, and order holds", async () => {
		for (let i = 0; i < 6; i++) await emit(i % 2 === 0 ? a : b, String(i));
		const seen: string[] = [];
		const handler = async (event: DeliveredEvent) => {
			await sleep(5);
			seen.push(runOf(event));
		};
		while ((await database.db.outboxEvent.count({ where: { deliveredAt: null } })) > 0)
			await Promise.all([deliverPending(database.db, handler), deliverPending(database.db, handler)]);
		expect([...seen].toSorted((left, right) => Number(left) - Number(right))).toEqual(["0", "1", "2", "3", "4", "5"]);
		expect(seen.filter((run) => Number(run) % 2 === 0)).toEqual(["0", "2", "4"]);
	});

	it("is delivered by the loop until it is told to stop", async () => {
		const stop = new AbortController();
		const seen: string[] = [];
		const loop = service.deliverEvents(async (event) => {
			seen.push(runOf(event));
			stop.abort();
		}, stop.signal);
		await emit(a, "live");
		await loop;
		expect(seen).toEqual(["live"]);
	});
});
