"use client";

import { Download } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { Button } from "@/components/ui/button";
import { downloadText, toCsv } from "@/components/ui/csv";
import { formatCount } from "@/components/ui/format";
import { SectionHead } from "@/components/ui/page";
import { Words } from "@/components/ui/person";
import { useSaid } from "@/components/ui/said";
import { Tag } from "@/components/ui/status";
import { Table, Td, Th, Tr } from "@/components/ui/table";
import type { CaseImportReport } from "@/server/evaluation/contract";

/** A list that scrolls by itself, and can be reached by keyboard. */
function Scroll({ label, children }: { label: string; children: ReactNode }) {
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
		<section aria-label={label} tabIndex={0} className="max-h-56 overflow-y-auto">
			{children}
		</section>
	);
}

function Notes({ title, meta, notes }: { title: string; meta?: string; notes: CaseImportReport["rejected"] }) {
	const t = useTranslations("cases.wizard");
	const said = useSaid("importNotes");
	if (notes.length === 0) return null;
	return (
		<section>
			<SectionHead title={title} meta={meta}>
				<Button
					variant="quiet"
					size="sm"
					onClick={() =>
						downloadText(
							"rejected.csv",
							"text/csv",
							toCsv(
								["line", "reason"],
								notes.map((note) => [note.line, note.reason]),
							),
						)
					}
				>
					<Download className="size-3.5" aria-hidden />
					{t("downloadRejected")}
				</Button>
			</SectionHead>
			<Scroll label={title}>
				<Table aria-label={title} className="table-fixed">
					<thead>
						<tr>
							<Th numeric className="w-14">
								{t("line")}
							</Th>
							<Th>{t("reason")}</Th>
						</tr>
					</thead>
					<tbody>
						{notes.map((note) => (
							<Tr key={`${note.line} ${note.reason}`}>
								<Td numeric muted>
									{formatCount(note.line)}
								</Td>
								<Td lang={said(note.phrase, note.reason).lang}>{said(note.phrase, note.reason).text}</Td>
							</Tr>
						))}
					</tbody>
				</Table>
			</Scroll>
		</section>
	);
}

/** What an import would do: counts, every bad row with its reason, and the first rows as they will be stored. */
export function ImportReportView({ report }: { report: CaseImportReport }) {
	const t = useTranslations("cases.wizard");
	const s = useTranslations("cases");
	const { categoryTitle } = useWorkspace();
	return (
		<div className="grid gap-3">
			<div>
				<p className="font-semibold text-14">{t("say", { accepted: report.accepted, rejected: formatCount(report.rejectedTotal) })}</p>
				<p className="text-12 text-ink-2">
					{t("detail", { added: report.added, updated: report.updated, unchanged: report.unchanged, groups: report.nearDuplicateGroups })}{" "}
					{s("counts", report.splits)}. <span className="text-ink-3">{t("read", { dialect: report.dialect, encoding: report.encoding })}</span>
				</p>
			</div>
			<Notes
				title={t("rejected")}
				meta={report.rejectedTotal > report.rejected.length ? t("rejectedShown", { count: formatCount(report.rejected.length) }) : undefined}
				notes={report.rejected}
			/>
			<Notes title={t("warnings")} notes={report.warnings} />
			{report.categories.length > 0 && (
				<p className="text-12 text-ink-2">
					<b className="font-semibold text-ink">{t("categories")}</b>{" "}
					{report.categories
						.slice(0, 40)
						.map((row) => `${categoryTitle(row.category)} ${row.cases}`)
						.join(", ")}
				</p>
			)}
			{report.sample.length > 0 && (
				<section>
					<SectionHead title={t("sample")} meta={t("sampleNote")} />
					<Scroll label={t("sample")}>
						<Table aria-label={t("sample")} className="table-fixed">
							<tbody>
								{report.sample.map((row) => (
									<Tr key={row.id}>
										<Td className="w-36 truncate text-ink-2">{row.id}</Td>
										<Td className="truncate">
											<Words>{row.message}</Words>
										</Td>
										<Td className="w-28 truncate text-ink-2 max-md:hidden">{row.category}</Td>
										<Td className="w-14">
											<Tag>{s(`split.${row.split}`)}</Tag>
										</Td>
									</Tr>
								))}
							</tbody>
						</Table>
					</Scroll>
				</section>
			)}
		</div>
	);
}
