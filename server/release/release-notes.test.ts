import { describe, expect, it } from "vitest";
import type { Phrases } from "@/server/kernel/phrase.contract";
import { type NoteProposal, writeNotes } from "./release-notes";

const proposal: NoteProposal = {
	number: 41,
	title: "Say the delivery time",
	summary: "Say the delivery time\n- a rule in shipping\n- a new skill",
	engine: "built-in",
	authors: ["Lin Xiao"],
	approvedBy: "Zhou Min",
	findings: [{ number: 7, title: "Order_s: no skill" }],
	phrases: {},
	round: "Evo.2",
	unattended: false,
};

describe("release notes", () => {
	it("say what changed, why, by whom, and who approved it", () => {
		expect(
			writeNotes({ title: "December", round: "Evo.2", against: "v1", proposals: [proposal], language: "en" }).text,
		).toBe(`December · Evo.2, compared with v1

- **#41 Say the delivery time** (Evo.2)
  - a rule in shipping
  - a new skill
  - For F-7 Order\\_s: no skill
  - By the built-in engine for Lin Xiao; approved by Zhou Min
`);
	});

	it("are written in the language of the workspace", () => {
		expect(
			writeNotes({ title: "十二月", round: "Evo.2", against: "base", proposals: [{ ...proposal, unattended: true }], language: "zh-CN" }).text,
		).toBe(`十二月 · Evo.2，对比基线

- **#41 Say the delivery time**（Evo.2）
  - a rule in shipping
  - a new skill
  - 针对发现 F-7：Order\\_s: no skill
  - 撰写：内置引擎，由Lin Xiao请求；批准：Zhou Min（无人值守）
`);
	});

	it("name services and the studio's own evolutions in both languages, and people as they are", () => {
		const mine = { ...proposal, authors: ["Unattended loop (editor)", "Lin Xiao"], approvedBy: "Unattended loop (reviewer)", findings: [], unattended: true };
		const notes = writeNotes({ title: "Loop, seed 3", round: "Evo.2", against: "v1", proposals: [mine], language: "zh-CN" });
		expect(notes.text).toContain("循环，种子 3 · Evo.2，对比v1");
		expect(notes.text).toContain("撰写：内置引擎，由无人值守循环（编辑）、Lin Xiao请求；批准：无人值守循环（评审）（无人值守）");
		// The phrase carries both, for a reader of the other language.
		expect(Object.values(notes.phrases).find((p) => p.id === "notes-by-unattended")?.params).toMatchObject({
			approval: { params: { name: { en: "Unattended loop (reviewer)", zh: "无人值守循环（评审）" } } },
		});
	});

	it("keep what the studio wrote as phrases by their lines, with values as they are, and nothing that a person wrote", () => {
		const phrases: Phrases = { "Order_s: no skill": { id: "finding", params: {} }, "a new skill": { id: "edit-add", params: {} } };
		const notes = writeNotes({ title: "a_b", round: "Evo.2", against: "base", proposals: [{ ...proposal, phrases }], language: "en" });
		const lines = notes.text.split("\n").map((line) => line.replace(/^ *- /, ""));
		expect(Object.keys(notes.phrases).every((key) => lines.includes(key))).toBe(true);
		expect(notes.phrases["a new skill"]).toEqual(phrases["a new skill"]);
		expect(notes.phrases["a rule in shipping"]).toBeUndefined();
		expect(notes.phrases["a\\_b · Evo.2, compared with the baseline"]?.params).toEqual({
			title: "a_b",
			round: "Evo.2",
			against: { id: "notes-baseline", params: {} },
		});
		expect(notes.phrases["For F-7 Order\\_s: no skill"]?.params).toEqual({
			findings: [{ id: "notes-finding", params: { number: 7, title: phrases["Order_s: no skill"] } }],
		});
	});

	it("typed text is one line and no structure", () => {
		const notes = writeNotes({
			title: "x\n# Heading",
			round: "Evo.1",
			against: "base",
			language: "en",
			proposals: [{ ...proposal, title: "[click](http://x) <b>", engine: "person", unattended: true, findings: [] }],
		}).text;
		expect(notes).toContain("x \\# Heading");
		expect(notes).toContain("\\[click\\](http://x) \\<b\\>");
		expect(notes).toContain("By Lin Xiao; approved by Zhou Min (unattended)");
		expect(writeNotes({ title: "x", round: "Evo.1", against: "base", proposals: [], language: "en" }).text).toContain("No proposal landed");
	});
});
