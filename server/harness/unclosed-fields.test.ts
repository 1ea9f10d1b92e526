import { describe, expect, it } from "vitest";
import { sampleHarness } from "./testing/sample-harness";
import { validateHarness } from "./validate-harness";

const PATH = "skills/greeting/SKILL.md";
const problemsOf = (body: string) =>
	validateHarness(sampleHarness({ [PATH]: `---\nname: greeting\ndescription: Hi.\nmetadata: { type: reply }\n---\n${body}\n` })).problems.filter(
		(problem) => problem.rule === "field-unclosed",
	);

describe("a field of a skill that is not closed", () => {
	it.each([
		["never", "- when asked: “{{name”", [[6, 16]]],
		["not on its line", "- when asked: {{name\n}}", [[6, 15]]],
		["before another", "{{name and {{id}}", [[6, 1]]],
		[
			"once for each line",
			"{{a {{b\n{{c",
			[
				[6, 1],
				[7, 1],
			],
		],
		["beside code", "`{{` opens, {{ here", [[6, 13]]],
		["closed", "Say {{name}} and {{ id }}.", []],
		["in a code span", "Write `{{` to open.", []],
		["in a fenced block", "```jsx\n<a style={{\n  x: 1 }} />\n```\nText.", []],
		["in a fence that goes on to the end", "~~~\n{{", []],
		["Liquid, which is text here", "{% if room %}", []],
	])("%s", (_name, body, expected) => {
		expect(problemsOf(body).map(({ line, column }) => [line, column])).toEqual(expected);
	});

	it("names the file and what to do, and does not forbid the harness", () => {
		expect(problemsOf("{{name")).toMatchObject([{ file: PATH, severity: "warning", message: expect.stringContaining("Close it with `}}`") }]);
	});
});
