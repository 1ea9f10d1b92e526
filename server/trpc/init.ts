import { initTRPC, TRPCError } from "@trpc/server";
import { ZodError, z } from "zod";
import { isAllowed, type Permission, permissions, type Role, type SessionUser } from "@/server/auth/contract";
import type { Services } from "@/server/composition";
import { knownFailure } from "@/server/db/failures";
import { MAX_BODY_MB } from "@/server/kernel/body-limit";
import { AppError, type ErrorCode } from "@/server/kernel/errors";
import { newId } from "@/server/kernel/id";
import { logger } from "@/server/kernel/logger";
import { refuseUnstorable } from "./refuse-unstorable";
import { transformer } from "./transformer";

/** Who calls, and what the procedures may use. Made per request; tests make one without HTTP. */
export interface TrpcContext {
	user: SessionUser | null;
	services: Services;
	/** Whether the caller's session still stands; streams ask before each event. Absent: a caller without a session (tests, jobs). */
	isSessionAlive?: () => Promise<boolean>;
}

const STATUS: Record<ErrorCode, TRPCError["code"]> = {
	"bad-input": "BAD_REQUEST",
	unauthenticated: "UNAUTHORIZED",
	forbidden: "FORBIDDEN",
	"not-found": "NOT_FOUND",
	conflict: "CONFLICT",
	precondition: "PRECONDITION_FAILED",
	"rate-limited": "TOO_MANY_REQUESTS",
	timeout: "TIMEOUT",
	cancelled: "CLIENT_CLOSED_REQUEST",
	upstream: "BAD_GATEWAY",
	unavailable: "SERVICE_UNAVAILABLE",
	internal: "INTERNAL_SERVER_ERROR",
};

export interface WireError {
	reason: string;
	params: Record<string, string | number>;
	fix: string | null;
	data: unknown;
	fields: Record<string, string[]> | null;
	/** Reference to the log line of an internal error. */
	reference: string | null;
}

const UNREAD = `The body of this request is no JSON, or was longer than ${MAX_BODY_MB} MB and cut.`;

interface ProcedureMeta {
	permission: Permission;
	/** Takes text that the database cannot store, because it stores none: it tells where such text stands. */
	anyText?: true;
}

const t = initTRPC
	.context<TrpcContext>()
	.meta<ProcedureMeta>()
	.create({
		isDev: false, // no stack ever leaves the server
		transformer,
		sse: { ping: { enabled: true, intervalMs: 5_000 }, client: { reconnectAfterInactivityMs: 15_000 } },
		errorFormatter({ shape, error }) {
			const app = error.cause instanceof AppError ? error.cause : null;
			// Only what the caller sent: a schema that fails inside is a bug, and its detail stays inside.
			const zod = error.code === "BAD_REQUEST" && error.cause instanceof ZodError ? error.cause : null;
			// A parser's words help nobody; a body of unsaid length that was too long was cut, and ends where no JSON ends.
			const unread = error.code === "BAD_REQUEST" && error.cause instanceof SyntaxError;
			const wire: WireError = {
				reason: app?.reason ?? (zod ? "bad-input" : unread ? "parse-error" : error.code.toLowerCase().replaceAll("_", "-")),
				params: app?.params ?? (unread ? { limit: MAX_BODY_MB } : {}),
				fix: app?.fix ?? null,
				data: app?.data ?? null,
				fields: zod ? (z.flattenError(zod).fieldErrors as Record<string, string[]>) : null,
				reference: null,
			};
			if (error.code === "INTERNAL_SERVER_ERROR") {
				// Logged once under a reference: a cause is never sent, and of what was not thrown on purpose no detail leaves either.
				wire.reference = newId("err");
				logger.error({ err: error.cause ?? error, reference: wire.reference, path: shape.data.path }, "internal error");
			}
			if (error.code === "INTERNAL_SERVER_ERROR" && !app) {
				return {
					...shape,
					message: "Something went wrong inside the studio.",
					data: { code: shape.data.code, httpStatus: shape.data.httpStatus, path: shape.data.path, wire },
				};
			}
			return {
				...shape,
				message: unread ? UNREAD : zod ? z.prettifyError(zod) : error.message,
				data: { code: shape.data.code, httpStatus: shape.data.httpStatus, path: shape.data.path, wire },
			};
		},
	});

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
	return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** The transport's error of what domain code threw, or of a database that is away; anything else passes as it is. */
export function toTransportError(error: unknown): unknown {
	const cause = error instanceof TRPCError ? error.cause : error;
	const known = knownFailure(cause);
	return known ? new TRPCError({ code: STATUS[known.code], message: known.message, cause: known }) : error;
}

/** A stream that asks `check` before each event goes out, and maps what its source throws. */
async function* guardStream(source: AsyncIterable<unknown>, check: () => Promise<void>): AsyncGenerator<unknown> {
	try {
		for await (const event of source) {
			await check();
			yield event;
		}
	} catch (error) {
		throw toTransportError(error);
	}
}

/** Domain code throws AppError; the transport maps it here, once. */
const mapErrors = t.middleware(async ({ next }) => {
	const result = await next();
	if (!result.ok) throw toTransportError(result.error);
	return result;
});

const storableInput = t.middleware(async ({ meta, getRawInput, next }) => {
	if (!meta?.anyText) refuseUnstorable(await getRawInput());
	return next();
});

const signInFirst = () => new TRPCError({ code: "UNAUTHORIZED", message: "Sign in first." });

/** For what nobody needs to sign in for. */
export const publicProcedure = t.procedure.meta({ permission: "public" }).use(mapErrors).use(storableInput);

const signedIn = t.procedure
	.use(mapErrors)
	.use(async ({ ctx, next, type }) => {
		const { user, isSessionAlive } = ctx;
		if (!user) throw signInFirst();
		const result = await next({ ctx: { ...ctx, user } });
		if (type !== "subscription" || !result.ok || !isAsyncIterable(result.data)) return result;
		const check = async () => {
			if (isSessionAlive && !(await isSessionAlive())) throw signInFirst();
		};
		return { ...result, data: guardStream(result.data, check) };
	})
	.use(storableInput);

/** For any signed-in person. */
export const sessionProcedure = signedIn.meta({ permission: "session" });

export interface WorkspaceContext {
	id: string;
	slug: string;
	roles: Role[];
}

async function authorise(services: Services, userId: string, slug: string, permission: Permission): Promise<WorkspaceContext> {
	const workspace: WorkspaceContext | null = await services.auth.findMembership(userId, slug);
	// A workspace that one does not belong to looks like one that does not exist.
	if (!workspace) {
		const cause = new AppError("not-found", "There is no such workspace.", { reason: "workspace-unknown", fix: "Choose one of your workspaces." });
		throw new TRPCError({ code: "NOT_FOUND", message: cause.message, cause });
	}
	if (!isAllowed(permission, workspace.roles)) {
		const roles = workspace.roles.join(", ");
		const cause = new AppError("forbidden", `Your roles here (${roles}) do not allow this.`, {
			reason: "role-forbids",
			params: { roles, allowed: permissions[permission].join(", ") },
			fix: "Ask a person with one of the roles that may.",
		});
		throw new TRPCError({ code: "FORBIDDEN", message: cause.message, cause });
	}
	return workspace;
}

/**
 * For a workspace: takes `workspace` (its slug) as input, checks membership and the permission table before any other
 * input is looked at, and puts `ctx.workspace` there. A subscription is checked again before each event.
 */
export function workspaceProcedure(permission: Exclude<Permission, "public" | "session">) {
	return signedIn
		.meta({ permission })
		.input(z.object({ workspace: z.string().min(1).max(80) }))
		.use(async ({ ctx, input, next, type }) => {
			const workspace = await authorise(ctx.services, ctx.user.id, input.workspace, permission);
			const result = await next({ ctx: { ...ctx, workspace } });
			if (type !== "subscription" || !result.ok || !isAsyncIterable(result.data)) return result;
			const check = async () => void (await authorise(ctx.services, ctx.user.id, input.workspace, permission));
			return { ...result, data: guardStream(result.data, check) };
		});
}
