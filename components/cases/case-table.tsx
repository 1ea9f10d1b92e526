"use client";

import { useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { cn } from "@/components/ui/cn";
import { Words } from "@/components/ui/person";
import { Tag } from "@/components/ui/status";
import { SortTh, Table, Td, Tr } from "@/components/ui/table";
import type { CaseRow } from "@/server/evaluation/contract";
import type { useCasesState } from "./use-cases-state";

type State = ReturnType<typeof useCasesState>;

const HEADS = [
	{ id: "key", sort: "key", className: "w-32 max-md:hidden" },
	{ id: "message", sort: null, className: "" },
	{ id: "category", sort: "category", className: "w-28" },
	{ id: "split", sort: "split", className: "w-16" },
	{ id: "group", sort: "group", className: "w-30 max-lg:hidden" },
	{ id: "room", sort: null, className: "w-28 max-lg:hidden" },
	{ id: "faults", sort: null, className: "w-36 max-lg:hidden" },
	{ id: "tags", sort: null, className: "w-24 max-lg:hidden" },
	{ id: "rubric", sort: null, className: "w-16 text-right max-md:hidden" },
] as const;

function CaseRowView({ row, selected, onOpen }: { row: CaseRow; selected: boolean; onOpen: () => void }) {
	const t = useTranslations("cases");
	const { categoryTitle } = useWorkspace();
	return (
		<Tr selected={selected} className="cursor-pointer max-md:h-11" onClick={onOpen}>
			<Td className="truncate text-ink-2 max-md:hidden">{row.key}</Td>
			<Td className="truncate">
				<button type="button" className="max-w-full truncate text-left" onClick={onOpen}>
					<Words>{row.message}</Words>
				</button>
			</Td>
			<Td className="truncate text-ink-2">{categoryTitle(row.category)}</Td>
			<Td>
				<Tag>{t(`split.${row.split}`)}</Tag>
			</Td>
			<Td className="truncate text-ink-3 max-lg:hidden">{row.groupKey}</Td>
			<Td className="truncate text-ink-3 max-lg:hidden">{row.room}</Td>
			<Td className="truncate text-ink-3 max-lg:hidden">{row.faults.join(", ")}</Td>
			<Td className="truncate text-ink-3 max-lg:hidden">{row.tags.join(", ")}</Td>
			<Td numeric className="max-md:hidden">
				{row.rubricItems}
			</Td>
		</Tr>
	);
}

/** One page of cases; a row opens its case. */
export function CaseTable({ rows, page }: { rows: readonly CaseRow[]; page: State }) {
	const t = useTranslations("cases");
	const { state, set } = page;
	return (
		<div className="-mx-2 overflow-x-auto">
			<Table aria-label={t("label")} className="table-fixed">
				<thead>
					<tr>
						{HEADS.map((head) => {
							const active = head.sort === state.sort;
							return (
								<SortTh
									key={head.id}
									className={cn("truncate", head.className)}
									sorted={active ? (state.desc ? "descending" : "ascending") : null}
									onSort={head.sort === null ? null : () => set(active ? { desc: !state.desc } : { sort: head.sort, desc: false })}
								>
									{t(`column.${head.id}`)}
								</SortTh>
							);
						})}
					</tr>
				</thead>
				<tbody className="[&_td:first-child]:pl-2 [&_td:last-child]:pr-2">
					{rows.map((row) => (
						<CaseRowView key={row.id} row={row} selected={row.id === state.case} onOpen={() => set({ case: row.id, page: state.page })} />
					))}
				</tbody>
			</Table>
		</div>
	);
}
