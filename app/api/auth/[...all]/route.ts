import { getServices } from "@/server/composition";

export const runtime = "nodejs";
export const permission = "public";

async function handle(request: Request): Promise<Response> {
	return (await getServices()).auth.handle(request);
}

export { handle as GET, handle as POST };
