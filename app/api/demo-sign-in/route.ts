import { getServices } from "@/server/composition";

export const runtime = "nodejs";
export const permission = "public";

/** Enters as a demo person with the token that the start printed. */
export async function POST(request: Request): Promise<Response> {
	return (await getServices()).auth.handleDemoSignIn(request);
}
