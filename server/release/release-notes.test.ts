import { describe, expect, it } from "vitest";
import { type NoteProposal, writeNotes } from "./release-notes";

const proposal: NoteProposal = {
	number: 41,
	title: "Say the delivery time",
	summary: "Say the delivery time\n- a rule in shipping\n- a new skill",
	engine: "built-in",
	authors: ["Lin Xiao"],
	approvedBy: "Zhou Min",
	findings: [{ number: 7, title: "Order: no skill" }],
	round: "Evo.2",
	unattended: false,
};

describe("release notes", () => {
	it("say what changed, why, by whom, and who approved it", () => {
		expect(writeNotes({ title: "December", round: "Evo.2", against: "v1", proposals: [proposal], language: "en" })).toBe(`December · Evo.2, compared with v1

- **#41 Say the delivery time** (Evo.2)
  - a rule in shipping
  - a new skill
  - For F-7 Order: no skill
  - By built-in for Lin Xiao; approved by Zhou Min
`);
	});

	it("are written in the language of the workspace", () => {
		expect(
			writeNotes({ title: "十二月", round: "Evo.2", against: "base", proposals: [{ ...proposal, unattended: true }], language: "zh-CN" }),
		).toBe(`十二月 · Evo.2，与 基线 比较

- **#41 Say the delivery time** (Evo.2)
  - a rule in shipping
  - a new skill
  - 针对 F-7 Order: no skill
  - built-in 受 Lin Xiao 委托撰写；Zhou Min 批准（无人值守）
`);
	});

	it("typed text is one line and no structure", () => {
		const notes = writeNotes({
			title: "x\n# Heading",
			round: "Evo.1",
			against: "base",
			language: "en",
			proposals: [{ ...proposal, title: "[click](http://x) <b>", engine: "person", unattended: true, findings: [] }],
		});
		expect(notes).toContain("x \\# Heading");
		expect(notes).toContain("\\[click\\](http://x) \\<b\\>");
		expect(notes).toContain("By Lin Xiao; approved by Zhou Min (unattended)");
		expect(writeNotes({ title: "x", round: "Evo.1", against: "base", proposals: [], language: "en" })).toContain("No proposal landed");
	});
});
