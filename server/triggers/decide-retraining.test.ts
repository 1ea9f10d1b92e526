import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { contentOf, createTriggerWorld, type TriggerWorld, zhou } from "./testing/trigger-world";

let world: TriggerWorld;
let ws: string;
beforeAll(async () => {
	world = await createTriggerWorld();
});
beforeEach(async () => {
	ws = await world.reset();
});
afterAll(() => world.drop());

const propose = { type: "propose-retraining" as const, recipe: "hat" as const, seed: 3, options: { sftEpochs: 2 } };

const proposed = async () => {
	await world.save(ws, contentOf("evolution-stopped", propose));
	await world.emit(ws, { type: "evolution.stopped", evolutionId: "evo_1" });
	await world.deliver();
	const [proposal] = await world.triggers.retrainings(ws);
	if (!proposal) throw new Error("nothing was proposed");
	return proposal;
};

it("a proposal waits for a person, one at a time, and starts when it is confirmed", async () => {
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

it("it waits on where another training is not over, and can be rejected", async () => {
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
