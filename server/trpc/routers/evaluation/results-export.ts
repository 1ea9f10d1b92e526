import { z } from "zod";
import { toCsv } from "@/server/kernel/csv";
import { workspaceProcedure } from "../../init";
import { ResultsQuery } from "./inputs";

const MAX_ROWS = 50_000;
const COLUMNS = [
	"caseKey",
	"trial",
	"category",
	"verdict",
	"accuracy",
	"effectiveness",
	"outcome",
	"message",
	"reply",
	"skills",
	"tools",
	"faults",
	"failureType",
	"blamed",
	"latencyMs",
	"tokens",
	"error",
] as const;

/** The filtered results of a run as a CSV document (cells that a spreadsheet would run are quoted) or JSON lines. */
export const resultsExport = workspaceProcedure("workspace.read")
	.input(ResultsQuery.omit({ offset: true, limit: true }).extend({ format: z.enum(["csv", "jsonl"]) }))
	.output(z.object({ name: z.string(), content: z.string() }))
	.query(async ({ ctx, input: { runId, filter, sort, descending, format } }) => {
		const run = await ctx.services.evaluation.get(ctx.workspace.id, runId);
		const { rows } = await ctx.services.evaluation.results(ctx.workspace.id, runId, { filter, sort, descending, offset: 0, limit: MAX_ROWS });
		const content =
			format === "csv"
				? toCsv(
						COLUMNS,
						rows.map((row) => COLUMNS.map((column) => (Array.isArray(row[column]) ? row[column].join(", ") : row[column]))),
					)
				: rows.map((row) => `${JSON.stringify(Object.fromEntries(COLUMNS.map((column) => [column, row[column]])))}\n`).join("");
		return { name: `run-${run.number}.${format}`, content };
	});
