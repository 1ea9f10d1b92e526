import { type ErrorCode, isCollection, isMap, isPair, isScalar, Lexer, type Node, Parser, parseDocument } from "yaml";
import type { z } from "zod";
import type { Problem } from "./contract";
import { messageOf, type PROBLEM_TEXTS, type ProblemRule } from "./problem-texts";
import type { Range, Source } from "./source";

export type YamlPath = readonly (string | number)[];

export interface YamlSource {
	/** The plain value; undefined when the text is not YAML. */
	value: unknown;
	problems: Problem[];
	/** Range of the node at a path, of the deepest ancestor that exists, or of the key (`onKey`). */
	rangeOf(path: YamlPath, onKey?: boolean): Range;
}

/** Deep or wide aliases are refused: a few lines could stand for gigabytes. */
const MAX_ALIASES = 16;

/** The parser's own words are English: what people meet most often is said in ours. */
const YAML_CODES = {
	DUPLICATE_KEY: "yaml-duplicate-key",
	BAD_INDENT: "yaml-indent",
	TAB_AS_INDENT: "yaml-tab",
	MULTILINE_IMPLICIT_KEY: "yaml-key-lines",
	BLOCK_AS_IMPLICIT_KEY: "yaml-nested",
	MISSING_CHAR: "yaml-missing-sign",
	BAD_SCALAR_START: "yaml-start",
	BAD_DQ_ESCAPE: "yaml-escape",
	MULTIPLE_DOCS: "yaml-documents",
} as const satisfies Partial<Record<ErrorCode, keyof typeof PROBLEM_TEXTS>>;

/** Lists and maps in one another. The library builds its document by recursion: some thousands end the process. */
const MAX_DEPTH = 64;

/** Whether a text goes deeper than a person writes: its tokens are counted by the parser's own stack, without recursion. */
function isTooDeep(text: string): boolean {
	const parser = new Parser();
	for (const lexeme of new Lexer().lex(text)) {
		for (const _ of parser.next(lexeme)) {
			// Finished tokens of the document: not needed here.
		}
		if (parser.stack.length > MAX_DEPTH) return true;
	}
	return false;
}

/** A list or map in brackets that its line opens and nothing closes: the parser complains about the next line's indentation. */
const isOpenBracket = (code: ErrorCode, message: string): boolean => code === "BAD_INDENT" && /^Flow (map|sequence|collection)/i.test(message);

function yamlMessage({ code, message }: { code: ErrorCode; message: string }) {
	if (isOpenBracket(code, message)) return messageOf("yaml-bracket-open");
	return code in YAML_CODES ? messageOf(YAML_CODES[code as keyof typeof YAML_CODES]) : messageOf("yaml", { detail: message });
}

/** Parses YAML (1.2 core) that begins at `offset` of a source, keeping where everything stands. */
export function parseYaml(source: Source, text: string, offset = 0): YamlSource {
	if (isTooDeep(text)) {
		const whole: Range = [offset, offset + text.length];
		return { value: undefined, problems: [source.problem({ rule: "yaml", ...messageOf("yaml-deep", { max: MAX_DEPTH }) }, whole)], rangeOf: () => whole };
	}
	const document = parseDocument(text, { schema: "core", strict: true, uniqueKeys: true, prettyErrors: false, logLevel: "silent" });
	const problems = document.errors.map((error) => source.problem({ rule: "yaml", ...yamlMessage(error) }, [offset + error.pos[0], offset + error.pos[1]]));
	let value: unknown;
	if (problems.length === 0) {
		try {
			value = document.toJS({ maxAliasCount: MAX_ALIASES });
		} catch {
			problems.push(source.problem({ rule: "yaml", ...messageOf("yaml-aliases") }, [offset, offset + text.length]));
		}
	}
	for (const warning of document.warnings)
		problems.push(source.problem({ rule: "yaml", ...yamlMessage(warning), severity: "warning" }, [offset + warning.pos[0], offset + warning.pos[1]]));
	return { value, problems, rangeOf: (path, onKey) => locate(document.contents, path, onKey ?? false, offset) };
}

function rangeOfNode(node: unknown, offset: number): Range | null {
	const range = (node as Node | null)?.range;
	return range ? [offset + range[0], offset + range[1]] : null;
}

function locate(root: unknown, path: YamlPath, onKey: boolean, offset: number): Range {
	let node: unknown = root;
	let best: Range = firstOf(root, offset);
	for (const [depth, segment] of path.entries()) {
		if (!isCollection(node)) break;
		const last = depth === path.length - 1;
		if (isMap(node)) {
			const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(segment));
			if (!pair) break;
			const keyRange = rangeOfNode(pair.key, offset);
			const valueRange = rangeOfNode(pair.value, offset);
			best = (last && onKey ? keyRange : isCollection(pair.value) && last ? keyRange : (valueRange ?? keyRange)) ?? best;
			if (!last && keyRange) best = keyRange;
			node = pair.value;
		} else {
			const item: unknown = node.items[Number(segment)];
			const range = rangeOfNode(item, offset);
			if (!range) break;
			best = range;
			node = item;
		}
	}
	return best;
}

/** The first key of a map, so that "something is missing" marks a word and not the whole file. */
function firstOf(root: unknown, offset: number): Range {
	if (isMap(root) && root.items[0]) return rangeOfNode(root.items[0].key, offset) ?? [offset, offset];
	return rangeOfNode(root, offset) ?? [offset, offset];
}

/** Checks a YAML value against a Zod schema; every issue becomes a problem at its place. */
export function checkSchema<T>(schema: z.ZodType<T>, yaml: YamlSource, source: Source, rule: ProblemRule): { value: T | null; problems: Problem[] } {
	if (yaml.value === undefined) return { value: null, problems: [] };
	const result = schema.safeParse(yaml.value);
	if (result.success) return { value: result.data, problems: [] };
	const problems: Problem[] = [];
	for (const issue of result.error.issues) {
		const path = issue.path.filter((segment) => typeof segment !== "symbol");
		if (issue.code === "unrecognized_keys") {
			for (const key of issue.keys)
				problems.push(source.problem({ rule, ...messageOf("schema-unknown", { name: [...path, key].join(".") }) }, yaml.rangeOf([...path, key], true)));
			continue;
		}
		const missing = issue.code === "invalid_type" && path.length > 0 && valueAt(yaml.value, path) === undefined;
		problems.push(source.problem({ rule, ...issuePhrase(issue, path.join(".") || source.file, missing) }, yaml.rangeOf(path)));
	}
	return { value: null, problems };
}

/** An issue of one of our schemas in words: its own sentence (their messages are ids), else what it says of type and range. */
export function issuePhrase(issue: z.core.$ZodIssue, name: string, missing: boolean) {
	if (missing) return messageOf("schema-missing", { name });
	const own = issue.code === "invalid_key" ? issue.issues[0]?.message : issue.message;
	if (own !== undefined && isOwnText(own)) return messageOf(own, { name });
	if (issue.code === "invalid_type") return messageOf("schema-type", { name, expected: issue.expected });
	if (issue.code === "invalid_value") return messageOf("schema-values", { name, values: issue.values.map(String).join(", ") });
	if (issue.code === "too_small") return messageOf("schema-min", { name, min: String(issue.minimum) });
	if (issue.code === "too_big") return messageOf("schema-max", { name, max: String(issue.maximum) });
	return messageOf("schema-other", { name, detail: issue.message });
}

const OWN_TEXTS = [
	"schema-api-version",
	"schema-name",
	"schema-constraint-name",
	"schema-constraint-reserved",
	"schema-pipeline-item",
	"schema-pipeline-empty",
	"schema-tool-name",
	"schema-tool-description",
	"schema-http-path",
	"schema-binding-kind",
] as const satisfies readonly (keyof typeof PROBLEM_TEXTS)[];

const isOwnText = (id: string): id is (typeof OWN_TEXTS)[number] => OWN_TEXTS.some((own) => own === id);

function valueAt(value: unknown, path: YamlPath): unknown {
	let current = value;
	for (const segment of path) {
		if (current === null || typeof current !== "object" || !Object.hasOwn(current, segment)) return undefined;
		current = (current as Record<string | number, unknown>)[segment];
	}
	return current;
}

export interface FrontMatter {
	yaml: string;
	yamlOffset: number;
	body: string;
	bodyOffset: number;
}

/** Splits `---` front matter from the body; null when the file does not begin with it or it is not closed. */
export function splitFrontMatter(text: string): FrontMatter | null {
	const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(text);
	if (!opening) return null;
	const yamlOffset = opening[0].length;
	const closing = /^---[ \t]*(?:\r?\n|$)/m;
	const rest = text.slice(yamlOffset);
	const end = closing.exec(rest);
	if (!end) return null;
	const bodyOffset = yamlOffset + end.index + end[0].length;
	return { yaml: rest.slice(0, end.index), yamlOffset, body: text.slice(bodyOffset), bodyOffset };
}
