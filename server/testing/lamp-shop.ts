import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { vi } from "vitest";
import { closeServices, createServices, followEvent, type Services, workOnRuns } from "@/server/composition";
import { createTestDatabase } from "@/server/db/testing";
import { ResultFilterSchema, type RunInfo } from "@/server/evaluation/contract";
import { LAMP_SHOP } from "@/server/evolution/engines/testing";
import { setEnvironment } from "@/server/kernel/env";
import { EndpointRoleSchema } from "@/server/models/contract";
import { type RoleScript, startOpenAiServer } from "@/server/models/testing/start-openai-server";
import { WorkspaceManifestSchema } from "@/server/workspace/contract";

export const KEY = "sk-of-the-lamp-shop-0123456789";
export const olga = { id: "usr_olga", name: "Olga" };

const LENGTH_HOOK = `/** What is longer than the limit is not said. */
export default { on: "reply", run({ reply, constraints }) { return reply.length > constraints.replyMaxChars ? retry("too long") : pass(); } };
`;

/** A judge with rules, a look-up of the world and a check of its own verdicts. */
const JUDGE: Record<string, string> = {
	"harness.yaml":
		"apiVersion: harness/v1\nkind: judge\nname: lamp-judge\nlimits: { maxSteps: 4, maxHookRetries: 1, deadlineMs: 20000, targetP50Ms: 5000 }\nconstraints:\n  reasonMaxChars: { value: 90, min: 10, max: 200, unit: chars }\npipeline: [role, { skills: index }, { tools: notes }]\nskills: { requireReplySkill: false }\n",
	"prompts/role.md": "---\ntitle: Role\n---\nYou judge replies of a lamp shop. A reason has at most {{ constraints.reasonMaxChars }} characters.\n",
	"skills/true-numbers/SKILL.md":
		"---\nname: true-numbers\ndescription: Judges numbers.\nmetadata:\n  type: reply\n---\n- when the reply gives a number of watts: look it up with look_fact\n",
	"tools/look_fact.yaml":
		"tool:\n  name: look_fact\n  description: The value of the world at a path.\n  inputSchema: { type: object, properties: { path: { type: string } }, required: [path], additionalProperties: false }\nbinding: { kind: simulator, handler: look_fact }\ntimeoutMs: 1000\n",
	"hooks/10-evidence.js":
		'/** What costs a point is said. */\nexport default { on: "reply", run({ reply }) { const { accuracy, evidence } = JSON.parse(reply.slice(reply.indexOf("{"), reply.lastIndexOf("}") + 1)); return accuracy < 1 && !evidence.some((item) => !item.ok) ? retry("name the evidence") : pass(); } };\n',
};

const BUNDLE: Record<string, string> = {
	"rooms.json": JSON.stringify({ shop: { title: "Lamp shop", now: "2026-03-02T10:00:00Z", viewer: {}, notes: {} } }),
	"world/lamps.json": JSON.stringify({ moon: { name: "Moon", watts: 9 }, desk: { name: "Desk", watts: 5 } }),
	"tools/find_lamp.js":
		'/** A lamp. */ export default { run({ args, world }) { if (!world.lamps[args.lamp]) throw new Error("no such lamp"); return world.lamps[args.lamp]; } };',
	"tools/find_guarantee.js": "/** Nothing yet. */ export default { run() { return { note: null }; } };",
	"tools/look_fact.js":
		'/** The value at a path. */ export default { run({ args, world }) { return { value: args.path.split(".").reduce((at, key) => at[key], world) }; } };',
};

const bright = (id: string, split: string, message: string, lamp: string) => ({
	...{ id, category: "brightness", split, group: id, message, expect: { skills: ["brightness"], tools: ["find_lamp"] } },
	rubric: [{ kind: "fact", path: `lamps.${lamp}.watts` }],
	...(split === "dev" ? { reference: "It has 9 watts." } : {}),
});
const guarantee = (id: string, message: string) => ({
	...{ id, category: "guarantee", split: "dev", group: id, message, reference: "The guarantee runs two years." },
	rubric: [{ kind: "llm-rubric", text: "says how long the guarantee runs" }],
});
const CASES = [
	bright("b1", "dev", "how bright is the moon lamp", "moon"),
	bright("b2", "dev", "what does the desk lamp take, in watts?", "desk"),
	bright("b3", "test", "watts of the moon one please", "moon"),
	guarantee("g1", "how long is the guarantee on this one"),
	guarantee("g2", "does it come with a guarantee?"),
];

/** A workspace whose four roles one endpoint plays over HTTP, on the real services, with a worker in this process. */
export async function openLampShop() {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), "studio-lamps-"));
	setEnvironment({ STUDIO_DATA_DIR: folder, STUDIO_SECRET: "0123456789abcdef0123456789abcdef-lamps" });
	const [database, server] = await Promise.all([createTestDatabase(), startOpenAiServer()]);
	const services = await createServices({ databaseUrl: database.url, connections: 5 });
	const title = { en: "Lamps", zh: "Lamps" };
	const manifest = WorkspaceManifestSchema.parse({ apiVersion: "workspace/v1", slug: "lamps", title, language: "en" });
	const { id: workspaceId } = await services.workspace.create(manifest, olga);
	await services.workspace.setBundle(workspaceId, BUNDLE);
	const message = { subject: "Base", author: { name: "Olga", email: "olga@example.com" } };
	await services.harness.createFromFiles(workspaceId, "agent", { ...LAMP_SHOP, "hooks/40-length.js": LENGTH_HOOK }, message);
	await services.harness.createFromFiles(workspaceId, "judge", JUDGE, message);
	const suite = { workspaceId, suiteKey: "t1" };
	await services.evaluation.importCaseFiles(suite, { "cases/all.jsonl": CASES.map((one) => JSON.stringify(one)).join("\n") }, olga);
	const endpoint = await services.models.createEndpoint(workspaceId, olga, {
		...{ name: "studio model", baseUrl: server.baseUrl, model: "play", allowPrivate: true },
		key: { kind: "stored", value: KEY },
		limits: { maxRetries: 1, timeoutMs: 3_000, concurrency: 8 },
	});
	for (const role of EndpointRoleSchema.options) await services.models.assignRole(workspaceId, olga, role, endpoint.id);
	const abort = new AbortController();
	await services.evolution.work(services.queue);
	const work = Promise.all([
		workOnRuns(services, abort.signal),
		services.workspace.deliverEvents((delivered) => followEvent(services, delivered), abort.signal),
	]);
	return {
		...{ services, server, workspaceId },
		play: (script: RoleScript) => server.play({ key: KEY, ...script }),
		async close() {
			abort.abort();
			await work;
			await closeServices(services);
			server.stop();
			await database.drop();
			fs.rmSync(folder, { recursive: true, force: true });
		},
	};
}
export type LampShop = Awaited<ReturnType<typeof openLampShop>>;

export const untilDone = (services: Services, workspaceId: string, runId: string): Promise<RunInfo> =>
	vi.waitFor(
		async () => {
			const run = await services.evaluation.get(workspaceId, runId);
			if (run.status !== "done") throw new Error(`the run is ${run.status}: ${run.error ?? ""}`);
			return run;
		},
		{ timeout: 30_000, interval: 50 },
	);

/** Results of a run by case, with trajectory and verdict. */
export async function readEpisodes({ services, workspaceId }: LampShop, runId: string) {
	const query = { filter: ResultFilterSchema.parse({}), sort: "case" as const, descending: false, offset: 0, limit: 50 };
	const { rows } = await services.evaluation.results(workspaceId, runId, query);
	const episodes = await Promise.all(rows.map(async (row) => ({ ...(await services.evaluation.episode(workspaceId, row.id)), row })));
	return Object.fromEntries(episodes.map((one) => [one.row.caseKey, one]));
}

let seed = 0;
/** Runs the dev cases under a script to the end. Nothing is taken from the cache: every episode asks the server. */
export async function runDev(shop: LampShop, script: RoleScript) {
	const { services, workspaceId } = shop;
	await shop.play(script);
	await shop.server.takeLog();
	const [{ commit, treeId }, policy, judge, suite] = await Promise.all([
		services.harness.resolveHarness(workspaceId, "main"),
		services.policies.current(workspaceId),
		services.judges.current(workspaceId),
		services.evaluation.currentSuiteVersion(workspaceId, "t1"),
	]);
	const versions = { policyVersionId: policy.id, judgeVersionId: judge.id, suiteVersionId: suite?.id ?? "" };
	const request = { workspaceId, commit, treeId, ...versions, split: "dev" as const, trials: 1, seed: ++seed, useCache: false, reason: "manual" as const };
	const { id } = await services.evaluation.start(request, olga);
	const run = await untilDone(services, workspaceId, id);
	return { run, episodes: await readEpisodes(shop, id), log: await shop.server.takeLog() };
}
