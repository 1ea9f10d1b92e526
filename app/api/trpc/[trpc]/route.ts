import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { getServices } from "@/server/composition";
import { shutdownSignal } from "@/server/kernel/shutdown";
import { createHttpContext } from "@/server/trpc/context";
import { appRouter } from "@/server/trpc/root";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";
/** Each procedure carries its own permission. */
export const permission = "per-procedure";

async function handle(request: Request): Promise<Response> {
	const services = await getServices();
	// A stream ends with its client or with the server, whichever stops first.
	const signal = AbortSignal.any([request.signal, shutdownSignal()]);
	return fetchRequestHandler({
		endpoint: "/api/trpc",
		req: request.method === "GET" ? new Request(request.url, { headers: request.headers, signal }) : request,
		router: appRouter,
		createContext: () => createHttpContext(services, request),
	});
}

export { handle as GET, handle as POST };
