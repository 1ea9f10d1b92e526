import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { env } from "@/server/kernel/env";
import { type ImportOptionsInput, ImportOptionsSchema } from "../contract";
import { planImport } from "./plan-import";
import { bufferSource } from "./read-table";

const plan = (content: Buffer | string, name: string, options: ImportOptionsInput = {}) =>
	planImport(bufferSource(content, name), ImportOptionsSchema.parse(options), { existing: [] }, { world: {}, roomProblem: () => null });
const anyCategory = { defaultCategory: "x" };

describe("formats of others", () => {
	const folder = path.resolve(env().STUDIO_TEST_DATA, "import-formats");
	const has = fs.existsSync(folder);
	const file = (name: string) => fs.readFileSync(path.join(folder, name));
	it.skipIf(!has).each([
		["promptfoo/csv-metadata/tests.csv", "promptfoo", { mapping: { message: "topic" } }, 3],
		["promptfoo/jsonl-test-cases/cases.jsonl", "promptfoo", { ...anyCategory, mapping: { message: "text" } }, 2],
		["promptfoo/simple-test/tests.csv", "promptfoo", anyCategory, 3],
		["openai/chinese_homophonic.jsonl", "openai-evals", anyCategory, null],
		["openai/toy_chat_fine_tuning.jsonl", "openai-chat", anyCategory, null],
	] as const)("%s", async (name, dialect, options, rows) => {
		const { report, cases } = await plan(file(name), name, options);
		expect(report.dialect).toBe(dialect);
		expect(report.accepted + report.rejectedTotal).toBe(report.rows);
		if (rows !== null) expect(report.rows).toBe(rows);
		expect(cases.every((one) => one.content.message.length > 0)).toBe(true);
	});
	it("reads a chat's earlier turns as history and its last reply as reference", async () => {
		const chat = {
			messages: [
				{ role: "system", content: "s" },
				{ role: "user", content: "one" },
				{ role: "assistant", content: "two" },
				{ role: "user", content: "three" },
				{ role: "assistant", content: "four" },
			],
		};
		const { cases } = await plan(JSON.stringify(chat), "t.jsonl", anyCategory);
		expect(cases[0]?.content).toMatchObject({
			message: "three",
			reference: "four",
			history: [
				{ role: "viewer", text: "one" },
				{ role: "agent", text: "two" },
			],
		});
	});
	it("keeps promptfoo's assertions that have a counterpart and says which have none", async () => {
		const row = {
			vars: { q: "hi" },
			assert: [
				{ type: "icontains", value: "hello" },
				{ type: "not-contains", value: "no" },
				{ type: "javascript", value: "x" },
			],
		};
		const { cases, report } = await plan(JSON.stringify(row), "t.jsonl", anyCategory);
		expect(cases[0]?.content.rubric.map((item) => item.kind)).toEqual(["contains", "not-contains"]);
		expect(report.warnings[0]?.reason).toContain("javascript");
	});
});
