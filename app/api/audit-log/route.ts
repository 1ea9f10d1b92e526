import { isAllowed } from "@/server/auth/contract";
import { getServices } from "@/server/composition";
import { toCsv } from "@/server/kernel/csv";
import { AppError } from "@/server/kernel/errors";
import { auditReader } from "@/server/trpc/audit-reader";
import { refusalOf } from "@/server/trpc/context";
import { type AuditEntryDto, AuditFilterSchema, type AuditWords, auditWords } from "@/server/workspace/contract";

export const runtime = "nodejs";
export const permission = "audit.read";

const MOST_ROWS = 10_000;
const PAGE = 200;

/** Columns as they are stored, which a script reads, and behind them what a page shows in the reader's language. */
const STORED = ["at", "actor", "actorId", "action", "subject", "reason", "detail"];
const SHOWN = ["actor", "action", "subject", "reason"] as const;

const toRow = ({ at, actorName, actorId, action, subject, reason, detail }: AuditEntryDto, words: AuditWords): unknown[] => [
	...[at, actorName, actorId, action, subject, reason, detail],
	...SHOWN.map((name) => words[name]),
];

async function exportLog(request: Request): Promise<Response> {
	const services = await getServices();
	const refusal = services.auth.checkRequest(request.method, request.headers);
	if (refusal) throw new AppError("forbidden", refusal.message, { reason: refusal.reason, fix: refusal.fix });
	const session = await services.auth.findSession(request.headers);
	if (!session) throw new AppError("unauthenticated", "Sign in first.", { reason: "unauthorized" });
	const query = new URL(request.url).searchParams;
	const workspace = await services.auth.findMembership(session.user.id, query.get("workspace") ?? "");
	if (!workspace) throw new AppError("not-found", "There is no such workspace.", { reason: "workspace-unknown" });
	if (!isAllowed(permission, workspace.roles)) throw new AppError("forbidden", "Your roles here do not allow this.", { reason: "role-forbids" });
	const date = (name: string) => (query.get(name) ? new Date(query.get(name) ?? "") : undefined);
	const text = (name: string) => query.get(name) || undefined;
	const filter = AuditFilterSchema.safeParse({ actor: text("actor"), action: text("action"), search: text("search"), from: date("from"), to: date("to") });
	if (!filter.success) throw new AppError("bad-input", "The filter is not valid.");

	const language = query.get("language") === "zh" ? "zh" : "en";
	const reader = auditReader(language, await services.workspace.getById(workspace.id));
	const rows: unknown[][] = [];
	for (let page = 1; rows.length < MOST_ROWS; page++) {
		const { entries } = await services.workspace.queryAudit(workspace.id, filter.data, { page, pageSize: PAGE }, reader);
		rows.push(...entries.map((entry) => toRow(entry, auditWords(reader, entry))));
		if (entries.length < PAGE) break;
	}
	return new Response(toCsv([...STORED, ...SHOWN.map((name) => `${name}_${language}`)], rows), {
		headers: {
			"content-type": "text/csv; charset=utf-8",
			"content-disposition": `attachment; filename="audit-${workspace.slug}.csv"`,
			"cache-control": "no-store",
		},
	});
}

/** `GET /api/audit-log?workspace=SLUG&language=zh&action=…`: the filtered audit log as CSV, newest first, at most 10,000 rows. */
export const GET = (request: Request): Promise<Response> => exportLog(request).catch(refusalOf);
