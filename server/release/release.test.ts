import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { HoldoutCounts } from "@/server/evolution/contract";
import { closed, createEvolutionWorld, type EvolutionWorld, harnessWith, landed, people, proposed, started } from "@/server/evolution/testing/evolution-world";
import { createReleaseGit, createReleaseService, type HoldoutOutcome, type ReleaseService, releaseFacts } from "./index";
import type { ReleaseDeps } from "./ports";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const counts = (delta: number, p: number): HoldoutCounts => ({
	cases: 100,
	accuracy: { fixed: 3, broken: 1, delta, p },
	effectiveness: { fixed: 2, broken: 1, delta, p },
});

let world: EvolutionWorld;
let release: ReleaseService;
let deps: ReleaseDeps;
let holdout: HoldoutOutcome = { status: "done", counts: counts(0.02, 0.6) };

beforeAll(async () => {
	world = await createEvolutionWorld();
	deps = {
		db: world.db,
		clock: world.deps.clock,
		evolution: world.evolution,
		git: createReleaseGit(world.harness, world.deps.clock),
		holdout: {
			start: async () => ["run_h1", "run_h2"],
			read: async () => holdout,
		},
		registry: world.deps.registry,
		people: world.deps.people,
		publish: async () => undefined,
	};
	release = createReleaseService(deps);
	world.deps.listReleases = (workspaceId) => releaseFacts(deps, workspaceId);
	world.deps.countHoldoutReadings = release.holdoutReadings;
});
afterAll(() => world.close());

const main = async () => (await world.harness.head(world.workspaceId, "main")) ?? "";
const outcome = (promise: Promise<unknown>) => promise.then(() => "done").catch((error) => error.reason ?? error);
const overview = (evolutionId: string) =>
	world.evolution.overview({ workspaceId: world.workspaceId, evolutionId, viewer: { id: people.rita.id, roles: ["reviewer"] } });
const filesAt = (revision: string) => world.harness.readFiles(world.workspaceId, revision);

async function roundWith(evolutionId: string, body: string) {
	await landed(world, await proposed(world, evolutionId, body));
	const round = await closed(world, evolutionId);
	if (!round) throw new Error("no round");
	return round;
}

describe("releases", () => {
	let evolutionId: string;
	let first: { id: string; headCommit: string | null };

	it("refuses an open round and one that does not exist", async () => {
		evolutionId = await started(world, "Releases");
		const open = (await world.evolution.rounds(evolutionId)).find((r) => r.status === "open");
		expect(await outcome(release.create({ workspaceId: world.workspaceId, roundId: open?.id ?? "", actor: people.rita }))).toBe("round-not-closed");
		expect(await outcome(release.create({ workspaceId: "wsp_other", roundId: open?.id ?? "", actor: people.rita }))).toBe("round-unknown");
		expect(await outcome(release.previewRollback({ workspaceId: world.workspaceId, target: "base" }))).toBe("release-none");
	});

	it("binds commit, policy, judge, gate and runs; moves main; tags; reads the holdout once and logs it", async () => {
		const { workspaceId } = world;
		first = await roundWith(evolutionId, "fix 70..85\n");
		const preview = await release.preview({ workspaceId, roundId: first.id });
		expect(preview).toMatchObject({
			nextTag: "v1",
			against: "base",
			eligible: true,
			recommended: true,
			gate: { verdict: "inconclusive" },
			holdout: { used: 0, max: 3 },
		});
		expect(preview.diff.map((f) => f.path)).toEqual(["skills/greeting/SKILL.md"]);
		const before = await main();
		// Two clicks at once make one release.
		const both = await Promise.all([1, 2].map(() => outcome(release.create({ workspaceId, roundId: first.id, actor: people.rita }))));
		expect(both).toContain("done");
		const list = await release.list(workspaceId);
		expect(list).toHaveLength(1);
		expect(list[0]).toMatchObject({
			tag: "v1",
			kind: "release",
			current: true,
			commit: first.headCommit,
			round: { name: "Evo.1" },
			gate: { verdict: "pass" },
			override: null,
			policy: { name: "compact" },
			judge: { name: "judge-1" },
			createdBy: { name: "Rita" },
		});
		expect(list[0]?.runs).toHaveLength(2);
		expect(list[0]?.notes).toContain("approved by Rita");
		expect(await main()).toBe(first.headCommit);
		expect(before).not.toBe(await main());
		const repository = await world.harness.repository(workspaceId);
		expect(await repository.resolve("v1")).toBe(first.headCommit);
		expect(await release.holdoutReadings(evolutionId)).toBe(1);
		expect(await release.candidates(workspaceId)).toEqual([]);
		const audit = await world.db.auditEntry.findMany({ where: { action: { in: ["holdout.read", "release.create"] } }, orderBy: { at: "asc" } });
		expect(audit.map((a) => a.action)).toEqual(["holdout.read", "release.create"]);
		expect(await outcome(release.create({ workspaceId, roundId: first.id, actor: people.rita }))).toBe("release-already-live");
		expect(await release.preview({ workspaceId, roundId: first.id })).toMatchObject({ live: true, against: "v1" });
	});

	it("a released round keeps the gate that decided it, and is never compared with itself", async () => {
		const seen = await overview(evolutionId);
		const expected = { tag: "v1", kind: "release", live: "v1", against: "base", by: { name: "Rita" }, gate: { verdict: "pass" } };
		expect(seen.gate).toMatchObject({ candidate: "Evo.1", against: "base", result: { verdict: "pass" }, release: expected });
		expect(seen.headline).toMatchObject({ kind: "recommended", released: "v1", gate: "pass" });
		expect(seen.waiting.map((w) => w.kind)).not.toContain("release");
		const round = await world.evolution.round({ workspaceId: world.workspaceId, round: first.id, viewer: { roles: ["reviewer"] } });
		expect(round.release).toMatchObject(expected);
	});

	it("an inconclusive gate needs a reviewer's written reason, kept on the release", async () => {
		const { workspaceId } = world;
		const round = await roundWith(evolutionId, "fix 70..86\n");
		expect(await release.candidates(workspaceId)).toMatchObject([{ roundId: round.id, name: "Evo.2", evolution: { id: evolutionId, title: "Releases" } }]);
		expect(await release.candidates("wsp_other")).toEqual([]);
		expect(await outcome(release.create({ workspaceId, roundId: round.id, actor: people.rita }))).toBe("gate-inconclusive");
		expect(await outcome(release.create({ workspaceId, roundId: round.id, actor: people.rita, reason: "  " }))).toBe("gate-inconclusive");
		await release.create({ workspaceId, roundId: round.id, actor: people.rita, reason: "Wording only." });
		expect((await release.list(workspaceId))[0]).toMatchObject({
			tag: "v2",
			override: { verdict: "inconclusive", reason: "Wording only.", by: { name: "Rita" } },
		});
		// Nothing of the holdout was spent on it.
		expect(await release.holdoutReadings(evolutionId)).toBe(1);
	});

	it("a failing gate needs an admin's leave and still a release by a reviewer who is somebody else", async () => {
		const { workspaceId } = world;
		const round = await roundWith(evolutionId, "fix 70..86\nbreak 0..12\n");
		const create = (reason?: string) => release.create({ workspaceId, roundId: round.id, actor: people.rita, reason });
		expect(await outcome(create("please"))).toBe("gate-failed");
		await release.giveLeave({ workspaceId, roundId: round.id, actor: { id: "usr_ada", name: "Ada" }, reason: "Legal asked for it." });
		// An admin who has made themselves a reviewer.
		expect(await outcome(release.create({ workspaceId, roundId: round.id, actor: { id: "usr_ada", name: "Ada" }, reason: "Legal asked for it." }))).toBe(
			"release-own-leave",
		);
		expect(await outcome(create())).toBe("done");
		expect((await release.list(workspaceId))[0]).toMatchObject({
			tag: "v3",
			gate: { verdict: "fail" },
			override: { verdict: "fail", by: { id: "usr_ada" }, reason: "Legal asked for it." },
		});
	});

	it("rolls back to exactly the files of a release, as a new release on top, after a typed confirmation", async () => {
		const { workspaceId } = world;
		const preview = await release.previewRollback({ workspaceId, target: "v1" });
		expect(preview).toMatchObject({ current: "v3", nextTag: "v4", confirmation: "v1" });
		expect(preview.diff.map((f) => f.path)).toEqual(["skills/greeting/SKILL.md"]);
		const before = await main();
		const go = (over: object = {}) =>
			release.rollback({
				workspaceId,
				target: "v1",
				actor: people.rita,
				reason: "Complaints.",
				confirmation: "v1",
				treeId: preview.treeId,
				current: preview.current,
				...over,
			});
		expect(await outcome(go({ confirmation: "yes" }))).toBe("rollback-confirmation");
		expect(await outcome(go({ treeId: "0".repeat(40) }))).toBe("rollback-changed");
		expect(await main()).toBe(before);
		// Two people go back at once: one does, the other is told that the release changed meanwhile.
		const both = await Promise.all([outcome(go()), outcome(go({ actor: people.ravi }))]);
		expect(both.filter((one) => one === "done")).toHaveLength(1);
		expect(["release-main-moved", "rollback-changed"]).toContain(both.find((one) => one !== "done"));
		expect((await release.list(workspaceId)).map((one) => one.tag)).toEqual(["v4", "v3", "v2", "v1"]);
		expect(await filesAt("main")).toEqual(await filesAt("v1"));
		const repository = await world.harness.repository(workspaceId);
		// History is kept: what was live is the parent.
		expect(await repository.mergeBase(await main(), before)).toBe(before);
		expect((await release.list(workspaceId))[0]).toMatchObject({
			tag: "v4",
			kind: "rollback",
			restored: "v1",
			treeId: preview.treeId,
			gate: { verdict: "pass" },
		});
		// The round is live again, by another release than its own.
		const restored = (await overview(evolutionId)).rounds.find((r) => r.id === first.id);
		expect(restored?.released.map((r) => [r.tag, r.current])).toEqual([
			["v1", false],
			["v4", true],
		]);
		expect(await outcome(release.previewRollback({ workspaceId, target: "v9" }))).toBe("release-unknown");
	});

	it("goes back to what was live before the first release", async () => {
		const { workspaceId } = world;
		const preview = await release.previewRollback({ workspaceId, target: "base" });
		await release.rollback({
			workspaceId,
			target: "base",
			actor: people.rita,
			reason: "All of it.",
			confirmation: "base",
			treeId: preview.treeId,
			current: "v4",
		});
		expect(await filesAt("main")).toEqual(harnessWith());
	});

	it("releases after a rollback hold exactly what was evaluated, without rewriting history", async () => {
		const { workspaceId } = world;
		const before = await main();
		expect((await release.preview({ workspaceId, roundId: first.id })).against).toBe("v5");
		await release.create({ workspaceId, roundId: first.id, actor: people.rita });
		expect(await filesAt("main")).toEqual(await filesAt(first.headCommit ?? ""));
		const repository = await world.harness.repository(workspaceId);
		expect(await repository.mergeBase(await main(), before)).toBe(before);
	});

	it("gives machines the same bytes for the same release, with digest and manifest", async () => {
		const { workspaceId } = world;
		const [a, b, current] = await Promise.all(["v1", "v1", "current"].map((tag) => release.fetch({ workspaceId, slug: "test", tag })));
		expect(a?.archive.equals(b?.archive ?? Buffer.of())).toBe(true);
		expect(a?.manifest).toMatchObject({
			tag: "v1",
			digest: `sha256:${a?.digest}`,
			commit: first.headCommit,
			policy: { name: "compact" },
			gate: { verdict: "pass", overridden: false },
		});
		expect(current?.manifest.tag).toBe("v6");
		expect(await outcome(release.fetch({ workspaceId, slug: "test", tag: "v99" }))).toBe("release-unknown");
	});

	it("finishes a release that died before main moved, and takes back one whose place was taken", async () => {
		const { workspaceId } = world;
		const current = (await world.db.release.findFirst({ where: { workspaceId }, orderBy: { number: "desc" } })) ?? undefined;
		if (!current) throw new Error("no release");
		const commit = await deps.git.writeCommit(workspaceId, {
			filesOf: "v2",
			parents: [current.commit],
			message: { subject: "Pending", body: "", trailers: {}, author: people.rita },
			at: new Date(),
		});
		const pending = (id: string, mainBefore: string) =>
			world.db.release.create({
				data: {
					...current,
					id,
					number: current.number + 1,
					tag: `v${current.number + 1}`,
					status: "pending",
					commit,
					mainBefore,
					gate: current.gate ?? {},
					phrases: {},
					override: undefined,
				},
			});
		await pending("rel_pending", current.commit);
		expect((await release.list(workspaceId))[0]).toMatchObject({ tag: "v7", commit });
		expect(await main()).toBe(commit);
		await world.db.release.create({
			data: {
				...current,
				id: "rel_stale",
				number: 8,
				tag: "v8",
				status: "pending",
				commit: first.headCommit ?? "",
				mainBefore: current.mainBefore,
				phrases: {},
				gate: current.gate ?? {},
				override: undefined,
			},
		});
		expect((await release.list(workspaceId))[0]).toMatchObject({ tag: "v7" });
		expect(await main()).toBe(commit);
		expect(await world.db.release.count({ where: { id: "rel_stale" } })).toBe(0);
	});
});

describe("the holdout", () => {
	it("vetoes, and is read at most three times an evolution", async () => {
		const { workspaceId } = world;
		await world.db.gatePolicy.deleteMany({});
		const evolutionId = await started(world, "Holdout");
		holdout = { status: "running" };
		const rounds: { id: string }[] = [];
		for (const to of [92, 94, 96, 98]) rounds.push(await roundWith(evolutionId, `fix 66..${to}\n`));
		const create = (i: number) => release.create({ workspaceId, roundId: rounds[i]?.id ?? "", actor: people.rita });
		expect(await outcome(create(0))).toBe("release-evaluating");
		expect(await outcome(create(0))).toBe("release-evaluating");
		expect(await release.holdoutReadings(evolutionId)).toBe(1);
		holdout = { status: "done", counts: counts(-0.08, 0.01) };
		expect(await outcome(create(0))).toBe("gate-failed");
		expect(await outcome(create(1))).toBe("gate-failed");
		expect(await outcome(create(2))).toBe("gate-failed");
		expect(await outcome(create(3))).toBe("gate-inconclusive");
		expect(await release.holdoutReadings(evolutionId)).toBe(3);
	});
});
