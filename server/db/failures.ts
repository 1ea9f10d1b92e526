import { AppError } from "@/server/kernel/errors";

const SYSTEM_UNREACHABLE = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);
/** Prisma's: cannot reach, timed out, socket timed out, connection closed, no connection in time, no transaction in time. */
const PRISMA_UNREACHABLE = new Set(["P1001", "P1002", "P1008", "P1017", "P2024", "P2028"]);
/** What its adapter says where Prisma has no code of its own: raw SQL. */
const ADAPTER_UNREACHABLE = new Set(["DatabaseNotReachable", "ConnectionClosed", "SocketTimeout", "TooManyConnections"]);
const UNREACHABLE = [SYSTEM_UNREACHABLE, PRISMA_UNREACHABLE, ADAPTER_UNREACHABLE];
/** SQLSTATE: connection exceptions; shut down, crashed, starting up; too many connections. */
const SQL_UNREACHABLE = /^(?:08...|57P0[123]|53300)$/;
/** node-postgres gives these no code. */
const UNREACHABLE_TEXT =
	/^(?:Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error)/;
const FULL = new Set(["ENOSPC", "EDQUOT", "53100"]);
/** SQLSTATE: data exceptions, constraints, limits of a program: the same statement fails again, always. */
const DATA = /^(?:22...|23...|54...)$/;

interface Link {
	code?: unknown;
	originalCode?: unknown;
	kind?: unknown;
	message?: unknown;
	cause?: unknown;
	errors?: unknown;
	meta?: { driverAdapterError?: unknown; code?: unknown };
}

/** The codes and messages of an error and of what caused it, outermost first. What has an answer of its own, or comes from `fetch`, is not looked into. */
function* linksOf(error: unknown, depth = 0): Generator<{ codes: string[]; message: string }> {
	if (typeof error !== "object" || error === null || depth > 6 || error instanceof AppError || error instanceof TypeError) return;
	const { code, originalCode, kind, message, cause, meta, errors } = error as Link;
	yield { codes: [originalCode, code, kind, meta?.code].filter((one) => typeof one === "string"), message: typeof message === "string" ? message : "" };
	for (const inner of [cause, meta?.driverAdapterError, ...(Array.isArray(errors) ? errors : [])]) yield* linksOf(inner, depth + 1);
}

function isUnreachable({ codes, message }: { codes: string[]; message: string }): boolean {
	return codes.some((code) => UNREACHABLE.some((known) => known.has(code)) || SQL_UNREACHABLE.test(code)) || UNREACHABLE_TEXT.test(message);
}

/** What people are told where nothing more can be written. */
export const diskFull = (cause: unknown) =>
	new AppError("unavailable", "The studio's disk is full: nothing can be saved.", {
		reason: "disk-full",
		fix: "Free space on the disk of the database and of the data directory, then try again.",
		cause,
	});

/**
 * What people are told when the database is away or the disk is full; null for any other error. Never a bug of the caller:
 * the same call succeeds when that has passed.
 */
export function databaseFailure(error: unknown): AppError | null {
	const links = [...linksOf(error)];
	if (links.some(({ codes }) => codes.some((code) => FULL.has(code)))) return diskFull(error);
	if (links.some(isUnreachable))
		return new AppError("unavailable", "The studio's database does not answer.", {
			reason: "database-unavailable",
			fix: "Try again in a moment. If it stays so, look at the studio's log and at its PostgreSQL.",
			cause: error,
		});
	return null;
}

/** What the caller may be told of an error: a refusal of ours, or the database that is away; null for a bug. Every transport asks here. */
export function knownFailure(error: unknown): AppError | null {
	return error instanceof AppError ? error : databaseFailure(error);
}

/** The SQLSTATE of an error that the data themselves cause, which no second try mends; null for any other. */
export function dataErrorCode(error: unknown): string | null {
	for (const { codes } of linksOf(error)) {
		const found = codes.find((code) => DATA.test(code));
		if (found !== undefined) return found;
	}
	return null;
}
