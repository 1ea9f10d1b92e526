import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { env } from "@/server/kernel/env";
import { readFolder, readZip } from "./archive-read";
import { exportSkills } from "./export-harness";
import { applyChanges } from "./file-paths";
import { importSkills } from "./import-skills";
import { readSkill } from "./skill-rules";
import { sampleHarness } from "./testing/sample-harness";
import { validateHarness } from "./validate-harness";

const load = (files: Record<string, string>) => ({ files, rejected: [] });
const skill = (front: string) => `---\n${front}\n---\nBody.\n`;

describe("importSkills", () => {
	it("takes skills at any depth, with their files", () => {
		const { changes, report } = importSkills(
			load({
				"pack/skills/one/SKILL.md": skill("name: one\ndescription: One."),
				"pack/skills/one/references/a.md": "a",
				"pack/README.md": "x",
				"two/SKILL.md": skill("name: two\ndescription: Two."),
			}),
			sampleHarness(),
			"strict",
		);
		expect(report).toEqual({ imported: ["one", "two"], rejected: [], warnings: [] });
		expect(Object.keys(changes)).toEqual(["skills/one/SKILL.md", "skills/one/references/a.md", "skills/two/SKILL.md"]);
	});

	it("replaces a skill as a whole and says so", () => {
		const { changes, report } = importSkills(
			load({ "greeting/SKILL.md": skill("name: greeting\ndescription: New.") }),
			sampleHarness({ "skills/greeting/old.md": "x" }),
			"strict",
		);
		expect(changes).toEqual({ "skills/greeting/old.md": null, "skills/greeting/SKILL.md": skill("name: greeting\ndescription: New.") });
		expect(report.warnings).toHaveLength(1);
	});

	it.each<[string, string, RegExp]>([
		["a version field", "name: one\ndescription: One.\nversion: 2", /version/],
		["a name unlike its folder", "name: other\ndescription: One.", /folder/],
		["an over-long description", `name: one\ndescription: ${"x".repeat(1500)}`, /1024/],
		["a colon without quotes", "name: one\ndescription: Use when: asked", /YAML|Nested/],
		["an unknown type", "name: one\ndescription: One.\nmetadata: { type: tool }", /metadata\.type/],
	])("rejects %s when strict and mends it when lenient", (_name, front, reason) => {
		const files = { "one/SKILL.md": skill(front) };
		const strict = importSkills(load(files), {}, "strict");
		expect(strict.report.imported).toEqual([]);
		expect(strict.report.rejected[0]).toMatchObject({ at: "one/SKILL.md", reason: expect.stringMatching(reason) });
		const lenient = importSkills(load(files), sampleHarness(), "lenient");
		expect(lenient.report).toMatchObject({ imported: ["one"], rejected: [] });
		expect(lenient.report.warnings.length).toBeGreaterThan(0);
		expect(validateHarness(applyChanges(sampleHarness(), lenient.changes)).problems.filter((problem) => problem.severity === "error")).toEqual([]);
		expect(lenient.changes["skills/one/SKILL.md"]).toContain("Body.");
	});

	it("rejects what cannot be mended", () => {
		const { report } = importSkills(
			load({
				"one/SKILL.md": "no front matter",
				"two/SKILL.md": skill("name: two"),
				"a/three/SKILL.md": skill("name: three\ndescription: x"),
				"b/three/SKILL.md": skill("name: three\ndescription: y"),
			}),
			{},
			"lenient",
		);
		expect(report.imported).toEqual(["three"]);
		expect(report.rejected.map((entry) => entry.at)).toEqual(["b/three/SKILL.md", "one/SKILL.md", "two/SKILL.md"]);
	});

	it("says when there is no skill at all", () => {
		expect(importSkills(load({ "x.md": "y" }), {}, "lenient").report.rejected).toMatchObject([{ at: "", reason: "No SKILL.md was found." }]);
	});

	it("exports what it imported, byte for byte", async () => {
		const { files } = await readZip(exportSkills(sampleHarness({ "skills/greeting/references/a.md": "a" })).bytes);
		const { changes } = importSkills(load(files), {}, "strict");
		expect(changes).toEqual({ "skills/greeting/SKILL.md": sampleHarness()["skills/greeting/SKILL.md"], "skills/greeting/references/a.md": "a" });
	});
});

const data = path.resolve(env().STUDIO_TEST_DATA, "agent-skills");
const there = fs.existsSync(data);

describe.skipIf(!there)(`public skills (${there ? "agent-skills" : "skipped: STUDIO_TEST_DATA has no agent-skills"})`, () => {
	interface Vector {
		test: string;
		valid: boolean;
		dir_name: string;
		exists: boolean;
		is_dir: boolean;
		files: Record<string, string>;
	}
	const vectors = there
		? fs
				.readFileSync(path.join(data, "spec/skills_ref_validator_cases.jsonl"), "utf8")
				.split("\n")
				.filter(Boolean)
				.map((line) => JSON.parse(line) as Vector)
		: [];

	it.each(vectors.map((vector): [string, Vector] => [vector.test, vector]))("agrees with the official validator: %s", async (_name, vector) => {
		if (!vector.exists || !vector.is_dir) {
			await expect(readFolder(path.join(data, "spec", vector.exists ? "LICENSE" : vector.dir_name))).rejects.toMatchObject({
				code: vector.exists ? "bad-input" : "not-found",
			});
			expect(vector.valid).toBe(false);
			return;
		}
		const text = vector.files["SKILL.md"];
		if (text === undefined) {
			expect(validateHarness({ [`skills/${vector.dir_name}/x.md`]: "x" }).problems).toContainEqual(
				expect.objectContaining({ rule: "skill-missing", message: expect.stringContaining("Missing required file: SKILL.md") }),
			);
			return;
		}
		const { problems } = readSkill("SKILL.md", vector.dir_name, text);
		expect(
			problems.every((problem) => problem.severity !== "error"),
			JSON.stringify(problems),
		).toBe(vector.valid);
	});

	it("takes every public skill when lenient, nearly all when strict, and loses no text", async () => {
		const loaded = await readFolder(data);
		const total = Object.keys(loaded.files).filter((file) => file.endsWith("/SKILL.md")).length;
		expect(total).toBe(70);
		const strict = importSkills(loaded, {}, "strict");
		const lenient = importSkills(loaded, sampleHarness(), "lenient");
		const names = new Set(lenient.report.imported);
		// Two publishers have skills of one name: the second is refused, whatever the mode.
		const doubles = lenient.report.rejected.filter((entry) => /already taken/.test(entry.reason)).length;
		expect(names.size + doubles).toBe(total);
		expect(strict.report.imported.length).toBeGreaterThan(total * 0.85);
		expect(strict.report.imported.length).toBeLessThan(lenient.report.imported.length);
		const { problems } = validateHarness({
			...sampleHarness(),
			...Object.fromEntries(Object.entries(lenient.changes).filter((entry): entry is [string, string] => entry[1] !== null)),
		});
		expect(problems.filter((problem) => problem.severity === "error")).toEqual([]);
	});
});
