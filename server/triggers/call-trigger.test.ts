import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { contentOf, createTriggerWorld, type TriggerWorld } from "./testing/trigger-world";

let world: TriggerWorld;
let ws: string;
beforeAll(async () => {
	world = await createTriggerWorld();
});
beforeEach(async () => {
	ws = await world.reset();
});
afterAll(() => world.drop());

const find = (title: string) => ({ type: "open-finding" as const, title, hypothesis: "It fell." });

const call = (triggerId: string, key: string | null, payload: Record<string, unknown> | null = null) =>
	world.triggers.call({ workspaceId: ws, triggerId, caller: { tokenId: "tok_1", name: "ci" }, key, payload });

it("a call is one event for each key, audited, and only for a trigger that follows calls", async () => {
	const { id } = await world.save(ws, contentOf("api-call", find("Called")));
	const { id: deaf } = await world.save(ws, contentOf("run-finished", find("Deaf")), { name: "Deaf" });
	await call(id, "build-7", { build: 7 });
	await call(id, "build-7");
	await call(id, "build-7");
	await call(id, null);
	await world.deliver();
	const log = await world.decisions(ws);
	expect(log.map((row) => [row.decision, row.repeats])).toEqual([
		["fired", 0],
		["duplicate", 1],
		["fired", 0],
	]);
	expect(log[0]?.subject).toMatchObject({ label: "ci", payload: { build: 7 } });
	await expect(call(deaf, null)).rejects.toMatchObject({ reason: "trigger-not-callable" });
	await expect(call("trg_none", null)).rejects.toMatchObject({ reason: "trigger-unknown" });
	const { entries } = await world.workspaces.queryAudit(ws, { action: "trigger.call" }, { page: 1, pageSize: 9 });
	expect(entries).toHaveLength(4);
	expect(entries[0]).toMatchObject({ actorId: "token:tok_1", actorName: "ci" });
});

it("a call is refused when it comes too often", async () => {
	world.state.now = new Date();
	const { id } = await world.save(ws, contentOf("api-call", find("Called")));
	for (let i = 0; i < 30; i++) await call(id, null);
	await expect(call(id, null)).rejects.toMatchObject({ code: "rate-limited", reason: "trigger-calls" });
});
