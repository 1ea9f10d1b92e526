import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Database } from "@/server/db/client";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { recordAudit } from "@/server/workspace";
import { type AuditEntryDto, auditWords, SERVICE_ACTORS } from "@/server/workspace/contract";
import { queryAudit } from "../workspace/audit.repository";
import { auditReader } from "./audit-reader";

vi.setConfig({ hookTimeout: 120_000 });

const categories = [{ id: "price", title: { en: "Prices", zh: "价格" } }];
const chinese = auditReader("zh", { categories });
const english = auditReader("en", { categories });
const ws = "ws_1";
const ada = { id: "usr_1", name: "Ada" };

let database: TestDatabase;
const record = (db: Database, entry: Omit<Parameters<typeof recordAudit>[1], "workspaceId">) => recordAudit(db, { workspaceId: ws, ...entry });

beforeAll(async () => {
	database = await createTestDatabase();
	const { db } = database;
	await record(db, { actor: ada, action: "run.start", subject: "run R-12" });
	await record(db, { actor: SERVICE_ACTORS.loopReviewer, action: "proposal.land", subject: "proposal #4 r2 on evolution/autumn" });
	await record(db, { actor: ada, action: "alarm.acknowledge", subject: "price: R-12 against R-3", reason: "Known since spring." });
	await record(db, { actor: ada, action: "trigger.disable", subject: "landing-dev v2" });
	const phrases = { "It points to skill price": { id: "points-to", params: { component: { en: "skill price", zh: "技能 price" } } } };
	await record(db, { actor: ada, action: "finding.reject", subject: "finding F-1", reason: "It points to skill price", phrases });
});
afterAll(() => database.drop());

const found = async (filter: object, reader = chinese, page = { page: 1, pageSize: 10 }) => {
	const { entries, total } = await queryAudit(database.db, ws, filter, page, reader);
	return { actions: entries.map(({ action }) => action), total };
};

it.each([
	["a subject", { search: "运行 R-12" }, ["run.start"]],
	["an action", { search: "确认类别告警" }, ["alarm.acknowledge"]],
	["a category's title", { search: "价格" }, ["alarm.acknowledge"]],
	["a built-in trigger's name", { search: "提案合入" }, ["trigger.disable"]],
	["a reason that the studio wrote", { search: "技能 price" }, ["finding.reject"]],
	["a service in the search", { search: "无人值守" }, ["proposal.land"]],
	["a service among the people", { actor: "无人值守循环" }, ["proposal.land"]],
	["what is stored", { search: "evolution/AUTUMN" }, ["proposal.land"]],
	["a person", { actor: "ada", search: "运行" }, ["run.start"]],
	["what a person wrote", { search: "since spring" }, ["alarm.acknowledge"]],
	["nothing that is not there", { search: "回滚" }, []],
])("a reader of Chinese finds %s", async (_name, filter, actions) => {
	expect(await found(filter)).toEqual({ actions, total: actions.length });
});

it("finds in a reader's own language only, and pages what it found", async () => {
	expect(await found({ search: "运行" }, english)).toEqual({ actions: [], total: 0 });
	expect(await found({ search: "start a run" }, english)).toMatchObject({ actions: ["run.start"] });
	expect(await found({ actor: "Ada", search: "a" }, english, { page: 2, pageSize: 3 })).toMatchObject({ actions: ["run.start"], total: 4 });
});

it("says an entry as its page does", () => {
	const entry = (change: Partial<AuditEntryDto>) => ({ actorName: "Ada", action: "run.start", subject: "run R-12", reason: null, phrases: {}, ...change });
	expect(auditWords(chinese, entry({}))).toEqual({ actor: "Ada", action: "开始运行", subject: "运行 R-12", reason: null });
	const old = entry({ actorName: "Studio", action: "thing.done", subject: "a name", reason: "why not" });
	expect(auditWords(chinese, old)).toEqual({ actor: "工作台", action: "thing.done", subject: "a name", reason: "why not" });
});
