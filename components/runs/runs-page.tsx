"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { parseAsBoolean, parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useState } from "react";
import { useCommands } from "@/components/layout/command-registry";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { useLive } from "@/components/trpc/live";
import { Button, GuardedButton, IconButton } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { SearchField } from "@/components/ui/field";
import { formatCount, formatShare, shortId } from "@/components/ui/format";
import { Name } from "@/components/ui/names";
import { EmptyState } from "@/components/ui/notes";
import { PageHeader } from "@/components/ui/page";
import { RelativeTime } from "@/components/ui/relative-time";
import { Select } from "@/components/ui/select";
import { PageSkeleton, Tag } from "@/components/ui/status";
import { SortTh, Table, Td, Tr } from "@/components/ui/table";
import { Score } from "@/components/ui/verdict";
import type { RunInfo } from "@/server/evaluation/contract";
import { RUN_STATUSES, SPLITS } from "@/server/evaluation/values.contract";
import { isMoving, RunStatusBadge } from "./run-status";
import { StartRunDialog } from "./start-dialog";
import { suiteName } from "./suite-name";

const PAGE = 50;
const SORTS = ["number", "finished", "accuracy", "effectiveness", "avg"] as const;
const parsers = {
	q: parseAsString.withDefault(""),
	status: parseAsStringLiteral(RUN_STATUSES),
	split: parseAsStringLiteral(SPLITS),
	sort: parseAsStringLiteral(SORTS).withDefault("number"),
	asc: parseAsBoolean.withDefault(false),
	page: parseAsInteger.withDefault(1),
};

function RunRowView({ run, chosen, onChoose }: { run: RunInfo; chosen: boolean; onChoose: (chosen: boolean) => void }) {
	const t = useTranslations("runs");
	const locale = useLocale();
	const { path } = useWorkspace();
	const { summary } = run;
	const done = run.valid + run.infraErrors;
	return (
		<Tr selected={chosen}>
			<Td>
				<span className="inline-flex items-center gap-2">
					<Checkbox
						label={t("choose", { number: run.number })}
						hideLabel
						checked={chosen}
						onCheckedChange={onChoose}
						disabled={run.status !== "done" || run.split === "holdout"}
					/>
					<Link href={path("runs", run.id)} className="whitespace-nowrap pt-[3px] font-semibold hover:text-accent">
						{t("name", { number: run.number })}
					</Link>
				</span>
			</Td>
			<Td>
				<RunStatusBadge status={run.status} />
			</Td>
			<Td className="whitespace-nowrap">
				{suiteName(run)} <Tag>{t(`split.${run.split}`)}</Tag>
				{run.partial && (
					<>
						{" "}
						<Tag className="border-unsure-line text-unsure" title={t("partial")}>
							{t("chosenCases", { count: run.planned / run.trials })}
						</Tag>
					</>
				)}
			</Td>
			<Td className="max-md:hidden">
				<code>{shortId(run.commit ?? run.treeId)}</code>
			</Td>
			<Td className="text-ink-2 max-lg:hidden">{run.policyName}</Td>
			<Td numeric>{summary ? <Score {...summary.accuracy} /> : "–"}</Td>
			<Td numeric>{summary ? <Score {...summary.effectiveness} /> : "–"}</Td>
			<Td numeric className="max-lg:hidden">
				{summary ? <Score {...summary.avg} /> : "–"}
			</Td>
			<Td numeric muted className="max-md:hidden">
				{isMoving(run.status) ? `${formatCount(done)} / ${formatCount(run.planned)}` : formatShare(run.planned === 0 ? 0 : run.valid / run.planned, locale)}
			</Td>
			<Td muted className="whitespace-nowrap max-md:hidden">
				{t(`reason.${run.reason}`)}
			</Td>
			<Td className="max-lg:hidden">
				<Name>{run.requestedBy}</Name>
			</Td>
			<Td muted className="whitespace-nowrap">
				<RelativeTime at={run.createdAt} />
			</Td>
		</Tr>
	);
}

function useRunList() {
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const [state, setState] = useQueryStates(parsers, { history: "replace", throttleMs: 120 });
	const page = Math.max(1, state.page);
	const query = useQuery(
		trpc.evaluation.runs.queryOptions(
			{
				workspace: slug,
				text: state.q,
				status: state.status ? [state.status] : [],
				split: state.split ? [state.split] : [],
				sort: state.sort,
				descending: !state.asc,
				offset: (page - 1) * PAGE,
				limit: PAGE,
			},
			{ placeholderData: keepPreviousData },
		),
	);
	const moving = (query.data?.rows ?? []).filter((run) => isMoving(run.status)).map((run) => `run:${run.id}`);
	useLive(["runs", ...moving.slice(0, 10)], () => queryClient.invalidateQueries(trpc.evaluation.runs.pathFilter()));
	return { query, state, setState, page, moving: moving.length };
}

/** All runs of the workspace: what was measured, with which figures; two can be chosen and compared. */
export function RunsPage() {
	const t = useTranslations("runs");
	const c = useTranslations("common.table");
	const router = useRouter();
	const { can, path } = useWorkspace();
	const { query, state, setState, page, moving } = useRunList();
	const [starting, setStarting] = useState(false);
	const [chosen, setChosen] = useState<string[]>([]);
	const mayStart = can("run.start");
	useCommands(mayStart ? [{ id: "run-start", label: t("start"), run: () => setStarting(true) }] : []);
	const set = (change: Partial<typeof state>) => void setState({ ...change, page: change.page ?? null });
	const heads = [
		{ id: "run", sort: "number", className: "" },
		{ id: "status", sort: null, className: "" },
		{ id: "suite", sort: null, className: "" },
		{ id: "harness", sort: null, className: "max-md:hidden" },
		{ id: "policy", sort: null, className: "max-lg:hidden" },
		{ id: "accuracy", sort: "accuracy", className: "text-right" },
		{ id: "effectiveness", sort: "effectiveness", className: "text-right" },
		{ id: "avg", sort: "avg", className: "text-right max-lg:hidden" },
		{ id: "coverage", sort: null, className: "text-right max-md:hidden" },
		{ id: "reason", sort: null, className: "max-md:hidden" },
		{ id: "by", sort: null, className: "max-lg:hidden" },
		{ id: "when", sort: "finished", className: "" },
	] as const;
	return (
		<QueryBoundary query={query} skeleton={<PageSkeleton title={t("title")} rows={12} columns={8} />}>
			{({ rows, total }) => {
				const unfiltered = state.q === "" && !state.status && !state.split;
				const order = rows.filter((run) => chosen.includes(run.id)).sort((a, b) => a.number - b.number);
				const pages = Math.max(1, Math.ceil(total / PAGE));
				return (
					<>
						<PageHeader
							title={moving > 0 ? t("sayLive", { count: moving }) : t("say", { count: total })}
							lead={t("lead")}
							actions={
								<GuardedButton variant="solid" reason={mayStart ? null : t("dialog.forbidden")} onClick={() => setStarting(true)}>
									{t("start")}
								</GuardedButton>
							}
						/>
						<StartRunDialog open={starting} onOpenChange={setStarting} />
						{total === 0 && unfiltered ? (
							<EmptyState title={t("empty.title")} action={mayStart && <Button onClick={() => setStarting(true)}>{t("empty.action")}</Button>}>
								{t("empty.body")}
							</EmptyState>
						) : (
							<div className="px-6 pb-6 max-md:px-4">
								<div className="flex flex-wrap items-center gap-2 py-2">
									<SearchField className="w-56 max-md:w-full" value={state.q} onValueChange={(q) => set({ q })} label={t("filter")} placeholder={t("filter")} />
									<Select
										size="sm"
										label={t("column.status")}
										value={state.status ?? ""}
										onValueChange={(value) => set({ status: RUN_STATUSES.find((one) => one === value) ?? null })}
										options={[{ value: "", label: t("anyStatus") }, ...RUN_STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))]}
									/>
									<Select
										size="sm"
										label={t("column.suite")}
										value={state.split ?? ""}
										onValueChange={(value) => set({ split: SPLITS.find((one) => one === value) ?? null })}
										options={[{ value: "", label: t("anySplit") }, ...SPLITS.map((value) => ({ value, label: t(`split.${value}`) }))]}
									/>
									{order.length === 2 && (
										<Button size="sm" onClick={() => router.push(`${path("runs", order[1]?.id ?? "")}?against=${order[0]?.id ?? ""}`)}>
											{t("compareTwo")}
										</Button>
									)}
									<span className="ml-auto text-12 text-ink-3">
										{t("pageOf", { from: total === 0 ? 0 : (page - 1) * PAGE + 1, to: Math.min(page * PAGE, total), total })}
									</span>
								</div>
								<div className="-mx-2 overflow-x-auto">
									<Table aria-label={t("label")}>
										<thead>
											<tr>
												{heads.map((head) => {
													const active = head.sort === state.sort;
													return (
														<SortTh
															key={head.id}
															className={head.className}
															sorted={active ? (state.asc ? "ascending" : "descending") : null}
															onSort={head.sort === null ? null : () => set(active ? { asc: !state.asc } : { sort: head.sort, asc: false })}
														>
															{t(`column.${head.id}`)}
														</SortTh>
													);
												})}
											</tr>
										</thead>
										<tbody className="[&_td:first-child]:pl-2 [&_td:last-child]:pr-2">
											{rows.map((run) => (
												<RunRowView
													key={run.id}
													run={run}
													chosen={chosen.includes(run.id)}
													onChoose={(on) => setChosen(on ? [...chosen, run.id].slice(-2) : chosen.filter((id) => id !== run.id))}
												/>
											))}
										</tbody>
									</Table>
								</div>
								{rows.length === 0 && <p className="py-4 text-13 text-ink-2">{c("nothingMatches")}</p>}
								{pages > 1 && (
									<nav aria-label={c("pages")} className="flex items-center justify-end gap-2 pt-2 text-12 text-ink-2">
										{c("pageOf", { page, pages })}
										<IconButton label={c("previous")} disabled={page <= 1} onClick={() => set({ page: page - 1 })}>
											<ChevronLeft className="size-3.5" aria-hidden />
										</IconButton>
										<IconButton label={c("next")} disabled={page >= pages} onClick={() => set({ page: page + 1 })}>
											<ChevronRight className="size-3.5" aria-hidden />
										</IconButton>
									</nav>
								)}
							</div>
						)}
					</>
				);
			}}
		</QueryBoundary>
	);
}
