import { Ajv, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormatsModule from "ajv-formats";
import { LRUCache } from "lru-cache";
import { RE2JS } from "re2js";
import { messageOf as textOf } from "@/server/kernel/errors";
import { canonicalJson } from "@/server/kernel/hash";
import { messageOf } from "./problem-texts";
import { endlessPlaces, pointer } from "./schema-references";

// ajv-formats is CommonJS: depending on the loader its function is the module or the module's default.
const addFormats = (typeof addFormatsModule === "function" ? addFormatsModule : (addFormatsModule as { default: unknown }).default) as (
	ajv: Ajv,
	mode: "fast",
) => void;

/** Larger schemas would hold the process while they compile. */
const MAX_SCHEMA_CHARS = 64_000;

/** `pattern` comes from people, so it runs on an engine whose time is linear in its input. */
const regExp = Object.assign(
	(pattern: string, flags: string) => {
		const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
		return { test: (text: string) => compiled.matcher(text).find(), toString: () => `/${pattern}/${flags}` };
	},
	{ code: "new LinearRegExp" },
);

function options(strictSchema: boolean): Options {
	return {
		strict: false,
		strictSchema,
		allErrors: true,
		validateFormats: true,
		logger: false,
		code: { regExp } as unknown as NonNullable<Options["code"]>,
	};
}

const engines = new Map<string, Ajv>();

/** One engine for each dialect and strictness: compiling the meta-schema is most of the cost. */
function engineFor(schema: Record<string, unknown>, strictSchema: boolean): Ajv {
	const dialect = schema.$schema;
	const old = typeof dialect === "string" && /draft-0[4-7]/.test(dialect);
	const key = `${old}/${strictSchema}`;
	const known = engines.get(key);
	if (known) return known;
	const ajv = old ? new Ajv(options(strictSchema)) : (new Ajv2020(options(strictSchema)) as unknown as Ajv);
	addFormats(ajv, "fast");
	engines.set(key, ajv);
	return ajv;
}

function compile(schema: Record<string, unknown>, strictSchema: boolean): ValidateFunction {
	// The dialect chose the engine; a name that it does not have must not make ajv look for it.
	const { $schema: _dialect, ...rest } = schema;
	const ajv = engineFor(schema, strictSchema);
	try {
		return ajv.compile(rest);
	} finally {
		// Ids of one harness must not meet those of another, nor may the engine grow.
		ajv.removeSchema(rest);
	}
}

export interface SchemaProblem {
	/** Where in the schema. */
	path: (string | number)[];
	/** The message, given the name under which the reader knows the place. */
	at: (place: string) => ReturnType<typeof messageOf>;
	severity: "error" | "warning";
	/** The rule that is broken, where it is not "a valid schema" or "a known keyword". */
	rule?: "json-schema-endless";
}

const other =
	(detail: string): SchemaProblem["at"] =>
	(at) =>
		messageOf("json-schema", { at, detail });

const known = new LRUCache<string, SchemaProblem[]>({ max: 1_000 });

/** What is wrong with a JSON Schema itself (2020-12 unless it names draft-07); remembered, since an editor asks at every key. */
export function schemaProblems(schema: Record<string, unknown>): SchemaProblem[] {
	const key = canonicalJson(schema);
	if (key.length > MAX_SCHEMA_CHARS) return [{ path: [], at: (at) => messageOf("json-schema-large", { at, max: MAX_SCHEMA_CHARS / 1000 }), severity: "error" }];
	const before = known.get(key);
	if (before) return before;
	const found = findProblems(schema);
	known.set(key, found);
	return found;
}

function findProblems(schema: Record<string, unknown>): SchemaProblem[] {
	const ajv = engineFor(schema, false);
	const { $schema: _dialect, ...plain } = schema;
	const problems: SchemaProblem[] = [];
	try {
		if (ajv.validateSchema(plain) === false) {
			for (const error of ajv.errors ?? []) problems.push({ path: pointer(error.instancePath), at: metaSchemaMessage(error), severity: "error" });
			return unique(problems);
		}
	} catch (error) {
		return [{ path: [], at: other(textOf(error)), severity: "error" }];
	}
	problems.push(...badPatterns(schema, []));
	if (problems.length > 0) return problems;
	try {
		compile(schema, true);
		return endless(schema);
	} catch (strictError) {
		try {
			const found = endless(schema);
			if (found.length > 0) return found;
		} catch (error) {
			return [{ path: [], at: other(textOf(error)), severity: "error" }];
		}
		// An unknown keyword is ignored by every reader of the schema: most often a typing error.
		const detail = textOf(strictError).replace(/^strict mode: /, "");
		const keyword = /^unknown keyword: "(.+)"$/.exec(detail)?.[1];
		return [{ path: [], at: keyword ? (at) => messageOf("json-schema-keyword", { at, keyword }) : other(detail), severity: "warning" }];
	}
}

/** Schemas that apply themselves to the same value again: their check ends in a stack that overflows, at whatever value gets there. */
function endless(schema: Record<string, unknown>): SchemaProblem[] {
	const validate = compile(schema, false);
	const problem = (path: (string | number)[]): SchemaProblem => ({
		path,
		at: (at) => messageOf("json-schema-endless", { at }),
		severity: "error",
		rule: "json-schema-endless",
	});
	const [place] = endlessPlaces(schema);
	if (place) return [problem(place)];
	try {
		validate({});
		return [];
	} catch {
		// References that go round by an anchor or an id.
		return [problem([])];
	}
}

function metaSchemaMessage(error: ErrorObject): SchemaProblem["at"] {
	const { allowedValues, type } = error.params as { allowedValues?: unknown[]; type?: string | string[] };
	if (error.keyword === "enum" && Array.isArray(allowedValues)) return (at) => messageOf("json-schema-allowed", { at, allowed: allowedValues.join(", ") });
	if (error.keyword === "type" && type) return (at) => messageOf("json-schema-type", { at, expected: [type].flat().join(", ") });
	return other(error.message ?? "is not valid");
}

function badPatterns(node: unknown, path: (string | number)[]): SchemaProblem[] {
	if (node === null || typeof node !== "object") return [];
	if (Array.isArray(node)) return node.flatMap((item, index) => badPatterns(item, [...path, index]));
	return Object.entries(node).flatMap(([key, value]) => {
		const at = [...path, key];
		if (key === "pattern" && typeof value === "string" && path.at(-1) !== "properties") {
			try {
				regExp(value, "u");
			} catch (error) {
				const detail = textOf(error);
				return [{ path: at, at: (place: string) => messageOf("json-schema-pattern", { at: place, detail }), severity: "error" as const }];
			}
		}
		return badPatterns(value, at);
	});
}

const allowed = (error: ErrorObject) =>
	error.keyword === "enum" && Array.isArray((error.params as { allowedValues?: unknown[] }).allowedValues)
		? `: ${(error.params as { allowedValues: unknown[] }).allowedValues.join(", ")}`
		: "";

function unique(problems: SchemaProblem[]): SchemaProblem[] {
	const seen = new Map<string, SchemaProblem>();
	for (const problem of problems) {
		const key = JSON.stringify(problem.path);
		// Of several messages about one place the first is the concrete one; the rest say that no alternative matched.
		if (!seen.has(key)) seen.set(key, problem);
	}
	return [...seen.values()];
}

export type SchemaCheck = (value: unknown) => { ok: true } | { ok: false; errors: { path: string; message: string }[] };

const checks = new LRUCache<string, SchemaCheck>({ max: 500 });

/**
 * A checker for values of a JSON Schema (2020-12, draft-07 when the schema says so); compiled once per schema. `pattern`
 * runs in linear time. Throws for a schema that is not valid: validate the harness first.
 */
export function schemaChecker(schema: Record<string, unknown>): SchemaCheck {
	const key = canonicalJson(schema);
	const known = checks.get(key);
	if (known) return known;
	const validate = compile(schema, false);
	const check: SchemaCheck = (value) => {
		if (validate(value)) return { ok: true };
		return {
			ok: false,
			errors: (validate.errors ?? []).map((error) => ({
				path: error.instancePath.slice(1).replaceAll("/", "."),
				message: `${error.message ?? "is not valid"}${allowed(error)}${error.keyword === "additionalProperties" ? `: ${(error.params as { additionalProperty: string }).additionalProperty}` : ""}`,
			})),
		};
	};
	checks.set(key, check);
	return check;
}
