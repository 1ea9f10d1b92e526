"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { useCommands } from "@/components/layout/command-registry";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { useLive } from "@/components/trpc/live";
import { Breadcrumbs } from "@/components/ui/breadcrumbs";
import { Button, GuardedButton } from "@/components/ui/button";
import { downloadText } from "@/components/ui/csv";
import { ConfirmDialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/notes";
import { PageHeader } from "@/components/ui/page";
import { Select } from "@/components/ui/select";
import { PageSkeleton, Progress, SkeletonRows } from "@/components/ui/status";
import type { AblationRowView, AblationView } from "@/server/training/contract";
import { AblationFacts, AblationTable, ClaimsTable } from "./ablation-tables";
import { StoppedNote } from "./stopped-note";
import { isOpen } from "./training-status";

/** Forms are loaded when one is opened. */
const StartAblationDialog = dynamic(() => import("./ablation-dialogs").then((module) => module.StartAblationDialog), { ssr: false });
const LoadAblationDialog = dynamic(() => import("./ablation-dialogs").then((module) => module.LoadAblationDialog), { ssr: false });

/** Start one, load one: what this person may do. */
function Acts({ ablations, onMade }: { ablations: readonly AblationRowView[]; onMade: (id: string) => void }) {
	const t = useTranslations("ablation");
	const { can } = useWorkspace();
	const [open, setOpen] = useState<"start" | "load" | null>(null);
	const running = ablations.find((row) => isOpen(row.status));
	const forbidden = can("training.start") ? null : t("start.forbidden");
	const reason = forbidden ?? (running ? t("start.running", { number: running.number }) : null);
	const close = () => setOpen(null);
	useCommands([
		...(forbidden ? [] : [{ id: "ablation-load", label: t("load.title"), run: () => setOpen("load") }]),
		...(reason ? [] : [{ id: "ablation-start", label: t("start.action"), run: () => setOpen("start") }]),
	]);
	return (
		<>
			{!forbidden && (
				<Button variant="quiet" onClick={() => setOpen("load")}>
					{t("load.action")}
				</Button>
			)}
			<GuardedButton variant="solid" place="below" reason={reason} onClick={() => setOpen("start")}>
				{t("start.action")}
			</GuardedButton>
			{open === "start" && <StartAblationDialog open onOpenChange={close} onMade={onMade} />}
			{open === "load" && <LoadAblationDialog open onOpenChange={close} onMade={onMade} />}
		</>
	);
}

/** How far the one that is under way is, and the way to stop it. */
function Running({ ablation }: { ablation: AblationRowView }) {
	const t = useTranslations("ablation");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, can } = useWorkspace();
	const [asking, setAsking] = useState(false);
	const cancel = useMutation(
		trpc.training.ablationCancel.mutationOptions({ onSuccess: () => queryClient.invalidateQueries(trpc.training.ablations.pathFilter()) }),
	);
	const { id, number, done, total, status } = ablation;
	return (
		<div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 text-12">
			<span>{t(status === "queued" ? "say.queued" : "say.running", { number, done, total })}</span>
			<Progress done={done} total={total} label={t("progress", { done, total })} className="w-64 max-md:w-full" />
			{can("training.control") && (
				<Button variant="danger" size="sm" onClick={() => setAsking(true)}>
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
				onConfirm={() => cancel.mutateAsync({ workspace: slug, ablationId: id })}
			/>
		</div>
	);
}

function Failure({ error }: { error: NonNullable<AblationView["error"]> }) {
	const t = useTranslations("ablation");
	return <StoppedNote error={error} title={t("failedTitle")} kept={t("failedKept")} next={t("failedNext")} />;
}

/** One ablation: its settings, the claims and the table. */
function Found({ ablationId }: { ablationId: string }) {
	const t = useTranslations("ablation");
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const query = useQuery(trpc.training.ablation.queryOptions({ workspace: slug, ablationId }));
	return (
		<QueryBoundary query={query} skeleton={<SkeletonRows rows={12} columns={8} />}>
			{(ablation) => {
				const { result, error, status, number, done, total } = ablation;
				if (!result)
					return error ? <Failure error={error} /> : <p className="mt-4 text-13 text-ink-2">{t(`say.${status}`, { number, done, total, count: 0 })}</p>;
				const save = () => downloadText(`ablation-${ablation.number}.json`, "application/json", JSON.stringify(result, null, "\t"));
				return (
					<div className="grid grid-cols-1 gap-4">
						<AblationFacts ablation={ablation} result={result} />
						<AblationTable result={result} />
						<ClaimsTable claims={result.claims} />
						<div>
							<Button variant="quiet" onClick={save}>
								<Download className="size-3.5" aria-hidden />
								{t("export")}
							</Button>
						</div>
					</div>
				);
			}}
		</QueryBoundary>
	);
}

function Sentence({ shown }: { shown: AblationRowView }) {
	const t = useTranslations("ablation.say");
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const { data } = useQuery(trpc.training.ablation.queryOptions({ workspace: slug, ablationId: shown.id }));
	const claims = data?.result?.claims ?? [];
	const { number, done, total, status } = shown;
	if (status !== "done") return t(status, { number, done, total });
	return t("done", { count: claims.filter(({ holds }) => holds === "appears").length, total: claims.length });
}

function Chosen({ ablations, shown, onChoose }: { ablations: readonly AblationRowView[]; shown: AblationRowView; onChoose: (id: string) => void }) {
	const t = useTranslations("ablation");
	const running = ablations.find((row) => isOpen(row.status));
	return (
		<div className="px-6 pb-10 max-md:px-4">
			{running && <Running ablation={running} />}
			<div className="mt-3">
				<Select
					label={t("chosen")}
					prefix
					value={shown.id}
					onValueChange={onChoose}
					options={ablations.map(({ id, number, settings }) => ({
						value: id,
						label: t("chosenOption", { number, split: settings.split, seeds: settings.seeds }),
					}))}
				/>
			</div>
			<Found key={`${shown.id} ${shown.status}`} ablationId={shown.id} />
		</div>
	);
}

/** What each part of the retraining brings, and which of the report's claims appear in this workspace. */
export function AblationPage() {
	const t = useTranslations("ablation");
	const training = useTranslations("training");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, path } = useWorkspace();
	const [asked, setAsked] = useQueryState("ablation", parseAsString);
	const query = useQuery(trpc.training.ablations.queryOptions({ workspace: slug }));
	useLive(["ablations"], () =>
		Promise.all([queryClient.invalidateQueries(trpc.training.ablations.pathFilter()), queryClient.invalidateQueries(trpc.training.ablation.pathFilter())]),
	);
	const choose = (id: string) => void setAsked(id);
	return (
		<>
			<Breadcrumbs items={[{ label: training("title"), href: path("training") }, { label: t("title") }]} />
			<QueryBoundary query={query} skeleton={<PageSkeleton title={t("title")} rows={12} columns={8} />}>
				{(ablations) => {
					const shown = ablations.find((row) => row.id === asked) ?? ablations.find((row) => row.status === "done") ?? ablations[0];
					return (
						<>
							<PageHeader
								title={shown ? <Sentence shown={shown} /> : t("say.none")}
								lead={t("lead")}
								actions={<Acts ablations={ablations} onMade={choose} />}
							/>
							{shown ? (
								<Chosen ablations={ablations} shown={shown} onChoose={choose} />
							) : (
								<EmptyState className="mx-6 max-md:mx-4" title={t("emptyTitle")}>
									<p>{t("empty")}</p>
									<code className="mt-2 block overflow-x-auto font-mono text-12">{t("command", { workspace: slug })}</code>
								</EmptyState>
							)}
						</>
					);
				}}
			</QueryBoundary>
		</>
	);
}
