import { getServices } from "@/server/composition";
import { serveRelease } from "@/server/release";
import { refusalOf } from "@/server/trpc/context";

export const runtime = "nodejs";
export const permission = "workspace.read";

/**
 * `GET /api/releases/<workspace>/<vN|current>.<tar.gz|json>`: a release as production takes it. Authorised by a session,
 * or by an API token with the scope `release.read`.
 */
export async function GET(request: Request, { params }: { params: Promise<{ workspace: string; file: string }> }): Promise<Response> {
	const services = await getServices();
	const { workspace, file } = await params;
	try {
		return await serveRelease(services, request, { slug: workspace, file });
	} catch (error) {
		return refusalOf(error);
	}
}
