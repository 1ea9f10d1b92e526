import { getServices } from "@/server/composition";
import { serveTriggerCall } from "@/server/triggers";

export const runtime = "nodejs";
export const permission = "token";

/** `POST /api/triggers/<workspace>/<trigger>`: a machine sets off a trigger. Authorised by an API token for this trigger alone. */
export async function POST(request: Request, { params }: { params: Promise<{ workspace: string; trigger: string }> }): Promise<Response> {
	const { workspace, trigger } = await params;
	return serveTriggerCall(await getServices(), request, { slug: workspace, triggerId: trigger });
}
