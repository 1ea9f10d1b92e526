import { toCsv } from "@/server/kernel/csv";
import type { StoredCase } from "./case.repository";

/** Open cases as JSON lines that `import-cases` reads back unchanged. Holdout cases are refused by type: a caller only has those it could read. */
export function casesToJsonLines(cases: readonly StoredCase[]): string {
	return cases
		.filter((one) => one.split !== "holdout")
		.map((one) => `${JSON.stringify({ id: one.key, category: one.category, split: one.split, group: one.groupKey, ...one.content })}\n`)
		.join("");
}

/** Open cases as CSV; cells that a spreadsheet would run as a formula are quoted. */
export function casesToCsv(cases: readonly StoredCase[]): string {
	return toCsv(
		["id", "category", "split", "group", "message", "history", "room", "faults", "reference", "tags", "skills", "tools", "rubric"],
		cases
			.filter((one) => one.split !== "holdout")
			.map(({ content, ...one }) => [
				one.key,
				one.category,
				one.split,
				one.groupKey,
				content.message,
				content.history.length > 0 ? JSON.stringify(content.history) : "",
				content.room ? JSON.stringify(content.room) : "",
				content.faults.length > 0 ? JSON.stringify(content.faults) : "",
				content.reference ?? "",
				content.tags.join(", "),
				(content.expect.skills ?? []).join(", "),
				(content.expect.tools ?? []).join(", "),
				content.rubric.length > 0 ? JSON.stringify(content.rubric) : "",
			]),
	);
}
