import type { Constraint, HarnessTool, Problem, Skill } from "./contract";
import { changeTo, messageOf, titleOf } from "./problem-texts";
import { Source } from "./source";
import { nearest } from "./tool-rules";
import { splitFrontMatter } from "./yaml-source";

/** How people write a unit behind a number. */
const UNIT_WORDS: Record<string, string> = {
	chars: "(?:个)?(?:字符|汉字|字)|characters?\\b|chars?\\b",
	words: "(?:个)?(?:单词|词)|words?\\b",
	sentences: "句|sentences?\\b",
	seconds: "秒(?:钟)?|seconds?\\b|secs?\\b",
	ms: "毫秒|milliseconds?\\b|ms\\b",
	minutes: "分钟|minutes?\\b",
	items: "[个条项]|items?\\b",
	tokens: "tokens?\\b",
};

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const LIMIT_WORDS =
	/以内|之内|不超过|不多于|不得超过|最多|上限|控制在|限制在|至多|不要超过|within|at most|no more than|up to|under|below|limit|maximum|max\b|fewer than|less than|keep .*to/i;
/** Longest line that is looked at: the rule is about sentences that people write. */
const MAX_LINE = 2_000;

const numberBefore = (unit: string) => new RegExp(`(?<![\\d.\\w])(\\d{1,6}(?:\\.\\d+)?)[ \\t]*(?:${UNIT_WORDS[unit] ?? escapeRegExp(unit)})`, "gi");

interface Text {
	path: string;
	text: string;
	offset: number;
	/** Templates can name the constraint; a skill's text cannot. */
	template: boolean;
}

/** Numbers typed beside a unit and a word of limit, where a constraint of that unit says otherwise (or the same, twice). */
export function numberProblems(file: Text, constraints: Record<string, Constraint>): Problem[] {
	const entries = Object.entries(constraints).filter(([, constraint]) => constraint.unit);
	if (entries.length === 0) return [];
	const source = new Source(file.path, file.text);
	const problems: Problem[] = [];
	let offset = file.offset;
	for (const line of file.text.slice(file.offset).split("\n")) {
		if (line.length <= MAX_LINE && LIMIT_WORDS.test(line)) problems.push(...numbersOfLine(line, offset, entries, file.template, source));
		offset += line.length + 1;
	}
	return problems;
}

function numbersOfLine(line: string, offset: number, entries: [string, Constraint][], template: boolean, source: Source): Problem[] {
	const problems: Problem[] = [];
	const units = new Set(entries.map(([, constraint]) => constraint.unit as string));
	for (const unit of units) {
		const same = entries.filter(([, constraint]) => constraint.unit === unit);
		for (const match of line.matchAll(numberBefore(unit))) {
			const value = Number(match[1]);
			const equal = same.find(([, constraint]) => constraint.value === value);
			const [name, constraint] = equal ?? (same[0] as [string, Constraint]);
			// A skill may ask for less than the limit; only a template repeats the limit itself.
			if (!template && (equal || value < constraint.value)) continue;
			const start = offset + match.index;
			const text = `{{ constraints.${name} }}`;
			problems.push(
				source.problem(
					{
						rule: equal ? "number-repeats-constraint" : "number-contradicts-constraint",
						severity: "warning",
						...(equal
							? messageOf("number-repeats-constraint", { value, name })
							: messageOf("number-contradicts-constraint", { value, name, limit: constraint.value })),
						...(template ? { fix: { ...titleOf("fix-write", { text }), text } } : {}),
					},
					[start, start + (match[1] as string).length],
				),
			);
		}
	}
	return problems;
}

/** Numbers of a unit that a text types in sentences of limits, with their places: “at most 80 characters”. */
export function typedLimits(text: string, unit: string): { value: number; start: number; end: number }[] {
	const found: { value: number; start: number; end: number }[] = [];
	let offset = 0;
	for (const line of text.split("\n")) {
		if (line.length <= MAX_LINE && LIMIT_WORDS.test(line))
			for (const match of line.matchAll(numberBefore(unit))) {
				const start = offset + match.index;
				found.push({ value: Number(match[1]), start, end: start + (match[1] as string).length });
			}
		offset += line.length + 1;
	}
	return found;
}

/** Dotted names of every property of an output schema, to a bounded depth. */
export function fieldsOfSchema(schema: Record<string, unknown> | undefined, prefix = "", depth = 0): string[] {
	if (!schema || depth > 4) return [];
	const names: string[] = [];
	const properties = schema.properties;
	if (properties && typeof properties === "object") {
		for (const [key, child] of Object.entries(properties)) {
			names.push(prefix + key);
			if (child && typeof child === "object") names.push(...fieldsOfSchema(child as Record<string, unknown>, `${prefix}${key}.`, depth + 1));
		}
	}
	const items = schema.items;
	if (items && typeof items === "object" && !Array.isArray(items)) names.push(...fieldsOfSchema(items as Record<string, unknown>, prefix, depth + 1));
	return names;
}

const FIELD = /\{\{\s*([^{}\n]{1,120}?)\s*\}\}/g;

/** `{{field}}` in a skill that no tool returns. Silent where no tool says what it returns. */
export function fieldProblems(skill: Skill, text: string, tools: readonly HarnessTool[]): Problem[] {
	const described = tools.filter((tool) => tool.tool.outputSchema);
	if (described.length === 0) return [];
	const known = [...new Set(described.flatMap((tool) => fieldsOfSchema(tool.tool.outputSchema)))];
	const names = new Set([...known, ...known.map((name) => name.split(".").at(-1) as string)]);
	// A field that may hold anything (no properties of its own) covers what is below it.
	const covered = (field: string) => {
		const root = field.split(".")[0] as string;
		return names.has(field) || (field.includes(".") && names.has(root) && !known.some((name) => name.startsWith(`${root}.`)));
	};
	const source = new Source(skill.path, text);
	const problems: Problem[] = [];
	for (const match of text.matchAll(FIELD)) {
		const field = match[1] as string;
		if (covered(field)) continue;
		const start = match.index + match[0].indexOf(field);
		const near = nearest(field, [...names]);
		problems.push(
			source.problem(
				{
					rule: "field-unknown",
					severity: "warning",
					...(near ? messageOf("field-unknown-near", { name: field, near }) : messageOf("field-unknown", { name: field })),
					...changeTo(near),
				},
				[start, start + field.length],
			),
		);
	}
	return problems;
}

/** Fenced blocks and code spans: examples, in which brackets mean what their language says. */
const CODE = /^[ \t]*(`{3,8}|~{3,8})[\s\S]*?(?:^[ \t]*\1|(?![\s\S]))|(`{1,2})[^`\n]+\2/gm;
const CLOSED = /\{\{[^{}\n]*\}\}/g;
const blank = (text: string) => text.replace(/[^\n]/g, " ");

/** `{{` in a skill's body that its line does not close, the first of each line: nothing is put there, and a reply that quotes it says the brackets. */
export function unclosedFieldProblems(skill: Skill, text: string): Problem[] {
	const bodyOffset = splitFrontMatter(text)?.bodyOffset ?? 0;
	const source = new Source(skill.path, text);
	const problems: Problem[] = [];
	// Offsets stay: what is closed or code becomes blanks of its length.
	let offset = bodyOffset;
	for (const line of text.slice(bodyOffset).replace(CODE, blank).replace(CLOSED, blank).split("\n")) {
		const at = line.indexOf("{{");
		const range = [offset + at, offset + at + 2] as const;
		if (at >= 0)
			problems.push(source.problem({ rule: "field-unclosed", severity: "warning", ...messageOf("field-unclosed", { open: "{{", close: "}}" }) }, range));
		offset += line.length + 1;
	}
	return problems;
}
