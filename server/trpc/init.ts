import { initTRPC, TRPCError } from "@trpc/server";
import superjson from "superjson";
import { ZodError, z } from "zod";
import { isAllowed, type Permission, type Role, type SessionUser } from "@/server/auth/contract";
import type { Services } from "@/server/composition";
import { AppError, type ErrorCode } from "@/server/kernel/errors";
import { newId } from "@/server/kernel/id";
import { logger } from "@/server/kernel/logger";

/** Who calls, and what the procedures may use. Made per request; tests make one without HTTP. */
export interface TrpcContext {
	user: SessionUser | null;
	services: Services;
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

const t = initTRPC
	.context<TrpcContext>()
	.meta<{ permission: Permission }>()
	.create({
		transformer: superjson,
		sse: { ping: { enabled: true, intervalMs: 5_000 }, client: { reconnectAfterInactivityMs: 15_000 } },
		errorFormatter({ shape, error }) {
			const app = error.cause instanceof AppError ? error.cause : null;
			const zod = error.cause instanceof ZodError ? error.cause : null;
			const wire: WireError = {
				reason: app?.reason ?? (zod ? "bad-input" : error.code.toLowerCase().replaceAll("_", "-")),
				params: app?.params ?? {},
				fix: app?.fix ?? null,
				data: app?.data ?? null,
				fields: zod ? (z.flattenError(zod).fieldErrors as Record<string, string[]>) : null,
				reference: null,
			};
			if (error.code === "INTERNAL_SERVER_ERROR" && !app) {
				// What was thrown is a bug: log it once under a reference, and let no detail leave.
				wire.reference = newId("err");
				logger.error({ err: error.cause ?? error, reference: wire.reference, path: shape.data.path }, "internal error");
				return {
					...shape,
					message: "Something went wrong inside the studio.",
					data: { code: shape.data.code, httpStatus: shape.data.httpStatus, path: shape.data.path, wire },
				};
			}
			return {
				...shape,
				message: zod ? z.prettifyError(zod) : error.message,
				data: { code: shape.data.code, httpStatus: shape.data.httpStatus, path: shape.data.path, wire },
			};
		},
	});

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/** Domain code throws AppError; the transport maps it here, once. */
const mapErrors = t.middleware(async ({ next }) => {
	const result = await next();
	if (!result.ok && result.error.cause instanceof AppError) {
		const cause = result.error.cause;
		throw new TRPCError({ code: STATUS[cause.code], message: cause.message, cause });
	}
	return result;
});

/** For what nobody needs to sign in for. */
export const publicProcedure = t.procedure.meta({ permission: "public" }).use(mapErrors);

/** For any signed-in person. */
export const sessionProcedure = t.procedure
	.meta({ permission: "session" })
	.use(mapErrors)
	.use(({ ctx, next }) => {
		if (!ctx.user) throw new TRPCError({ code: "UNAUTHORIZED", message: "Sign in first." });
		return next({ ctx: { ...ctx, user: ctx.user } });
	});

export interface WorkspaceContext {
	id: string;
	slug: string;
	roles: Role[];
}

/** For a workspace: takes `workspace` (its slug) as input, checks membership and the permission table, and puts `ctx.workspace` there. */
export function workspaceProcedure(permission: Exclude<Permission, "public" | "session">) {
	return t.procedure
		.meta({ permission })
		.use(mapErrors)
		.input(z.object({ workspace: z.string().min(1).max(80) }))
		.use(async ({ ctx, input, next }) => {
			if (!ctx.user) throw new TRPCError({ code: "UNAUTHORIZED", message: "Sign in first." });
			const workspace: WorkspaceContext | null = await ctx.services.auth.findMembership(ctx.user.id, input.workspace);
			// A workspace that one does not belong to looks like one that does not exist.
			if (!workspace) throw new TRPCError({ code: "NOT_FOUND", message: "There is no such workspace." });
			if (!isAllowed(permission, workspace.roles)) {
				const cause = new AppError("forbidden", `Your roles here (${workspace.roles.join(", ")}) do not allow this.`, {
					reason: "role-forbids",
					params: { roles: workspace.roles.join(", ") },
				});
				throw new TRPCError({ code: "FORBIDDEN", message: cause.message, cause });
			}
			return next({ ctx: { ...ctx, user: ctx.user, workspace } });
		});
}
