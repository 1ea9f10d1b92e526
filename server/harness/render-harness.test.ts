import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Harness } from "./contract";
import { schemaChecker } from "./json-schema";
import { renderHarness } from "./render-harness";
import { sampleHarness, sampleRoom } from "./testing/sample-harness";
import { openAiToolNames } from "./tool-rules";
import { validateHarness } from "./validate-harness";

function harnessOf(changes: Record<string, string | null> = {}): Harness {
	const { harness, problems } = validateHarness(sampleHarness(changes));
	if (!harness) throw new Error(JSON.stringify(problems));
	return harness;
}

describe("renderHarness", () => {
	it("assembles the system prompt in pipeline order", () => {
		const rendered = renderHarness(harnessOf(), sampleRoom);
		expect(rendered.blocks.map((block) => block.id)).toEqual(["role", "skill-index", "tool-notes", "style"]);
		expect(rendered.systemPrompt).toBe(
			[
				"# Role",
				"You answer in the lobby. It is 2026-03-01T10:00:00+08:00.",
				"# Skills",
				"Load a skill with load_skill before you use it; its text comes back as the result. Load at least one reply skill before you answer.\n- greeting (reply): Greets people. Use it when someone says hello.",
				"# Tools",
				"- look_up: Looks a person up.\n  returns: name (their name), address, address.city",
				"# Style",
				"Keep replies within 80 characters.",
			].join("\n\n"),
		);
		expect(rendered.constraints).toEqual({ replyMaxChars: 80 });
		expect(rendered.tools.map((tool) => tool.name)).toEqual(["look_up"]);
	});

	it.each([
		["room.viewer.level > 1", true],
		["room.viewer.level > 2", false],
		["constraints.replyMaxChars == 80", true],
		["room.absent == 1", false],
	])("keeps a block only when %s", (when, kept) => {
		const harness = harnessOf({ "prompts/style.md": `---\ntitle: Style\nwhen: ${when}\n---\nText.\n` });
		expect(renderHarness(harness, sampleRoom).blocks.some((block) => block.id === "style")).toBe(kept);
	});

	it("speaks the language of the harness in the blocks that it writes itself", () => {
		const harness = harnessOf({
			"prompts/role.md": "---\ntitle: 角色\n---\n你在大厅里回答大家的问题，一条只回一条。\n",
			"prompts/style.md": "---\ntitle: 表达\n---\n简短。\n",
		});
		expect(renderHarness(harness, sampleRoom).blocks.map((block) => block.title)).toEqual(["角色", "技能", "工具", "表达"]);
	});

	it("says which block a room cannot render", () => {
		const harness = harnessOf({ "prompts/style.md": "---\ntitle: Style\n---\n{{ room.sale.until }}\n" });
		expect(() => renderHarness(harness, sampleRoom)).toThrow(
			expect.objectContaining({ code: "precondition", reason: "prompt-not-renderable", params: expect.objectContaining({ block: "style" }) }),
		);
	});

	it("gives dates in the room's own zone, whatever the machine's", () => {
		const harness = harnessOf({ "prompts/style.md": '---\ntitle: Style\n---\n{{ room.now | date: "%m-%d %H:%M" }}\n' });
		expect(renderHarness(harness, sampleRoom).blocks.at(-1)?.text).toBe("03-01 10:00");
	});

	it("takes a date without a zone for UTC, whatever the machine's", () => {
		vi.stubEnv("TZ", "Asia/Tokyo");
		onTestFinished(() => void vi.unstubAllEnvs());
		expect(new Date("2026-07-01 12:00").getUTCHours()).toBe(3);
		const harness = harnessOf({
			"prompts/style.md": "---\ntitle: Style\n---\n{{ '2026-07-01 12:00' | date: '%s' }} {{ '2026-07-01' | date_to_xmlschema }}\n",
		});
		expect(renderHarness(harness, sampleRoom).blocks.at(-1)?.text).toBe("1782907200 2026-07-01T00:00:00+00:00");
	});
});

describe("openAiToolNames", () => {
	it.each([
		[["look_up"], ["look_up"]],
		[
			["files.read", "files_read"],
			[expect.stringMatching(/^files_read_[0-9a-f]{8}$/), "files_read"],
		],
		[["x".repeat(100)], ["x".repeat(64)]],
	])("maps %j and back", (names, wires) => {
		const { toWire, fromWire } = openAiToolNames(names);
		expect(names.map((name) => toWire.get(name))).toEqual(wires);
		for (const name of names) expect(fromWire.get(toWire.get(name) as string)).toBe(name);
	});
});

describe("schemaChecker", () => {
	it("tells what is wrong and where", () => {
		const check = schemaChecker({ type: "object", properties: { id: { type: "string", pattern: "^[a-z]+$" } }, required: ["id"], additionalProperties: false });
		expect(check({ id: "abc" })).toEqual({ ok: true });
		expect(check({ id: "ABC" })).toMatchObject({ ok: false, errors: [{ path: "id" }] });
		expect(check({ id: "a", more: 1 })).toMatchObject({ ok: false, errors: [{ message: expect.stringContaining("more") }] });
	});

	it("keeps a pattern that backtracks elsewhere linear", () => {
		const check = schemaChecker({ type: "string", pattern: "^(a+)+$" });
		// A backtracking engine needs 2^5000 steps for this; that the test ends is the assertion.
		expect(check(`${"a".repeat(5000)}!`)).toMatchObject({ ok: false });
	});

	it("keeps schemas with one $id apart", () => {
		expect(schemaChecker({ $id: "x", type: "string" })("a")).toEqual({ ok: true });
		expect(schemaChecker({ $id: "x", type: "number" })("a")).toMatchObject({ ok: false });
	});
});
