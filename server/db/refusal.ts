import type { AppError, ErrorCode } from "@/server/kernel/errors";
import { knownFailure } from "./failures";

const STATUS: Record<ErrorCode, number> = {
	"bad-input": 400,
	unauthenticated: 401,
	forbidden: 403,
	"not-found": 404,
	conflict: 409,
	precondition: 412,
	"rate-limited": 429,
	timeout: 408,
	cancelled: 499,
	upstream: 502,
	unavailable: 503,
	internal: 500,
};

/** What a machine is told when a route refuses: the reason, the sentence, what to do. */
function refuse({ code, reason, message, fix }: AppError): Response {
	const headers = { "cache-control": "no-store", ...(code === "unavailable" ? { "retry-after": "5" } : {}) };
	return Response.json({ code: reason, message, ...(fix ? { fix } : {}) }, { status: STATUS[code], headers });
}

/** The answer of a route that threw: a refusal of ours, or 503 while the database is away or the disk is full. What is neither is a bug and thrown on. */
export function refusalOf(error: unknown): Response {
	const known = knownFailure(error);
	if (!known) throw error;
	return refuse(known);
}
