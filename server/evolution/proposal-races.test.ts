import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createEvolutionWorld, type EvolutionWorld, people, proposed, SKILL, started } from "./testing/evolution-world";

/* Two people at one proposal at once; each race is run several times, so that both orders occur. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const TIMES = 4;
const ROLE = "prompts/role.md";
const role = (text: string) => `---\ntitle: Role\n---\n${text}\n`;

let world: EvolutionWorld;
let evolutionId: string;

beforeAll(async () => {
	world = await createEvolutionWorld();
	evolutionId = await started(world, "Races");
});
afterAll(() => world.close());

const outcome = (promise: Promise<unknown>) => promise.then(() => "done").catch((error) => error.reason ?? error);
const read = (proposal: string) => world.evolution.proposal({ workspaceId: world.workspaceId, proposal, viewer: { id: people.rita.id, roles: ["reviewer"] } });
const save = (proposalId: string, actor: (typeof people)[keyof typeof people], expectedIndex: number, changes: Record<string, string>) =>
	outcome(world.evolution.saveRevision({ workspaceId: world.workspaceId, proposalId, actor, expectedIndex, changes }));
const filesOf = async (proposalId: string) => world.harness.readFiles(world.workspaceId, (await read(proposalId)).revisions.at(-1)?.commit ?? "");

describe("at once", () => {
	it("two people save the same revision: one is kept, the other is told, saves again on top of it, and nothing entered is lost", async () => {
		for (let time = 0; time < TIMES; time++) {
			const { id } = await world.evolution.createProposal({
				workspaceId: world.workspaceId,
				evolutionId,
				actor: people.olga,
				title: `Two editors ${time}`,
				changes: { [ROLE]: role("Zero.") },
				manifest: {},
			});
			const texts = { olga: { [ROLE]: role(`Olga ${time}.`) }, oscar: { "README.md": `Oscar ${time}\n` } };
			const results = await Promise.all([save(id, people.olga, 1, texts.olga), save(id, people.oscar, 1, texts.oscar)]);
			expect([...results].sort()).toEqual(["done", "revision-stale"]);
			const loser = results[0] === "done" ? "oscar" : "olga";
			const { revisions } = await read(id);
			expect(revisions.map((one) => one.index)).toEqual([1, 2]);
			expect(await save(id, people[loser], 2, texts[loser])).toBe("done");
			expect(await filesOf(id)).toMatchObject({ ...texts.olga, ...texts.oscar });
			expect((await read(id)).authors.map((one) => one.name).sort()).toEqual(["Olga", "Oscar"]);
		}
	});

	it("an author saves while a reviewer lands: what lands is what was reviewed, or nothing lands", async () => {
		for (let time = 0; time < TIMES; time++) {
			const proposal = await proposed(world, evolutionId, `line ${time} of the race\n`);
			const reviewed = await filesOf(proposal.id);
			const landing = () =>
				outcome(
					world.evolution.land({
						workspaceId: world.workspaceId,
						proposalId: proposal.id,
						revisionId: proposal.revisions.at(-1)?.id ?? "",
						actor: people.rita,
					}),
				);
			const saving = () => save(proposal.id, people.olga, 1, { [SKILL]: `${reviewed[SKILL]}- not reviewed ${time}\n` });
			const results = time % 2 === 0 ? await Promise.all([landing(), saving()]) : (await Promise.all([saving(), landing()])).reverse();
			const [land, saved] = results;
			expect([land, saved].filter((one) => one === "done")).toHaveLength(1);
			await world.deliver();
			const { branch } = await world.db.evolution.findUniqueOrThrow({ where: { id: evolutionId }, select: { branch: true } });
			const live = await world.harness.readFiles(world.workspaceId, branch);
			expect(live[SKILL]).not.toContain(`not reviewed ${time}`);
			expect(live[SKILL]?.includes(`line ${time} of the race`)).toBe(land === "done");
			expect((await read(proposal.id)).status).toBe(land === "done" ? "landed" : "draft");
		}
	});
});
