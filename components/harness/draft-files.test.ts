import { describe, expect, it } from "vitest";
import { applyFix, effectiveFiles, NAME_RULE, newComponent, renameComponent, withoutSaved } from "./draft-files";

const words = { description: "What it does.", rule: "when asked: answer", body: "Text." };
const files = {
	"harness.yaml": "pipeline: [role, { skills: index }, role-2]\nskills: { requireReplySkill: true }\n",
	"prompts/role.md": "---\ntitle: Role\n---\nText.\n",
	"skills/price/SKILL.md": "---\nname: price\ndescription: x\n---\nBody.\n",
	"skills/price/references/a.md": "a",
	"tools/find.yaml": "tool:\n  name: find\n  description: x\n",
};

describe("drafts on the screen", () => {
	it("layers unsaved over saved over base", () => {
		expect(effectiveFiles({ a: "1", b: "1", c: "1" }, { b: "2", c: null }, { a: null, d: "3" })).toEqual({ b: "2", d: "3" });
	});

	it("keeps what was typed while a save was on its way", () => {
		expect(withoutSaved({ a: "newer", b: "2", c: null }, { a: "old", b: "2", c: null })).toEqual({ a: "newer" });
	});

	it("puts a fix in its range", () => {
		const problem = {
			file: "a",
			line: 2,
			column: 3,
			endLine: 2,
			endColumn: 6,
			rule: "r",
			message: "m",
			severity: "error",
			fix: { title: "t", text: "new" },
		} as const;
		expect(applyFix("one\n..old..\nthree", problem)).toBe("one\n..new..\nthree");
	});
});

describe("components", () => {
	it.each(["reply", "strategy", "tool", "prompt", "hook"] as const)("makes a %s in a file of its own", (kind) => {
		const { path, changes } = newComponent(kind, "new-one", files, words);
		expect(changes[path]).toBeTypeOf("string");
		if (kind === "prompt") expect(changes["harness.yaml"]).toContain("[role, { skills: index }, role-2, new-one]");
	});

	it("renames a skill with its folder, and a prompt with its place in the pipeline", () => {
		expect(renameComponent("skill:price", "cost", files)).toEqual({
			path: "skills/cost/SKILL.md",
			changes: {
				"skills/price/SKILL.md": null,
				"skills/cost/SKILL.md": "---\nname: cost\ndescription: x\n---\nBody.\n",
				"skills/price/references/a.md": null,
				"skills/cost/references/a.md": "a",
			},
		});
		expect(renameComponent("prompt:role", "who", files)?.changes["harness.yaml"]).toBe(
			"pipeline: [who, { skills: index }, role-2]\nskills: { requireReplySkill: true }\n",
		);
		expect(renameComponent("tool:find", "look", files)?.changes["tools/look.yaml"]).toBe("tool:\n  name: look\n  description: x\n");
		expect(renameComponent("hook:none", "x", files)).toBeNull();
	});

	it.each([
		["reply", "price-2", true],
		["reply", "Price", false],
		["reply", "a--b", false],
		["tool", "get_product", true],
		["tool", "get product", false],
		["hook", "40-length", true],
		["hook", "../x", false],
	] as const)("judges the name of a %s: %s", (kind, name, fine) => {
		expect(NAME_RULE[kind].test(name)).toBe(fine);
	});
});
