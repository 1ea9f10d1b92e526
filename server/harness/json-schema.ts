import type { ErrorObject, ValidateFunction } from "ajv";
import { LRUCache } from "lru-cache";
import { AppError, messageOf as textOf } from "@/server/kernel/errors";
import { canonicalJson } from "@/server/kernel/hash";
import { messageOf } from "./problem-texts";
import { appliedBreach, type BoundBreach, depthBreach, sizeBreach } from "./schema-bounds";
import { compileSchema, linearRegExp, metaSchemaErrors, runBounded, TooMuchWork } from "./schema-engine";
import { endlessPlaces, pointer } from "./schema-references";

export interface SchemaProblem {
	/** Where in the schema. */
	path: (string | number)[];
	/** The message, given the name under which the reader knows the place. */
	at: (place: string) => ReturnType<typeof messageOf>;
	severity: "error" | "warning";
	/** The rule that is broken, where it is not "a valid schema" or "a known keyword". */
	rule?: "json-schema-endless" | "json-schema-heavy";
}

const other =
	(detail: string): SchemaProblem["at"] =>
	(at) =>
		messageOf("json-schema", { at, detail });

interface Reading {
	problems: SchemaProblem[];
	/** Null where a problem is an error. */
	validate: ValidateFunction | null;
}

const readings = new LRUCache<string, Reading>({ max: 1_000 });

/** Reads a schema once for each of its texts: an editor asks at every key, an episode at every call. */
function read(schema: Record<string, unknown>, formats: boolean): Reading {
	// Before anything that goes down by recursion, the key among it.
	const breach = sizeBreach(schema);
	if (breach) return { problems: [heavy(breach)], validate: null };
	const key = `${formats} ${canonicalJson(schema)}`;
	const before = readings.get(key);
	if (before) return before;
	let reading: Reading;
	try {
		reading = readAnew(schema, formats);
	} catch (error) {
		// A chain of anchors and ids, which only the compiler follows, is too long for its stack.
		const problem: SchemaProblem = error instanceof RangeError ? heavy(depthBreach([])) : { path: [], at: other(textOf(error)), severity: "error" };
		reading = { problems: [problem], validate: null };
	}
	readings.set(key, reading);
	return reading;
}

const heavy = (breach: BoundBreach): SchemaProblem => ({ ...breach, severity: "error", rule: "json-schema-heavy" });

/** What is wrong with a JSON Schema itself (2020-12 unless it names draft-07). Linear in its text, whatever it says. */
export function schemaProblems(schema: Record<string, unknown>): SchemaProblem[] {
	return read(schema, true).problems;
}

function readAnew(schema: Record<string, unknown>, formats: boolean): Reading {
	const errors = metaSchemaErrors(schema);
	if (errors.length > 0)
		return {
			problems: unique(errors.map((error) => ({ path: pointer(error.instancePath), at: metaSchemaMessage(error), severity: "error" }))),
			validate: null,
		};
	const patterns = badPatterns(schema, []);
	if (patterns.length > 0) return { problems: patterns, validate: null };
	const [place] = endlessPlaces(schema);
	if (place) return { problems: [endless(place)], validate: null };
	const applied = appliedBreach(schema);
	if (applied) return { problems: [heavy(applied)], validate: null };
	let validate: ValidateFunction;
	let warnings: SchemaProblem[] = [];
	try {
		validate = compileSchema(schema, { strict: true, formats });
	} catch (strictError) {
		if (strictError instanceof RangeError) throw strictError;
		validate = compileSchema(schema, { strict: false, formats });
		// An unknown keyword is ignored by every reader of the schema: most often a typing error.
		const detail = textOf(strictError).replace(/^strict mode: /, "");
		const keyword = /^unknown keyword: "(.+)"$/.exec(detail)?.[1];
		warnings = [{ path: [], at: keyword ? (at) => messageOf("json-schema-keyword", { at, keyword }) : other(detail), severity: "warning" }];
	}
	const error = unbounded(validate);
	return error ? { problems: [error], validate: null } : { problems: warnings, validate };
}

const endless = (path: (string | number)[]): SchemaProblem => ({
	path,
	at: (at) => messageOf("json-schema-endless", { at }),
	severity: "error",
	rule: "json-schema-endless",
});

/** References by an anchor or an id cannot be followed on paper: what they do to a value is seen at the simplest one. */
function unbounded(validate: ValidateFunction): SchemaProblem | null {
	try {
		runBounded(validate, {});
		return null;
	} catch (error) {
		return error instanceof TooMuchWork ? heavy({ path: [], at: (at) => messageOf("json-schema-work", { at }) }) : endless([]);
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
				linearRegExp(value, "u");
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

/**
 * A checker for values of a JSON Schema (2020-12, draft-07 when the schema says so); compiled once per schema. `pattern`
 * runs in linear time, and a value that would take too much work does not fit. Throws for a schema that is not valid:
 * validate the harness first.
 */
export function schemaChecker(schema: Record<string, unknown>, { formats = true }: { formats?: boolean } = {}): SchemaCheck {
	const { problems, validate } = read(schema, formats);
	if (!validate) throw new AppError("precondition", problems.map((problem) => problem.at("the schema").message).join(" "));
	return (value) => {
		try {
			if (runBounded(validate, value)) return { ok: true };
		} catch (error) {
			// The stack ends where a value goes deep and the schema goes with it.
			if (!(error instanceof TooMuchWork || error instanceof RangeError)) throw error;
			return { ok: false, errors: [{ path: "", message: "too large or too deep to be checked against the schema" }] };
		}
		return {
			ok: false,
			errors: (validate.errors ?? []).map((error) => ({
				path: error.instancePath.slice(1).replaceAll("/", "."),
				message: `${error.message ?? "is not valid"}${allowed(error)}${error.keyword === "additionalProperties" ? `: ${(error.params as { additionalProperty: string }).additionalProperty}` : ""}`,
			})),
		};
	};
}
