import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { closed, createEvolutionWorld, type EvolutionWorld, landed, people, proposed, started } from "./testing/evolution-world";

// Each step starts git processes that wait for the disk.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let world: EvolutionWorld;
beforeAll(async () => {
	world = await createEvolutionWorld();
});
afterAll(() => world.close());

const reason = (promise: Promise<unknown>) => promise.then(() => "done").catch((error) => error.reason ?? error);
const overview = (evolutionId: string, roles: ("reviewer" | "operator" | "viewer")[] = ["reviewer"]) =>
	world.evolution.overview({ workspaceId: world.workspaceId, evolutionId, viewer: { id: people.rita.id, roles } });

describe("a campaign", () => {
	it("starts with a baseline on dev and test, improves, strikes twice and stops; a reviewer reopens it", async () => {
		const id = await started(world, "Whole loop");
		const { workspaceId, evolution } = world;
		expect((await overview(id)).headline).toEqual({ kind: "baseline-only" });

		// Evo.1: 15 points better.
		await landed(world, await proposed(world, id, "fix 70..85\n"));
		const first = await closed(world, id);
		expect(first).toMatchObject({ status: "closed", standing: { eligible: true, effect: "anchor", anchorAfter: "Evo.1", stopped: false } });

		// Evo.2 and Evo.3: worse than the anchor.
		await landed(world, await proposed(world, id, "fix 70..85\nbreak 0..8\n"));
		expect((await closed(world, id))?.standing).toMatchObject({ effect: "strike", strikes: 1, anchorAfter: "Evo.1", eligible: true });
		await landed(world, await proposed(world, id, "fix 70..85\nbreak 0..10\n"));
		expect((await closed(world, id))?.standing).toMatchObject({ effect: "strike", strikes: 2, stopped: true });

		const seen = await overview(id);
		expect(seen.evolution?.status).toBe("stopped");
		expect(seen.earlyStop).toMatchObject({ stopped: true, stoppedAfter: "Evo.3", strikes: 2, anchor: "Evo.1", sparse: { alone: 3, failures: 4 } });
		expect(seen.headline).toMatchObject({ kind: "recommended", round: "Evo.1", released: null });
		expect(seen.rounds.map((r) => [r.name, r.recommended, r.stopped])).toEqual([
			["base", false, false],
			["Evo.1", true, false],
			["Evo.2", false, false],
			["Evo.3", false, true],
			["Evo.4", false, false],
		]);
		expect(seen.waiting.map((w) => [w.kind, w.mine])).toContainEqual(["reopen-or-close", true]);
		expect((await overview(id, ["viewer"])).waiting.every((w) => !w.mine)).toBe(true);

		// Nothing lands while it is stopped.
		const late = await proposed(world, id, "fix 70..95\n");
		expect(late.may.land.reasons).toEqual(["evolution-stopped"]);
		expect(await reason(landed(world, late))).toBe("evolution-stopped");
		await evolution.reopen({ workspaceId, evolutionId: id, actor: people.rita, reason: "One idea is left." });
		await landed(world, late);
		// The count starts again; the anchor stays Evo.1.
		expect((await closed(world, id))?.standing).toMatchObject({ effect: "anchor", againstAnchor: { anchor: "Evo.1" }, strikes: 0, stopped: false });
		const audit = await world.db.auditEntry.findMany({ where: { action: "evolution.reopen" } });
		expect(audit).toMatchObject([{ actorName: "Rita", reason: "One idea is left." }]);
	});

	it("refuses to close a round in which nothing landed, and closes once however often it is asked", async () => {
		const id = await started(world, "Empty round");
		const open = (await world.evolution.rounds(id)).find((r) => r.status === "open");
		const close = () => world.evolution.closeRound({ workspaceId: world.workspaceId, roundId: open?.id ?? "", actor: people.rita });
		expect(await reason(close())).toBe("round-empty");
		await landed(world, await proposed(world, id, "fix 70..75\n"));
		expect((await Promise.all([reason(close()), reason(close())])).toSorted()).toEqual(["done", "round-not-open"]);
		await world.deliver();
		expect((await world.evolution.rounds(id)).map((r) => r.status)).toEqual(["closed", "closed", "open"]);
	});

	it("delivers the same events twice without doing anything twice", async () => {
		const id = await started(world, "Twice");
		await landed(world, await proposed(world, id, "fix 70..80\n"));
		await closed(world, id);
		const before = { runs: world.evaluation.runs.size, rounds: await world.evolution.rounds(id) };
		await world.db.outboxEvent.updateMany({ data: { deliveredAt: null } });
		await world.deliver();
		expect(world.evaluation.runs.size).toBe(before.runs);
		expect(await world.evolution.rounds(id)).toEqual(before.rounds);
	});

	it("an admin's switch keeps the regression suites from starting; a reviewer starts them from the page", async () => {
		const id = await started(world, "Switch");
		await landed(world, await proposed(world, id, "fix 70..82\n"));
		world.switches.set("closing-regression", false);
		const round = await closed(world, id);
		expect(round).toMatchObject({ status: "closing", devRunId: null, testRunId: null });
		await world.evolution.evaluateRound({ workspaceId: world.workspaceId, roundId: round?.id ?? "", actor: people.rita });
		await world.deliver();
		expect((await world.evolution.rounds(id)).find((r) => r.id === round?.id)?.status).toBe("closed");
		world.switches.clear();
	});

	it("an indecisive run gates nothing: not eligible, and no strike", async () => {
		const id = await started(world, "Infrastructure");
		world.evaluation.immediate = false;
		const proposal = await proposed(world, id, "fix 70..90\n");
		world.evaluation.coverage = 0.5;
		await world.evaluation.finishAll();
		await world.deliver();
		const seen = await world.evolution.proposal({ workspaceId: world.workspaceId, proposal: proposal.id, viewer: { id: people.rita.id, roles: ["reviewer"] } });
		expect(seen.may.land.reasons).toEqual(["indecisive"]);
		world.evaluation.coverage = 1;
		world.evaluation.immediate = true;
	});
});

describe("diagnosis, findings and AI proposals", () => {
	it("runs once, can be decided and undone, and leads to a proposal that names its findings", async () => {
		const id = await started(world, "Diagnosis");
		const { workspaceId, evolution } = world;
		const { taskId } = await evolution.diagnose({ workspaceId, evolutionId: id, actor: people.olga });
		expect(await evolution.diagnose({ workspaceId, evolutionId: id, actor: people.oscar })).toEqual({ taskId });
		await world.runTasks();
		await evolution.runTask(taskId, new AbortController().signal);
		const found = await evolution.findings({ workspaceId, evolutionId: id });
		const [first] = found;
		expect(await evolution.findingByNumber({ workspaceId, number: first?.number ?? 0 })).toEqual({ id: first?.id, evolutionId: id });
		await expect(evolution.findingByNumber({ workspaceId, number: 999_999 })).rejects.toMatchObject({ code: "not-found" });
		expect(found.map((f) => [f.category, f.status, f.cases, f.share, f.engine])).toEqual([
			["c0", "proposed", 10, 0.5, "test-diagnosis"],
			["c1", "proposed", 10, 0.5, "test-diagnosis"],
		]);
		expect(found[0]?.examples).toHaveLength(3);
		expect(JSON.stringify(found)).not.toContain("reference of");

		const [a, b] = found.map((f) => f.id) as [string, string];
		const decide = (findingId: string, decision: "accept" | "modify" | "reject" | "undo", more = {}) =>
			evolution.decideFinding({ workspaceId, findingId, actor: people.olga, decision, ...more });
		expect(await reason(evolution.requestEdits({ workspaceId, evolutionId: id, findingIds: [a], actor: people.olga }))).toBe("findings-not-confirmed");
		await decide(a, "modify", { title: "My words", hypothesis: "Mine", note: "sharper" });
		await decide(b, "reject");
		await decide(b, "undo");
		const after = await evolution.findings({ workspaceId, evolutionId: id });
		expect(after.find((f) => f.id === a)).toMatchObject({
			status: "modified",
			title: "My words",
			note: "sharper",
			original: { title: "Replies miss the point in c0" },
		});
		expect(after.find((f) => f.id === b)).toMatchObject({ status: "proposed", decidedBy: null, note: null });
		await decide(a, "undo");
		expect((await evolution.findings({ workspaceId, evolutionId: id })).find((f) => f.id === a)).toMatchObject({
			title: "Replies miss the point in c0",
			original: null,
		});
		await decide(a, "accept");

		let seen: unknown;
		world.setEditor(async (input) => {
			seen = input;
			return {
				engine: "test-editor",
				notice: null,
				value: {
					changes: { "prompts/role.md": "---\ntitle: Role\n---\nYou answer.\nfix 70..80\nbreak 0..4\n" },
					manifest: {
						summary: "Say the point",
						failurePattern: "misses it",
						files: [],
						predictedFixes: ["dev-042", "dev-059"],
						predictedBreaks: ["dev-000", "dev-050"],
					},
				},
			};
		});
		const edit = await evolution.requestEdits({ workspaceId, evolutionId: id, findingIds: [a], actor: people.olga });
		await world.runTasks();
		await evolution.runTask(edit.taskId, new AbortController().signal);
		expect(seen).toMatchObject({ findings: [{ title: "Replies miss the point in c0", cases: expect.arrayContaining([]) }] });
		const task = await evolution.task({ workspaceId, taskId: edit.taskId });
		expect(task).toMatchObject({ status: "done", engine: "test-editor" });
		await evolution.submitProposal({ workspaceId, proposalId: task?.proposalId ?? "", actor: people.olga });
		await world.deliver();
		const proposal = await evolution.proposal({ workspaceId, proposal: task?.proposalId ?? "", viewer: { id: people.rita.id, roles: ["reviewer"] } });
		expect(proposal).toMatchObject({ engine: "test-editor", requestedBy: { id: people.olga.id }, findings: [{ id: a }] });
		expect(proposal.evidence?.prediction).toMatchObject({
			fixes: { happened: ["dev-042"], missed: ["dev-059"] },
			breaks: { happened: ["dev-000"], surprise: ["dev-001"] },
		});
		await landed(world, proposal);
		expect((await evolution.findings({ workspaceId, evolutionId: id })).find((f) => f.id === a)?.status).toBe("addressed");

		const round = await evolution.round({ workspaceId, round: "Evo.1", evolutionId: id, viewer: { roles: ["reviewer"] } });
		expect(round.prediction).toEqual({ predictedFixes: 2, happened: 1, predictedBreaks: 2, happenedBreaks: 1, surpriseBreaks: 1 });
		expect(round.findings.diagnosedBy).toEqual([{ id: people.olga.id, name: people.olga.name }]);
	});

	it("an edit that does not validate is never proposed, and says why", async () => {
		const id = await started(world, "Bad engine");
		const { workspaceId, evolution } = world;
		await evolution.diagnose({ workspaceId, evolutionId: id, actor: people.olga });
		await world.runTasks();
		const found = await evolution.findings({ workspaceId, evolutionId: id });
		for (const f of found) await evolution.decideFinding({ workspaceId, findingId: f.id, actor: people.olga, decision: "accept" });
		world.setEditor(async () => ({
			engine: "bad",
			notice: null,
			value: {
				changes: { "skills/greeting/SKILL.md": "oops" },
				manifest: { summary: "x", failurePattern: "", files: [], predictedFixes: [], predictedBreaks: [] },
			},
		}));
		const { taskId } = await evolution.requestEdits({ workspaceId, evolutionId: id, findingIds: found.map((f) => f.id), actor: people.olga });
		await world.runTasks();
		const task = await evolution.task({ workspaceId, taskId });
		expect(task).toMatchObject({ status: "failed", proposalId: null });
		expect(task?.problems.length).toBeGreaterThan(0);
	});

	it("makes a proposal of those findings alone that the edit is for, with what people noted, and says which it leaves", async () => {
		const id = await started(world, "Left open");
		const { workspaceId, evolution } = world;
		await evolution.diagnose({ workspaceId, evolutionId: id, actor: people.olga });
		await world.runTasks();
		const [mended, left] = await evolution.findings({ workspaceId, evolutionId: id });
		if (!mended || !left) throw new Error("the scripted failures give two findings");
		const decide = { workspaceId, actor: people.olga };
		await evolution.decideFinding({
			...decide,
			findingId: mended.id,
			decision: "modify",
			title: "Ours",
			hypothesis: mended.hypothesis,
			note: "seen in the shop too",
		});
		await evolution.decideFinding({ ...decide, findingId: left.id, decision: "accept" });
		const [predicted = ""] = mended.caseIds;
		world.setEditor(async (input) => ({
			engine: "narrow",
			notice: null,
			value: {
				changes: { "prompts/role.md": `${input.files["prompts/role.md"]}\nBe kind.\n` },
				manifest: { summary: "Kinder", failurePattern: "Ours", files: [], predictedFixes: [predicted], predictedBreaks: [] },
			},
		}));
		const { taskId } = await evolution.requestEdits({ workspaceId, evolutionId: id, findingIds: [mended.id, left.id], actor: people.olga });
		await world.runTasks();
		const task = await evolution.task({ workspaceId, taskId });
		expect(task).toMatchObject({ status: "done", noticeReasons: [{ reason: "engine-findings-left", params: { findings: `F-${left.number}` } }] });
		// Of both, so that a screen can say which of them was left.
		expect(new Set(task?.findingIds)).toEqual(new Set([mended.id, left.id]));
		const viewer = { id: people.olga.id, roles: ["operator" as const] };
		const proposal = await evolution.proposal({ workspaceId, proposal: task?.proposalId ?? "", viewer });
		expect(proposal.findings.map((finding) => finding.id)).toEqual([mended.id]);
		expect(proposal.revisions.at(-1)?.manifest.failurePattern).toBe(`Ours\nF-${mended.number}: seen in the shop too`);
	});
});
