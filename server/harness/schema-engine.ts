import { _, Ajv, type KeywordCxt, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormatsModule from "ajv-formats";
import { RE2JS } from "re2js";
import { canonicalJson } from "@/server/kernel/hash";

// ajv-formats is CommonJS: depending on the loader its function is the module or the module's default.
const addFormats = (typeof addFormatsModule === "function" ? addFormatsModule : (addFormatsModule as { default: unknown }).default) as (
	ajv: Ajv,
	mode: "fast",
) => void;

/**
 * What one check may cost: every keyword that runs spends one, its own entries and the size of the value that it looks at.
 * An ordinary schema spends some hundreds; this much takes a fraction of a second.
 */
const MAX_WORK = 1_000_000;
const CHARS_PER_UNIT = 16;
/** Steps of a pattern's machine that count as one unit. */
const STEPS_PER_UNIT = 256;

/** A value whose check was given up: the schema multiplies over it. */
export class TooMuchWork extends Error {}

// Checks are synchronous and never nest, so that one counter serves them all.
let workLeft = Number.POSITIVE_INFINITY;

function spend(units: number): void {
	workLeft -= units;
	if (workLeft < 0) throw new TooMuchWork("The value takes too much work to check.");
}

function sizeOf(value: unknown): number {
	if (typeof value === "string") return Math.ceil(value.length / CHARS_PER_UNIT);
	if (value === null || typeof value !== "object") return 0;
	return Array.isArray(value) ? value.length : Object.keys(value).length;
}

const spendOn = (units: number, value: unknown) => spend(units + sizeOf(value));

/** `pattern` comes from people, so it runs on an engine whose time is linear in its input. */
export const linearRegExp = Object.assign(
	(pattern: string, flags: string) => {
		const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
		const steps = compiled.programSize();
		return {
			test(text: string) {
				spend((text.length * steps) / STEPS_PER_UNIT);
				return compiled.matcher(text).find();
			},
			toString: () => `/${pattern}/${flags}`,
		};
	},
	{ code: "new LinearRegExp" },
);

export interface EngineOptions {
	/** Unknown keywords are errors. */
	strict: boolean;
	/** `format` is checked, not only noted. */
	formats: boolean;
}

function ajvOptions({ strict, formats }: EngineOptions): Options {
	return {
		strict: false,
		strictSchema: strict,
		allErrors: true,
		validateFormats: formats,
		logger: false,
		// Schemas are checked by themselves before they are compiled.
		validateSchema: false,
		// A reference that is copied in place multiplies the code; the optimiser takes time that grows with its square.
		inlineRefs: false,
		code: { regExp: linearRegExp as never, optimize: false },
	};
}

/** The library compares every item with every other one; this is linear. */
const uniqueItems = (unique: boolean, items: unknown[]): boolean => {
	if (!unique) return true;
	const texts = items.map((item) => canonicalJson(item));
	spend(texts.reduce((sum, text) => sum + text.length, 0) / CHARS_PER_UNIT);
	return new Set(texts).size === texts.length;
};

/** Makes every keyword spend from the work of the check in which it runs, wherever in a schema it stands. */
function meter(ajv: Ajv): void {
	ajv.removeKeyword("uniqueItems");
	ajv.addKeyword({
		keyword: "uniqueItems",
		type: "array",
		schemaType: "boolean",
		validate: uniqueItems,
		errors: false,
		error: { message: "must NOT have duplicate items" },
	});
	const rules = new Set(
		[...ajv.RULES.rules, ajv.RULES.post].flatMap((group) => group.rules).concat(Object.values(ajv.RULES.all).filter((rule) => typeof rule === "object")),
	);
	for (const rule of rules) {
		const definition = rule.definition as { code?: (context: KeywordCxt, type?: string) => void };
		const { code } = definition;
		if (!code) continue;
		definition.code = (context, type) => {
			const call = context.gen.scopeValue("func", { ref: spendOn });
			context.gen.code(_`${call}(${1 + sizeOf(context.schema)}, ${context.data})`);
			code(context, type);
		};
	}
}

const engines = new Map<string, Ajv>();

/** One engine for each dialect and set of options: compiling the meta-schema is most of the cost. */
function engineFor(schema: Record<string, unknown>, options: EngineOptions): Ajv {
	const dialect = schema.$schema;
	const old = typeof dialect === "string" && /draft-0[4-7]/.test(dialect);
	const key = `${old}/${options.strict}/${options.formats}`;
	const known = engines.get(key);
	if (known) return known;
	const ajv = old ? new Ajv(ajvOptions(options)) : (new Ajv2020(ajvOptions(options)) as unknown as Ajv);
	addFormats(ajv, "fast");
	meter(ajv);
	engines.set(key, ajv);
	return ajv;
}

// The dialect chose the engine; a name that it does not have must not make ajv look for it.
const withoutDialect = ({ $schema: _dialect, ...rest }: Record<string, unknown>) => rest;

/** Errors of a schema against its meta-schema; empty when it fits. Its depth and size must be bounded before. */
export function metaSchemaErrors(schema: Record<string, unknown>): NonNullable<Ajv["errors"]> {
	const ajv = engineFor(schema, { strict: false, formats: true });
	return ajv.validateSchema(withoutDialect(schema)) === false ? (ajv.errors ?? []) : [];
}

/** Compiles a schema whose depth and size are bounded. Run it by `runBounded` only. */
export function compileSchema(schema: Record<string, unknown>, options: EngineOptions): ValidateFunction {
	const ajv = engineFor(schema, options);
	const plain = withoutDialect(schema);
	try {
		return ajv.compile(plain);
	} finally {
		// Ids of one harness must not meet those of another, nor may the engine grow.
		ajv.removeSchema(plain);
	}
}

/** Whether a value fits; throws `TooMuchWork` where that cannot be found out within bounds. */
export function runBounded(validate: ValidateFunction, value: unknown): boolean {
	workLeft = MAX_WORK;
	try {
		return validate(value) === true;
	} finally {
		workLeft = Number.POSITIVE_INFINITY;
	}
}
