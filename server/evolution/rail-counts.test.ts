import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createWorkspaceService } from "@/server/workspace";
import { createEvolutionWorld, type EvolutionWorld, people, started } from "./testing/evolution-world";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let world: EvolutionWorld;
beforeAll(async () => {
	world = await createEvolutionWorld();
});
afterAll(() => world.close());

it("the rail counts the open findings of the evolution that the Findings page opens", async () => {
	const { workspaceId, evolution, db } = world;
	const diagnosed = async (title: string) => {
		const evolutionId = await started(world, title);
		await evolution.diagnose({ workspaceId, evolutionId, actor: people.olga });
		await world.runTasks();
		return evolutionId;
	};
	const badge = async () =>
		(await createWorkspaceService(db).readFrame(workspaceId, people.olga.id, { edit: true, review: false, train: false })).counts.findings;
	const page = async () => {
		const seen = await evolution.overview({ workspaceId, viewer: { id: people.olga.id, roles: ["operator"] } });
		return seen.counts.findingsOpen;
	};
	// Left open, with findings that nobody decided, as when a loop starts an evolution of its own beside it.
	await diagnosed("First");
	expect(await badge()).toBeGreaterThan(0);
	expect(await badge()).toBe(await page());

	await started(world, "Second");
	expect(await page()).toBe(0);
	expect(await badge()).toBe(0);
});
