/** What went wrong, as a caller can act on it. The transport maps each to a status; nothing else is thrown on purpose. */
export type ErrorCode =
	| "bad-input"
	| "unauthenticated"
	| "forbidden"
	| "not-found"
	| "conflict"
	| "precondition"
	| "rate-limited"
	| "timeout"
	| "cancelled"
	| "upstream"
	| "unavailable"
	| "internal";

export interface AppErrorOptions {
	/** Stable slug that the screen translates (`errors.<reason>`), e.g. `proposal-base-moved`. */
	reason?: string;
	/** Values for the translated sentence; must be safe to show. */
	params?: Record<string, string | number>;
	/** What the person can do next, in English; shown when the slug has no translation. */
	fix?: string;
	cause?: unknown;
	/** Structured detail that is safe to show (rejected rows, conflicts). */
	data?: unknown;
}

const BRAND = Symbol.for("studio.AppError");

/**
 * The one error class. `message` is safe to show to the person who caused it: no stack, no secret, no path of the machine.
 * Anything else that is thrown is a bug and reaches people as "internal" with a reference to the log line.
 */
export class AppError extends Error {
	/** The web build may hold this module once for pages and once for routes, while both use the same services: a mark decides, not the identity of the class. */
	static override [Symbol.hasInstance](value: unknown): boolean {
		return typeof value === "object" && value !== null && BRAND in value;
	}
	readonly [BRAND] = true;
	readonly code: ErrorCode;
	readonly reason: string;
	readonly params: Record<string, string | number>;
	readonly fix: string | undefined;
	readonly data: unknown;

	constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
		super(message, options.cause === undefined ? undefined : { cause: options.cause });
		this.name = "AppError";
		this.code = code;
		this.reason = options.reason ?? code;
		this.params = options.params ?? {};
		this.fix = options.fix;
		this.data = options.data;
	}
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
