"use client";

import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC, useTRPCClient } from "@/components/trpc/client";
import { Breadcrumbs } from "@/components/ui/breadcrumbs";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { downloadText } from "@/components/ui/csv";
import { SearchField } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format";
import { Segmented } from "@/components/ui/segmented";
import { Skeleton, SkeletonRows } from "@/components/ui/status";
import type { RunInfo } from "@/server/evaluation/contract";
import { CategoriesView } from "./categories-view";
import { FacetFilters } from "./facet-filters";
import { ResultsGrid } from "./results-grid";
import { RunHead } from "./run-head";
import { useLiveRun } from "./use-live-run";
import { type RunState, useRunState, VIEWS } from "./use-run-state";

/** A trajectory: loaded with the first that is opened. */
const EpisodePane = dynamic(() => import("./episode-pane").then((module) => module.EpisodePane), {
	ssr: false,
	loading: () => <SkeletonRows rows={8} columns={2} />,
});

/** Loaded with its view. */
const CompareView = dynamic(() => import("./compare-view").then((module) => module.CompareView), { ssr: false, loading: () => <SkeletonRows rows={6} /> });

function RunSkeleton() {
	return (
		<div className="p-4" aria-hidden>
			<Skeleton className="h-5 w-72" />
			<Skeleton className="mt-4 h-1.5 w-full" />
			<div className="mt-6">
				<SkeletonRows rows={14} columns={6} />
			</div>
		</div>
	);
}

function ResultsView({ run, state: page }: { run: RunInfo; state: RunState }) {
	const t = useTranslations("runs.results");
	const trpc = useTRPC();
	const client = useTRPCClient();
	const { slug } = useWorkspace();
	const { state, setState, filter } = page;
	const [total, setTotal] = useState(run.valid + run.infraErrors);
	const [busy, setBusy] = useState(false);
	const facets = useQuery(trpc.evaluation.facets.queryOptions({ workspace: slug, runId: run.id }));
	const all = facets.data?.verdict.reduce((sum, facet) => sum + facet.count, 0) ?? total;
	const exportCsv = async () => {
		setBusy(true);
		try {
			const file = await client.evaluation.resultsExport.query({
				workspace: slug,
				runId: run.id,
				filter,
				sort: state.sort,
				descending: state.desc,
				format: "csv",
			});
			downloadText(file.name, "text/csv", file.content);
		} finally {
			setBusy(false);
		}
	};
	return (
		<div className={cn("grid min-h-0 flex-1", state.episode ? "grid-cols-[minmax(0,1fr)_464px] max-lg:grid-cols-1" : "grid-cols-1")}>
			<div className={cn("flex min-h-0 min-w-0 flex-col", state.episode && "max-lg:hidden")}>
				<div className="flex flex-wrap items-center gap-1.5 border-line border-b px-4 py-2">
					<SearchField
						className="w-40 max-md:w-full"
						value={state.q}
						onValueChange={(q) => void setState({ q: q || null })}
						label={t("search")}
						placeholder={t("search")}
					/>
					<FacetFilters facets={facets.data} run={page} />
					<span className="ml-auto text-12 text-ink-2">{t("count", { count: formatCount(total), total: formatCount(all) })}</span>
					<Button variant="quiet" size="sm" busy={busy} onClick={() => void exportCsv()}>
						<Download className="size-3.5" aria-hidden />
						{t("csv")}
					</Button>
				</div>
				<ResultsGrid runId={run.id} trials={run.trials} total={total} run={page} narrow={state.episode !== null} onTotal={setTotal} />
			</div>
			{state.episode && (
				<div className="flex min-h-0 min-w-0 flex-col border-line border-l max-lg:border-l-0">
					<EpisodePane key={state.episode} episodeId={state.episode} onClose={() => void setState({ episode: null })} />
				</div>
			)}
		</div>
	);
}

/** What exactly happened: one run, live while it goes on; its results, its categories, and the comparison with another. */
export function RunPage({ reference }: { reference: string }) {
	const t = useTranslations("runs");
	const trpc = useTRPC();
	const { slug, path } = useWorkspace();
	const state = useRunState();
	const query = useQuery(trpc.evaluation.run.queryOptions({ workspace: slug, runId: reference }));
	const id = query.data?.run.id;
	useLiveRun(id);
	return (
		<QueryBoundary query={query} skeleton={<RunSkeleton />}>
			{({ run, progress }) => (
				<div className="flex h-full min-h-0 flex-col">
					<Breadcrumbs items={[{ label: t("title"), href: path("runs") }, { label: t("name", { number: run.number }) }]} />
					<RunHead run={run} progress={progress} />
					{/* A sealed one has no rows to show; its head says so. */}
					{run.split !== "holdout" && (
						<>
							<div className="border-line border-b px-4 py-2">
								<Segmented
									label={t("view.label")}
									value={state.view}
									onValueChange={(view) => void state.setState({ view: VIEWS.find((one) => one === view) ?? "results" })}
									options={VIEWS.map((view) => ({ value: view, label: t(`view.${view}`) }))}
								/>
							</div>
							{state.view === "results" && <ResultsView key={run.id} run={run} state={state} />}
							{state.view === "categories" && <CategoriesView run={run} state={state} />}
							{state.view === "compare" && <CompareView run={run} state={state} />}
						</>
					)}
				</div>
			)}
		</QueryBoundary>
	);
}
