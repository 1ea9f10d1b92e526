import { getServices } from "@/server/composition";
import { serveGit } from "@/server/release";

export const runtime = "nodejs";
export const permission = "token";

/**
 * `git clone <address>/api/git/<workspace>.git`: releases as production takes them, read only. Authorised by an API token
 * with the scope `release.read`, as bearer or as the password that git asks for.
 */
async function handle(request: Request, { params }: { params: Promise<{ repository: string; path: string[] }> }): Promise<Response> {
	const { repository, path } = await params;
	return serveGit(await getServices(), request, { repository, path: path.join("/") });
}

export { handle as GET, handle as POST };
