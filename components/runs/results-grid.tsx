"use client";

import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Zap } from "lucide-react";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { ScoreMark } from "@/components/trajectory/score-mark";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Words } from "@/components/ui/person";
import { Kbd, Skeleton } from "@/components/ui/status";
import { SortTh, Table, Td, Tr } from "@/components/ui/table";
import type { ResultRow } from "@/server/evaluation/contract";
import { useFacetName } from "./facet-filters";
import type { RunState } from "./use-run-state";

const PAGE = 200;
const ROW = 30;
/** A row that a finger hits. */
const TOUCH_ROW = 44;

type Sort = RunState["state"]["sort"];
const COLUMNS = [
	{ id: "case", sort: "case", width: "w-32", className: "max-md:hidden" },
	{ id: "viewer", sort: null, width: "", className: "" },
	{ id: "category", sort: "category", width: "w-24", className: "max-md:hidden" },
	{ id: "skill", sort: null, width: "w-32", className: "max-lg:hidden", wide: true },
	{ id: "acc", sort: "accuracy", width: "w-14", className: "" },
	{ id: "eff", sort: "effectiveness", width: "w-14", className: "" },
	{ id: "retries", sort: null, width: "w-16", className: "text-right max-lg:hidden", wide: true },
	{ id: "fault", sort: null, width: "w-24", className: "max-lg:hidden" },
	{ id: "sec", sort: "latency", width: "w-14", className: "text-right max-md:hidden" },
] as const satisfies readonly { id: string; sort: Sort | null; width: string; className: string; wide?: boolean }[];

function Row({
	row,
	trials,
	selected,
	narrow,
	index,
	onOpen,
}: {
	row: ResultRow;
	trials: number;
	selected: boolean;
	narrow: boolean;
	index: number;
	onOpen: () => void;
}) {
	const t = useTranslations("runs.results");
	const name = useFacetName();
	const infra = row.verdict === "infra-error";
	return (
		<Tr aria-rowindex={index + 2} selected={selected} onClick={onOpen} className="h-[30px] cursor-pointer max-md:h-11">
			<Td className="truncate text-ink-2 first:pl-4 max-md:hidden">
				{row.caseKey}
				{trials > 1 && <span className="ml-1 text-ink-3">·{row.trial + 1}</span>}
			</Td>
			<Td className="truncate max-md:pl-4">
				<button type="button" className="max-w-full truncate text-left" onClick={onOpen}>
					<Words>{row.message}</Words>
				</button>
			</Td>
			<Td className="truncate text-ink-2 max-md:hidden">{name("category", row.category)}</Td>
			{!narrow && <Td className="truncate text-ink-2 max-lg:hidden">{row.skills.join(", ")}</Td>}
			<Td title={infra ? t("noError") : undefined}>
				<ScoreMark score={row.accuracy} />
			</Td>
			<Td>
				<ScoreMark score={row.effectiveness} />
			</Td>
			{!narrow && (
				<Td numeric muted={row.hookRetries === 0} className="max-lg:hidden">
					{row.hookRetries}
				</Td>
			)}
			<Td className="truncate text-ink-2 max-lg:hidden">
				{row.faults.length > 0 && (
					<span className="inline-flex items-center gap-1.5">
						<Zap className="size-3 flex-none" aria-hidden />
						{row.faults.map((fault) => name("fault", fault)).join(", ")}
					</span>
				)}
			</Td>
			<Td numeric className="last:pr-4 max-md:hidden">
				{(row.latencyMs / 1000).toFixed(2)}
			</Td>
		</Tr>
	);
}

/** Keeps the height of rows that are not there, so that the scroll bar tells the truth. */
function Gap({ height }: { height: number }) {
	if (height <= 0) return null;
	return (
		<tr aria-hidden>
			{/* One cell: a span over columns that are hidden would make them room. */}
			<td style={{ height, padding: 0 }} />
		</tr>
	);
}

/** The results of a run: only the rows in sight exist, and only their pages are asked for, so that 10,000 rows stay smooth. */
export function ResultsGrid({
	runId,
	trials,
	total,
	run,
	narrow,
	onTotal,
}: {
	runId: string;
	trials: number;
	total: number;
	run: RunState;
	/** Beside an open trajectory the viewer's words need the room. */
	narrow: boolean;
	onTotal: (total: number) => void;
}) {
	const t = useTranslations("runs.results");
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const { state, setState, filter, filtered } = run;
	const scroller = useRef<HTMLElement>(null);
	const virtual = useVirtualizer({
		count: total,
		getScrollElement: () => scroller.current,
		estimateSize: () => (window.matchMedia("(max-width: 720px)").matches ? TOUCH_ROW : ROW),
		overscan: 12,
	});
	const items = virtual.getVirtualItems();
	const first = Math.floor((items[0]?.index ?? 0) / PAGE);
	const last = Math.floor((items.at(-1)?.index ?? 0) / PAGE);
	const numbers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
	const pages = useQueries({
		queries: numbers.map((page) =>
			trpc.evaluation.results.queryOptions(
				{ workspace: slug, runId, filter, sort: state.sort, descending: state.desc, offset: page * PAGE, limit: PAGE },
				{ placeholderData: keepPreviousData },
			),
		),
	});
	const found = pages[0]?.data?.total;
	useEffect(() => {
		if (found !== undefined) onTotal(found);
	}, [found, onTotal]);
	const rowAt = (index: number): ResultRow | undefined => pages[Math.floor(index / PAGE) - first]?.data?.rows[index % PAGE];
	const open = (row: ResultRow | undefined) => row && void setState({ episode: row.id });
	const onKey = (event: KeyboardEvent) => {
		if (event.metaKey || event.ctrlKey || event.altKey) return;
		const step = event.key === "j" || event.key === "ArrowDown" ? 1 : event.key === "k" || event.key === "ArrowUp" ? -1 : 0;
		if (step === 0) return;
		event.preventDefault();
		const at = items.find((item) => rowAt(item.index)?.id === state.episode)?.index ?? (step > 0 ? (items[0]?.index ?? 0) - 1 : 0);
		const next = Math.min(Math.max(at + step, 0), total - 1);
		virtual.scrollToIndex(next);
		open(rowAt(next));
	};
	const sortBy = (sort: Sort) => void setState(state.sort === sort ? { desc: !state.desc } : { sort, desc: false });
	if (total === 0 && found !== undefined) {
		return (
			<p className="px-4 py-6 text-13 text-ink-2">
				{filtered ? t("nothing") : t("none")}
				{filtered && (
					<Button
						variant="quiet"
						size="sm"
						className="ml-2"
						onClick={() => void setState({ q: null, verdict: null, category: null, skill: null, tool: null, fault: null, failureType: null })}
					>
						{t("clear")}
					</Button>
				)}
			</p>
		);
	}
	const columns = narrow ? COLUMNS.filter((column) => !("wide" in column)) : COLUMNS;
	const before = items[0]?.start ?? 0;
	const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
	return (
		<>
			<section
				ref={scroller}
				// biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
				tabIndex={0}
				onKeyDown={onKey}
				aria-label={t("label")}
				className="min-h-[240px] flex-1 overflow-y-auto outline-offset-[-2px]"
			>
				<Table aria-label={t("label")} aria-rowcount={total + 1} className="table-fixed">
					<thead className="sticky top-0 z-10 bg-bg">
						<tr aria-rowindex={1}>
							{columns.map((column) => (
								<SortTh
									key={column.id}
									className={cn("truncate first:pl-4 last:pr-4", column.id === "viewer" && "max-md:pl-4", column.width, column.className)}
									sorted={column.sort === state.sort ? (state.desc ? "descending" : "ascending") : null}
									onSort={column.sort === null ? null : () => sortBy(column.sort)}
								>
									{t(column.id)}
								</SortTh>
							))}
						</tr>
					</thead>
					<tbody>
						<Gap height={before} />
						{items.map((item) => {
							const row = rowAt(item.index);
							return row ? (
								<Row key={item.key} row={row} trials={trials} index={item.index} selected={row.id === state.episode} narrow={narrow} onOpen={() => open(row)} />
							) : (
								<tr key={item.key} aria-rowindex={item.index + 2} className="h-[30px] border-line border-b max-md:h-11">
									<td colSpan={columns.length} className="px-4">
										<Skeleton className="w-1/2" />
									</td>
								</tr>
							);
						})}
						<Gap height={after} />
					</tbody>
				</Table>
			</section>
			<p className="flex items-center gap-4 border-line border-t px-4 py-1.5 text-12 text-ink-3 max-md:hidden">
				<span className="ml-auto inline-flex items-center gap-1">
					<Kbd>J</Kbd>
					<Kbd>K</Kbd> {t("move")}
				</span>
			</p>
		</>
	);
}
