import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createEvolutionWorld, type EvolutionWorld, people, started } from "./testing/evolution-world";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let world: EvolutionWorld;
beforeAll(async () => {
	world = await createEvolutionWorld();
});
afterAll(() => world.close());

it("opens one finding for each origin, with the failures of a dev run, and a diagnosis leaves it where it is", async () => {
	const { workspaceId, evolution } = world;
	const evolutionId = await started(world);
	const dev = (await evolution.rounds(evolutionId))[0]?.devRunId ?? "";
	const wanted = {
		...{ workspaceId, evolutionId, actor: people.olga, title: "Replies fell", hypothesis: "Something landed." },
		...{ engine: "trigger: Nightly", origin: "fire_1", runId: dev },
	};
	const made = await evolution.openFinding(wanted);
	expect(await evolution.openFinding(wanted)).toEqual(made);
	const bare = await evolution.openFinding({ ...wanted, origin: "fire_2", runId: null });
	expect(bare.number).toBe(made.number + 1);

	await evolution.diagnose({ workspaceId, evolutionId, actor: people.olga });
	await world.runTasks();
	await evolution.diagnose({ workspaceId, evolutionId, actor: people.olga });
	await world.runTasks();
	const found = await evolution.findings({ workspaceId, evolutionId, status: ["proposed"] });
	const own = found.filter((finding) => finding.engine === "trigger: Nightly");
	expect(own.map((finding) => [finding.number, finding.cases, finding.share])).toEqual([
		[made.number, 20, 1],
		[bare.number, 0, 0],
	]);
	expect(own[0]?.examples).toHaveLength(3);
	expect(found.some((finding) => finding.engine === "test-diagnosis")).toBe(true);

	await evolution.decideFinding({ workspaceId, findingId: made.id, actor: people.olga, decision: "accept" });
	const stranger = { ...wanted, workspaceId: "ws_other", origin: "fire_3" };
	await expect(evolution.openFinding(stranger)).rejects.toMatchObject({ reason: "evolution-unknown" });
	await evolution.close({ workspaceId, evolutionId, actor: people.rita });
	await expect(evolution.openFinding({ ...wanted, origin: "fire_4" })).rejects.toMatchObject({ reason: "evolution-closed" });
});
