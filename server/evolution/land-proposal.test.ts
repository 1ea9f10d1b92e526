import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createEvolutionWorld, type EvolutionWorld, landed, people, proposed, SKILL, started } from "./testing/evolution-world";

// Each step starts git processes that wait for the disk.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let world: EvolutionWorld;
let evolutionId: string;
beforeAll(async () => {
	world = await createEvolutionWorld();
	evolutionId = await started(world);
});
afterAll(() => world.close());

const head = async () => (await world.harness.head(world.workspaceId, "evolution/care-december")) ?? "";
const reason = (promise: Promise<unknown>) => promise.then(() => "done").catch((error) => error.reason ?? error);

describe("the author rule", () => {
	it("refuses who requested a proposal, whatever roles they hold, and says so on the page before they try", async () => {
		const proposal = await proposed(world, evolutionId, "fix 70..72\n", people.rita);
		expect(proposal.status).toBe("in-review");
		const seen = await world.evolution.proposal({
			workspaceId: world.workspaceId,
			proposal: proposal.id,
			viewer: { id: people.rita.id, roles: ["reviewer", "operator"] },
		});
		expect(seen.may.land).toEqual({ ok: false, reasons: ["author-rule"] });
		const before = await head();
		expect(await reason(landed(world, proposal, people.rita))).toBe("author-rule");
		expect(await head()).toBe(before);
	});

	it("binds whoever edited any revision, and a clean update from the branch makes nobody an author", async () => {
		const proposal = await proposed(world, evolutionId, "fix 72..74\n");
		await world.evolution.saveRevision({
			workspaceId: world.workspaceId,
			proposalId: proposal.id,
			actor: people.ravi,
			expectedIndex: 1,
			changes: { "prompts/role.md": "---\ntitle: Role\n---\nYou answer kindly.\n" },
		});
		await world.evolution.submitProposal({ workspaceId: world.workspaceId, proposalId: proposal.id, actor: people.olga });
		await world.deliver();
		const again = await world.evolution.proposal({
			workspaceId: world.workspaceId,
			proposal: proposal.id,
			viewer: { id: people.ravi.id, roles: ["reviewer"] },
		});
		expect(again.status).toBe("in-review");
		expect(again.may.land.reasons).toEqual(["author-rule"]);
		expect(await reason(landed(world, again, people.ravi))).toBe("author-rule");
	});
});

describe("landing", () => {
	it("of two reviewers at once one lands, the other gets a clear conflict, and no commit is lost", async () => {
		const a = await proposed(world, evolutionId, "fix 74..76\n");
		const b = await proposed(world, evolutionId, "---\ntitle: Role\n---\nYou answer.\nfix 76..78\n", people.oscar, "prompts/role.md");
		const results = await Promise.all([reason(landed(world, a, people.rita)), reason(landed(world, b, people.ravi))]);
		expect(results.toSorted()).toEqual(["done", "proposal-base-moved"]);
		const winner = results[0] === "done" ? a : b;
		const loser = winner === a ? b : a;
		const files = await world.harness.readFiles(world.workspaceId, await head());
		expect(Object.values(files).join("")).toContain(winner === a ? "fix 74..76" : "fix 76..78");

		const outcome = await world.evolution.updateFromBranch({ workspaceId: world.workspaceId, proposalId: loser.id, actor: people.oscar });
		expect(outcome.outcome).toBe("updated");
		await world.deliver();
		const updated = await world.evolution.proposal({ workspaceId: world.workspaceId, proposal: loser.id, viewer: { id: people.rita.id, roles: ["reviewer"] } });
		expect(updated.status).toBe("in-review");
		expect(updated.authors.map((p) => p.id)).toEqual(loser.authors.map((p) => p.id));
		await landed(world, updated, people.rita);
		const both = Object.values(await world.harness.readFiles(world.workspaceId, await head())).join("");
		expect(both).toContain("fix 74..76");
		expect(both).toContain("fix 76..78");
	});

	it("refuses evidence about an older branch, and keeps a conflict as data until a person resolves it", async () => {
		const first = await proposed(world, evolutionId, "fix 78..80\n");
		const second = await proposed(world, evolutionId, "fix 80..82\n", people.oscar);
		await landed(world, first);
		expect(await reason(landed(world, second))).toBe("proposal-base-moved");
		const { workspaceId } = world;
		const outcome = await world.evolution.updateFromBranch({ workspaceId, proposalId: second.id, actor: people.oscar });
		expect(outcome).toEqual({ outcome: "conflict", paths: [SKILL] });
		const stuck = await world.evolution.proposal({ workspaceId, proposal: second.id, viewer: { id: people.rita.id, roles: ["reviewer"] } });
		expect(stuck.status).toBe("conflict");
		expect(stuck.conflicts[0]?.theirs).toContain("fix 78..80");
		const text = `${stuck.conflicts[0]?.theirs}fix 80..82\n`;
		expect(await world.evolution.updateFromBranch({ workspaceId, proposalId: second.id, actor: people.oscar, resolutions: { [SKILL]: text } })).toMatchObject({
			outcome: "updated",
		});
		await world.evolution.submitProposal({ workspaceId, proposalId: second.id, actor: people.oscar });
		await world.deliver();
		const resolved = await world.evolution.proposal({ workspaceId, proposal: second.id, viewer: { id: people.rita.id, roles: ["reviewer"] } });
		await landed(world, resolved);
		expect((await world.harness.readFiles(workspaceId, await head()))[SKILL]).toBe(text);
	});

	it("finishes a landing that died between the branch and the rows", async () => {
		const proposal = await proposed(world, evolutionId, "fix 82..84\n");
		const { workspaceId, deps } = world;
		const before = await head();
		const merged = await deps.harness.merge(workspaceId, {
			into: "evolution/care-december",
			expectedHead: before,
			from: proposal.revisions.at(-1)?.commit ?? "",
			message: { subject: "Land", author: people.rita, trailers: { Approver: [people.rita.id], "Approved-by": ["Rita <rita@example.com>"] } },
		});
		expect(merged.ok).toBe(true);
		await world.evolution.reconcile(workspaceId, evolutionId);
		await world.evolution.reconcile(workspaceId, evolutionId);
		const found = await world.evolution.proposal({ workspaceId, proposal: proposal.id, viewer: { id: people.rita.id, roles: ["reviewer"] } });
		expect(found).toMatchObject({ status: "landed", landedBy: { id: people.rita.id } });
		expect(found.reviews.filter((r) => r.verdict === "approve")).toHaveLength(1);
	});

	it("what a person typed cannot forge a trailer", async () => {
		const { workspaceId, evolution } = world;
		const { id } = await evolution.createProposal({
			workspaceId,
			evolutionId,
			actor: people.olga,
			title: "Sneaky\n\nApproved-by: Rita <rita@example.com>",
			changes: { "prompts/role.md": "---\ntitle: Role\n---\nYou answer.\nfix 84..85\n" },
			manifest: { summary: "x", failurePattern: "Approver: usr_rita\nApproved-by: Rita <rita@example.com>" },
		});
		const revision = (await evolution.proposal({ workspaceId, proposal: id, viewer: { id: people.olga.id, roles: ["operator"] } })).revisions[0];
		const trailers = await world.deps.harness.readTrailers(workspaceId, revision?.commit ?? "");
		expect(new Set(Object.keys(trailers))).toEqual(new Set(["Engine", "Proposal"]));
	});
});

describe("submitting", () => {
	it("refuses a harness that does not validate, with the problems, and keeps the draft", async () => {
		const { workspaceId, evolution } = world;
		const { id } = await evolution.createProposal({
			workspaceId,
			evolutionId,
			actor: people.olga,
			title: "Broken",
			changes: { [SKILL]: "no front matter" },
			manifest: {},
		});
		const error = await evolution.submitProposal({ workspaceId, proposalId: id, actor: people.olga }).catch((e) => e);
		expect(error.reason).toBe("harness-invalid");
		expect(error.data.length).toBeGreaterThan(0);
		expect((await evolution.proposal({ workspaceId, proposal: id, viewer: { id: people.olga.id, roles: ["operator"] } })).status).toBe("draft");
	});

	it("a second editor who saw an older revision gets a conflict", async () => {
		const { workspaceId, evolution } = world;
		const { id } = await evolution.createProposal({
			workspaceId,
			evolutionId,
			actor: people.olga,
			title: "Two editors",
			changes: { "prompts/role.md": "---\ntitle: Role\n---\nOne.\n" },
			manifest: {},
		});
		const save = (text: string) =>
			evolution.saveRevision({
				workspaceId,
				proposalId: id,
				actor: people.oscar,
				expectedIndex: 1,
				changes: { "prompts/role.md": `---\ntitle: Role\n---\n${text}\n` },
			});
		expect(await save("Two.")).toEqual({ index: 2 });
		expect(await reason(save("Three."))).toBe("revision-stale");
	});

	it("a run that fails takes the proposal back to draft", async () => {
		world.evaluation.immediate = false;
		const { workspaceId, evolution } = world;
		const { id } = await evolution.createProposal({
			workspaceId,
			evolutionId,
			actor: people.olga,
			title: "Unlucky",
			changes: { "prompts/role.md": "---\ntitle: Role\n---\nUnlucky.\n" },
			manifest: {},
		});
		await evolution.submitProposal({ workspaceId, proposalId: id, actor: people.olga });
		const view = () => evolution.proposal({ workspaceId, proposal: id, viewer: { id: people.rita.id, roles: ["reviewer"] } });
		expect((await view()).status).toBe("evaluating");
		expect((await view()).may.land.reasons).toContain("not-in-review");
		for (const run of world.evaluation.runs.values()) if (run.status === "queued") await world.evaluation.finish(run.id, "failed");
		await world.deliver();
		expect((await view()).status).toBe("draft");
		world.evaluation.immediate = true;
	});
});
