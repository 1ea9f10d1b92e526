import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "@/server/kernel/errors";
import { above, contentOf, createTriggerWorld, is, maya, type TriggerWorld, zhou } from "./testing/trigger-world";
import { tickSchedules } from "./tick-schedules";

let world: TriggerWorld;
let ws: string;
beforeAll(async () => {
	world = await createTriggerWorld();
});
beforeEach(async () => {
	ws = await world.workspace();
	Object.assign(world.state, { now: new Date("2026-11-30T12:00:00Z"), sent: [], started: [], trainings: [], evaluated: [], findings: [], failure: null });
	world.state.runs.clear();
	world.state.gaps.clear();
});
afterAll(() => world.drop());

const later = (minutes: number) => {
	world.state.now = new Date(world.state.now.getTime() + minutes * 60_000);
};
const propose = { type: "propose-retraining" as const, recipe: "hat" as const, seed: 3, options: { sftEpochs: 2 } };
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
		later(10);
		await round("b");
		later(20);
		await round("c");
		later(60);
		await round("d");
		later(1_300);
		await round("e");
		later(60);
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

describe("a retraining that a trigger proposes", () => {
	const proposed = async () => {
		await world.save(ws, contentOf("evolution-stopped", propose));
		await world.emit(ws, { type: "evolution.stopped", evolutionId: "evo_1" });
		await world.deliver();
		const [proposal] = await world.triggers.retrainings(ws);
		if (!proposal) throw new Error("nothing was proposed");
		return proposal;
	};

	it("waits for a person, one at a time, and starts when it is confirmed", async () => {
		const proposal = await proposed();
		expect(proposal).toMatchObject({ status: "pending", recipe: "hat", seed: 3, options: { sftEpochs: 2 }, event: "evolution-stopped", facts: { strikes: 2 } });
		await world.emit(ws, { type: "evolution.stopped", evolutionId: "evo_1" });
		await world.deliver();
		expect((await world.decisions(ws))[1]?.result?.retraining).toEqual({ id: proposal.id, already: true });
		expect(world.state.trainings).toEqual([]);

		const decision = { workspaceId: ws, id: proposal.id, actor: zhou, note: "the gap is real" };
		const both = await Promise.allSettled([world.triggers.confirmRetraining(decision), world.triggers.confirmRetraining(decision)]);
		expect(both.map((one) => (one.status === "fulfilled" ? one.value.trainingId : one.reason.reason)).sort()).toEqual(["retraining-decided", "train_1"]);
		expect(await world.triggers.retrainings(ws)).toEqual([
			expect.objectContaining({ id: proposal.id, status: "confirmed", decidedBy: "Zhou Min", note: "the gap is real", trainingId: "train_1" }),
		]);
		expect(world.state.trainings).toEqual([expect.objectContaining({ requestedById: "usr_zhou", options: { sftEpochs: 2 } })]);
		await expect(world.triggers.rejectRetraining(decision)).rejects.toMatchObject({ reason: "retraining-decided" });
		const { entries } = await world.workspaces.queryAudit(ws, { action: "retraining" }, { page: 1, pageSize: 9 });
		expect(entries.map((entry) => [entry.action, entry.actorName, entry.reason])).toEqual([["retraining.confirm", "Zhou Min", "the gap is real"]]);
	});

	it("waits on where another training is not over, and can be rejected", async () => {
		const proposal = await proposed();
		world.state.trainings.push({
			id: "train_x",
			status: "running",
			requestedById: "usr",
			createdAt: world.state.now,
			finishedAt: null,
			recipe: "hat",
			options: {},
		});
		const decision = { workspaceId: ws, id: proposal.id, actor: zhou };
		await expect(world.triggers.confirmRetraining(decision)).rejects.toMatchObject({ reason: "training-running" });
		expect(await world.triggers.retrainings(ws)).toEqual([expect.objectContaining({ status: "pending", decidedBy: null, trainingId: null })]);
		await world.triggers.rejectRetraining({ ...decision, note: "later" });
		expect(await world.triggers.retrainings(ws)).toEqual([expect.objectContaining({ status: "rejected", note: "later" })]);
		// The next one may be proposed.
		await world.emit(ws, { type: "evolution.stopped", evolutionId: "evo_1" });
		await world.deliver();
		expect((await world.triggers.retrainings(ws)).map((one) => one.status)).toEqual(["pending", "rejected"]);
		await expect(world.triggers.confirmRetraining({ ...decision, workspaceId: await world.workspace() })).rejects.toMatchObject({
			reason: "retraining-unknown",
		});
	});
});

describe("a schedule", () => {
	const nine = { cron: "0 9 * * *", timeZone: "UTC" };
	it("fires at its time through the event log, once, however many look; missed times are one", async () => {
		const { id } = await world.save(ws, contentOf("schedule", find("Morning"), { schedule: nine }));
		const tick = async () => {
			await Promise.all([tickSchedules(world.deps), tickSchedules(world.deps)]);
			await world.deliver();
		};
		await tick();
		expect(await said()).toEqual([]);
		later(21 * 60);
		await tick();
		await tick();
		expect((await world.decisions(ws)).map((row) => [row.decision, row.subject.label])).toEqual([["fired", "2026-12-01T09:00:00.000Z"]]);
		later(3 * 1_440 + 5);
		await tick();
		expect(await said()).toHaveLength(2);
		expect((await world.triggers.list(ws)).find((one) => one.id === id)?.dueAt?.toISOString()).toBe("2026-12-05T09:00:00.000Z");
		await world.triggers.switch({ workspaceId: ws, actor: maya, id, enabled: false, version: 1 });
		later(1_440);
		await tick();
		expect(await said()).toHaveLength(2);
		expect(world.triggers.nextTimes(nine).map((at) => at.toISOString())).toEqual([
			"2026-12-06T09:00:00.000Z",
			"2026-12-07T09:00:00.000Z",
			"2026-12-08T09:00:00.000Z",
		]);
	});
});

describe("a machine's call", () => {
	const call = (triggerId: string, key: string | null, payload: Record<string, unknown> | null = null) =>
		world.triggers.call({ workspaceId: ws, triggerId, caller: { tokenId: "tok_1", name: "ci" }, key, payload });

	it("is one event for each key, audited, and only for a trigger that follows calls", async () => {
		const { id } = await world.save(ws, contentOf("api-call", find("Called")));
		const { id: deaf } = await world.save(ws, contentOf("run-finished", find()), { name: "Deaf" });
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

	it("is refused when it comes too often", async () => {
		world.state.now = new Date();
		const { id } = await world.save(ws, contentOf("api-call", find("Called")));
		for (let i = 0; i < 30; i++) await call(id, null);
		await expect(call(id, null)).rejects.toMatchObject({ code: "rate-limited", reason: "trigger-calls" });
	});
});
