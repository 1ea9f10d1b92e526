import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { closeServices, createServices, followEvent, type Services, workOnRuns } from "@/server/composition";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { dataPath, setEnvironment } from "@/server/kernel/env";
import { sha256 } from "@/server/kernel/hash";
import { logger } from "@/server/kernel/logger";
import { createCaller } from "@/server/trpc/root";
import { createWorkspaceFromFolder } from "./create-workspace";
import { roomsFile, writeWorkspace } from "./testing/write-workspace";

/*
 * The holdout canary sweep over everything that is not a procedure's answer (those are swept beside their routers): a whole
 * campaign up to a release whose gate reads the holdout, with a model as policy and as judge that repeats what it is told,
 * also when it fails. Then: no table but the cases', no file, no log line, no event of a stream holds a sealed text.
 */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const SEALED = "SEALEDTEXT";
const OPEN = "OPENTEXT";
const olga = { id: "usr_olga", name: "Olga" };
const rita = { id: "usr_rita", name: "Rita" };
const role = (words: string) => `---\ntitle: Role\n---\nYou answer. ${words}\n`;
const lines: string[] = [];
const stop = new AbortController();

let root: string;
let database: TestDatabase;
let model: http.Server;
let services: Services;
let workspaceId: string;
let loops: Promise<unknown>[];

/** A case whose every text is its own and begins with the mark of its split. */
function caseOf(split: "dev" | "test" | "holdout", i: number) {
	const mark = `${split === "holdout" ? SEALED : `${OPEN}-${split}`}-${i}`;
	const fault = split === "holdout" ? (["FAIL500", "FAILHTML", "FAILVOTE"][i] ?? "") : "";
	return {
		id: `${split}-${i}`,
		category: `c${i % 2}`,
		split,
		group: `${mark}-group`,
		message: `${mark}-message ${fault} ${sha256(`${split}/${i}`)}`,
		history: [{ role: "viewer", text: `${mark}-history` }],
		reference: `${mark}-reference`,
		tags: [`${mark}-tag`],
		rubric: [
			{ kind: "contains", any: ["POINT"] },
			{ kind: "not-contains", any: [`${mark}-claim`] },
			{ kind: "llm-rubric", text: `${mark}-rubric` },
		],
		room: split === "holdout" && i === 3 ? { base: `${mark}-room` } : { base: "day", set: { notes: { mark: `${mark}-note` } } },
	};
}
const cases = (["dev", "test", "holdout"] as const).flatMap((split) => Array.from({ length: split === "dev" ? 16 : 30 }, (_, i) => caseOf(split, i)));

interface ChatBody {
	messages: { role: string; content: string }[];
}

/** Repeats what it is told: as policy, as judge, and in its errors. */
function answerChat({ messages }: ChatBody): { status: number; text: string } {
	const asked = messages.findLast((message) => message.role === "user")?.content ?? "";
	const reply = (content: string) => ({
		status: 200,
		text: JSON.stringify({ choices: [{ finish_reason: "stop", message: { content } }], usage: { prompt_tokens: 1, completion_tokens: 1 } }),
	});
	if (asked.includes("<points>")) {
		if (asked.includes("FAILVOTE")) return reply(`This is no vote: ${asked}`);
		const good = /<reply>[^<]*POINT/.test(asked) ? 1 : 0;
		const rule = asked.slice(-300);
		return reply(
			JSON.stringify({ accuracy: 1, effectiveness: good, evidence: [{ dimension: "effectiveness", ok: good === 1, rule, sentence: rule }], reason: rule }),
		);
	}
	if (asked.includes("FAIL500")) return { status: 400, text: JSON.stringify({ error: { message: `I cannot read ${asked}` } }) };
	if (asked.includes("FAILHTML")) return { status: 200, text: `<html>${asked}</html>` };
	return reply(messages[0]?.content.includes("SAY-THE-POINT") ? `The POINT of ${asked}` : `Hm, ${asked}`);
}

beforeAll(async () => {
	root = fs.mkdtempSync(path.join(os.tmpdir(), "holdout-sweep-"));
	setEnvironment({ STUDIO_DATA_DIR: path.join(root, "data") });
	Object.assign(logger, { [pino.symbols.streamSym]: { write: (line: string) => void lines.push(line) } });
	logger.level = "trace";
	database = await createTestDatabase();
	services = await createServices({ databaseUrl: database.url, connections: 8 });
	model = http.createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const { status, text } = answerChat(JSON.parse(Buffer.concat(chunks).toString()) as ChatBody);
		response.writeHead(status, { "content-type": text.startsWith("<") ? "text/html" : "application/json" });
		response.end(text);
	});
	await new Promise<void>((resolve) => model.listen(0, "127.0.0.1", resolve));
	writeWorkspace(path.join(root, "workspace"), { role: role(""), cases, rooms: [...new Set(cases.map(({ room }) => room.base))] });
	const made = await createWorkspaceFromFolder(services, path.join(root, "workspace"));
	workspaceId = made.workspace.id;
	expect(made.report).toMatchObject({ accepted: cases.length, splits: { dev: 16, test: 30, holdout: 30 } });
	// A room that is taken away after the import: what its episode fails with names it.
	const bundleId = await services.workspace.setBundle(workspaceId, { "rooms.json": roomsFile(["day"]) });
	await database.db.workspaceBundle.deleteMany({ where: { id: { not: bundleId } } });
	const baseUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
	const endpoint = await services.models.createEndpoint(workspaceId, olga, {
		name: "parrot",
		baseUrl,
		model: "parrot",
		allowPrivate: true,
		limits: { maxRetries: 0 },
	});
	for (const part of ["policy", "judge"] as const) await services.models.assignRole(workspaceId, olga, part, endpoint.id);
	loops = [workOnRuns(services, stop.signal), services.workspace.deliverEvents((delivered) => followEvent(services, delivered), stop.signal)];
	await services.evolution.work(services.queue);
});
afterAll(async () => {
	stop.abort();
	await Promise.all(loops ?? []);
	await closeServices(services);
	model.close();
	await database.drop();
	fs.rmSync(root, { recursive: true, force: true });
});

const until = <T>(look: () => Promise<T>) => vi.waitFor(look, { timeout: 90_000, interval: 100 });

async function runsOf(evolutionId: string, index: number) {
	const round = (await services.evolution.rounds(evolutionId)).find((one) => one.index === index);
	expect(round?.standing).toBeTruthy();
	return round;
}

/** A campaign whose one proposal makes every reply right, up to its closed round. */
async function closedRound(): Promise<{ evolutionId: string; roundId: string }> {
	const { evolution } = services;
	const { id: evolutionId } = await evolution.start({ workspaceId, actor: olga, title: "Sweep" });
	await until(() => runsOf(evolutionId, 0));
	// Thirty cases show no small margin.
	const { content, version } = await evolution.gatePolicy(workspaceId);
	const wide = { ...content, marginPoints: 20 };
	await evolution.updateGatePolicy({ workspaceId, actor: olga, content: wide, reason: "A small suite", expectedVersion: version });
	const { taskId } = await evolution.diagnose({ workspaceId, evolutionId, actor: olga });
	await until(async () => expect((await evolution.task({ workspaceId, taskId }))?.status).toBe("done"));
	const changes = { "prompts/role.md": role("SAY-THE-POINT") };
	const { id: proposalId } = await evolution.createProposal({ workspaceId, evolutionId, actor: olga, title: "Say the point", changes, manifest: {} });
	await evolution.submitProposal({ workspaceId, proposalId, actor: olga });
	const landed = await until(async () => {
		const { revisions } = await evolution.proposal({ workspaceId, proposal: proposalId, viewer: { id: rita.id, roles: ["reviewer"] } });
		return evolution.land({ workspaceId, proposalId, revisionId: revisions.at(-1)?.id ?? "", actor: rita });
	});
	expect(landed).toBeTruthy();
	const open = (await evolution.rounds(evolutionId)).find((one) => one.status === "open");
	await evolution.closeRound({ workspaceId, roundId: open?.id ?? "", actor: rita });
	await until(() => runsOf(evolutionId, open?.index ?? 1));
	return { evolutionId, roundId: open?.id ?? "" };
}

/** Every row of every table as text, but those of the cases themselves. */
async function everyRow(): Promise<Map<string, string[]>> {
	const client = new pg.Client({ connectionString: database.url });
	await client.connect();
	try {
		const { rows: tables } = await client.query<{ schema: string; name: string }>(
			`select table_schema as schema, table_name as name from information_schema.tables
			where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
		);
		const result = new Map<string, string[]>();
		for (const { schema, name } of tables) {
			if (schema === "public" && name === "Case") continue;
			const { rows } = await client.query<{ row: string }>(`select to_jsonb(t)::text as row from "${schema}"."${name}" t`);
			result.set(
				`${schema}.${name}`,
				rows.map(({ row }) => row),
			);
		}
		return result;
	} finally {
		await client.end();
	}
}

function everyFile(folder: string): string[] {
	return fs
		.readdirSync(folder, { withFileTypes: true, recursive: true })
		.flatMap((entry) => (entry.isFile() ? [fs.readFileSync(path.join(entry.parentPath, entry.name), "latin1")] : []));
}

const callerOf = (userId: string) =>
	createCaller({
		user: { id: userId, name: userId, email: `${userId}@example.com`, demo: false },
		services: { ...services, auth: { ...services.auth, findMembership: async () => ({ id: workspaceId, slug: "w", roles: ["operator", "reviewer"] }) } },
	} as Parameters<typeof createCaller>[0]);

/** What a page that watches a run is told until the run is over. */
async function follow(runId: string): Promise<unknown[]> {
	const events: unknown[] = [];
	const caller = callerOf(olga.id);
	for await (const event of await caller.evaluation.runFollow({ workspace: "w", runId })) events.push(event);
	for await (const event of await caller.workspace.changes({ workspace: "w", topics: ["evolution", "runs", `run:${runId}`] })) {
		events.push(event);
		break;
	}
	return events;
}

describe("the holdout, read by the gate of a release", () => {
	const heard: unknown[] = [];

	it("is read: two sealed runs, and a release", async () => {
		const { evolutionId, roundId } = await closedRound();
		const create = () => services.release.create({ workspaceId, roundId, actor: rita });
		await expect(create()).rejects.toMatchObject({ reason: "release-evaluating" });
		const reading = await database.db.holdoutReading.findFirstOrThrow({ where: { evolutionId } });
		const runIds = reading.runIds as string[];
		expect(runIds).toHaveLength(2);
		heard.push(...(await Promise.all(runIds.map(follow))));
		expect(await create()).toEqual({ tag: "v1" });
		const runs = await database.db.run.findMany({ where: { id: { in: runIds } }, select: { split: true, status: true, valid: true, infraErrors: true } });
		// The failures that were put in are there, and they are episodes without a verdict.
		for (const run of runs) expect(run).toEqual({ split: "holdout", status: "done", valid: 26, infraErrors: 4 });
		expect((await services.release.list(workspaceId))[0]?.gate.verdict).toBe("pass");
	});

	it("leaves no text in any table but the cases': job payloads, cached answers, results, audit, outbox", async () => {
		await closeAnswers();
		const rows = await everyRow();
		const of = (name: string) => rows.get(name) ?? [];
		// What is swept holds something: the open splits' texts in results and cached answers, and the jobs.
		for (const name of ["public.Episode", "public.EpisodeRecord", "public.ResponseCache"]) expect(of(name).some((row) => row.includes(OPEN))).toBe(true);
		expect(of("pgboss.job").some((row) => row.includes("taskId")) || of("pgboss.archive").length > 0).toBe(true);
		for (const name of ["public.AuditEntry", "public.OutboxEvent", "public.HoldoutReading"]) expect(of(name).length).toBeGreaterThan(0);
		for (const [name, texts] of rows) expect([name, texts.filter((row) => row.includes(SEALED) || row.includes("canary-"))]).toEqual([name, []]);
	});

	it("leaves no text in a log line, at any level", () => {
		expect(lines.some((line) => line.includes("holdout cases read"))).toBe(true);
		expect(lines.filter((line) => line.includes("an episode could not be run"))).toHaveLength(2);
		expect(lines.filter((line) => line.includes(SEALED) || line.includes("canary-"))).toEqual([]);
	});

	it("leaves no text in an event of a stream", () => {
		const text = JSON.stringify(heard);
		expect(text).toContain('"status":"done"');
		expect(text).not.toContain(SEALED);
	});

	it("leaves no text in a file of the data directory", () => {
		const files = everyFile(dataPath());
		expect(files.length).toBeGreaterThan(5);
		expect(files.filter((text) => text.includes(SEALED))).toEqual([]);
	});
});

describe("importing sealed cases", () => {
	it("says in its dry run what is wrong with a row, and nothing of its text nor of a stored one's", async () => {
		const bad = [
			{ ...caseOf("holdout", 50), message: "" },
			{ ...caseOf("holdout", 51), category: "" },
			{ ...caseOf("holdout", 52), rubric: [{ kind: `${SEALED}-kind`, any: [`${SEALED}-any`] }] },
			{ ...caseOf("holdout", 53), rubric: [{ kind: "contains", any: [7], text: `${SEALED}-any` }] },
			{ ...caseOf("holdout", 54), message: `${SEALED} \u0000` },
			{ ...caseOf("holdout", 55), history: [{ role: `${SEALED}-role`, text: "x" }] },
			// A copy of a stored sealed case, for dev: its group is the stored one's.
			{ ...caseOf("holdout", 5), id: "copy", split: "dev", group: undefined, tags: [] },
			`{"message": "${SEALED} half a row`,
		];
		const good = [caseOf("holdout", 56), caseOf("dev", 57)];
		const text = [...good, ...bad].map((row) => (typeof row === "string" ? row : JSON.stringify(row))).join("\n");
		const caller = callerOf(olga.id);
		await caller.cases.uploadPart({ workspace: "w", uploadId: "sweep00001", offset: 0, base64: Buffer.from(text).toString("base64") });
		const report = await caller.cases.dryRun({ workspace: "w", uploadId: "sweep00001", fileName: "more.jsonl" });
		expect(report).toMatchObject({ accepted: 2, rejectedTotal: bad.length, splits: { holdout: 1, dev: 1 } });
		expect(JSON.stringify(report)).toContain(OPEN);
		expect(JSON.stringify(report)).not.toContain(SEALED);
		const done = await caller.cases.importApply({ workspace: "w", uploadId: "sweep00001", fileName: "more.jsonl" });
		expect(JSON.stringify(done)).not.toContain(SEALED);
		expect(everyFile(dataPath("uploads")).filter((file) => file.includes(SEALED))).toEqual([]);
	});
});

/** The cache writes behind: what waits is written before its table is read. */
async function closeAnswers(): Promise<void> {
	await services.models.close();
}
