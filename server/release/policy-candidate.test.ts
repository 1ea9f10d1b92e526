import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { DEFAULT_ENVELOPE } from "@/server/augmentation/envelope";
import { planSuite } from "@/server/evaluation";
import { closed, createEvolutionWorld, type EvolutionWorld, landed, people, proposed, started } from "@/server/evolution/testing/evolution-world";
import { createReleaseGit, createReleaseService, type ReleaseService, releaseFacts } from "./index";
import type { ReleaseDeps } from "./ports";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

let world: EvolutionWorld;
let release: ReleaseService;
const BETTER = "pol_better";
const WORSE = "pol_worse";
const NAMES: Record<string, string> = { pol_1: "compact", [BETTER]: "hat", [WORSE]: "fixed" };

beforeAll(async () => {
	world = await createEvolutionWorld();
	world.evaluation.policies.set(BETTER, "fix 70..85").set(WORSE, "break 10..40");
	world.evaluation.plans = planSuite("t2", DEFAULT_ENVELOPE, 1, null);
	const deps: ReleaseDeps = {
		db: world.db,
		clock: world.deps.clock,
		evolution: world.evolution,
		git: createReleaseGit(world.harness, world.deps.clock),
		holdout: { start: async () => null, read: async () => ({ status: "running" }) },
		registry: {
			...world.deps.registry,
			// As the registry has it: the checkpoint that is released, else the embedded policy.
			async currentPolicy(workspaceId) {
				const id = (await releaseFacts(deps, workspaceId)).at(-1)?.policyVersionId;
				return { id: id && id !== "pol_1" ? id : "pol_1" };
			},
			async describe({ policyVersionId: id }) {
				return {
					policy: { id, name: NAMES[id] ?? id, kind: id === "pol_1" ? "compact" : "checkpoint" },
					judge: { id: "jud_1", name: "judge-1", engine: "rubric" },
				};
			},
		},
		people: world.deps.people,
		publish: async () => undefined,
	};
	world.deps.registry = { ...world.deps.registry, ...deps.registry };
	release = createReleaseService(deps);
	world.deps.listReleases = (workspaceId) => releaseFacts(deps, workspaceId);
	world.deps.countHoldoutReadings = release.holdoutReadings;
});
afterAll(() => world.close());

const outcome = (promise: Promise<unknown>) => promise.then(() => "done").catch((error) => error.reason ?? error);
const main = async () => (await world.harness.head(world.workspaceId, "main")) ?? "";

it("compares a policy with the one in force over every suite, gates it like a round, and releases it on the same files", async () => {
	const { workspaceId } = world;
	const before = await release.previewPolicy({ workspaceId, policyVersionId: BETTER });
	expect(before).toMatchObject({
		policy: { name: "hat" },
		current: { name: "compact" },
		inForce: false,
		against: "base",
		nextTag: "v1",
		gate: { verdict: "inconclusive" },
	});
	expect(before.gate.checks.find(({ id }) => id === "suites-decisive")).toMatchObject({
		ok: null,
		detail: expect.stringContaining("run when the release is made"),
	});
	expect(before.rows.map(({ suite, row, split, state }) => [suite, row, split, state])).toEqual([
		["t1", null, "dev", "none"],
		["t1", null, "test", "none"],
		["t2", "inside-envelope", "test", "none"],
		["t2", "held-out-paraphrases", "test", "none"],
	]);
	await release.evaluatePolicy({ workspaceId, policyVersionId: BETTER, actor: people.olga });
	const measured = await release.previewPolicy({ workspaceId, policyVersionId: BETTER });
	expect(measured.rows.every(({ state, comparison }) => state === "done" && comparison?.accuracy.verdict === "improved")).toBe(true);
	// Only the holdout is open, which the release itself reads; here no case is sealed.
	expect(measured.gate.checks.filter(({ ok }) => ok !== true).map(({ id }) => id)).toEqual(["holdout"]);
	const commit = await main();
	expect(await outcome(release.releasePolicy({ workspaceId, policyVersionId: BETTER, actor: people.rita }))).toBe("gate-inconclusive");
	await release.releasePolicy({ workspaceId, policyVersionId: BETTER, actor: people.rita, reason: "no case is sealed here" });
	const [live] = await release.list(workspaceId);
	expect(live).toMatchObject({ tag: "v1", kind: "policy", current: true, commit, policy: { name: "hat" }, round: null, override: { verdict: "inconclusive" } });
	expect(live?.notes).toContain("hat acts in place of compact");
	expect(live?.runs.length).toBeGreaterThan(1);
	expect(await main()).toBe(commit);
	expect(await outcome(release.releasePolicy({ workspaceId, policyVersionId: BETTER, actor: people.rita }))).toBe("policy-already-live");
	expect(await outcome(release.evaluatePolicy({ workspaceId, policyVersionId: BETTER, actor: people.rita }))).toBe("policy-already-live");
});

it("refuses a policy that loses, until an admin gives leave for exactly this pair", async () => {
	const { workspaceId } = world;
	const input = { workspaceId, policyVersionId: WORSE, actor: people.rita };
	expect(await outcome(release.releasePolicy({ ...input, reason: "I want it" }))).toBe("gate-failed");
	await release.givePolicyLeave({ ...input, actor: people.ravi, reason: "a drill" });
	expect((await release.previewPolicy(input)).leave).toMatchObject({ by: { name: "Ravi" }, reason: "a drill" });
	expect(await outcome(release.releasePolicy({ ...input, actor: people.ravi }))).toBe("release-own-leave");
	await release.releasePolicy(input);
	expect((await release.list(workspaceId))[0]).toMatchObject({ tag: "v2", policy: { name: "fixed" }, override: { verdict: "fail" } });
});

it("goes back to the policy of an earlier release, and to the one before the first, with the same files", async () => {
	const { workspaceId } = world;
	const back = async (target: string) => {
		const { treeId, current, diff } = await release.previewRollback({ workspaceId, target });
		expect(diff).toEqual([]);
		return release.rollback({ workspaceId, target, confirmation: target, treeId, current, reason: "a drill", actor: people.rita });
	};
	await back("v1");
	expect((await release.list(workspaceId))[0]).toMatchObject({ tag: "v3", kind: "rollback", policy: { name: "hat" } });
	expect(await outcome(back("v1"))).toBe("release-already-live");
	await back("base");
	expect((await release.list(workspaceId))[0]).toMatchObject({ tag: "v4", policy: { name: "compact" } });
	const compared = await release.compare({ workspaceId, from: "v2", to: "v1" });
	expect(compared).toMatchObject({ diff: [], policyChanged: true, comparison: { accuracy: { verdict: "improved" } } });
});

it("a round that is released keeps the checkpoint in force: its gate compares both harnesses under it", async () => {
	const { workspaceId } = world;
	const evolutionId = await started(world, "With a checkpoint");
	expect((await world.evolution.getEvolution(evolutionId)).policyVersionId).toBe("pol_1");
	await landed(world, await proposed(world, evolutionId, "fix 86..99\n"));
	const round = await closed(world, evolutionId);
	await release.releasePolicy({ workspaceId, policyVersionId: BETTER, actor: people.rita, reason: "no case is sealed here" });
	await release.create({ workspaceId, roundId: round?.id ?? "", actor: people.rita, reason: "no case is sealed here" });
	const [live] = await release.list(workspaceId);
	expect(live).toMatchObject({ kind: "release", policy: { name: "hat" }, round: { name: "Evo.1" } });
	const runs = await world.evaluation.findRuns(live?.runs.map(({ id }) => id) ?? []);
	expect(new Set(runs.map(({ policyVersionId }) => policyVersionId))).toEqual(new Set([BETTER]));
});

it("a closing round runs T2 on its test cases, and the gap stands beside its point; the baseline does without", async () => {
	const { workspaceId } = world;
	const [evolution] = await world.db.evolution.findMany({ where: { workspaceId }, select: { id: true } });
	const overview = await world.evolution.overview({ workspaceId, evolutionId: evolution?.id ?? "", viewer: { id: "usr_olga", roles: ["viewer"] } });
	expect(overview.rounds[0]?.robustness).toEqual([]);
	expect(overview.rounds[1]?.robustness.map(({ row, status, variants }) => [row, status, variants])).toEqual([
		["inside-envelope", "done", 1],
		["held-out-paraphrases", "done", 1],
	]);
	// The scripted harness scores alike under every variant: the gap is 0, with an interval around it.
	expect(overview.gap).toMatchObject({ round: "Evo.1", cases: 120, measuring: false, avg: { value: 0 }, heldOut: { value: 0 } });
	expect(overview.gap?.avg.low).toBeLessThan(0);
});

it("what editing has come to is of the policy in force, where an evolution has it", async () => {
	const { workspaceId } = world;
	const record = async () => (await world.evolution.editRecord({ workspaceId, rounds: 3, attempts: 2 }))?.title;
	expect(await record()).toBe("With a checkpoint");
	await started(world, "Under hat");
	await world.evolution.start({ workspaceId, actor: people.olga, title: "Under compact", policyVersionId: "pol_1" });
	expect(await record()).toBe("Under hat");
});
