import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { env } from "@/server/kernel/env";
import { exportTools } from "./export-harness";
import { applyChanges } from "./file-paths";
import { importTools } from "./import-tools";
import { sampleHarness } from "./testing/sample-harness";
import { validateHarness } from "./validate-harness";

const tool = (fields: Record<string, unknown> = {}) => ({ name: "find", description: "Finds.", inputSchema: { type: "object", properties: {} }, ...fields });
const connection = { kind: "mcp", connection: "catalog" } as const;

describe("importTools", () => {
	it.each([
		["a result", { tools: [tool()] }],
		["a JSON-RPC response", { jsonrpc: "2.0", id: 1, result: { tools: [tool()] } }],
		["a bare list", [tool()]],
	])("reads %s", (_name, value) => {
		const { changes, report } = importTools(JSON.stringify(value), {}, connection, "strict");
		expect(report).toEqual({ imported: ["find"], rejected: [], warnings: [] });
		const { harness, problems } = validateHarness(applyChanges(sampleHarness(), changes), { handlers: ["look_up"], connections: ["catalog"], rooms: [] });
		expect(problems).toEqual([]);
		expect(harness?.tools.find((entry) => entry.tool.name === "find")?.binding).toEqual({ kind: "mcp", connection: "catalog", tool: "find" });
	});

	it.each<[string, Record<string, unknown>, boolean]>([
		["a name with spaces", { name: "find it" }, true],
		["no description", { description: undefined }, true],
		["no inputSchema", { inputSchema: undefined }, true],
		["a schema that is not valid", { inputSchema: { type: "object", properties: { a: { type: "nothing" } } } }, false],
		["an input that is no object", { inputSchema: { type: "string" } }, false],
		["the studio's own name", { name: "load_skill" }, false],
		["a name that is a git file", { name: ".gitignore" }, false],
		["no name", { name: undefined }, false],
	])("rejects %s when strict", (_name, fields, lenient) => {
		const json = JSON.stringify({ tools: [tool(fields), tool({ name: "other" })] });
		const strict = importTools(json, {}, connection, "strict").report;
		expect(strict.imported).toEqual(["other"]);
		expect(strict.rejected[0]?.at).toMatch(/^tools\[0\]/);
		expect(importTools(json, {}, connection, "lenient").report.imported).toHaveLength(lenient ? 2 : 1);
	});

	it("rejects a tool that is nested without end, and takes the others", () => {
		const deep = JSON.stringify(tool({ inputSchema: { type: "object", properties: "HERE" } })).replace(
			'"HERE"',
			`${"[".repeat(100_000)}${"]".repeat(100_000)}`,
		);
		const { report } = importTools(`[${deep},${JSON.stringify(tool({ name: "other" }))}]`, {}, connection, "lenient");
		expect(report.imported).toEqual(["other"]);
		expect(report.rejected).toMatchObject([{ at: "tools[0] find", phrase: { id: "import-tool-deep" } }]);
	});

	it("rejects the second tool of one name", () => {
		expect(importTools(JSON.stringify([tool(), tool({ name: "Find" })]), {}, connection, "strict").report.rejected).toHaveLength(1);
	});

	it.each(["[]", '{"tools":[]}'])("says that %s holds nothing", (json) => {
		expect(importTools(json, {}, connection, "strict").report).toMatchObject({
			imported: [],
			warnings: [{ at: "tools", reason: expect.stringMatching(/no tools/) }],
		});
	});

	it("refuses a name that every object has", () => {
		const { changes, report } = importTools(JSON.stringify([tool({ name: "__proto__" }), tool({ name: "constructor" })]), {}, connection, "lenient");
		expect(Object.keys(changes)).toEqual([]);
		expect(report.rejected.map((entry) => entry.phrase?.id)).toEqual(["tool-name-object", "tool-name-object"]);
	});

	it("says when the list goes on", () => {
		expect(importTools(JSON.stringify({ tools: [tool()], nextCursor: "x" }), {}, connection, "strict").report.warnings).toHaveLength(1);
	});

	it.each([
		["", "tools-list-no-json"],
		["nope", "tools-list-no-json"],
		["{}", "tools-list-no-list"],
		['{"tools":3}', "tools-list-no-list"],
		["null", "tools-list-no-list"],
		[" ".repeat(4_000_001), "tools-list-large"],
	])("refuses %.20j: %s", (json, whyReason) => {
		expect(() => importTools(json, {}, connection, "lenient")).toThrow(
			expect.objectContaining({ reason: "tools-list-unreadable", params: expect.objectContaining({ whyReason }) }),
		);
	});

	it("loses nothing on the way out", () => {
		const rich = tool({ title: "Find", outputSchema: { type: "object" }, annotations: { readOnlyHint: true }, icons: [{ src: "x" }], _meta: { a: 1 } });
		const { changes } = importTools(JSON.stringify([rich]), {}, connection, "strict");
		expect(exportTools(changes as Record<string, string>)).toEqual({ tools: [rich] });
	});
});

const data = path.resolve(env().STUDIO_TEST_DATA, "mcp-tools/reference-servers");
const there = fs.existsSync(data);

describe.skipIf(!there)(`reference servers (${there ? "mcp-tools" : "skipped: STUDIO_TEST_DATA has no mcp-tools"})`, () => {
	it("takes all 37 tools and gives them back", () => {
		let count = 0;
		for (const file of fs.readdirSync(data)) {
			const json = fs.readFileSync(path.join(data, file), "utf8");
			const { changes, report } = importTools(json, {}, connection, "strict");
			expect(report.rejected).toEqual([]);
			count += report.imported.length;
			const given = (JSON.parse(json) as { tools: { name: string }[] }).tools.sort((a, b) => (a.name < b.name ? -1 : 1));
			expect(exportTools(changes as Record<string, string>).tools.sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1))).toEqual(given);
			const { problems } = validateHarness({ ...sampleHarness(), ...(changes as Record<string, string>) });
			expect(problems.filter((problem) => problem.severity === "error")).toEqual([]);
		}
		expect(count).toBe(37);
	});
});
