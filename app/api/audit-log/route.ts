import { isAllowed } from "@/server/auth/contract";
import { getServices } from "@/server/composition";
import { toCsv } from "@/server/kernel/csv";
import { AuditFilterSchema } from "@/server/workspace/contract";

export const runtime = "nodejs";
export const permission = "audit.read";

const MOST_ROWS = 10_000;
const PAGE = 200;
const refuse = (status: number, code: string, message: string) => Response.json({ code, message }, { status });

/** `GET /api/audit-log?workspace=SLUG&action=…`: the filtered audit log as CSV, newest first, at most 10,000 rows. */
export async function GET(request: Request): Promise<Response> {
	const services = await getServices();
	const refusal = services.auth.checkRequest(request.method, request.headers);
	if (refusal) return refuse(403, refusal.reason, refusal.message);
	const session = await services.auth.findSession(request.headers);
	if (!session) return refuse(401, "unauthorized", "Sign in first.");
	const query = new URL(request.url).searchParams;
	const workspace = await services.auth.findMembership(session.user.id, query.get("workspace") ?? "");
	if (!workspace) return refuse(404, "workspace-unknown", "There is no such workspace.");
	if (!isAllowed(permission, workspace.roles)) return refuse(403, "role-forbids", "Your roles here do not allow this.");
	const date = (name: string) => (query.get(name) ? new Date(query.get(name) ?? "") : undefined);
	const text = (name: string) => query.get(name) || undefined;
	const filter = AuditFilterSchema.safeParse({ actor: text("actor"), action: text("action"), search: text("search"), from: date("from"), to: date("to") });
	if (!filter.success) return refuse(400, "bad-input", "The filter is not valid.");

	const rows: unknown[][] = [];
	for (let page = 1; rows.length < MOST_ROWS; page++) {
		const { entries } = await services.workspace.queryAudit(workspace.id, filter.data, { page, pageSize: PAGE });
		rows.push(...entries.map((entry) => [entry.at, entry.actorName, entry.actorId, entry.action, entry.subject, entry.reason, entry.detail]));
		if (entries.length < PAGE) break;
	}
	return new Response(toCsv(["at", "actor", "actorId", "action", "subject", "reason", "detail"], rows), {
		headers: {
			"content-type": "text/csv; charset=utf-8",
			"content-disposition": `attachment; filename="audit-${workspace.slug}.csv"`,
			"cache-control": "no-store",
		},
	});
}
