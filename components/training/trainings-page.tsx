"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useCommands } from "@/components/layout/command-registry";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { useLive } from "@/components/trpc/live";
import { Breadcrumbs } from "@/components/ui/breadcrumbs";
import { GuardedButton } from "@/components/ui/button";
import { type Column, DataTable } from "@/components/ui/data-table";
import { Name } from "@/components/ui/names";
import { EmptyState } from "@/components/ui/notes";
import { PageHeader, SectionHead } from "@/components/ui/page";
import { RelativeTime } from "@/components/ui/relative-time";
import { PageSkeleton } from "@/components/ui/status";
import type { TrainingView } from "@/server/training/contract";
import { AdviceHistory, AdviceReasons, EvidencePanels } from "./advice-panel";
import { useAdviceSentence } from "./advice-words";
import { CheckpointList } from "./checkpoint-list";
import { CheckpointMenu } from "./checkpoint-menu";
import { StartTrainingDialog } from "./start-training-dialog";
import { isOpen, TrainingStatusBadge } from "./training-status";

/** Words of every trigger: loaded beside the page. */
const RetrainingList = dynamic(() => import("@/components/triggers/retraining-list").then((module) => module.RetrainingList), { ssr: false });

function useColumns(): Column<TrainingView>[] {
	const t = useTranslations("training");
	return [
		{
			id: "training",
			header: t("list.column.training"),
			sortValue: (row) => row.number,
			text: (row) => `T-${row.number}`,
			cell: (row) => <b className="font-semibold">{t("name", { number: row.number })}</b>,
		},
		{
			id: "status",
			header: t("list.column.status"),
			text: (row) => t(`status.${row.status}`),
			sortValue: (row) => row.status,
			cell: (row) => <TrainingStatusBadge status={row.status} />,
		},
		{ id: "recipe", header: t("list.column.recipe"), text: (row) => t(`recipe.${row.recipe}`), cell: (row) => t(`recipe.${row.recipe}`) },
		{ id: "seed", header: t("list.column.seed"), numeric: true, wideOnly: true, sortValue: (row) => row.seed, cell: (row) => row.seed },
		{
			id: "envelope",
			header: t("list.column.envelope"),
			wideOnly: true,
			sortValue: (row) => row.source.envelope.version,
			cell: (row) => (row.recipe === "hat" ? t("start.envelopeOf", { version: row.source.envelope.version }) : "–"),
		},
		{
			id: "checkpoint",
			header: t("list.column.checkpoint"),
			text: (row) => row.policyName ?? "",
			sortValue: (row) => row.policyName ?? "",
			cell: (row) => row.policyName ?? "–",
		},
		{ id: "by", header: t("list.column.by"), wideOnly: true, text: (row) => row.requestedBy, cell: (row) => <Name>{row.requestedBy}</Name> },
		{
			id: "when",
			header: t("list.column.when"),
			sortValue: (row) => row.createdAt.getTime(),
			csv: (row) => row.createdAt.toISOString(),
			cell: (row) => <RelativeTime at={row.createdAt} />,
		},
	];
}

/** The button that starts a training, with the reason where it cannot. */
function StartTraining({ trainings }: { trainings: readonly TrainingView[] }) {
	const t = useTranslations("training.start");
	const { can } = useWorkspace();
	const [open, setOpen] = useState(false);
	const running = trainings.find((row) => isOpen(row.status));
	const reason = !can("training.start") ? t("forbidden") : running ? t("running", { number: running.number }) : null;
	useCommands(reason === null ? [{ id: "training-start", label: t("action"), run: () => setOpen(true) }] : []);
	return (
		<>
			<GuardedButton variant="solid" place="below" reason={reason} onClick={() => setOpen(true)}>
				{t("action")}
			</GuardedButton>
			<StartTrainingDialog open={open} onOpenChange={setOpen} />
		</>
	);
}

/** Does the policy still fit the harness? Retrainings of the workspace, and the button that starts one. */
export function TrainingsPage() {
	const t = useTranslations("training");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, path } = useWorkspace();
	const query = useQuery(trpc.training.list.queryOptions({ workspace: slug }));
	const advice = useQuery(trpc.training.advice.queryOptions({ workspace: slug }));
	const sentence = useAdviceSentence();
	const columns = useColumns();
	useLive(["trainings", "evolution"], () =>
		Promise.all([queryClient.invalidateQueries(trpc.training.list.pathFilter()), queryClient.invalidateQueries(trpc.training.advice.pathFilter())]),
	);
	return (
		<>
			<Breadcrumbs items={[{ label: t("title") }]} />
			<QueryBoundary query={query} skeleton={<PageSkeleton title={t("title")} rows={8} columns={6} />}>
				{(trainings) => (
					<>
						<PageHeader
							title={advice.data ? sentence(advice.data.now) : t("title")}
							lead={advice.data && t("advice.lead", { policy: advice.data.now.evidence.policy.name })}
							actions={
								<>
									<CheckpointMenu policy={advice.data?.now.evidence.policy ?? null} />
									<StartTraining trainings={trainings} />
								</>
							}
						/>
						{advice.data && <EvidencePanels advice={advice.data.now} />}
						<div className="px-6 pb-8 max-md:px-4">
							<RetrainingList onlyPending />
							{advice.data && <AdviceReasons advice={advice.data.now} />}
							{trainings.length === 0 ? (
								<EmptyState title={t("list.emptyTitle")}>{t("list.empty")}</EmptyState>
							) : (
								<>
									<SectionHead title={t("list.title")} meta={t("list.meta")} className="mt-4 border-line border-t" />
									<DataTable
										rows={trainings}
										columns={columns}
										rowKey={(row) => row.id}
										href={(row) => path("training", row.id)}
										label={t("list.title")}
										csvName="trainings"
									/>
								</>
							)}
							<CheckpointList />
							{advice.data && <AdviceHistory history={advice.data.history} />}
						</div>
					</>
				)}
			</QueryBoundary>
		</>
	);
}
