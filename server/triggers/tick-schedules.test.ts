import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { contentOf, createTriggerWorld, maya, type TriggerWorld } from "./testing/trigger-world";
import { tickSchedules } from "./tick-schedules";

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
const said = async () => (await world.decisions(ws)).map((row) => row.decision);

const nine = { cron: "0 9 * * *", timeZone: "UTC" };
it("a schedule fires at its time through the event log, once, however many look; missed times are one", async () => {
	const { id } = await world.save(ws, contentOf("schedule", find("Morning"), { schedule: nine }));
	const tick = async () => {
		await Promise.all([tickSchedules(world.deps), tickSchedules(world.deps)]);
		await world.deliver();
	};
	await tick();
	expect(await said()).toEqual([]);
	world.later(21 * 60);
	await tick();
	await tick();
	expect((await world.decisions(ws)).map((row) => [row.decision, row.subject.label])).toEqual([["fired", "2026-12-01T09:00:00.000Z"]]);
	world.later(3 * 1_440 + 5);
	await tick();
	expect(await said()).toHaveLength(2);
	expect((await world.triggers.list(ws)).find((one) => one.id === id)?.dueAt?.toISOString()).toBe("2026-12-05T09:00:00.000Z");
	await world.triggers.switch({ workspaceId: ws, actor: maya, id, enabled: false, version: 1 });
	world.later(1_440);
	await tick();
	expect(await said()).toHaveLength(2);
	expect(world.triggers.nextTimes(nine).map((at) => at.toISOString())).toEqual([
		"2026-12-06T09:00:00.000Z",
		"2026-12-07T09:00:00.000Z",
		"2026-12-08T09:00:00.000Z",
	]);
});
