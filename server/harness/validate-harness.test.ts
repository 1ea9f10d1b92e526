import { describe, expect, it } from "vitest";
import type { Problem, ValidationContext } from "./contract";
import { sampleHarness, sampleRoom } from "./testing/sample-harness";
import { validateHarness } from "./validate-harness";

const context: ValidationContext = { handlers: ["look_up", "count_items"], connections: ["catalog"], rooms: [sampleRoom] };
const manifest = (replace: [string, string]) => (sampleHarness()["harness.yaml"] as string).replace(...replace);
const tool = (replace: [string, string]) => (sampleHarness()["tools/look_up.yaml"] as string).replace(...replace);
const hook = (text: string) => ({ "hooks/10-length.js": text });
const style = (body: string) => ({ "prompts/style.md": `---\ntitle: Style\n---\n${body}\n` });
const skill = (front: string, body = "Text.") => ({ "skills/greeting/SKILL.md": `---\n${front}\n---\n${body}\n` });

type Expected = Pick<Problem, "rule"> & Partial<Problem> & { fixText?: string; says?: RegExp };

const table: [string, Record<string, string | null>, Expected][] = [
	["broken YAML", { "harness.yaml": "apiVersion: harness/v1\nkind: [agent\n" }, { rule: "yaml", file: "harness.yaml" }],
	[
		"a YAML alias bomb",
		{
			"harness.yaml": `a: &a [x,x]\n${"bcdefgh"
				.split("")
				.map((n, i) => `${n}: &${n} [${`*${"abcdefgh"[i]},`.repeat(9)}x]`)
				.join("\n")}\n`,
		},
		{ rule: "yaml", says: /aliases/ },
	],
	["no manifest", { "harness.yaml": null }, { rule: "manifest-missing" }],
	[
		"a field of the manifest that is not there",
		{ "harness.yaml": manifest(["maxSteps", "maxStep"]) },
		{ rule: "manifest-schema", line: 4, says: /limits\.maxStep/ },
	],
	["a manifest value of the wrong kind", { "harness.yaml": manifest(["kind: agent", "kind: robot"]) }, { rule: "manifest-schema", line: 2, column: 7 }],
	["a constraint above its range", { "harness.yaml": manifest(["value: 80", "value: 120"]) }, { rule: "constraint-range", line: 6, fixText: "100" }],
	[
		"a constraint with the name of what every object has",
		{ "harness.yaml": manifest(["replyMaxChars:", "constructor:"]) },
		{ rule: "manifest-schema", says: /constructor/ },
	],
	["a constraint with a range upside down", { "harness.yaml": manifest(["min: 50", "min: 500"]) }, { rule: "constraint-range", says: /above max/ }],
	[
		"an unknown pipeline id",
		{ "harness.yaml": manifest(["pipeline: [role", "pipeline: [rola"]) },
		{ rule: "pipeline-unknown", line: 7, column: 12, fixText: "role" },
	],
	["a prompt twice in the pipeline", { "harness.yaml": manifest(["pipeline: [role", "pipeline: [role, role"]) }, { rule: "pipeline-duplicate" }],
	["an unused prompt", { "prompts/extra.md": "---\ntitle: Extra\n---\nText.\n" }, { rule: "prompt-unused", severity: "warning", file: "prompts/extra.md" }],
	["a pipeline without skills", { "harness.yaml": manifest(["{ skills: index }, ", ""]) }, { rule: "pipeline-no-skills", severity: "warning" }],
	["a prompt without front matter", { "prompts/style.md": "Just text." }, { rule: "front-matter-missing" }],
	["Liquid that does not parse", style("line\n{% if room.title %}open"), { rule: "liquid-syntax", line: 5, file: "prompts/style.md" }],
	["an unknown tag that would read a file", style("{% include 'secret' %}"), { rule: "liquid-syntax", says: /include/ }],
	["render is not there either", style("{% render 'secret' %}"), { rule: "liquid-syntax", says: /render/ }],
	["layout is not there either", style("{% layout 'secret' %}"), { rule: "liquid-syntax", says: /layout/ }],
	["an unknown filter", style("{{ room.title | shout }}"), { rule: "liquid-syntax", says: /shout/ }],
	["an unknown root variable", style("ok {{ secrets.key }}"), { rule: "liquid-variable", line: 4, says: /secrets\.key/ }],
	["an unknown variable of the room", style("ok {{ room.viewer.rank }}"), { rule: "liquid-variable", line: 4, says: /room\.viewer\.level/ }],
	["an unknown constraint", style("{{ constraints.replyMin }}"), { rule: "liquid-variable", says: /constraints\.replyMaxChars/ }],
	["an inherited property", style("{{ room.constructor.name }}"), { rule: "liquid-variable" }],
	["a looping template", style("{% for i in (1..1000000000) %}x{% endfor %}"), { rule: "liquid-limit" }],
	["a template of nested loops", style("{% for a in (1..900) %}{% for b in (1..900) %}x{% endfor %}{% endfor %}"), { rule: "liquid-limit" }],
	["a loop behind what a room may lack", style("{{ room.viewer.badge }}\n{% for i in (1..100000000) %}x{% endfor %}"), { rule: "liquid-limit", line: 5 }],
	[
		"a condition that counts without end",
		{ "prompts/style.md": "---\ntitle: S\nwhen: (1..100000000) contains 5\n---\nText.\n" },
		{ rule: "liquid-limit", file: "prompts/style.md", line: 3 },
	],
	...["date_to_xmlschema", "date_to_rfc822", "date_to_string", "date_to_long_string"].map(
		(filter): [string, Record<string, string>, { rule: string; says: RegExp }] => [
			`a clock of its own (${filter})`,
			style(`{{ "now" | ${filter} }}`),
			{ rule: "liquid-render", says: /room\.now/ },
		],
	),
	["a clock of its own", style('{{ "now" | date: "%Y" }}'), { rule: "liquid-render", says: /room\.now/ }],
	[
		"an unknown variable in when",
		{ "prompts/style.md": "---\ntitle: S\nwhen: room.nothing == 1\n---\nText.\n" },
		{ rule: "liquid-variable", line: 3, column: 7 },
	],
	[
		"a when that is more than a condition",
		{ "prompts/style.md": '---\ntitle: S\nwhen: "true %}{{ room }}{% if true"\n---\nText.\n' },
		{ rule: "liquid-syntax", line: 3 },
	],
	["a skill named unlike its folder", skill("name: hello\ndescription: Hi."), { rule: "skill-name-folder", line: 2, column: 7, fixText: "greeting" }],
	["a skill with an upper-case name", skill("name: Greeting\ndescription: Hi."), { rule: "skill-name" }],
	["a skill with a long description", skill(`name: greeting\ndescription: ${"x".repeat(1025)}`), { rule: "skill-description-long", line: 3 }],
	["a skill with no description", skill("name: greeting"), { rule: "skill-description-missing" }],
	["a skill with a foreign field", skill("name: greeting\ndescription: Hi.\nversion: 2"), { rule: "skill-field-unknown", line: 4 }],
	["a skill of an unknown type", skill("name: greeting\ndescription: Hi.\nmetadata: { type: answer }"), { rule: "skill-metadata", fixText: "reply" }],
	["a skill without SKILL.md", { "skills/lonely/notes.md": "x" }, { rule: "skill-missing", file: "skills/lonely/SKILL.md" }],
	["YAML that goes too deep", { "tools/look_up.yaml": `a: ${"[".repeat(20_000)}` }, { rule: "yaml", line: 1, says: /in one another/ }],
	["YAML that goes too deep by dashes", { "tools/look_up.yaml": `${"- ".repeat(20_000)}x` }, { rule: "yaml", line: 1, says: /in one another/ }],
	["a bracket that is not closed", { "tools/look_up.yaml": tool(["required: [id]", "required: [id"]) }, { rule: "yaml", says: /bracket is not closed/ }],
	["a tool name that every object has", { "tools/look_up.yaml": tool(["name: look_up", "name: __proto__"]) }, { rule: "tool-name-reserved", line: 2 }],
	["an unclosed front matter", { "skills/greeting/SKILL.md": "---\nname: greeting\n" }, { rule: "front-matter-missing" }],
	[
		"a field that no tool returns",
		skill("name: greeting\ndescription: Hi.", "- when asked: “{{nmae}}”"),
		{ rule: "field-unknown", severity: "warning", line: 5, column: 18, fixText: "name" },
	],
	["a tool name that MCP does not allow", { "tools/look_up.yaml": tool(["name: look_up", "name: look up"]) }, { rule: "tool-schema", line: 2 }],
	["the studio's own tool name", { "tools/look_up.yaml": tool(["name: look_up", "name: load_skill"]) }, { rule: "tool-name-reserved" }],
	[
		"a tool named unlike its file",
		{ "tools/look_up.yaml": tool(["name: look_up", "name: find"]) },
		{ rule: "tool-name-file", severity: "warning", fixText: "look_up" },
	],
	["two tools of one name", { "tools/other.yaml": tool(["timeoutMs: 1000", "timeoutMs: 900"]) }, { rule: "tool-name-duplicate", file: "tools/other.yaml" }],
	[
		"names that meet where dots are not allowed",
		{ "tools/a.b.yaml": tool(["name: look_up", "name: a.b"]), "tools/a_b.yaml": tool(["name: look_up", "name: a_b"]) },
		{ rule: "tool-name-collides", severity: "warning" },
	],
	["a JSON Schema that is not valid", { "tools/look_up.yaml": tool(["id: { type: string", "id: { type: strin"]) }, { rule: "json-schema", line: 4 }],
	[
		"a keyword that no reader knows",
		{ "tools/look_up.yaml": tool(["required: [id]", "requierd: [id]"]) },
		{ rule: "json-schema-keyword", severity: "warning" },
	],
	["a pattern that cannot run in linear time", { "tools/look_up.yaml": tool(["^[a-z]+$", "(a)\\\\1"]) }, { rule: "json-schema", says: /linear/ }],
	[
		"a schema that comes back to itself",
		{ "tools/look_up.yaml": tool(["inputSchema: { type: object,", 'inputSchema: { allOf: [{ $ref: "#" }], type: object,']) },
		{ rule: "json-schema-endless", line: 4 },
	],
	[
		"a property whose schema comes back to itself",
		{ "tools/look_up.yaml": tool(["id: { type: string", 'id: { anyOf: [{ $ref: "#/properties/id" }]']) },
		{ rule: "json-schema-endless", line: 4 },
	],
	[
		"a schema that comes back to itself by an anchor",
		{
			"tools/look_up.yaml": tool([
				"inputSchema: { type: object,",
				'inputSchema: { $defs: { a: { $anchor: a, allOf: [{ $ref: "#a" }] } }, $ref: "#a", type: object,',
			]),
		},
		{ rule: "json-schema-endless", line: 4 },
	],
	[
		"a schema of some lines that would check a value 9 to the power of 30 times",
		{
			"tools/look_up.yaml": tool([
				"inputSchema: { type: object,",
				`inputSchema: {\n    $defs: {\n    ${Array.from(
					{ length: 30 },
					(_, i) =>
						`d${i}: { allOf: [${Array(9)
							.fill(`{ $ref: "#/$defs/d${i + 1}" }`)
							.join(", ")}] },`,
				).join("\n    ")}\n    d30: { type: object } },\n    $ref: "#/$defs/d0", type: object,`,
			]),
		},
		// Four steps before the last definition.
		{ rule: "json-schema-heavy", line: 32, says: /d26.*multiply/ },
	],
	["an input that is no object", { "tools/look_up.yaml": tool(["inputSchema: { type: object", "inputSchema: { type: array"]) }, { rule: "tool-input-object" }],
	[
		"an argument's other name without the argument",
		{ "tools/look_up.yaml": tool(["timeoutMs: 1000", "arguments: { nobody: id }\ntimeoutMs: 1000"]) },
		{ rule: "tool-arguments", line: 7 },
	],
	[
		"two arguments that would meet at the binding",
		{
			"tools/look_up.yaml": tool(["properties: { id: {", "properties: { key: {}, id: {"]).replace("timeoutMs: 1000", "arguments: { key: id }\ntimeoutMs: 1000"),
		},
		{ rule: "tool-arguments", says: /as “id”/ },
	],
	[
		"a schema on the network",
		{ "tools/look_up.yaml": tool(["id: { type: string", 'id: { $ref: "https://example.com/x.json"']) },
		{ rule: "json-schema", says: /resolve/ },
	],
	[
		"a binding without a handler",
		{ "tools/look_up.yaml": tool(["handler: look_up", "handler: lookup"]) },
		{ rule: "binding-handler", line: 6, fixText: "look_up" },
	],
	[
		"an unknown connection",
		{ "tools/look_up.yaml": tool(["{ kind: simulator, handler: look_up }", "{ kind: mcp, connection: shop, tool: x }"]) },
		{ rule: "binding-connection" },
	],
	[
		"an address in a binding",
		{ "tools/look_up.yaml": tool(["{ kind: simulator, handler: look_up }", "{ kind: http, connection: catalog, tool: x, url: 'http://10.0.0.1' }"]) },
		{ rule: "tool-schema", says: /url/ },
	],
	["time-outs that leave nothing", { "tools/look_up.yaml": tool(["timeoutMs: 1000", "timeoutMs: 4000"]) }, { rule: "budget", severity: "warning", line: 7 }],
	["a hook that does not parse", hook("export default { on: 'reply', run( { }"), { rule: "hook-syntax" }],
	[
		"a comment of HTML, behind which two readers would see two programs",
		hook("let x = 1;\nlet q = 1 <!--x\nexport default { on: 'reply', run() { return pass(); } };"),
		{ rule: "hook-syntax", line: 2, column: 11, says: /<!--/ },
	],
	["a hook that waits at the top", hook("await 1;\nexport default { on: 'reply', run() { return pass(); } };"), { rule: "hook-syntax", line: 1 }],
	[
		"a hook that begins like a script of a shell",
		hook("#!/bin/sh\nexport default { on: 'reply', run() { return pass(); } };"),
		{ rule: "hook-syntax", line: 1 },
	],
	["a hook without a default export", hook("const on = 'reply';"), { rule: "hook-export" }],
	["a hook of an unknown event", hook("export default { on: 'start', run() { return pass(); } };"), { rule: "hook-event", column: 22 }],
	["a hook whose event is computed", hook("const e = 'reply'; export default { on: e, run() { return pass(); } };"), { rule: "hook-event" }],
	["a hook without run", hook("export default { on: 'reply' };"), { rule: "hook-run" }],
	["a hook with an async run", hook("export default { on: 'reply', async run() { return pass(); } };"), { rule: "hook-run" }],
	["a hook that imports", hook("import fs from 'node:fs'; export default { on: 'reply', run() { return pass(); } };"), { rule: "hook-import", column: 1 }],
	["a hook that imports late", hook("export default { on: 'reply', run() { import('node:fs'); return pass(); } };"), { rule: "hook-import" }],
	["a hook with a bad failure", hook("export default { on: 'reply', failure: 'maybe', run() { return pass(); } };"), { rule: "hook-failure" }],
	[
		"a hook that names no constraint",
		hook("export default { on: 'reply', run({ constraints }) { return constraints.maxChars ? pass() : pass(); } };"),
		{ rule: "constraint-unknown" },
	],
	[
		"a number that contradicts a constraint",
		style("Keep replies within 60 characters."),
		{ rule: "number-contradicts-constraint", severity: "warning", line: 4, column: 21, fixText: "{{ constraints.replyMaxChars }}" },
	],
	["the same in Chinese", style("回复控制在 60 字以内。"), { rule: "number-contradicts-constraint", severity: "warning", line: 4, column: 7 }],
	["a number typed twice", style("Keep replies within 80 characters."), { rule: "number-repeats-constraint", severity: "warning" }],
	[
		"a skill that allows more than the constraint",
		skill("name: greeting\ndescription: Hi.", "- at most 200 characters"),
		{ rule: "number-contradicts-constraint", severity: "warning" },
	],
	["a NUL, where it stands", { "README.md": "one\ntw\u0000o" }, { rule: "file-unstorable", severity: "error", line: 2, column: 3 }],
	["half of a surrogate pair", { "README.md": "😀\ud83d" }, { rule: "file-unstorable", severity: "error", column: 3 }],
	["a file that nothing uses", { "notes/todo.txt": "x" }, { rule: "file-unknown", severity: "warning" }],
	["a path out of the folder", { "prompts/../../x.md": "x" }, { rule: "path" }],
	["a .git file", { "skills/greeting/.gitattributes": "* merge=x" }, { rule: "path" }],
	["two paths that differ in case", { "skills/greeting/skill.md": "x" }, { rule: "path-collides" }],
	[
		"no reply skill where one is required",
		{ "skills/greeting/SKILL.md": "---\nname: greeting\ndescription: Hi.\nmetadata: { type: strategy }\n---\nText.\n" },
		{ rule: "no-reply-skill", severity: "warning" },
	],
];

describe("validateHarness", () => {
	it("finds nothing in a sound harness", () => {
		const result = validateHarness(sampleHarness(), context);
		expect(result.problems).toEqual([]);
		expect(result.harness).toMatchObject({ name: "sample", tools: [{ retryAttempts: 1 }], hooks: [{ id: "10-length", event: "reply", failure: "closed" }] });
	});

	it.each(table)("%s", (_name, changes, expected) => {
		const { harness, problems } = validateHarness(sampleHarness(changes), context);
		const { fixText, says, ...fields } = expected;
		const found = problems.find((problem) => problem.rule === expected.rule);
		expect(found, JSON.stringify(problems)).toMatchObject({ severity: "error", ...fields });
		if (fixText !== undefined) expect(found?.fix?.text).toBe(fixText);
		if (says) expect(found?.message).toMatch(says);
		expect(harness === null).toBe(problems.some((problem) => problem.severity === "error"));
	});

	it("bounds what the schemas of all tools hold together", () => {
		const wide = `{ type: object, properties: { ${Array.from({ length: 1_400 }, (_, i) => `p${i}: { type: string }`).join(", ")} } }`;
		const files = Object.fromEntries(
			Array.from({ length: 10 }, (_, i) => [`tools/t${i}.yaml`, tool(["name: look_up", `name: t${i}`]).replace(/inputSchema: .*/, `inputSchema: ${wide}`)]),
		);
		const heavy = validateHarness(sampleHarness(files), context).problems.filter((problem) => problem.rule === "json-schema-heavy");
		expect(new Set(heavy.map((problem) => problem.file))).toEqual(new Set(["tools/t8.yaml", "tools/t9.yaml"]));
	});

	it("reports everything at once", () => {
		const { problems } = validateHarness(
			sampleHarness({ ...style("{{ nope }} within 60 characters"), ...hook("export default {"), "tools/look_up.yaml": "tool: 3" }),
			context,
		);
		expect(new Set(problems.map((problem) => problem.file))).toEqual(new Set(["prompts/style.md", "hooks/10-length.js", "tools/look_up.yaml"]));
	});

	it("does not check bindings of a folder on its own", () => {
		expect(validateHarness(sampleHarness({ "tools/look_up.yaml": tool(["handler: look_up", "handler: other"]) })).problems).toEqual([]);
	});

	it("finds a loop without any sample room, behind what only a room would tell", () => {
		const files = sampleHarness(style("{{ room.title }}\n{% for i in (1..100000000) %}{% endfor %}"));
		expect(validateHarness(files).problems).toMatchObject([{ rule: "liquid-limit", file: "prompts/style.md", line: 5, severity: "error" }]);
	});

	it("points a fix at the range that it replaces", () => {
		const files = sampleHarness(skill("name: hello\ndescription: Hi."));
		const [problem] = validateHarness(files, context).problems;
		const line = (files["skills/greeting/SKILL.md"] as string).split("\n")[(problem?.line ?? 0) - 1] as string;
		expect(line.slice((problem?.column ?? 0) - 1, (problem?.endColumn ?? 0) - 1)).toBe("hello");
	});

	it("allows what a room may lack behind a guard, and warns without one", () => {
		const rooms = [sampleRoom, { ...sampleRoom, title: "other", sale: { until: "noon" } }];
		const guarded = validateHarness(sampleHarness(style("{% if room.sale %}Until {{ room.sale.until }}{% endif %}")), { ...context, rooms });
		const bare = validateHarness(sampleHarness(style("Until {{ room.sale.until }}")), { ...context, rooms });
		expect(guarded.problems).toEqual([]);
		expect(bare.problems).toMatchObject([{ rule: "liquid-variable-sometimes", severity: "warning" }]);
		expect(bare.harness).not.toBeNull();
	});
});
