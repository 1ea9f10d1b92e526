"use client";

import { ChevronLeft, ChevronRight, Download } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { parseAsInteger, parseAsString, useQueryStates } from "nuqs";
import { type KeyboardEvent, type ReactNode, useMemo } from "react";
import { Button, IconButton } from "./button";
import { cn } from "./cn";
import { downloadText, toCsv } from "./csv";
import { SearchField } from "./field";
import { SortTh, Table, Td, Tr } from "./table";
import { applyTableState, nextSort, type SortableColumn, type TableState } from "./table-state";

export interface Column<T> extends SortableColumn<T> {
	header: ReactNode;
	cell: (row: T) => ReactNode;
	numeric?: boolean;
	/** Left out at 390 px. */
	wideOnly?: boolean;
	/** The value in the CSV export; `text` or `sortValue` where it is missing. */
	csv?: (row: T) => string | number | boolean | null;
	/** The column's name in the CSV. */
	csvHeader?: string;
	className?: string;
}

/** Filter text, sort and page in the URL; `prefix` keeps two lists on one page apart. */
export function useTableState(prefix = "") {
	const [state, setState] = useQueryStates(
		{ q: parseAsString.withDefault(""), sort: parseAsString.withDefault(""), page: parseAsInteger.withDefault(1) },
		{ urlKeys: prefix ? { q: `${prefix}q`, sort: `${prefix}sort`, page: `${prefix}page` } : {}, history: "replace", throttleMs: 120 },
	);
	return [state satisfies TableState, setState] as const;
}

export interface DataTableProps<T> {
	rows: readonly T[];
	columns: readonly Column<T>[];
	rowKey: (row: T) => string;
	/** What the table holds, for assistive technology. */
	label: string;
	/** Where a row leads; the first cell becomes the link, the whole row is clickable, J / K / Enter move and open. */
	href?: (row: T) => string;
	selectedKey?: string | null;
	pageSize?: number;
	/** Name of the CSV file without extension; leave it out for no export. */
	csvName?: string;
	/** Further filters, left of the count. */
	filters?: ReactNode;
	/** Show the free-text filter. */
	searchable?: boolean;
	empty?: ReactNode;
	prefix?: string;
	className?: string;
}

function moveFocus(event: KeyboardEvent<HTMLTableSectionElement>) {
	const step = event.key === "j" || event.key === "ArrowDown" ? 1 : event.key === "k" || event.key === "ArrowUp" ? -1 : 0;
	if (!step || event.metaKey || event.ctrlKey || event.altKey) return;
	const links = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-row-link]")];
	const at = links.indexOf(document.activeElement as HTMLElement);
	const next = links[at + step];
	if (!next) return;
	event.preventDefault();
	next.focus();
}

/** A list that can be filtered, sorted, shared by URL and exported. Rows are all in memory; long lists page on the server instead. */
export function DataTable<T>({
	rows,
	columns,
	rowKey,
	label,
	href,
	selectedKey,
	pageSize = 50,
	csvName,
	filters,
	searchable = true,
	empty,
	prefix,
	className,
}: DataTableProps<T>) {
	const t = useTranslations("common.table");
	const router = useRouter();
	const [state, setState] = useTableState(prefix);
	const view = useMemo(() => applyTableState(rows, columns, state, pageSize), [rows, columns, state, pageSize]);
	const exportCsv = () => {
		const all = applyTableState(rows, columns, { ...state, page: 1 }, Math.max(rows.length, 1)).rows;
		const header = columns.map((column) => column.csvHeader ?? (typeof column.header === "string" ? column.header : column.id));
		const lines = all.map((row) => columns.map((column) => column.csv?.(row) ?? column.sortValue?.(row) ?? column.text?.(row) ?? null));
		downloadText(`${csvName}.csv`, "text/csv", toCsv(header, lines));
	};
	if (rows.length === 0 && empty)
		return (
			<div className={className}>
				{/* What chose no row has to stay in reach. */}
				{filters && <div className="flex flex-wrap items-center gap-2 py-2">{filters}</div>}
				{empty}
			</div>
		);
	return (
		<div className={className}>
			<div className="flex flex-wrap items-center gap-2 py-2">
				{searchable && (
					<SearchField value={state.q} onValueChange={(q) => void setState({ q: q || null, page: null })} label={t("filter")} className="w-56 max-md:w-full" />
				)}
				{filters}
				<span className="ml-auto flex items-center gap-2 text-12 text-ink-3">
					{view.total === rows.length ? t("count", { count: rows.length }) : t("countOf", { count: view.total, total: rows.length })}
					{csvName && (
						<Button variant="quiet" size="sm" onClick={exportCsv}>
							<Download className="size-3.5" aria-hidden />
							CSV
						</Button>
					)}
				</span>
			</div>
			<div className="-mx-2 overflow-x-auto">
				<Table aria-label={label}>
					<thead>
						<tr>
							{columns.map((column) => {
								const active = state.sort.replace(/^-/, "") === column.id;
								const descending = state.sort.startsWith("-");
								return (
									<SortTh
										key={column.id}
										numeric={column.numeric}
										className={cn(column.wideOnly && "max-md:hidden")}
										sorted={active ? (descending ? "descending" : "ascending") : null}
										onSort={column.sortValue ? () => void setState({ sort: nextSort(state.sort, column.id) || null, page: null }) : null}
									>
										{column.header}
									</SortTh>
								);
							})}
						</tr>
					</thead>
					<tbody onKeyDown={moveFocus}>
						{view.rows.map((row) => {
							const key = rowKey(row);
							const target = href?.(row);
							return (
								<Tr
									key={key}
									selected={selectedKey === key || undefined}
									className={cn(target && "cursor-pointer")}
									onClick={(event) => {
										if (!target || (event.target as HTMLElement).closest("a,button,input,label,[role=menuitem]")) return;
										if (event.metaKey || event.ctrlKey) window.open(target, "_blank", "noopener");
										else router.push(target);
									}}
								>
									{columns.map((column, index) => (
										<Td
											key={column.id}
											numeric={column.numeric}
											className={cn("first:pl-2 last:pr-2", target && "max-md:h-11", column.wideOnly && "max-md:hidden", column.className)}
										>
											{index === 0 && target ? (
												<a
													href={target}
													data-row-link
													className="text-inherit no-underline hover:text-accent"
													onClick={(event) => {
														if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
														event.preventDefault();
														router.push(target);
													}}
												>
													{column.cell(row)}
												</a>
											) : (
												column.cell(row)
											)}
										</Td>
									))}
								</Tr>
							);
						})}
					</tbody>
				</Table>
			</div>
			{view.rows.length === 0 && (
				<p className="flex items-center gap-2 py-4 text-13 text-ink-2">
					{t("nothingMatches")}
					<Button variant="outline" size="sm" onClick={() => void setState({ q: null, page: null })}>
						{t("clearFilter")}
					</Button>
				</p>
			)}
			{view.pages > 1 && (
				<nav aria-label={t("pages")} className="flex items-center gap-2 py-2 text-12 text-ink-2">
					<IconButton size="sm" label={t("previous")} disabled={view.page <= 1} onClick={() => void setState({ page: view.page - 1 })}>
						<ChevronLeft className="size-3.5" aria-hidden />
					</IconButton>
					{t("pageOf", { page: view.page, pages: view.pages })}
					<IconButton size="sm" label={t("next")} disabled={view.page >= view.pages} onClick={() => void setState({ page: view.page + 1 })}>
						<ChevronRight className="size-3.5" aria-hidden />
					</IconButton>
				</nav>
			)}
		</div>
	);
}
