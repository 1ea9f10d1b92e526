import type { ExportDefaultDeclaration, Node, ObjectExpression, Program, Property } from "acorn";
import { full, simple } from "acorn-walk";
import { parseModule } from "@/server/sandbox";
import { type HarnessHook, type HookEvent, HookEventSchema, type Problem } from "./contract";
import { messageOf } from "./problem-texts";
import { Source } from "./source";

export interface HookReading {
	hook: HarnessHook | null;
	problems: Problem[];
}

const EVENTS = HookEventSchema.options;
/** Where a failing hook blocks unless it says otherwise: what leaves the agent, and what acts. */
const CLOSED_BY_DEFAULT: readonly HookEvent[] = ["reply", "tool-call"];
const isFunction = (node: Node) => node.type === "FunctionExpression" || node.type === "ArrowFunctionExpression";

/** Reads a hook without running it: it must parse as a module, import nothing, and export `{ on, run }` by default. */
export function readHook(path: string, id: string, text: string, constraints: ReadonlySet<string> | null): HookReading {
	const source = new Source(path, text);
	let program: Program;
	try {
		program = parseModule(text);
	} catch (error) {
		const at = (error as { pos?: number }).pos ?? 0;
		return {
			hook: null,
			problems: [source.problem({ rule: "hook-syntax", ...syntaxMessage(error as Error) }, [at, at + 1])],
		};
	}
	const problems = moduleProblems(program, source);
	const exported = program.body.find((node): node is ExportDefaultDeclaration => node.type === "ExportDefaultDeclaration");
	const object = exported ? resolve(exported.declaration, program) : null;
	if (!exported || object?.type !== "ObjectExpression") {
		problems.push(
			source.problem({ rule: "hook-export", ...messageOf("hook-export") }, exported ? [exported.start, exported.start + "export default".length] : [0, 0]),
		);
		return { hook: null, problems };
	}
	const fields = fieldsOf(object as ObjectExpression);
	const event = readEvent(fields, source, exported, problems);
	const failure = readFailure(fields, event, source, problems);
	const run = fields.get("run");
	const body = run ? resolve(run.value, program) : null;
	if (!body || !(isFunction(body) || body.type === "FunctionDeclaration"))
		problems.push(source.problem({ rule: "hook-run", ...messageOf("hook-run") }, run ? [run.start, run.end] : [exported.start, exported.start + 14]));
	else if ((body as Node & { async?: boolean; generator?: boolean }).async || (body as Node & { generator?: boolean }).generator)
		problems.push(source.problem({ rule: "hook-run", ...messageOf("hook-run-plain") }, [body.start, body.start + 5]));
	if (constraints) problems.push(...unknownConstraints(program, source, constraints));
	return { hook: event ? { id, event, failure, source: text, path } : null, problems };
}

/** The parser's own words are English: what people meet most often is said in ours. */
function syntaxMessage(error: Error & { isHtmlComment?: boolean }) {
	if (error.isHtmlComment) return messageOf("hook-syntax-html-comment");
	const detail = error.message.replace(/ \(\d+:\d+\)$/, "");
	const declared = /^Identifier '(.+)' has already been declared/.exec(detail)?.[1];
	if (declared) return messageOf("hook-syntax-declared", { name: declared });
	if (/^Unterminated /.test(detail)) return messageOf("hook-syntax-unterminated");
	return /^Unexpected token/.test(detail) ? messageOf("hook-syntax-unexpected") : messageOf("hook-syntax", { detail });
}

function moduleProblems(program: Program, source: Source): Problem[] {
	const problems: Problem[] = [];
	const refuse = (node: Node, what: string) =>
		problems.push(source.problem({ rule: "hook-import", ...messageOf("hook-import", { what }) }, [node.start, node.end]));
	full(program, (node) => {
		const { type, source: from } = node as Node & { source?: Node | null };
		if (type === "ImportDeclaration") refuse(node, "`import`");
		if (type === "ImportExpression") refuse(node, "`import()`");
		if (type === "ExportAllDeclaration" || (type === "ExportNamedDeclaration" && from)) refuse(node, "`export … from`");
	});
	return problems;
}

/** Follows one identifier to its top-level declaration, so that `const hook = {…}; export default hook` reads too. */
function resolve(node: Node, program: Program): Node | null {
	if (node.type !== "Identifier") return node;
	const name = (node as Node & { name: string }).name;
	for (const statement of program.body) {
		if (statement.type === "FunctionDeclaration" && statement.id.name === name) return statement;
		if (statement.type !== "VariableDeclaration") continue;
		for (const declaration of statement.declarations) if (declaration.id.type === "Identifier" && declaration.id.name === name) return declaration.init ?? null;
	}
	return null;
}

function fieldsOf(object: ObjectExpression): Map<string, Property> {
	const fields = new Map<string, Property>();
	for (const property of object.properties) {
		if (property.type !== "Property" || property.computed) continue;
		const key = property.key.type === "Identifier" ? property.key.name : property.key.type === "Literal" ? String(property.key.value) : null;
		if (key !== null) fields.set(key, property);
	}
	return fields;
}

const literal = (property: Property | undefined): unknown => (property?.value.type === "Literal" ? property.value.value : undefined);

function readEvent(fields: Map<string, Property>, source: Source, exported: Node, problems: Problem[]): HookEvent | null {
	const property = fields.get("on");
	const parsed = HookEventSchema.safeParse(literal(property));
	if (parsed.success) return parsed.data;
	problems.push(
		source.problem(
			{ rule: "hook-event", ...messageOf("hook-event", { events: EVENTS.join(", ") }) },
			property ? [property.value.start, property.value.end] : [exported.start, exported.start + 14],
		),
	);
	return null;
}

function readFailure(fields: Map<string, Property>, event: HookEvent | null, source: Source, problems: Problem[]): "open" | "closed" {
	const property = fields.get("failure");
	const value = literal(property);
	if (value === "open" || value === "closed") return value;
	if (property) problems.push(source.problem({ rule: "hook-failure", ...messageOf("hook-failure") }, [property.value.start, property.value.end]));
	return event && CLOSED_BY_DEFAULT.includes(event) ? "closed" : "open";
}

/** `constraints.x` where there is no x compares with undefined and never fires: the guard would be off without a word. */
function unknownConstraints(program: Program, source: Source, known: ReadonlySet<string>): Problem[] {
	const problems: Problem[] = [];
	simple(program, {
		MemberExpression(node) {
			if (node.computed || node.object.type !== "Identifier" || node.object.name !== "constraints" || node.property.type !== "Identifier") return;
			const name = node.property.name;
			if (known.has(name)) return;
			problems.push(
				source.problem(
					{
						rule: "constraint-unknown",
						...(known.size > 0 ? messageOf("constraint-unknown-known", { name, known: [...known].join(", ") }) : messageOf("constraint-unknown", { name })),
					},
					[node.property.start, node.property.end],
				),
			);
		},
	});
	return problems;
}
