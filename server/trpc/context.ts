import { TRPCError } from "@trpc/server";
import type { Services } from "@/server/composition";
import { bodyTooLarge } from "@/server/kernel/body-limit";
import { AppError } from "@/server/kernel/errors";
import { type TrpcContext, toTransportError } from "./init";

/** For routes that are no procedures: the same failures, as a plain response. */
export { refusalOf } from "@/server/db/refusal";

/** Refuses a request whose Host or Origin is not this studio's; the first thing that any route does. */
export function assertRequestAllowed(services: Services, request: Request): void {
	const refusal = services.auth.checkRequest(request.method, request.headers);
	if (!refusal) return;
	const cause = new AppError("forbidden", refusal.message, { reason: refusal.reason, fix: refusal.fix });
	throw new TRPCError({ code: "FORBIDDEN", message: cause.message, cause });
}

/** The context of one HTTP request: its person, from the session cookie, after Host, Origin and size were checked. */
export async function createHttpContext(services: Services, request: Request): Promise<TrpcContext> {
	assertRequestAllowed(services, request);
	const cause = bodyTooLarge(request.headers);
	if (cause) throw new TRPCError({ code: "PAYLOAD_TOO_LARGE", message: cause.message, cause });
	return contextFromHeaders(services, request.headers);
}

/** The context of a page that renders on the server: headers only, nothing is changed through it. */
export async function contextFromHeaders(services: Services, headers: Headers): Promise<TrpcContext> {
	const session = await services.auth.findSession(headers).catch((error: unknown) => {
		throw toTransportError(error);
	});
	return {
		services,
		user: session?.user ?? null,
		...(session ? { isSessionAlive: () => services.auth.isSessionAlive(session.id) } : {}),
	};
}
