import { Liquid, type TagToken, type Template } from "liquidjs";
import { LRUCache } from "lru-cache";
import { AppError, messageOf } from "@/server/kernel/errors";

/** Bounds of one template: what is over them is refused, whatever the machine. */
export const LIQUID_LIMITS = { parseChars: 200_000, renderMs: 200, renderedTemplates: 20_000, memory: 2_000_000 } as const;

export const NOW_REFUSED = "`now` is not known here: write room.now";
export const WHEN_REFUSED = "`when` is one Liquid condition, without braces, %, or line breaks";

const ZONED = /(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})$/iu;

/** A date in words that names no zone is in UTC: the machine's zone must not show in a prompt. */
function inUtc(value: unknown): unknown {
	if (typeof value !== "string" || ZONED.test(value.trim())) return value;
	return [`${value.trim()}Z`, `${value.trim()} UTC`].find((text) => !Number.isNaN(Date.parse(text))) ?? value;
}

function createEngine(): Liquid {
	const liquid = new Liquid({
		strictVariables: true,
		strictFilters: true,
		ownPropertyOnly: true,
		// `{% if room.x %}` and `| default:` are how a template guards what a room may lack.
		lenientIf: true,
		// No file is ever looked up; a template is only its own text.
		templates: {},
		relativeReference: false,
		dynamicPartials: false,
		// The machine's time zone must not show in a prompt.
		preserveTimezones: true,
		timezoneOffset: 0,
		locale: "en-US",
		parseLimit: LIQUID_LIMITS.parseChars,
		renderLimit: LIQUID_LIMITS.renderMs,
		memoryLimit: LIQUID_LIMITS.memory,
	});
	for (const tag of ["include", "render", "layout", "block"]) delete liquid.tags[tag];
	// `sample` is random, and strip_html backtracks.
	for (const filter of ["sample", "strip_html"]) delete liquid.filters[filter];
	for (const name of ["date", "date_to_xmlschema", "date_to_rfc822", "date_to_string", "date_to_long_string"]) {
		const filter = liquid.filters[name];
		liquid.registerFilter(name, function (value: unknown, ...rest: unknown[]) {
			// Rendering is a function of harness and room; a clock of its own would break the cache.
			if (value === "now" || value === "today") throw new Error(NOW_REFUSED);
			return typeof filter === "function" ? (filter as (...args: unknown[]) => unknown).call(this, inUtc(value), ...rest) : value;
		});
	}
	return liquid;
}

const engine = createEngine();
const parsed = new LRUCache<string, Template[]>({ max: 1_000, maxSize: 8_000_000, sizeCalculation: (_value, key) => key.length + 1 });

export interface LiquidFault {
	rule: "liquid-syntax" | "liquid-variable" | "liquid-limit" | "liquid-render";
	message: string;
	/** Offset in the template, when known. */
	offset: number | null;
	length: number;
}

export class LiquidError extends Error {
	readonly fault: LiquidFault;
	constructor(fault: LiquidFault) {
		super(fault.message);
		this.fault = fault;
	}
}

function faultOf(error: unknown, parsing: boolean): LiquidFault {
	const e = error as { name?: string; message?: string; token?: TagToken; originalError?: Error };
	const message = (e.originalError?.message ?? messageOf(error)).replace(/, file:.*$/s, "").replace(/, line:\d+, col:\d+$/s, "");
	const rule = /limit exceeded/i.test(message)
		? "liquid-limit"
		: parsing
			? "liquid-syntax"
			: e.name === "UndefinedVariableError" || /undefined variable/.test(message)
				? "liquid-variable"
				: "liquid-render";
	const token = e.token;
	return { rule, message, offset: token?.begin ?? null, length: token ? token.end - token.begin : 0 };
}

/** Parses a template once; throws `LiquidError`. */
export function parseLiquid(text: string): Template[] {
	const known = parsed.get(text);
	if (known) return known;
	try {
		const templates = engine.parse(text);
		parsed.set(text, templates);
		return templates;
	} catch (error) {
		throw new LiquidError(faultOf(error, true));
	}
}

/**
 * Renders a template within the limits; the same text and scope give the same result on every machine. Throws `LiquidError`,
 * also where the scope lacks something, unless `lenient`: that counts as empty then.
 */
export function renderLiquid(text: string, scope: Record<string, unknown>, { lenient = false }: { lenient?: boolean } = {}): string {
	const templates = parseLiquid(text);
	try {
		return String(engine.renderSync(templates, scope, { templateLimit: LIQUID_LIMITS.renderedTemplates, strictVariables: !lenient }));
	} catch (error) {
		throw new LiquidError(faultOf(error, false));
	}
}

const WHEN_FORBIDDEN = /[{}%\r\n]/;

/** Whether a `when` condition holds; false too where it names something that the room lacks. Throws `LiquidError` for anything else. */
export function evaluateWhen(when: string, scope: Record<string, unknown>): boolean {
	try {
		return renderLiquid(whenTemplate(when), scope) === "1";
	} catch (error) {
		if (error instanceof LiquidError && error.fault.rule === "liquid-variable") return false;
		throw error;
	}
}

const WHEN_PREFIX = "{% if ";

/** The template behind a `when`; throws `LiquidError` when the text could be more than a condition. */
export function whenTemplate(when: string): string {
	if (WHEN_FORBIDDEN.test(when)) throw new LiquidError({ rule: "liquid-syntax", message: WHEN_REFUSED, offset: null, length: 0 });
	return `${WHEN_PREFIX}${when} %}1{% endif %}`;
}

/** How many characters of `whenTemplate` stand before the condition. */
export const WHEN_OFFSET = WHEN_PREFIX.length;

export interface LiquidVariable {
	segments: string[];
	/** Offset in the template. */
	offset: number;
}

/** Variables that a template reads from outside itself, with their places. The text must parse. */
export function variablesOf(text: string): LiquidVariable[] {
	const { globals } = engine.analyzeSync(parseLiquid(text), { partials: false });
	const lines = lineStarts(text);
	return Object.values(globals)
		.flat()
		.map((variable) => ({
			segments: takeStatic(variable.segments),
			offset: (lines[variable.location.row - 1] ?? 0) + variable.location.col - 1,
		}));
}

/** A path up to the first part that is only known while rendering (`room[x]`). */
function takeStatic(segments: readonly unknown[]): string[] {
	const names: string[] = [];
	for (const segment of segments) {
		if (typeof segment !== "string" && typeof segment !== "number") break;
		names.push(String(segment));
	}
	return names;
}

function lineStarts(text: string): number[] {
	const starts = [0];
	for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) starts.push(i + 1);
	return starts;
}

/** For a harness that validated, a failure to render is the room's fault: says which block and why. */
export function renderFailure(block: string, error: unknown): AppError {
	const message = error instanceof LiquidError ? error.fault.message : messageOf(error);
	return new AppError("precondition", `The prompt block “${block}” cannot be rendered in this room: ${message}.`, {
		reason: "prompt-not-renderable",
		params: { block, why: message },
		fix: "Guard what a room may lack with `{% if room.… %}` or `| default:`, or add it to the room.",
		cause: error,
	});
}
