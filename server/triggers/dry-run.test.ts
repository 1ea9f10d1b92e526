import { afterAll, beforeAll, expect, it } from "vitest";
import type { TriggerContent } from "./contract";
import { above, contentOf, createTriggerWorld, is, type TriggerWorld } from "./testing/trigger-world";

let world: TriggerWorld;
let ws: string;
const DAY = 86_400_000;
const propose = { type: "propose-retraining" as const, recipe: "hat" as const, seed: 1, options: {} };

beforeAll(async () => {
	world = await createTriggerWorld();
	ws = await world.workspace();
	world.state.now = new Date();
	// One run a day over 40 days, the last one an hour ago; every third is low.
	for (let day = 39; day >= 0; day--) {
		const id = `run-${day}`;
		world.state.runs.set(id, { number: 40 - day, average: day % 3 === 0 ? 0.4 : 0.8 });
		const createdAt = new Date(world.state.now.getTime() - day * DAY - 3_600_000);
		await world.db.outboxEvent.create({
			data: { workspaceId: ws, type: "run.finished", payload: { runId: id, status: "done" }, createdAt, deliveredAt: createdAt },
		});
	}
});
afterAll(() => world.drop());

const dryRun = (content: TriggerContent, days = 30, id: string | null = null) =>
	world.triggers.dryRun({ workspaceId: ws, days, trigger: { id, name: "Draft", content } });
const low = { fact: "average" as const, operator: "below" as const, value: 60 };

it("says for each event of the window what would have been done and why, and does nothing", async () => {
	const result = await dryRun(contentOf("run-finished", propose, { conditions: [low] }));
	expect(result.counts).toMatchObject({ fired: 10, "condition-not-met": 20, "cooling-down": 0 });
	expect(result.entries).toHaveLength(30);
	expect(result.entries[0]).toMatchObject({ label: "R-40", decision: "fired", inputs: { average: 40 } });
	expect(result.entries[1]).toMatchObject({ label: "R-39", decision: "condition-not-met", why: { kind: "condition", fact: "average", actual: 80 } });
	expect(await world.triggers.retrainings(ws)).toEqual([]);
	expect((await world.triggers.firings(ws, {}, { page: 1, pageSize: 1 })).total).toBe(0);
});

it("rests and counts its budget over its own imagined firings", async () => {
	const resting = await dryRun(contentOf("run-finished", propose, { coolDownMinutes: 4 * 1_440 }));
	expect(resting.counts).toMatchObject({ fired: 8, "cooling-down": 22 });
	expect(resting.entries.find((entry) => entry.decision === "cooling-down")?.why).toMatchObject({ kind: "cool-down", minutes: 5_760 });
	const week = await dryRun(contentOf("run-finished", propose, { conditions: [low] }), 7);
	expect(week.counts.fired).toBe(3);
});

it("reads an event that was measured from what the run completed, and knows nothing of other workspaces", async () => {
	world.state.gaps.set("run-2", [{ value: 0.2, low: 0.1, words: "transforms" }]);
	const gap = await dryRun(contentOf("gap-measured", propose, { conditions: [above("gap", 15)] }));
	expect(gap.entries).toEqual([expect.objectContaining({ decision: "fired", inputs: expect.objectContaining({ gap: 20 }) })]);
	const elsewhere = await world.triggers.dryRun({
		workspaceId: await world.workspace(),
		days: 30,
		trigger: { id: null, name: "", content: contentOf("run-finished", propose) },
	});
	expect(elsewhere.entries).toEqual([]);
});

it("imagines the times of a schedule", async () => {
	const daily = { schedule: { cron: "0 6 * * *", timeZone: "UTC" } };
	const result = await dryRun(
		contentOf("schedule", propose, { ...daily, conditions: [{ fact: "landingsSinceTraining", operator: "at-least", value: 3 }] }),
		10,
	);
	expect(result.counts.fired).toBe(10);
	const minutely = await dryRun(contentOf("schedule", propose, { schedule: { cron: "* * * * *", timeZone: "UTC" } }), 1);
	expect(minutely).toMatchObject({ truncated: true });
	expect(minutely.entries).toHaveLength(1_000);
});

it("refuses what saving would refuse, and what does not exist", async () => {
	await expect(dryRun(contentOf("schedule", propose, { schedule: { cron: "soon", timeZone: "UTC" } }))).rejects.toMatchObject({ reason: "cron-fields" });
	const self = contentOf("run-finished", { type: "run-suites", suites: ["t1"], split: "dev", variants: 5 }, { conditions: [is("split", "dev")] });
	await expect(dryRun(self)).rejects.toMatchObject({ reason: "trigger-fires-itself" });
	await expect(dryRun(contentOf("run-finished", propose), 30, "trg_none")).rejects.toMatchObject({ reason: "trigger-unknown" });
});

it("runs over the loop's own rules as well", async () => {
	const [landing] = await world.triggers.list(ws);
	if (!landing) throw new Error("no built-in trigger");
	await world.emit(ws, { type: "proposal.landed", proposalId: "p", evolutionId: "evo_1", commit: "c" });
	world.state.now = new Date(Date.now() + 1_000);
	const result = await dryRun(landing.content, 1, landing.id);
	expect(result).toMatchObject({ trigger: { key: "landing-dev" }, counts: { fired: 1 } });
});
