import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { closed, createEvolutionWorld, type EvolutionWorld, landed, people, proposed, started } from "@/server/evolution/testing/evolution-world";
import { createReleaseGit, createReleaseService, type ReleaseService, releaseFacts } from "./index";
import type { ReleaseDeps } from "./ports";

/* Two people at once, on a real database and real repositories; each race is run several times, so that both orders occur. */

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const ROUNDS = ["fix 70..80\n", "fix 70..90\n", "fix 70..99\n"];
const REASON = "It is needed today.";

let world: EvolutionWorld;
let release: ReleaseService;
let rounds: { id: string }[];

beforeAll(async () => {
	world = await createEvolutionWorld();
	const counts = { fixed: 3, broken: 1, delta: 0.02, p: 0.6 };
	const deps: ReleaseDeps = {
		db: world.db,
		clock: world.deps.clock,
		evolution: world.evolution,
		git: createReleaseGit(world.harness, world.deps.clock),
		holdout: {
			start: async () => ["run_h1", "run_h2"],
			read: async () => ({ status: "done", counts: { cases: 100, accuracy: counts, effectiveness: counts } }),
		},
		registry: world.deps.registry,
		people: world.deps.people,
		publish: async () => undefined,
	};
	release = createReleaseService(deps);
	world.deps.listReleases = (workspaceId) => releaseFacts(deps, workspaceId);
	world.deps.countHoldoutReadings = release.holdoutReadings;
	const evolutionId = await started(world, "Races");
	rounds = [];
	for (const body of ROUNDS) {
		await landed(world, await proposed(world, evolutionId, body));
		const round = await closed(world, evolutionId);
		if (round) rounds.push(round);
	}
});
afterAll(() => world.close());

const outcome = (promise: Promise<{ tag: string }>) => promise.then(({ tag }) => tag).catch((error) => error.reason ?? error);
const make = (round: number, actor = people.rita, against?: string) =>
	outcome(release.create({ workspaceId: world.workspaceId, roundId: rounds[round]?.id ?? "", actor, reason: REASON, against }));

/** What is worse than what is live needs an admin's leave: given before the race, so that the race alone decides. */
async function ready(round: number) {
	const { workspaceId } = world;
	const roundId = rounds[round]?.id ?? "";
	const { gate } = await release.preview({ workspaceId, roundId });
	if (gate.verdict === "fail") await release.giveLeave({ workspaceId, roundId, actor: people.oscar, reason: REASON });
}

async function goBack(target: string) {
	const { workspaceId } = world;
	const { treeId, current } = await release.previewRollback({ workspaceId, target });
	return () => outcome(release.rollback({ workspaceId, target, actor: people.ravi, reason: REASON, confirmation: target, treeId, current }));
}

const newest = () => world.db.release.findFirst({ where: { workspaceId: world.workspaceId }, orderBy: { number: "desc" } });

/** Rows, tags and `main` tell one story: nothing pending, a tag for every release on its commit, `main` on the newest, history never rewritten. */
async function expectConsistent(made: number) {
	const { workspaceId } = world;
	const repository = await world.harness.repository(workspaceId);
	const rows = await world.db.release.findMany({
		where: { workspaceId },
		orderBy: { number: "asc" },
		select: { tag: true, commit: true, treeId: true, status: true },
	});
	expect(rows.map((row) => row.tag)).toEqual(Array.from({ length: made }, (_, i) => `v${i + 1}`));
	expect(new Set(rows.map((row) => row.status))).toEqual(new Set(["made"]));
	for (const row of rows) {
		expect(await repository.resolve(row.tag)).toBe(row.commit);
		expect(await repository.treeOf(row.commit)).toBe(row.treeId);
		expect(await repository.mergeBase(row.commit, "main")).toBe(row.commit);
	}
	expect(await repository.head("main")).toBe(rows.at(-1)?.commit);
}

const CONFLICT = /^(release-main-moved|rollback-changed)$/;
/** One of two won with the next tag, the other was told that something else came first. */
function expectOneWinner(results: string[], tag: string) {
	expect(results.filter((one) => one === tag)).toHaveLength(1);
	expect(
		results.filter((one) => CONFLICT.test(one)),
		results.join(" / "),
	).toHaveLength(1);
}

describe("at once", () => {
	it("two rounds are released: one wins, the other gets a clear conflict", async () => {
		// Which round is live decides which two are free.
		let made = 0;
		for (const at of [undefined, 0, 1, 2] as const) {
			if (at !== undefined && (await newest())?.roundId !== rounds[at]?.id) {
				await ready(at);
				expect(await make(at)).toBe(`v${++made}`);
			}
			const live = (await newest())?.tag ?? "base";
			const [one, other] = [0, 1, 2].filter((round) => round !== at);
			await ready(one ?? 0);
			await ready(other ?? 1);
			const results = await Promise.all([make(one ?? 0, people.rita, live), make(other ?? 1, people.ravi, live)]);
			expectOneWinner(results, `v${++made}`);
			await expectConsistent(made);
		}
	});

	it("a rollback and a release: one wins, the other gets a clear conflict, and can be done after it", async () => {
		let made = await world.db.release.count();
		for (let time = 0; time < 3; time++) {
			const live = await newest();
			const free = rounds.findIndex((round) => round.id !== live?.roundId);
			const release = () => make(free, people.rita, live?.tag);
			await ready(free);
			const back = await goBack("base");
			const results = time % 2 === 0 ? await Promise.all([back(), release()]) : await Promise.all([release(), back()]);
			expectOneWinner(results, `v${++made}`);
			await expectConsistent(made);
			// The loser looks again and does it, on top of what won; at the end a release is live.
			if ((await newest())?.kind === "release") expect(await (await goBack("base"))()).toBe(`v${++made}`);
			await ready(free);
			expect(await make(free)).toBe(`v${++made}`);
			await expectConsistent(made);
		}
	});

	it("two rollbacks of different people: one wins", async () => {
		let made = await world.db.release.count();
		const treeId = (await newest())?.treeId;
		const other = await world.db.release.findFirst({ where: { kind: "release", treeId: { not: treeId ?? "" } } });
		const both = await Promise.all([goBack("base"), goBack(other?.tag ?? "")]);
		expectOneWinner(await Promise.all(both.map((go) => go())), `v${++made}`);
		await expectConsistent(made);
	});
});
