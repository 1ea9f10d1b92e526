"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { parseAsString, parseAsStringLiteral, useQueryState } from "nuqs";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { useLive } from "@/components/trpc/live";
import { Breadcrumbs } from "@/components/ui/breadcrumbs";
import { Button } from "@/components/ui/button";
import { type Column, DataTable } from "@/components/ui/data-table";
import { useEngineName } from "@/components/ui/engine-name";
import { formatDelta } from "@/components/ui/format";
import { EmptyState } from "@/components/ui/notes";
import { PageHeader } from "@/components/ui/page";
import { Words } from "@/components/ui/person";
import { RelativeTime } from "@/components/ui/relative-time";
import { useWritten } from "@/components/ui/said";
import { Segmented } from "@/components/ui/segmented";
import { SkeletonRows } from "@/components/ui/status";
import { useNames } from "@/components/ui/use-name";
import { Written } from "@/components/ui/written";
import { StatusBadge } from "./status-badge";
import type { Summary } from "./types";

const VIEWS = ["open", "landed", "closed", "all"] as const;
type View = (typeof VIEWS)[number];

function inView({ status }: Summary, view: View): boolean {
	if (view === "all") return true;
	if (view === "landed") return status === "landed";
	const over = status === "rejected" || status === "withdrawn";
	return view === "closed" ? over : !over && status !== "landed";
}

function useColumns(): Column<Summary>[] {
	const engineName = useEngineName();
	const names = useNames();
	const written = useWritten();
	const authorsOf = (p: Summary) => (p.engine === "person" ? names(p.authors.map((a) => a.name)) : engineName(p.engine));
	// What is searched, sorted and exported is what is read.
	const titleOf = (p: Summary) => written(p.title, p.phrases).text;
	const t = useTranslations("review");
	const status = useTranslations("review.status");
	return [
		{
			id: "number",
			header: t("column.number"),
			sortValue: (p) => p.number,
			cell: (p) => `#${p.number}`,
			numeric: true,
		},
		{ id: "title", header: t("column.title"), text: titleOf, sortValue: titleOf, cell: (p) => <Written phrases={p.phrases}>{p.title}</Written> },
		{ id: "state", header: t("column.state"), text: (p) => status(p.status), sortValue: (p) => p.status, cell: (p) => <StatusBadge status={p.status} /> },
		{
			id: "by",
			header: t("column.by"),
			wideOnly: true,
			className: "whitespace-nowrap",
			text: authorsOf,
			sortValue: authorsOf,
			cell: (p) => <Words>{authorsOf(p)}</Words>,
		},
		{
			id: "round",
			header: t("column.round"),
			wideOnly: true,
			className: "whitespace-nowrap",
			text: (p) => p.round,
			sortValue: (p) => p.round,
			cell: (p) => p.round,
		},
		{ id: "files", header: t("column.files"), wideOnly: true, numeric: true, sortValue: (p) => p.files, cell: (p) => p.files },
		{ id: "threads", header: t("column.threads"), wideOnly: true, numeric: true, sortValue: (p) => p.unresolved, cell: (p) => p.unresolved || "–" },
		{
			id: "avg",
			header: t("column.avg"),
			numeric: true,
			sortValue: (p) => p.avgDelta ?? -1,
			csv: (p) => (p.avgDelta === null ? "" : (p.avgDelta * 100).toFixed(1)),
			cell: (p) => (p.avgDelta === null ? "–" : formatDelta(p.avgDelta)),
		},
		{
			id: "updated",
			header: t("column.updated"),
			wideOnly: true,
			className: "whitespace-nowrap",
			sortValue: (p) => p.updatedAt.getTime(),
			csv: (p) => p.updatedAt.toISOString(),
			cell: (p) => <RelativeTime at={p.updatedAt} />,
		},
	];
}

/** What waits, and what keeps the rest from waiting: a draft is not submitted, a revision is not made yet. */
function useSay(): (all: readonly Summary[]) => string {
	const t = useTranslations("review");
	const names = useNames();
	return (all) => {
		const of = (...statuses: Summary["status"][]) => all.filter((p) => statuses.includes(p.status));
		const [waiting, drafts] = [of("in-review").length, of("draft")];
		const rest = { evaluating: of("evaluating").length, rework: of("changes-requested", "conflict").length };
		const [only] = drafts;
		return only && drafts.length === 1 && waiting + rest.evaluating + rest.rework === 0
			? t("sayDraft", { number: only.number, name: names(only.authors.map((a) => a.name)) })
			: t("say", { waiting, drafts: drafts.length, ...rest });
	};
}

/** Proposals: those that wait first, each with what it does to dev. */
export function ReviewsPage() {
	const t = useTranslations("review");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, path } = useWorkspace();
	const [view, setView] = useQueryState("view", parseAsStringLiteral(VIEWS).withDefault("open"));
	const [round] = useQueryState("round", parseAsString);
	const query = useQuery(trpc.evolution.proposals.queryOptions({ workspace: slug, ...(round ? { roundId: round } : {}) }));
	const columns = useColumns();
	const say = useSay();
	useLive(["evolution"], () => queryClient.invalidateQueries(trpc.evolution.proposals.pathFilter()));
	return (
		<>
			<Breadcrumbs items={[{ label: t("title") }]} />
			<QueryBoundary
				query={query}
				skeleton={
					<div className="p-6">
						<SkeletonRows rows={12} columns={6} />
					</div>
				}
			>
				{(all) => {
					const rows = all.filter((p) => inView(p, view));
					return (
						<>
							<PageHeader title={say(all)} lead={t("lead")} />
							<div className="px-6 py-3 max-md:px-4">
								{all.length === 0 ? (
									<EmptyState
										title={t("emptyTitle")}
										action={
											<Button asChild>
												<Link href={path("findings")}>{t("toFindings")}</Link>
											</Button>
										}
									>
										{t("emptyText")}
									</EmptyState>
								) : (
									<DataTable
										rows={rows}
										columns={columns}
										rowKey={(p) => p.id}
										href={(p) => path("reviews", String(p.number))}
										label={t("title")}
										csvName="proposals"
										filters={
											<Segmented
												label={t("view")}
												value={view}
												onValueChange={(value) => void setView(value as View)}
												options={VIEWS.map((value) => ({ value, label: t(`views.${value}`), count: all.filter((p) => inView(p, value)).length }))}
											/>
										}
										empty={t("noneInView")}
									/>
								)}
							</div>
						</>
					);
				}}
			</QueryBoundary>
		</>
	);
}
