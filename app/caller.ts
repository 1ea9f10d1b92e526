import type { TRPCError } from "@trpc/server";
import { headers } from "next/headers";
import { cache } from "react";
import { getServices } from "@/server/composition";
import { AppError } from "@/server/kernel/errors";
import { contextFromHeaders } from "@/server/trpc/context";
import { createCaller } from "@/server/trpc/root";

/** An error page is given nothing of an error but its digest, and Next keeps one that is there: the slug of what passes by itself. */
function nameForErrorPage(error: TRPCError): void {
	if (error.code === "SERVICE_UNAVAILABLE" && error.cause instanceof AppError) Object.assign(error, { digest: error.cause.reason });
}

/** The procedures as the person of this request may call them, for pages that render on the server. One per request. */
export const getCaller = cache(async () => {
	const context = await contextFromHeaders(await getServices(), await headers()).catch((error: TRPCError) => {
		nameForErrorPage(error);
		throw error;
	});
	return createCaller(context, { onError: ({ error }) => nameForErrorPage(error) });
});
