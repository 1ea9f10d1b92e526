import { isCollection, isMap, isPair, isScalar, type Node, parseDocument } from "yaml";
import type { z } from "zod";
import type { Problem } from "./contract";
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

/** Parses YAML (1.2 core) that begins at `offset` of a source, keeping where everything stands. */
export function parseYaml(source: Source, text: string, offset = 0): YamlSource {
	const document = parseDocument(text, { schema: "core", strict: true, uniqueKeys: true, prettyErrors: false, logLevel: "silent" });
	const problems = document.errors.map((error) =>
		source.problem({ rule: "yaml", message: `YAML: ${error.message}` }, [offset + error.pos[0], offset + error.pos[1]]),
	);
	let value: unknown;
	if (problems.length === 0) {
		try {
			value = document.toJS({ maxAliasCount: MAX_ALIASES });
		} catch {
			problems.push(source.problem({ rule: "yaml", message: "YAML: too many aliases." }, [offset, offset + text.length]));
		}
	}
	for (const warning of document.warnings)
		problems.push(
			source.problem({ rule: "yaml", message: `YAML: ${warning.message}`, severity: "warning" }, [offset + warning.pos[0], offset + warning.pos[1]]),
		);
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
export function checkSchema<T>(schema: z.ZodType<T>, yaml: YamlSource, source: Source, rule: string): { value: T | null; problems: Problem[] } {
	if (yaml.value === undefined) return { value: null, problems: [] };
	const result = schema.safeParse(yaml.value);
	if (result.success) return { value: result.data, problems: [] };
	const problems: Problem[] = [];
	for (const issue of result.error.issues) {
		const path = issue.path.filter((segment) => typeof segment !== "symbol");
		if (issue.code === "unrecognized_keys") {
			for (const key of issue.keys)
				problems.push(source.problem({ rule, message: `Unknown field \`${[...path, key].join(".")}\`.` }, yaml.rangeOf([...path, key], true)));
			continue;
		}
		const missing = issue.code === "invalid_type" && path.length > 0 && valueAt(yaml.value, path) === undefined;
		const name = path.join(".");
		problems.push(
			source.problem(
				{ rule, message: missing ? `\`${name}\` is missing.` : name ? `\`${name}\`: ${plain(issue.message)}` : plain(issue.message) },
				yaml.rangeOf(path),
			),
		);
	}
	return { value: null, problems };
}

function plain(message: string): string {
	const text = message.replace(/^Invalid (input|option): /, "");
	return /[.!?]$/.test(text) ? text : `${text}.`;
}

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
