"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { parseAsString, parseAsStringLiteral, useQueryState } from "nuqs";
import { useEffect, useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { SectionSkeleton } from "@/components/settings/form-parts";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { useLive } from "@/components/trpc/live";
import { Breadcrumbs } from "@/components/ui/breadcrumbs";
import { Button, GuardedButton } from "@/components/ui/button";
import { shortId } from "@/components/ui/format";
import { Name } from "@/components/ui/names";
import { EmptyState, Notice } from "@/components/ui/notes";
import { PageHeader, Split } from "@/components/ui/page";
import { Segmented } from "@/components/ui/segmented";
import { toastDone } from "@/components/ui/toast";
import type { EvolutionOverview } from "@/server/evolution/contract";
import { DecidedFinding } from "./decided-finding";
import { OpenFinding } from "./finding-card";
import { FindingsSide } from "./findings-side";
import { leftByEdit } from "./left-by-edit";
import { allRejected, newestDiagnosis } from "./newest-diagnosis";
import { type EngineTask, type Finding, isConfirmed, isDecided } from "./types";
import { useDecide } from "./use-decide";

const VIEWS = ["open", "confirmed", "rejected", "all"] as const;

const SHOWN: Finding["status"][] = ["proposed", "accepted", "modified", "rejected", "addressed"];

const inView = (finding: Finding, view: (typeof VIEWS)[number]) =>
	view === "all" ||
	(view === "open" && !isDecided(finding)) ||
	(view === "confirmed" && (isConfirmed(finding) || finding.status === "addressed")) ||
	(view === "rejected" && finding.status === "rejected");

/** A / M / R act on this finding (the one whose card has the focus, else the first open one), outside of fields. */
function useKeys(keyed: Finding | undefined, accept: (finding: Finding) => void) {
	useEffect(() => {
		if (!keyed) return;
		const onKey = (event: KeyboardEvent) => {
			const target = event.target as HTMLElement | null;
			if (event.metaKey || event.ctrlKey || event.altKey || target?.closest("input,textarea,select,[role=dialog],[contenteditable]")) return;
			const card = document.querySelector(`[data-finding="${keyed.id}"]`);
			const key = event.key.toLowerCase();
			if (key === "a") accept(keyed);
			if (key === "m") card?.querySelector<HTMLButtonElement>("[data-act=modify]")?.click();
			if (key === "r") card?.querySelector<HTMLButtonElement>("[data-act=reject]")?.click();
			if (["a", "m", "r"].includes(key)) event.preventDefault();
		};
		window.addEventListener("keydown", onKey);
		return () => window.removeEventListener("keydown", onKey);
	}, [keyed, accept]);
}

type OpenOverview = EvolutionOverview & { evolution: NonNullable<EvolutionOverview["evolution"]> };

/** The page stands once its findings are there: head, filter and side column are all about them. */
function Body({ overview, highlighted }: { overview: OpenOverview; highlighted: number | null }) {
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const { id } = overview.evolution;
	const findings = useQuery(
		trpc.evolution.findings.queryOptions({ workspace: slug, evolutionId: id, status: highlighted === null ? SHOWN : [...SHOWN, "superseded"] }),
	);
	const tasks = useQuery(trpc.evolution.tasks.queryOptions({ workspace: slug, evolutionId: id }));
	return (
		<QueryBoundary query={findings} skeleton={<SectionSkeleton columns={3} />}>
			{(rows) => <Loaded overview={overview} highlighted={highlighted} rows={rows} tasks={tasks.data ?? []} fetching={findings.isFetching} />}
		</QueryBoundary>
	);
}

function Loaded({
	overview,
	highlighted,
	rows,
	tasks,
	fetching,
}: {
	overview: OpenOverview;
	highlighted: number | null;
	rows: readonly Finding[];
	tasks: readonly EngineTask[];
	fetching: boolean;
}) {
	const t = useTranslations("findings");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, path, can } = useWorkspace();
	const [view, setView] = useQueryState("view", parseAsStringLiteral(VIEWS).withDefault("all"));
	const [roundId] = useQueryState("round", parseAsString);
	const { evolution } = overview;
	const decide = useDecide();
	const diagnose = useMutation(
		trpc.evolution.diagnose.mutationOptions({
			onSuccess: async () => {
				toastDone(t("diagnoseStarted"));
				await queryClient.invalidateQueries(trpc.evolution.pathFilter());
			},
		}),
	);
	const running = overview.tasks.some((task) => task.kind === "diagnose");
	const roundName = overview.rounds.find((r) => r.id === roundId)?.name ?? null;
	// One that a later diagnosis took the place of is shown only when it is asked for by its number.
	const all = rows.filter((f) => f.number === highlighted || (f.status !== "superseded" && (roundName === null || f.round === roundName)));
	const open = all.filter((f) => !isDecided(f) && inView(f, view));
	const decided = all.filter((f) => isDecided(f) && inView(f, view));
	const newest = newestDiagnosis(all);
	const { failed, runId, runNumber, held } = newest;
	const left = leftByEdit(all, tasks);
	const [focused, setFocused] = useState<string | null>(null);
	const keyed = can("finding.decide") ? (open.find((finding) => finding.id === focused) ?? open[0]) : undefined;
	useKeys(decide.busy ? undefined : keyed, (finding) => decide.run(finding, "accept"));
	useEffect(() => {
		if (highlighted !== null && rows.length > 0) document.getElementById(`F-${highlighted}`)?.scrollIntoView({ block: "center" });
	}, [highlighted, rows]);

	// Between the end of a diagnosis and the arrival of its findings there is nothing to deny yet.
	const awaited = running || diagnose.isPending || (all.length === 0 && fetching);
	const title = () => {
		if (allRejected(all, newest.findings)) return t("say.allRejected", { count: newest.findings.length });
		if (all.length > 0) return t("say.some", { failed, clusters: newest.findings.length, held, alone: Math.max(0, failed - held) });
		return t(awaited ? "diagnosing" : "say.none");
	};
	// What waits was diagnosed before these landed.
	const landed = overview.waiting.find((item) => item.kind === "confirm-findings")?.landed ?? 0;
	const reason = !can("finding.diagnose") ? t("roleForbids") : running ? t("diagnosing") : evolution.status === "closed" ? t("closed") : null;
	const count = (which: (typeof VIEWS)[number]) => all.filter((f) => inView(f, which)).length;
	const act = (
		<GuardedButton
			place="below"
			variant={all.length === 0 || landed > 0 ? "solid" : "outline"}
			reason={reason}
			busy={diagnose.isPending}
			onClick={() => diagnose.mutate({ workspace: slug, evolutionId: evolution.id })}
		>
			<RefreshCw className="size-3.5" aria-hidden />
			{t(all.length === 0 ? "diagnose" : "diagnoseAgain")}
		</GuardedButton>
	);
	return (
		<>
			<Breadcrumbs items={[{ label: <Name>{evolution.title}</Name>, href: path("evolution") }, { label: t("title") }]} />
			<PageHeader
				title={title()}
				lead={
					all.length > 0 && runId
						? t.rich("lead", {
								run: () => (
									<Link href={path("runs", runId)} className="link">
										{runNumber === null ? t("itsRun") : `R-${runNumber}`}
									</Link>
								),
								commit: () => <code>{shortId(evolution.headCommit)}</code>,
							})
						: t("leadNone")
				}
				actions={act}
			/>
			<Split
				side={<FindingsSide evolutionId={evolution.id} findings={all} left={left} newest={newest} tasks={tasks} stopped={evolution.status !== "active"} />}
			>
				{all.length === 0 ? (
					<EmptyState title={t(awaited ? "diagnosing" : "emptyTitle")} className="m-6">
						{t(awaited ? "diagnosingText" : "emptyText")}
					</EmptyState>
				) : (
					<>
						<div className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-6 py-1.5 text-12 max-md:px-4">
							<Segmented
								label={t("view")}
								value={view}
								onValueChange={(value) => void setView(value as (typeof VIEWS)[number])}
								options={VIEWS.map((value) => ({ value, label: t(`views.${value}`), count: count(value) }))}
							/>
							<span className="ml-auto text-ink-3 max-md:hidden">{t("order")}</span>
						</div>
						{landed > 0 && open.length > 0 && (
							<Notice tone="unsure" className="mx-6 my-3 max-md:mx-4">
								{t("outdated", { landed })}
							</Notice>
						)}
						{open.map((finding) => (
							<OpenFinding
								key={finding.id}
								finding={finding}
								failed={failed}
								decide={decide}
								selected={finding.number === highlighted}
								keyed={finding === keyed}
								onFocus={() => setFocused(finding.id)}
							/>
						))}
						{decided.length > 0 && <h2 className="border-line border-b px-6 pt-4 pb-2 font-semibold text-12 text-ink-2 max-md:px-4">{t("decided")}</h2>}
						{decided.map((finding) => (
							<DecidedFinding
								key={finding.id}
								finding={finding}
								current={newest.findings.includes(finding)}
								left={left.includes(finding)}
								decide={decide}
								selected={finding.number === highlighted}
							/>
						))}
					</>
				)}
			</Split>
		</>
	);
}

/** Why does it fail? Clusters of failures, each confirmed by a person before anything is edited. */
export function FindingsPage({ number = null }: { number?: number | null }) {
	return number === null ? <Findings highlighted={null} /> : <FindingOfNumber number={number} />;
}

/** A number leads to its finding, whatever evolution it belongs to. */
function FindingOfNumber({ number }: { number: number }) {
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const query = useQuery(trpc.evolution.finding.queryOptions({ workspace: slug, number }));
	return (
		<QueryBoundary query={query} skeleton={<SectionSkeleton columns={3} />}>
			{({ evolutionId }) => <Findings highlighted={number} evolutionId={evolutionId} />}
		</QueryBoundary>
	);
}

function Findings({ highlighted, evolutionId }: { highlighted: number | null; evolutionId?: string }) {
	const t = useTranslations("findings");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, path } = useWorkspace();
	const [chosen] = useQueryState("evolution", parseAsString);
	const query = useQuery(trpc.evolution.overview.queryOptions({ workspace: slug, evolutionId: evolutionId ?? chosen ?? undefined }));
	useLive(["evolution"], () => queryClient.invalidateQueries(trpc.evolution.pathFilter()));
	return (
		<QueryBoundary query={query} skeleton={<SectionSkeleton columns={3} />}>
			{(overview) =>
				overview.evolution ? (
					<Body overview={{ ...overview, evolution: overview.evolution }} highlighted={highlighted} />
				) : (
					<>
						<Breadcrumbs items={[{ label: t("title") }]} />
						<EmptyState
							title={t("noEvolutionTitle")}
							className="m-6"
							action={
								<Button asChild variant="solid">
									<Link href={path("evolution")}>{t("toEvolution")}</Link>
								</Button>
							}
						>
							{t("noEvolutionText")}
						</EmptyState>
					</>
				)
			}
		</QueryBoundary>
	);
}
