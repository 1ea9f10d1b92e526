import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_ENVELOPE, narrowEnvelope } from "@/server/augmentation";
import { AppError } from "@/server/kernel/errors";
import { LAMP_FILES } from "@/server/training/testing/lamp-shop";
import { above, contentOf, createTriggerWorld, is, maya, type TriggerWorld } from "./testing/trigger-world";

let world: TriggerWorld;
let ws: string;
beforeAll(async () => {
	world = await createTriggerWorld();
});
beforeEach(async () => {
	ws = await world.reset();
});
afterAll(() => world.drop());

const find = (title = "Too low") => ({ type: "open-finding" as const, title, hypothesis: "It fell." });
const said = async () => (await world.decisions(ws)).map((row) => row.decision);

describe("the two rules of the loop", () => {
	it("are there in every workspace, on, and evaluate what lands and what is closed", async () => {
		expect((await world.triggers.list(ws)).map(({ key, enabled, content }) => [key, enabled, content.event, content.action.type])).toEqual([
			["landing-dev", true, "proposal-landed", "run-loop-suites"],
			["closing-regression", true, "round-closed", "run-loop-suites"],
		]);
		await world.emit(ws, { type: "proposal.landed", proposalId: "p", evolutionId: "evo_1", commit: "c" });
		await world.emit(ws, { type: "round.closed", roundId: "round_1", evolutionId: "evo_1", commit: "c" });
		await world.deliver();
		expect(world.state.evaluated).toEqual(["evo_1", "round_1"]);
		const { rows } = await world.triggers.firings(ws, {}, { page: 1, pageSize: 9 });
		expect(rows.map((row) => [row.trigger.key, row.decision, row.outcome, row.subject.label])).toEqual([
			["closing-regression", "fired", "done", "Evo.1"],
			["landing-dev", "fired", "done", "#41"],
		]);
		expect(rows[1]?.result?.runs).toEqual([{ id: "landing-evo_1", number: 90 }]);
	});

	it("are switched with a reason by who saw the latest state, and neither changed nor deleted", async () => {
		const [landing] = await world.triggers.list(ws);
		const id = landing?.id ?? "";
		await world.triggers.switch({ workspaceId: ws, actor: maya, id, enabled: false, version: 1, reason: "too slow" });
		const stale = world.triggers.switch({ workspaceId: ws, actor: maya, id, enabled: true, version: 1 });
		await expect(stale).rejects.toMatchObject({ reason: "trigger-changed" });
		await expect(world.save(ws, contentOf("proposal-landed", find()), { id, version: 2 })).rejects.toMatchObject({ reason: "trigger-built-in" });
		await expect(world.triggers.delete({ workspaceId: ws, actor: maya, id, version: 2 })).rejects.toMatchObject({ reason: "trigger-built-in" });
		await world.emit(ws, { type: "proposal.landed", proposalId: "p", evolutionId: "evo_1", commit: "c" });
		await world.deliver();
		expect(world.state.evaluated).toEqual([]);
		const { entries } = await world.workspaces.queryAudit(ws, { action: "trigger" }, { page: 1, pageSize: 9 });
		expect(entries.map((entry) => [entry.action, entry.subject, entry.reason])).toEqual([["trigger.disable", "landing-dev v2", "too slow"]]);
	});

	it("are tried again with their event, in order, for as long as it takes", async () => {
		const other = await world.workspace();
		world.state.failure = new AppError("unavailable", "Away.");
		await world.emit(ws, { type: "proposal.landed", proposalId: "p", evolutionId: "evo_1", commit: "c" });
		await world.emit(ws, { type: "round.closed", roundId: "round_1", evolutionId: "evo_1", commit: "c" });
		await world.emit(other, { type: "round.closed", roundId: "round_2", evolutionId: "evo_2", commit: "c" });
		for (let i = 0; i < 7; i++) await world.deliver();
		expect(world.state.evaluated).toEqual(["round_2"]);
		world.state.failure = null;
		await world.deliver();
		expect(world.state.evaluated).toEqual(["round_2", "evo_1", "round_1"]);
		const { rows } = await world.triggers.firings(ws, {}, { page: 1, pageSize: 9 });
		expect(rows.map((row) => row.outcome)).toEqual(["done", "done"]);
	});
});

describe("a trigger of a person", () => {
	it("fires when its conditions hold, and logs what it stood on either way", async () => {
		await world.save(ws, contentOf("run-finished", find(), { conditions: [is("split", "dev"), { fact: "average", operator: "below", value: 60 }] }));
		await world.finish(ws, "good", 0.8);
		await world.finish(ws, "bad", 0.4117);
		await world.finish(ws, "sealed", 0.1, { split: "holdout" });
		await world.deliver();
		const log = await world.decisions(ws);
		expect(log.map((row) => [row.decision, row.subject.label, row.inputs.average, row.why.kind])).toEqual([
			["condition-not-met", "R-1", 80, "condition"],
			["fired", "R-2", 41.17, "all-met"],
			// The holdout tells no figure, not even whether it is low.
			["condition-not-met", "R-3", null, "condition"],
		]);
		expect(log[1]).toMatchObject({
			outcome: "done",
			result: { finding: { number: 1 } },
			inputs: { suite: "t1", status: "done", landingsSinceTraining: 3, daysSinceTraining: null },
		});
		expect(world.state.findings).toEqual([expect.objectContaining({ title: "Too low", engine: "trigger: Mine" })]);
	});

	it("rests, keeps to its budget, and takes the same delivery once", async () => {
		await world.save(ws, contentOf("run-finished", find(), { coolDownMinutes: 30, budgetPerDay: 2 }));
		const round = async (id: string) => {
			await world.finish(ws, id);
			await world.deliver();
		};
		await round("a");
		world.later(10);
		await round("b");
		world.later(20);
		await round("c");
		world.later(60);
		await round("d");
		world.later(1_300);
		await round("e");
		world.later(60);
		await round("f");
		expect(await said()).toEqual(["fired", "cooling-down", "fired", "over-budget", "over-budget", "fired"]);
		await world.db.outboxEvent.updateMany({ where: { workspaceId: ws }, data: { deliveredAt: null } });
		await world.deliver();
		expect(await said()).toHaveLength(6);
		expect(world.state.findings).toHaveLength(3);
	});

	it("is versioned, audited, and decides in the version that was in force", async () => {
		const { id } = await world.save(ws, contentOf("run-finished", find("First")));
		await world.finish(ws, "a");
		await world.deliver();
		const second = contentOf("run-finished", find("Second"), { conditions: [is("split", "test")] });
		expect(await world.save(ws, second, { id, version: 1, name: "Renamed", reason: "only test" })).toEqual({ id, version: 2 });
		await expect(world.save(ws, second, { id, version: 1 })).rejects.toMatchObject({ reason: "trigger-changed" });
		await world.finish(ws, "b", 0.5, { split: "test" });
		await world.deliver();
		expect((await world.decisions(ws)).map((row) => [row.version, row.decision])).toEqual([
			[1, "fired"],
			[2, "fired"],
		]);
		expect((await world.triggers.versions(ws, id)).map((one) => [one.version, one.name, one.byName, one.reason])).toEqual([
			[2, "Renamed", "Maya", "only test"],
			[1, "Mine", "Maya", null],
		]);
		await world.triggers.delete({ workspaceId: ws, actor: maya, id, version: 2, reason: "done" });
		await world.finish(ws, "c", 0.5, { split: "test" });
		await world.deliver();
		expect(await said()).toHaveLength(2);
		expect((await world.triggers.list(ws)).map((one) => one.key)).toEqual(["landing-dev", "closing-regression"]);
		const { entries } = await world.workspaces.queryAudit(ws, { action: "trigger" }, { page: 1, pageSize: 9 });
		expect(entries.map((entry) => entry.action)).toEqual(["trigger.delete", "trigger.update", "trigger.create"]);
		const stranger = await world.workspace();
		await expect(world.triggers.versions(stranger, id)).rejects.toMatchObject({ reason: "trigger-unknown" });
	});

	it("runs suites on the harness of the event, once, and never answers the runs that it started", async () => {
		const isNotItsOwn = { fact: "startedFor" as const, operator: "is" as const, value: "manual" };
		const suites = { type: "run-suites" as const, suites: ["t2"], split: "dev" as const, variants: 2 };
		await world.save(ws, contentOf("run-finished", suites, { conditions: [isNotItsOwn] }), { name: "Runs" });
		const { id } = await world.save(ws, contentOf("run-finished", find()), { name: "Finds" });
		await world.finish(ws, "first");
		await world.deliver();
		expect(world.state.started).toEqual([
			{ suite: "sv_t1", split: "dev", variants: null, reason: "trigger" },
			{ suite: "sv_t1", split: "dev", variants: "t2", reason: "trigger" },
			{ suite: "sv_t1", split: "dev", variants: "t2", reason: "trigger" },
		]);
		for (const { id: run } of (await world.decisions(ws)).find((row) => row.trigger.name === "Runs")?.result?.runs ?? []) await world.finish(ws, run);
		await world.deliver();
		const log = await world.decisions(ws);
		expect(log.filter((row) => row.trigger.name === "Runs").map((row) => row.decision)).toEqual(["fired", "own-chain", "own-chain", "own-chain"]);
		// Another trigger may follow, and knows that one came before it.
		expect(log.filter((row) => row.trigger.id === id).map((row) => [row.decision, row.depth])).toEqual([
			["fired", 0],
			["fired", 1],
			["fired", 1],
			["fired", 1],
		]);
		expect(world.state.started).toHaveLength(3);
	});

	it("reads the gaps that a run completes, each once", async () => {
		await world.save(ws, contentOf("gap-measured", find("Gap"), { conditions: [above("gap", 10), is("words", "held-out")] }));
		world.state.gaps.set("t2", [
			{ value: 0.2, low: 0.15, words: "transforms" },
			{ value: 0.123456, low: 0.08, words: "held-out" },
		]);
		await world.finish(ws, "t2");
		await world.deliver();
		expect((await world.decisions(ws)).map((row) => [row.decision, row.inputs.gap, row.inputs.gapLow, row.inputs.words])).toEqual([
			["condition-not-met", 20, 15, "transforms"],
			["fired", 12.35, 8, "held-out"],
		]);
	});

	it("measures how far a landed harness is outside what the policy in force was trained on", async () => {
		const content = contentOf("envelope-left", find("Left"), { conditions: [{ fact: "outside", operator: "contains", value: "skillIdentity" }] });
		await world.save(ws, content);
		const land = async () => {
			await world.emit(ws, { type: "proposal.landed", proposalId: "p", evolutionId: "evo_1", commit: "c" });
			await world.deliver();
			return (await world.decisions(ws)).length;
		};
		const file = "skills/glow/SKILL.md";
		const text = LAMP_FILES[file]?.replace("Answers questions about light.", "Tells how bright a lamp shines, and whether it dims.") ?? "";
		world.state.harness = { now: { ...LAMP_FILES, [file]: text }, trained: LAMP_FILES };
		// No training made the policy in force: there is nothing to compare with.
		expect(await land()).toBe(0);
		const trained = (envelope: unknown, policyVersionId: string) => ({
			...{ id: "train_1", status: "done", requestedById: "usr", recipe: "hat", options: {}, policyVersionId },
			...{
				createdAt: world.state.now,
				finishedAt: new Date(world.state.now.getTime() - 86_400_000),
				source: { treeId: "tree", envelope: { content: envelope } },
			},
		});
		world.state.trainings = [trained(narrowEnvelope(DEFAULT_ENVELOPE, []), "pol_other")];
		expect(await land()).toBe(0);
		world.state.trainings = [trained(narrowEnvelope(DEFAULT_ENVELOPE, []), "pol")];
		expect(await land()).toBe(1);
		const [left] = await world.decisions(ws);
		expect(left).toMatchObject({ decision: "fired", event: "envelope-left", inputs: { distance: 1_000, dimensions: 1, outside: "skillIdentity" } });
		expect(left?.inputs.daysSinceTraining).toBeGreaterThan(0);
		world.state.harness.now = LAMP_FILES;
		expect(await land()).toBe(1);
	});

	it("logs an action that cannot be done, and goes on", async () => {
		await world.save(ws, contentOf("evolution-stopped", { type: "start-retraining", recipe: "hat", seed: 1, options: {} }));
		for (let i = 0; i < 2; i++) await world.emit(ws, { type: "evolution.stopped", evolutionId: "evo_1" });
		await world.deliver();
		const log = await world.decisions(ws);
		expect(log.map((row) => [row.decision, row.outcome, row.result?.trainingId ?? row.result?.error?.reason])).toEqual([
			["fired", "done", "train_1"],
			["fired", "failed", "training-running"],
		]);
		expect(log[0]?.inputs).toMatchObject({ strikes: 2, stale: 1 });
	});

	it("takes up after a crash where it was: the training that it started is its own", async () => {
		await world.save(ws, contentOf("evolution-stopped", { type: "start-retraining", recipe: "hat", seed: 1, options: {} }));
		await world.emit(ws, { type: "evolution.stopped", evolutionId: "evo_1" });
		await world.deliver();
		// Killed before it could write what came of it.
		await world.db.triggerFiring.updateMany({ where: { workspaceId: ws }, data: { outcome: "pending", result: {} } });
		await world.db.outboxEvent.updateMany({ where: { workspaceId: ws }, data: { deliveredAt: null } });
		await world.deliver();
		expect(world.state.trainings).toHaveLength(1);
		expect((await world.decisions(ws)).map((row) => [row.outcome, row.result?.trainingId])).toEqual([["done", "train_1"]]);
	});
});
