import { describe, expect, it } from "vitest";
import type { Step } from "@/server/agent/contract";
import { changedSkills, skillsLeftOut } from "./skills-left-out";

describe("changedSkills", () => {
	it("names each skill once, and none that is deleted or is no skill", () => {
		const changes = { "skills/a/SKILL.md": "x", "skills/a/references/r.md": "y", "skills/b/SKILL.md": null, "tools/t.yaml": "z" };
		expect(changedSkills(changes)).toEqual(["a"]);
	});
});

describe("skillsLeftOut", () => {
	const loads = (name: string, ok = true): Step => ({ type: "skill", atMs: 0, durationMs: 0, name, ok });
	it.each([
		["nothing was changed", [], [loads("a")], []],
		["it was loaded", ["a"], [loads("a")], []],
		["one of two was loaded", ["a", "b"], [loads("b")], []],
		["another was loaded", ["a"], [loads("b")], ["a"]],
		["it could not be loaded", ["a"], [loads("a", false)], ["a"]],
		["none was loaded", ["a", "b"], [], ["a", "b"]],
	] as const)("%s", (_name, changed, steps, expected) => {
		expect(skillsLeftOut(changed, steps)).toEqual(expected);
	});
});
