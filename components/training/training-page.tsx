"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Download, Play } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { useLive } from "@/components/trpc/live";
import { Breadcrumbs } from "@/components/ui/breadcrumbs";
import { Button } from "@/components/ui/button";
import { downloadText, toCsv } from "@/components/ui/csv";
import { ConfirmDialog } from "@/components/ui/dialog";
import { formatDuration, shortId } from "@/components/ui/format";
import { PageHeader, Split } from "@/components/ui/page";
import { DropdownMenu } from "@/components/ui/popover";
import { RelativeTime } from "@/components/ui/relative-time";
import { PageSkeleton } from "@/components/ui/status";
import { toastDone } from "@/components/ui/toast";
import type { TrainingRecord, TrainingView } from "@/server/training/contract";
import { curveTable } from "./curve-metrics";
import { Curves } from "./curves";
import { CheckpointPanel, DataCardPanel } from "./data-card";
import { PolicyGate } from "./policy-gate";
import { StageSteps } from "./stage-steps";
import { StoppedNote } from "./stopped-note";
import { isOpen, TrainingStatusBadge } from "./training-status";
import { useCurves } from "./use-curves";

const FINAL = ["training-diverged", "training-state"];

/** Cancel, go on, take the curves along: what this person may do now. */
function Acts({ training, records }: { training: TrainingView; records: readonly TrainingRecord[] }) {
	const t = useTranslations("training.page");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, can } = useWorkspace();
	const [asking, setAsking] = useState(false);
	const control = useMutation(trpc.training.control.mutationOptions({ onSuccess: () => queryClient.invalidateQueries(trpc.training.pathFilter()) }));
	const { id, number, status, error } = training;
	const save = (format: "csv" | "json") => {
		const { header, rows } = curveTable(records);
		const text = format === "csv" ? toCsv(header, rows) : JSON.stringify({ training: `T-${number}`, records }, null, "\t");
		downloadText(`training-${number}.${format}`, format === "csv" ? "text/csv" : "application/json", text);
	};
	const resumable = status === "cancelled" || (status === "failed" && !FINAL.includes(error?.reason ?? ""));
	return (
		<>
			{records.length > 0 && (
				<DropdownMenu
					trigger={
						<Button variant="quiet">
							<Download className="size-3.5" aria-hidden />
							{t("export")}
						</Button>
					}
					items={(["csv", "json"] as const).map((format) => ({ label: t(format === "csv" ? "exportCsv" : "exportJson"), onSelect: () => save(format) }))}
				/>
			)}
			{can("training.control") && resumable && (
				<Button
					variant="solid"
					busy={control.isPending}
					onClick={() => control.mutate({ workspace: slug, trainingId: id, command: "resume" }, { onSuccess: () => toastDone(t("resumed")) })}
				>
					<Play className="size-3.5" aria-hidden />
					{t("resume")}
				</Button>
			)}
			{can("training.control") && isOpen(status) && (
				<Button variant="danger" onClick={() => setAsking(true)}>
					{t("cancel")}
				</Button>
			)}
			<ConfirmDialog
				open={asking}
				onOpenChange={setAsking}
				title={t("cancelTitle")}
				description={t("cancelBody")}
				confirmLabel={t("cancelConfirm")}
				danger
				onConfirm={() => control.mutateAsync({ workspace: slug, trainingId: id, command: "cancel" })}
			/>
		</>
	);
}

/** Why it stopped, what is kept, and what to do. */
function Failure({ error }: { error: NonNullable<TrainingView["error"]> }) {
	const t = useTranslations("training.page");
	return <StoppedNote error={error} title={t("failedTitle")} kept={t("failedKept")} next={t(FINAL.includes(error.reason) ? "divergedNext" : "failedNext")} />;
}

function Lead({ training }: { training: TrainingView }) {
	const locale = useLocale();
	const t = useTranslations("training.page");
	const r = useTranslations("training.recipe");
	const { recipe, seed, source, requestedBy, createdAt, startedAt, finishedAt } = training;
	return (
		<>
			{t("lead", { recipe: r(recipe), seed, envelope: source.envelope.version, commit: shortId(source.commit ?? source.treeId), name: requestedBy })}{" "}
			<RelativeTime at={createdAt} />
			{startedAt && finishedAt && `, ${t("took", { time: formatDuration(finishedAt.getTime() - startedAt.getTime(), locale) })}`}
		</>
	);
}

/** One training: how far it is, its curves while it goes on, its data, and what it made. */
export function TrainingPage({ trainingId }: { trainingId: string }) {
	const t = useTranslations("training");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, path } = useWorkspace();
	const query = useQuery(trpc.training.get.queryOptions({ workspace: slug, trainingId }));
	const { records, read } = useCurves(trainingId);
	useLive([`training:${trainingId}`], () => Promise.all([queryClient.invalidateQueries(trpc.training.get.pathFilter()), read()]));
	return (
		<QueryBoundary query={query} skeleton={<PageSkeleton title={t("title")} rows={10} columns={4} />}>
			{(training) => (
				<>
					<Breadcrumbs items={[{ label: t("title"), href: path("training") }, { label: t("name", { number: training.number }) }]} />
					<PageHeader
						title={
							<span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1">
								{t(`page.say.${training.status}`, { number: training.number, policy: training.policyName ?? "" })}
								<TrainingStatusBadge status={training.status} />
							</span>
						}
						lead={<Lead training={training} />}
						actions={<Acts training={training} records={records} />}
					/>
					<Split
						side={
							<>
								<CheckpointPanel training={training} last={records.findLast((record) => record.sample)?.sample ?? null} />
								<DataCardPanel card={training.card} />
							</>
						}
					>
						<div className="px-6 pt-4 pb-6 max-md:px-4">
							<StageSteps training={training} records={records} />
							{training.status === "failed" && training.error && <Failure error={training.error} />}
							{training.policyVersionId && <PolicyGate policyVersionId={training.policyVersionId} />}
							<div className={training.policyVersionId ? "" : "mt-4"} aria-live="off">
								<Curves training={training} records={records} />
							</div>
						</div>
					</Split>
				</>
			)}
		</QueryBoundary>
	);
}
