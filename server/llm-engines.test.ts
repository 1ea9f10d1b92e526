import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { TaskView } from "./evolution/contract";
import type { RoleScript } from "./models/testing/start-openai-server";
import { type LampShop, olga, openLampShop, readEpisodes, untilDone } from "./testing/lamp-shop";

/* Diagnosis and editing behind an endpoint, from the baseline to a proposal in review: real services, real HTTP. */

let shop: LampShop;
let evolutionId: string;
beforeAll(async () => {
	shop = await openLampShop();
	await shop.play({});
	({ id: evolutionId } = await shop.services.evolution.start({ workspaceId: shop.workspaceId, actor: olga, title: "Lamps", seed: 1 }));
	const rounds = await shop.services.evolution.rounds(evolutionId);
	for (const runId of [rounds[0]?.devRunId, rounds[0]?.testRunId]) await untilDone(shop.services, shop.workspaceId, runId ?? "");
});
afterAll(() => shop.close());

const messages = (language: string) => JSON.parse(fs.readFileSync(`messages/${language}/errors.json`, "utf8")) as Record<string, string>;
const translated = [messages("en"), messages("zh")];

async function untilOver(taskId: string): Promise<TaskView> {
	return vi.waitFor(
		async () => {
			const task = await shop.services.evolution.task({ workspaceId: shop.workspaceId, taskId });
			if (!task || task.status === "queued" || task.status === "running") throw new Error(`the task is ${task?.status}`);
			return task;
		},
		{ timeout: 30_000, interval: 50 },
	);
}

const readFindings = (status?: ("proposed" | "accepted")[]) =>
	shop.services.evolution.findings({ workspaceId: shop.workspaceId, evolutionId, ...(status ? { status } : {}) });

/** A diagnosis under a script: its task, the findings that wait for a person, and how often the model was asked. */
async function diagnose(script: RoleScript) {
	await shop.play(script);
	await shop.server.takeLog();
	const { taskId } = await shop.services.evolution.diagnose({ workspaceId: shop.workspaceId, evolutionId, actor: olga });
	const task = await untilOver(taskId);
	return { task, findings: await readFindings(["proposed"]), asked: (await shop.server.takeLog()).length };
}

/** An edit for the accepted finding under a script. */
async function edit(script: RoleScript, findingId: string) {
	await shop.play(script);
	await shop.server.takeLog();
	const { taskId } = await shop.services.evolution.requestEdits({ workspaceId: shop.workspaceId, evolutionId, findingIds: [findingId], actor: olga });
	const task = await untilOver(taskId);
	const proposals = await shop.services.evolution.proposals({ workspaceId: shop.workspaceId, evolutionId });
	return { task, proposal: proposals.find((one) => one.id === task.proposalId) ?? null, log: await shop.server.takeLog() };
}

function expectTranslated(task: TaskView): void {
	for (const { reason } of [...task.noticeReasons, ...task.errorReasons]) for (const language of translated) expect(language[reason]).toBeTruthy();
}

describe("diagnosis over HTTP", () => {
	it.each([
		["good", 1],
		["prose", 2],
	])("%s: findings by the model, about cases that there are", async (mode, requests) => {
		const { task, findings, asked } = await diagnose({ diagnosis: mode });
		expect(task).toMatchObject({ status: "done", engine: "studio model", notice: null, error: null });
		expect(asked).toBe(requests);
		expect(findings).toEqual([expect.objectContaining({ engine: "studio model", category: "guarantee", cases: 2, component: null })]);
	});

	it.each([
		["html", ["engine-failed", "endpoint-html"]],
		["halfjson", ["engine-failed", "endpoint-not-json"]],
		["limited", ["engine-failed", "endpoint-rate-limited"]],
		["endless", ["engine-failed", "endpoint-endless"]],
		["broken", ["engine-unusable"]],
		["wrong-tool", ["engine-unusable"]],
		["rambles", ["engine-cut-off"]],
		["invented", ["engine-no-cause"]],
	])("%s: the built-in engine takes over, and a person reads why", async (mode, reasons) => {
		const { task, findings } = await diagnose({ diagnosis: mode });
		expect(task).toMatchObject({ status: "done", engine: "built-in", notice: expect.stringContaining("studio model") });
		expect(task.noticeReasons.map((one) => one.reason)).toEqual(reasons);
		expectTranslated(task);
		expect(findings).toEqual([expect.objectContaining({ engine: "built-in", category: "guarantee", cases: 2 })]);
	});
});

describe("editing over HTTP", () => {
	let findingId: string;
	beforeAll(async () => {
		const { findings } = await diagnose({});
		findingId = findings[0]?.id ?? "";
		await shop.services.evolution.decideFinding({ workspaceId: shop.workspaceId, findingId, actor: olga, decision: "accept" });
	});

	it.each([
		["html", ["engine-failed", "endpoint-html"], 1],
		["limited", ["engine-failed", "endpoint-rate-limited"], 2],
		["broken", ["engine-unusable"], 3],
		["wrong-tool", ["engine-unusable"], 3],
		["rambles", ["engine-cut-off"], 3],
		["invalid", ["engine-unusable"], 3],
		["escapes", ["engine-unusable"], 3],
	])("%s: nothing of the model's gets in; the built-in engine takes over, and a person reads why", async (mode, reasons, requests) => {
		const { task, proposal, log } = await edit({ editing: mode }, findingId);
		expect(task).toMatchObject({ status: "done", engine: "built-in", notice: expect.stringContaining("studio model") });
		expect(task.noticeReasons.map((one) => one.reason).slice(0, reasons.length)).toEqual(reasons);
		expectTranslated(task);
		expect(log).toHaveLength(requests);
		expect(proposal).toMatchObject({ engine: "built-in", status: "draft" });
		expect((await readFindings(["accepted"])).map((finding) => finding.id)).toEqual([findingId]);
	});

	it("tells the model what the workspace's validator says, twice at most, and takes what it then accepts", async () => {
		const { task, proposal, log } = await edit({ editing: "mended-twice" }, findingId);
		expect(task).toMatchObject({ status: "done", engine: "studio model", notice: null });
		expect(proposal).toMatchObject({ engine: "studio model", status: "draft" });
		const last = (at: number) => JSON.stringify((log[at]?.body.messages as unknown[] | undefined)?.at(-1));
		expect(last(1)).toContain("skills/guarantee/SKILL.md:1");
		expect(last(2)).toContain("open_shop");
	});

	it("an edit is evaluated by policy and judge over HTTP, and mends what it predicted", async () => {
		const { services, workspaceId } = shop;
		const { proposal } = await edit({}, findingId);
		await services.evolution.submitProposal({ workspaceId, proposalId: proposal?.id ?? "", actor: olga });
		const view = await vi.waitFor(
			async () => {
				const found = await services.evolution.proposal({ workspaceId, proposal: proposal?.id ?? "", viewer: { id: olga.id, roles: ["operator"] } });
				if (found.status !== "in-review") throw new Error(`the proposal is ${found.status}`);
				return found;
			},
			{ timeout: 30_000, interval: 100 },
		);
		const revision = view.revisions.at(-1);
		const episodes = await readEpisodes(shop, revision?.devRunId ?? "");
		expect(episodes.g1?.row).toMatchObject({ accuracy: 1, effectiveness: 1, reply: "The guarantee runs two years." });
		expect(episodes.b1?.row).toMatchObject({ accuracy: 1, effectiveness: 1 });
		expect(revision?.manifest.predictedFixes).toHaveLength(2);
	});
});
