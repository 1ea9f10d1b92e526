"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { useLive } from "@/components/trpc/live";
import { Button, DisabledReason } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/notes";
import { Facts } from "@/components/ui/page";
import { Words } from "@/components/ui/person";
import { RelativeTime } from "@/components/ui/relative-time";
import { Badge, SkeletonRows } from "@/components/ui/status";
import { toastDone } from "@/components/ui/toast";
import type { RetrainingProposal } from "@/server/triggers/contract";
import { useTriggerWords } from "./use-trigger-words";

type Decision = { kind: "confirm" | "reject"; proposal: RetrainingProposal };

const recipeName = (recipe: RetrainingProposal["recipe"]) => (recipe === "hat" ? "HAT" : "Fixed");

function ProposalRow({ proposal, onDecide }: { proposal: RetrainingProposal; onDecide: (decision: Decision) => void }) {
	const t = useTranslations("triggers.retraining");
	const { can, path } = useWorkspace();
	const words = useTriggerWords();
	const { status, trainingId, note, decidedBy, decidedAt } = proposal;
	const pending = status === "pending";
	return (
		<li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-6 gap-y-2 border-line border-b py-3 max-md:grid-cols-1">
			<div className="min-w-0">
				<h3 className="flex flex-wrap items-center gap-2 font-semibold text-13">
					{t("what", { recipe: recipeName(proposal.recipe), seed: proposal.seed })}
					<Badge tone={pending ? "unsure" : "plain"}>{t(`status.${status}`)}</Badge>
				</h3>
				<p className="mt-0.5 text-12 text-ink-2">
					{t("by", { trigger: proposal.trigger.name, event: words.event(proposal.event) })} <RelativeTime at={proposal.eventAt} />
				</p>
				<Facts className="mt-1" items={words.facts(proposal.facts)} />
				{decidedBy && decidedAt && (
					<p className="mt-1 text-12 text-ink-3">
						<Words>{decidedBy}</Words> <RelativeTime at={decidedAt} />
						{note && (
							<>
								{" · "}
								<Words>{note}</Words>
							</>
						)}
					</p>
				)}
			</div>
			<div className="flex flex-wrap items-center gap-2">
				{trainingId && (
					<Link href={path("training", trainingId)} className="link text-13">
						{t("open")}
					</Link>
				)}
				{pending && can("training.start") && (
					<>
						<Button variant="solid" onClick={() => onDecide({ kind: "confirm", proposal })}>
							{t("confirm")}
						</Button>
						<Button variant="danger" onClick={() => onDecide({ kind: "reject", proposal })}>
							{t("reject")}
						</Button>
					</>
				)}
				{pending && !can("training.start") && <DisabledReason>{t("may")}</DisabledReason>}
			</div>
		</li>
	);
}

/** Retrainings that triggers proposed, with the figures that led to them; who may start trainings confirms or rejects. `onlyPending` leaves out what is decided, and itself where nothing waits. */
export function RetrainingList({ onlyPending = false }: { onlyPending?: boolean }) {
	const t = useTranslations("triggers.retraining");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const [decision, setDecision] = useState<Decision | null>(null);
	const query = useQuery(trpc.triggers.retrainings.queryOptions({ workspace: slug }));
	const refresh = () => queryClient.invalidateQueries(trpc.triggers.retrainings.queryFilter());
	useLive(["triggers"], refresh);
	const confirm = useMutation(trpc.triggers.retrainingConfirm.mutationOptions({ onSuccess: () => toastDone(t("confirmed")), onSettled: refresh }));
	const reject = useMutation(trpc.triggers.retrainingReject.mutationOptions({ onSuccess: () => toastDone(t("rejected")), onSettled: refresh }));
	const kind = decision?.kind;
	const decide = (note: string) => {
		if (!decision) return Promise.resolve();
		const input = { workspace: slug, id: decision.proposal.id, note: note.trim() || undefined };
		return decision.kind === "confirm" ? confirm.mutateAsync(input) : reject.mutateAsync(input);
	};
	return (
		<QueryBoundary query={query} skeleton={onlyPending ? null : <SkeletonRows rows={4} columns={3} />}>
			{(all) => {
				const proposals = onlyPending ? all.filter((one) => one.status === "pending") : all;
				if (proposals.length === 0) return onlyPending ? null : <EmptyState title={t("empty")}>{t("emptyText")}</EmptyState>;
				return (
					<>
						<ul aria-label={t("label")}>
							{proposals.map((proposal) => (
								<ProposalRow key={proposal.id} proposal={proposal} onDecide={setDecision} />
							))}
						</ul>
						<ConfirmDialog
							open={decision !== null}
							onOpenChange={(open) => !open && setDecision(null)}
							title={kind && t(kind === "confirm" ? "confirmTitle" : "rejectTitle")}
							description={kind === "confirm" ? t("confirmText") : undefined}
							confirmLabel={t(kind === "reject" ? "reject" : "confirm")}
							danger={kind === "reject"}
							reasonLabel={t("note")}
							keep={`retraining-${kind}:${decision?.proposal.id}`}
							reasonOptional={kind === "confirm"}
							onConfirm={decide}
						/>
					</>
				);
			}}
		</QueryBoundary>
	);
}
