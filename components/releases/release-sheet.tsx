"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Tag, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { describeError, type Translator, wireOf } from "@/components/trpc/error-text";
import { useLive } from "@/components/trpc/live";
import { GuardedButton } from "@/components/ui/button";
import { ConfirmDialog, Sheet } from "@/components/ui/dialog";
import { Field, Textarea } from "@/components/ui/field";
import { shortId } from "@/components/ui/format";
import { Name } from "@/components/ui/names";
import { Notice } from "@/components/ui/notes";
import { Facts, SectionHead } from "@/components/ui/page";
import { Words } from "@/components/ui/person";
import { SkeletonRows } from "@/components/ui/status";
import { toastDone } from "@/components/ui/toast";
import { useKept } from "@/components/ui/use-kept";
import { useName } from "@/components/ui/use-name";
import type { ReleasePreview } from "@/server/release/contract";
import { ExactDiff } from "./exact-diff";
import { GateList, GateWord } from "./gate-list";
import { NotesText } from "./notes-text";

const ASK_AGAIN_MS = 1_500;

function Body({ preview, onDone }: { preview: ReleasePreview; onDone: () => void }) {
	const t = useTranslations("releases");
	const nameOf = useName();
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, can, shell } = useWorkspace();
	const [reason, setReason, forgetReason] = useKept(`release:${preview.round.id}`, "");
	const [waiting, setWaiting] = useState(false);
	const refresh = () => queryClient.invalidateQueries(trpc.release.pathFilter());
	const input = { workspace: slug, roundId: preview.round.id };
	const create = useMutation(
		trpc.release.create.mutationOptions({
			meta: { silent: true },
			onSuccess: async ({ tag }) => {
				setWaiting(tag === null);
				if (tag === null) return refresh();
				forgetReason();
				toastDone(t("released", { tag }));
				onDone();
				await Promise.all([
					refresh(),
					queryClient.invalidateQueries(trpc.evolution.pathFilter()),
					queryClient.invalidateQueries(trpc.workspace.shell.pathFilter()),
				]);
			},
			onError: () => {
				setWaiting(false);
				void refresh();
			},
		}),
	);
	const leave = useMutation(
		trpc.release.giveLeave.mutationOptions({
			onSuccess: async () => {
				toastDone(t("leaveGiven"));
				forgetReason();
				await refresh();
			},
		}),
	);
	useLive(["evolution", "runs"], () => refresh());
	const { gate } = preview;
	const failing = gate.verdict === "fail";
	// Not known yet is not inconclusive: making the release starts what is missing, and only then asks for a reason. One that
	// was written earlier is not sent before its field is shown.
	const asksReason = wireOf(create.error)?.reason === "gate-inconclusive" || isInconclusive(gate);
	const decision = { ...input, against: preview.against, ...(asksReason && reason.trim() ? { reason: reason.trim() } : {}) };
	// While the gate's runs are under way it asks again and again, with the same decision. Not on events alone: the runs may
	// have ended before the answer that they are under way arrived.
	const again = useEffectEvent(() => create.mutate(create.variables ?? decision));
	useEffect(() => {
		if (!waiting || create.isPending) return;
		const timer = setTimeout(again, ASK_AGAIN_MS);
		return () => clearTimeout(timer);
	}, [waiting, create.isPending]);
	const openAlarms = preview.alarms.some((alarm) => !alarm.acknowledged);
	const blocked = !can("release.create")
		? t("roleForbids")
		: failing && preview.leave?.by.id === shell.person.id
			? t("ownLeave")
			: openAlarms && !preview.leave
				? t("needsAcknowledgement")
				: failing && !preview.leave
					? t("needsLeave")
					: asksReason && reason.trim().length < 3
						? t("needsReason")
						: null;
	return (
		<>
			<Facts
				items={[
					[t("round"), <Words key="r">{`${nameOf(preview.evolution.title)} · ${preview.round.name}`}</Words>],
					[t("commit"), <code key="c">{shortId(preview.commit)}</code>],
					[t("against"), preview.against === "base" ? t("base") : preview.against],
					[t("becomes"), preview.nextTag],
				]}
			/>
			{!preview.recommended && (
				<Notice tone="unsure" className="mt-3">
					{t(preview.eligible ? "notRecommended" : "notEligible")}
				</Notice>
			)}
			<SectionHead
				title={t("gate.title")}
				meta={t("holdoutReadings", { used: preview.holdout.used, max: preview.holdout.max })}
				className="mt-3 border-line border-t"
			>
				<GateWord gate={gate} />
			</SectionHead>
			<GateList gate={gate} />
			<OpenAlarms preview={preview} />
			{waiting && <Notice className="mt-3">{t("waitingForRuns")}</Notice>}
			{preview.leave && (
				<Notice tone="unsure" className="mt-3">
					{t.rich("leaveBy", { name: () => <Name>{preview.leave?.by.name ?? ""}</Name>, reason: () => <Words>{preview.leave?.reason ?? ""}</Words> })}
				</Notice>
			)}
			{(asksReason || (failing && can("gate.override-fail"))) && (
				<Field label={t(asksReason ? "reasonInconclusive" : "reasonLeave")} hint={t("reasonHint")} required className="mt-3">
					<Textarea value={reason} onChange={(event) => setReason(event.target.value)} maxLength={2000} />
				</Field>
			)}
			{create.error && !waiting && !asksReason && <CreateError error={create.error} />}
			<div className="mt-3 flex flex-wrap gap-2">
				{failing && !preview.leave && can("gate.override-fail") && (
					<GuardedButton
						reason={reason.trim().length < 3 ? t("needsReason") : null}
						busy={leave.isPending}
						onClick={() => leave.mutate({ ...input, reason: reason.trim() })}
					>
						{t("giveLeave")}
					</GuardedButton>
				)}
				<GuardedButton variant="solid" reason={blocked} busy={create.isPending || waiting} onClick={() => create.mutate(decision)}>
					<Tag className="size-3.5" aria-hidden />
					{t("release", { tag: preview.nextTag })}
				</GuardedButton>
			</div>
			<SectionHead title={t("notes")} className="mt-4 border-line border-t" />
			<NotesText notes={preview.notes} phrases={preview.phrases} />
			<SectionHead
				title={t("diff")}
				meta={t("diffMeta", { count: preview.diff.length, against: preview.against === "base" ? t("base") : preview.against })}
				className="mt-4 border-line border-t"
			/>
			<ExactDiff diff={preview.diff} />
		</>
	);
}

/** Whether all is measured and something stays unproven: a reason will be asked for, whatever the holdout says. */
function isInconclusive({ verdict, checks }: ReleasePreview["gate"]): boolean {
	const okOf = (id: string) => checks.find((check) => check.id === id)?.ok;
	return verdict === "inconclusive" && okOf("suites-decisive") === true && (okOf("improved") === null || okOf("non-inferior") === null);
}

/** Categories that lost cases against what is live: each needs a reviewer's word, kept for this pair of runs. */
export function OpenAlarms({ preview }: { preview: Pick<ReleasePreview, "alarms"> }) {
	const t = useTranslations("releases");
	const c = useTranslations("common");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, can, categoryTitle } = useWorkspace();
	const [asking, setAsking] = useState<ReleasePreview["alarms"][number] | null>(null);
	const acknowledge = useMutation(
		trpc.evolution.acknowledgeAlarm.mutationOptions({
			onSuccess: () => Promise.all([queryClient.invalidateQueries(trpc.release.pathFilter()), queryClient.invalidateQueries(trpc.evolution.pathFilter())]),
		}),
	);
	if (preview.alarms.length === 0) return null;
	return (
		<ul className="mt-3 border-line border-t text-12">
			{preview.alarms.map((alarm) => (
				<li
					key={`${alarm.suite}-${alarm.category}-${alarm.dimension}`}
					className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b py-1"
				>
					<TriangleAlert className="size-3.5 text-unsure" aria-hidden />
					<span className="min-w-0 flex-1">
						{t("alarm", { category: categoryTitle(alarm.category), broken: alarm.broken, fixed: alarm.fixed, cases: alarm.cases })}{" "}
						<span className="text-ink-3">{c(alarm.dimension)}</span>
					</span>
					{alarm.acknowledged ? (
						<span className="text-ink-2">{t("acknowledged")}</span>
					) : (
						<GuardedButton size="sm" reason={can("alarm.acknowledge") ? null : t("roleForbidsAlarm")} onClick={() => setAsking(alarm)}>
							{t("acknowledge")}…
						</GuardedButton>
					)}
				</li>
			))}
			<ConfirmDialog
				open={asking !== null}
				onOpenChange={(open) => !open && setAsking(null)}
				title={t("acknowledgeTitle", { category: asking ? categoryTitle(asking.category) : "" })}
				description={t("acknowledgeText")}
				reasonLabel={t("acknowledgeReason")}
				keep={`alarm:${asking?.runId}:${asking?.category}`}
				confirmLabel={t("acknowledge")}
				onConfirm={async (reason) => {
					if (asking) await acknowledge.mutateAsync({ workspace: slug, runId: asking.runId, baseRunId: asking.baseRunId, category: asking.category, reason });
				}}
			/>
		</ul>
	);
}

export function CreateError({ error }: { error: unknown }) {
	const t = useTranslations("errors");
	const { title, fix } = describeError(error, t as unknown as Translator);
	return (
		<p role="alert" className="mt-3 text-12 text-down">
			{title} {fix && <span className="text-ink-2">{fix}</span>}
		</p>
	);
}

/** A round on its way to production: its gate, what would change, and the act. */
export function ReleaseSheet({ roundId, onClose }: { roundId: string | null; onClose: () => void }) {
	const t = useTranslations("releases");
	const trpc = useTRPC();
	const { slug, path } = useWorkspace();
	const query = useQuery(trpc.release.preview.queryOptions({ workspace: slug, roundId: roundId ?? "" }, { enabled: roundId !== null }));
	return (
		<Sheet
			open={roundId !== null}
			onOpenChange={(open) => !open && onClose()}
			title={t("releaseTitle", { round: query.data?.round.name ?? "" })}
			description={t("releaseText")}
			className="w-[640px]"
		>
			<QueryBoundary query={query} skeleton={<SkeletonRows rows={10} columns={2} />}>
				{(preview) =>
					preview.live ? (
						<Notice>
							{t.rich("alreadyLive", {
								tag: preview.against,
								link: (chunks) => (
									<Link href={path("releases", preview.against)} className="link">
										{chunks}
									</Link>
								),
							})}
						</Notice>
					) : (
						<Body preview={preview} onDone={onClose} />
					)
				}
			</QueryBoundary>
		</Sheet>
	);
}
