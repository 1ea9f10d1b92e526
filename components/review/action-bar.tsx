"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { GitMerge, Lock } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { useReasons } from "@/components/trpc/reasons";
import { Button, DisabledReason } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { Checklist } from "@/components/ui/page";
import { toastDone } from "@/components/ui/toast";
import { useName } from "@/components/ui/use-name";
import type { Proposal } from "./types";
import { useChecks } from "./use-checks";

type Asking = "land" | "request-changes" | "reject" | "withdraw" | null;

/** The acts of a proposal. A refusal explains itself beside the button: who can, and the next step. */
export function ActionBar({ proposal }: { proposal: Proposal }) {
	const t = useTranslations("review");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, path, can } = useWorkspace();
	const reasons = useReasons();
	const id = useId();
	const [asking, setAsking] = useState<Asking>(null);
	const refresh = () =>
		Promise.all([queryClient.invalidateQueries(trpc.evolution.pathFilter()), queryClient.invalidateQueries(trpc.workspace.shell.pathFilter())]);
	const done = (key: string) => async () => {
		toastDone(t(`done.${key}`, { number: proposal.number }));
		await refresh();
	};
	const land = useMutation(trpc.evolution.land.mutationOptions({ onSuccess: done("landed"), onError: () => void refresh() }));
	const review = useMutation(trpc.evolution.review.mutationOptions({ onSuccess: (_, { verdict }) => done(verdict)(), onError: () => void refresh() }));
	const submit = useMutation(trpc.evolution.proposalSubmit.mutationOptions({ onSuccess: done("submitted"), onError: () => void refresh() }));
	const update = useMutation(
		trpc.evolution.proposalUpdate.mutationOptions({
			onSuccess: async ({ outcome }) => {
				toastDone(t(`done.update-${outcome}`, { number: proposal.number }));
				await refresh();
			},
		}),
	);
	const withdraw = useMutation(trpc.evolution.proposalWithdraw.mutationOptions({ onSuccess: done("withdrawn") }));
	const tryIt = useMutation(
		trpc.evolution.proposalTry.mutationOptions({
			onSuccess: ({ runId, cases }) =>
				toastDone(t("done.tried", { cases }), { action: { label: t("openRun"), run: () => window.location.assign(path("runs", runId)) } }),
		}),
	);
	const revisionId = proposal.revisions.at(-1)?.id ?? "";
	const { may, status } = proposal;
	if (["landed", "rejected", "withdrawn"].includes(status)) return <Closed proposal={proposal} />;
	const own = status === "draft" || status === "changes-requested";
	const why = status === "in-review" ? may.land : own ? may.submit : { ok: true, reasons: [] };
	return (
		<footer className="flex flex-none flex-wrap items-center gap-2 border-line border-t bg-bg px-4 py-2 text-12 max-md:sticky max-md:bottom-14">
			{!why.ok && (
				<p id={id} className="flex min-w-0 flex-1 items-start gap-2">
					<Lock className="mt-0.5 size-3.5 flex-none text-ink-3" aria-hidden />
					<DisabledReason>{reasons(why.reasons)}</DisabledReason>
				</p>
			)}
			{status === "evaluating" && <p className="text-ink-2">{t("evaluatingNote")}</p>}
			<span className="ml-auto flex flex-wrap justify-end gap-2">
				{may.withdraw.ok && (
					<Button variant="quiet" onClick={() => setAsking("withdraw")}>
						{t("withdraw")}…
					</Button>
				)}
				{own && can("run.start") && (proposal.findings.length > 0 || (proposal.revisions.at(-1)?.manifest.predictedFixes.length ?? 0) > 0) && (
					<Button busy={tryIt.isPending} onClick={() => tryIt.mutate({ workspace: slug, proposalId: proposal.id })}>
						{t("tryEvidence")}
					</Button>
				)}
				{may.update.ok && (
					<Button
						variant={proposal.baseMoved && own ? "solid" : "outline"}
						busy={update.isPending}
						onClick={() => update.mutate({ workspace: slug, proposalId: proposal.id })}
					>
						{t("update")}
					</Button>
				)}
				{own && (
					<Button
						variant={may.submit.ok ? "solid" : "outline"}
						aria-disabled={!may.submit.ok || undefined}
						aria-describedby={may.submit.ok ? undefined : id}
						busy={submit.isPending}
						onClick={() => may.submit.ok && submit.mutate({ workspace: slug, proposalId: proposal.id })}
					>
						{t("submit")}
					</Button>
				)}
				{can("review.decide") && may.requestChanges.ok && <Button onClick={() => setAsking("request-changes")}>{t("requestChanges")}</Button>}
				{can("review.decide") && may.reject.ok && (
					<Button variant="danger" onClick={() => setAsking("reject")}>
						{t("reject")}…
					</Button>
				)}
				{status === "in-review" && (
					<Button
						variant={may.land.ok ? "solid" : "outline"}
						aria-disabled={!may.land.ok || undefined}
						aria-describedby={may.land.ok ? undefined : id}
						onClick={() => may.land.ok && setAsking("land")}
					>
						{may.land.ok ? <GitMerge className="size-3.5" aria-hidden /> : <Lock className="size-3.5" aria-hidden />}
						{t("land")}
					</Button>
				)}
			</span>
			<Dialogs
				proposal={proposal}
				asking={asking}
				onClose={() => setAsking(null)}
				onLand={(body) => land.mutateAsync({ workspace: slug, proposalId: proposal.id, revisionId, ...(body ? { body } : {}) })}
				onReview={(verdict, body) => review.mutateAsync({ workspace: slug, proposalId: proposal.id, revisionId, verdict, body })}
				onWithdraw={(reason) => withdraw.mutateAsync({ workspace: slug, proposalId: proposal.id, ...(reason ? { reason } : {}) })}
			/>
		</footer>
	);
}

function Dialogs({
	proposal,
	asking,
	onClose,
	onLand,
	onReview,
	onWithdraw,
}: {
	proposal: Proposal;
	asking: Asking;
	onClose: () => void;
	onLand: (body: string) => Promise<unknown>;
	onReview: (verdict: "request-changes" | "reject", body: string) => Promise<unknown>;
	onWithdraw: (reason: string) => Promise<unknown>;
}) {
	const t = useTranslations("review");
	const frame = { onOpenChange: (open: boolean) => !open && onClose() };
	const words = { number: proposal.number, branch: proposal.evolution.branch };
	return (
		<>
			<ConfirmDialog
				{...frame}
				open={asking === "land"}
				title={t("landTitle", words)}
				description={t("landText", words)}
				reasonLabel={t("landComment")}
				keep={`land:${proposal.id}`}
				reasonOptional
				confirmLabel={t("land")}
				onConfirm={onLand}
			>
				<ToWeigh proposal={proposal} />
			</ConfirmDialog>
			<ConfirmDialog
				{...frame}
				open={asking === "request-changes"}
				title={t("requestTitle", words)}
				description={t("requestText")}
				reasonLabel={t("requestReason")}
				keep={`request-changes:${proposal.id}`}
				confirmLabel={t("requestChanges")}
				onConfirm={(body) => onReview("request-changes", body)}
			/>
			<ConfirmDialog
				{...frame}
				open={asking === "reject"}
				danger
				title={t("rejectTitle", words)}
				description={t("rejectText")}
				reasonLabel={t("rejectReason")}
				keep={`reject:${proposal.id}`}
				confirmLabel={t("reject")}
				onConfirm={(body) => onReview("reject", body)}
			/>
			<ConfirmDialog
				{...frame}
				open={asking === "withdraw"}
				title={t("withdrawTitle", words)}
				description={t("withdrawText")}
				reasonLabel={t("withdrawReason")}
				keep={`withdraw:${proposal.id}`}
				reasonOptional
				confirmLabel={t("withdraw")}
				onConfirm={onWithdraw}
			/>
		</>
	);
}

/** The unmet checks that do not block: whoever lands it has seen them. */
function ToWeigh({ proposal }: { proposal: Proposal }) {
	const t = useTranslations("review");
	const c = useTranslations("common.check");
	const unmet = useChecks(proposal)(false).filter((check) => check.ok === false);
	if (unmet.length === 0) return null;
	return (
		<section aria-label={t("landWeigh")}>
			<h3 className="mb-1 text-12 text-ink-3">{t("landWeigh")}</h3>
			<Checklist words={{ yes: c("yes"), no: c("no"), open: c("open") }} items={unmet.map((check) => ({ ...check, advises: true }))} />
		</section>
	);
}

function Closed({ proposal }: { proposal: Proposal }) {
	const t = useTranslations("review");
	const last = proposal.reviews.at(-1);
	const name = useName()(proposal.landedBy?.name ?? last?.author.name ?? "");
	return (
		<footer className="flex flex-none flex-wrap items-center gap-2 border-line border-t px-4 py-2 text-12 text-ink-2">
			{proposal.status === "landed" ? t("landedBy", { name, branch: proposal.evolution.branch }) : t(`closed.${proposal.status}`, { name })}
			{proposal.landedCommit && <code>{proposal.landedCommit.slice(0, 7)}</code>}
			{proposal.unattended && <span className="text-unsure">{t("unattended")}</span>}
		</footer>
	);
}
