"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Ellipsis, SearchCheck } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { ConfirmDialog, Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { DropdownMenu, type MenuItem } from "@/components/ui/popover";
import { Select } from "@/components/ui/select";
import { toastDone } from "@/components/ui/toast";
import { useMovingNow } from "@/components/ui/use-moving-now";
import { useRoundName } from "./names";
import { actsOf, closesFirst } from "./round-state";
import type { Overview } from "./types";
import { nextStepOf, useWaiting } from "./waiting";

/** For a workspace without an evolution only. */
const StartSteps = dynamic(() => import("./start-steps").then((module) => module.StartSteps), { ssr: false });

/** Asks for a name and the trials, then starts the campaign with its baseline. */
function StartDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
	const t = useTranslations("evolution.start");
	const c = useTranslations("common");
	const format = useFormatter();
	const now = useMovingNow();
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const router = useRouter();
	const { slug, path } = useWorkspace();
	const [title, setTitle] = useState(() => t("defaultName", { date: format.dateTime(now, "date") }));
	const [trials, setTrials] = useState("1");
	const start = useMutation(
		trpc.evolution.start.mutationOptions({
			onSuccess: async () => {
				onOpenChange(false);
				toastDone(t("started"));
				await queryClient.invalidateQueries(trpc.evolution.pathFilter());
				router.push(path("evolution"));
			},
		}),
	);
	const ready = title.trim().length > 0;
	const submit = () => ready && start.mutate({ workspace: slug, title: title.trim(), trials: Number(trials) });
	return (
		<Dialog
			open={open}
			onOpenChange={onOpenChange}
			title={t("dialogTitle")}
			description={t("dialogText")}
			footer={
				<>
					<Button onClick={() => onOpenChange(false)}>{c("cancel")}</Button>
					<Button variant="solid" disabled={!ready} busy={start.isPending} onClick={submit}>
						{t("go")}
					</Button>
				</>
			}
		>
			<form
				className="grid gap-3"
				onSubmit={(event) => {
					event.preventDefault();
					submit();
				}}
			>
				<Field label={t("name")} hint={t("nameHint")} required>
					<Input value={title} onChange={(event) => setTitle(event.target.value)} maxLength={120} />
				</Field>
				<Field label={t("trials")} hint={t("trialsHint")}>
					<Select value={trials} onValueChange={setTrials} options={["1", "2", "3", "5"].map((value) => ({ value, label: value }))} />
				</Field>
			</form>
		</Dialog>
	);
}

/** The first visit: the three steps, with the button of step one. */
export function StartArea({ overview }: { overview: Overview }) {
	const { can } = useWorkspace();
	const [open, setOpen] = useState(false);
	return (
		<>
			<StartSteps reason={actsOf(overview, can).start} onStart={() => setOpen(true)} />
			<StartDialog open={open} onOpenChange={setOpen} />
		</>
	);
}

type Asking = "start" | "close" | "reopen" | "end" | null;

/** What this person may do here. The one solid button is the next step of the loop; what is refused says why. */
export function EvolutionActs({ overview }: { overview: Overview }) {
	const t = useTranslations("evolution.act");
	const s = useTranslations("evolution.start");
	const why = useTranslations("evolution.reason");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const roundName = useRoundName();
	const { slug, can } = useWorkspace();
	const [asking, setAsking] = useState<Asking>(null);
	const { href, label } = useWaiting();
	const { evolution } = overview;
	const acts = actsOf(overview, can);
	const open = overview.rounds.find((round) => round.status === "open");
	const openName = open ? roundName(open.name) : "";
	const refresh = () => queryClient.invalidateQueries(trpc.evolution.pathFilter());
	const done = (message: string) => async () => {
		toastDone(message);
		await refresh();
	};
	const diagnose = useMutation(trpc.evolution.diagnose.mutationOptions({ onSuccess: done(t("diagnoseStarted")) }));
	const closeRound = useMutation(trpc.evolution.closeRound.mutationOptions({ onSuccess: done(t("closed", { round: openName })) }));
	const end = useMutation(trpc.evolution.closeEvolution.mutationOptions({ onSuccess: done(t("ended")) }));
	const reopen = useMutation(trpc.evolution.reopen.mutationOptions({ onSuccess: done(t("reopened")) }));
	if (!evolution) return null;

	const next = nextStepOf(overview.waiting);
	const ids = { workspace: slug, evolutionId: evolution.id };
	const canClose = acts.closeRound === null;
	const closeFirst = canClose && closesFirst(next);
	// Findings of before a landing speak of the harness as it was: it is diagnosed again before they are gone through.
	const outdated = next?.kind === "confirm-findings" && next.landed > 0;
	const diagnoseFirst = !canClose && acts.diagnose === null && (next === null || outdated);
	const refusal = (reason: keyof typeof acts) => {
		const slugOf = acts[reason];
		return slugOf ? why(slugOf) : undefined;
	};
	const items: MenuItem[] = [
		{ label: t("close"), hint: refusal("closeRound"), disabled: !canClose, onSelect: () => setAsking("close") },
		{ label: t("reopen"), hint: refusal("reopen"), disabled: acts.reopen !== null, onSelect: () => setAsking("reopen") },
		{ label: t("end"), hint: refusal("closeEvolution"), disabled: acts.closeEvolution !== null, onSelect: () => setAsking("end") },
		{ label: s("again"), hint: refusal("start"), disabled: acts.start !== null, onSelect: () => setAsking("start") },
	];
	return (
		<>
			{next && (
				<Button asChild variant={closeFirst || diagnoseFirst ? "outline" : "solid"}>
					<Link href={href(next)}>{label(next)}</Link>
				</Button>
			)}
			{acts.reopen === null ? (
				<Button onClick={() => setAsking("reopen")}>{t("reopen")}…</Button>
			) : canClose ? (
				<Button variant={closeFirst ? "solid" : "outline"} onClick={() => setAsking("close")}>
					{t("close")}…
				</Button>
			) : (
				acts.diagnose !== "role" && (
					<Button
						variant={diagnoseFirst ? "solid" : "outline"}
						disabled={acts.diagnose !== null}
						busy={diagnose.isPending || acts.diagnose === "diagnosing"}
						onClick={() => diagnose.mutate(ids)}
					>
						<SearchCheck className="size-3.5" aria-hidden />
						{acts.diagnose === "diagnosing" ? t("diagnosing") : t(outdated ? "diagnoseAgain" : "diagnose")}
					</Button>
				)
			)}
			<DropdownMenu
				trigger={
					<Button aria-label={t("more")} title={t("more")} className="px-1.5">
						<Ellipsis className="size-4" aria-hidden />
					</Button>
				}
				items={items}
			/>
			<StartDialog open={asking === "start"} onOpenChange={(next) => setAsking(next ? "start" : null)} />
			<ConfirmDialog
				open={asking === "close"}
				onOpenChange={(next) => setAsking(next ? "close" : null)}
				title={t("closeTitle", { round: openName })}
				description={t("closeText")}
				confirmLabel={t("closeConfirm")}
				onConfirm={() => closeRound.mutateAsync({ workspace: slug, roundId: open?.id ?? "" })}
			/>
			<ConfirmDialog
				open={asking === "end"}
				onOpenChange={(next) => setAsking(next ? "end" : null)}
				title={t("endTitle")}
				description={t("endText")}
				reasonLabel={t("endReason")}
				keep={`end:${evolution?.id}`}
				reasonOptional
				confirmLabel={t("end")}
				onConfirm={(reason) => end.mutateAsync({ ...ids, reason: reason || undefined })}
			/>
			<ConfirmDialog
				open={asking === "reopen"}
				onOpenChange={(next) => setAsking(next ? "reopen" : null)}
				title={t("reopenTitle")}
				description={t("reopenText")}
				reasonLabel={t("reopenReason")}
				keep={`reopen:${evolution?.id}`}
				confirmLabel={t("reopen")}
				onConfirm={(reason) => reopen.mutateAsync({ ...ids, reason })}
			/>
		</>
	);
}
