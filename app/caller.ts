import { headers } from "next/headers";
import { cache } from "react";
import { getServices } from "@/server/composition";
import { contextFromHeaders } from "@/server/trpc/context";
import { createCaller } from "@/server/trpc/root";

/** The procedures as the person of this request may call them, for pages that render on the server. One per request. */
export const getCaller = cache(async () => createCaller(await contextFromHeaders(await getServices(), await headers())));
