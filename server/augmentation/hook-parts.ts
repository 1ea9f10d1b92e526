import { type Node, parse } from "acorn";
import { full } from "acorn-walk";
import type { HarnessHook } from "@/server/harness/contract";

/** A text inside a hook's source: a string literal or a part of a template. */
interface HookText {
	start: number;
	end: number;
	value: string;
	/** How it is written: in which quotes, or `template` for a part of one. */
	style: '"' | "'" | "template";
}

export interface HookParts {
	id: string;
	path: string;
	source: string;
	texts: HookText[];
	/** Arguments of `retry(…)`: what the model is told. */
	retries: { start: number; end: number }[];
	/** Whole literals: where one is a component's name, the hook compares with it. */
	exactLiterals: ReadonlySet<string>;
	/** Whether it reads the functional identity of a tool, and whether it reads names. */
	readsHandler: boolean;
	readsNames: boolean;
	/** Numbers that it has typed. */
	numbers: ReadonlySet<number>;
}

interface Literal extends Node {
	value?: unknown;
	raw?: string;
}
interface Element extends Node {
	value?: { cooked?: string | null };
}
interface Call extends Node {
	callee?: Node & { name?: string };
	arguments?: Node[];
}

/** Takes a hook apart without running it. Keys of objects and of member accesses are no texts. */
export function readHook({ id, path, source }: HarnessHook): HookParts {
	const texts: HookText[] = [];
	const retries: HookParts["retries"] = [];
	const literals = new Set<string>();
	const numbers = new Set<number>();
	const names = new Set<string>();
	const keys = new Set<number>();
	full(parse(source, { ecmaVersion: 2023, sourceType: "module" }), (node) => {
		const { key, property, computed, name } = node as Node & { key?: Node; property?: Node; computed?: boolean; name?: string };
		if (node.type === "Property" && key) keys.add(key.start);
		if (node.type === "MemberExpression" && computed && property) keys.add(property.start);
		if (node.type === "MemberExpression" && !computed && property) names.add((property as Node & { name?: string }).name ?? "");
		if (node.type === "Identifier" && name) names.add(name);
		if (node.type === "Literal") {
			const { value, raw = "" } = node as Literal;
			if (typeof value === "number") numbers.add(value);
			if (typeof value !== "string") return;
			literals.add(value);
			texts.push({ start: node.start, end: node.end, value, style: raw.startsWith("'") ? "'" : '"' });
		}
		if (node.type === "TemplateElement") texts.push({ start: node.start, end: node.end, value: (node as Element).value?.cooked ?? "", style: "template" });
		if (node.type === "CallExpression") {
			const { callee, arguments: args = [] } = node as Call;
			if (callee?.name === "retry" && args[0]) retries.push({ start: args[0].start, end: args[0].end });
		}
	});
	return {
		id,
		path,
		source,
		// Words that a program compares with are no words for a reader.
		texts: texts.filter((text) => !keys.has(text.start)).sort((a, b) => a.start - b.start),
		retries: retries.sort((a, b) => a.start - b.start),
		exactLiterals: literals,
		readsHandler: names.has("handler"),
		readsNames: names.has("tool") || names.has("name"),
		numbers,
	};
}

function written(text: string, style: HookText["style"]): string {
	if (style === "template") return text.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${");
	const quoted = JSON.stringify(text);
	return style === '"' ? quoted : `'${quoted.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** The hook's source with its texts changed and its retry messages framed (`{}` stands for the message). */
export function writeHook(hook: HookParts, change: (text: string, whole: boolean, inMessage: boolean) => string, frame: string | null): string {
	const edits: { start: number; end: number; to: string }[] = [];
	const inMessage = (at: number) => hook.retries.some(({ start, end }) => at >= start && at < end);
	for (const { start, end, value, style } of hook.texts) {
		const next = change(value, style !== "template", inMessage(start));
		if (next !== value) edits.push({ start, end, to: written(next, style) });
	}
	if (frame !== null) {
		const [before = "", after = ""] = frame.split("{}").map((part) => written(part, "template"));
		for (const { start, end } of hook.retries) edits.push({ start, end: start, to: `\`${before}\${` }, { start: end, end, to: `}${after}\`` });
	}
	edits.sort((a, b) => b.start - a.start || b.end - a.end);
	let result = hook.source;
	for (const { start, end, to } of edits) result = result.slice(0, start) + to + result.slice(end);
	return result;
}
