"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Tag } from "lucide-react";
import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { GateList, GateWord } from "@/components/releases/gate-list";
import { CreateError, OpenAlarms } from "@/components/releases/release-sheet";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { wireOf } from "@/components/trpc/error-text";
import { useLive } from "@/components/trpc/live";
import { GuardedButton } from "@/components/ui/button";
import { Field, Textarea } from "@/components/ui/field";
import { formatCount, formatDelta, formatInterval } from "@/components/ui/format";
import { Name } from "@/components/ui/names";
import { Notice } from "@/components/ui/notes";
import { SectionHead } from "@/components/ui/page";
import { Words } from "@/components/ui/person";
import { SkeletonRows } from "@/components/ui/status";
import { Table, Td, Th, Tr } from "@/components/ui/table";
import { toastDone } from "@/components/ui/toast";
import { useKept } from "@/components/ui/use-kept";
import { Verdict, VerdictNote } from "@/components/ui/verdict";
import type { PairRow } from "@/server/evolution/contract";
import type { PolicyPreview } from "@/server/release/contract";

const ASK_AGAIN_MS = 1_500;
const DIMENSIONS = ["accuracy", "effectiveness"] as const;
const ROW_NAMES = ["inside-envelope", "held-out-paraphrases", "tools", "prompts"] as const;

/** The 95 % interval under a delta: as the comparison that the gate reads computed it. */
function Range({ low, high }: { low: number; high: number }) {
	const t = useTranslations("training.compare");
	const locale = useLocale();
	return (
		<span className="block whitespace-nowrap text-11 text-ink-3 tabular-nums">
			<span className="sr-only">{t("interval")} </span>
			{formatInterval(low, high, locale)}
		</span>
	);
}

function RowView({ row }: { row: PairRow }) {
	const t = useTranslations("training.compare");
	const { path } = useWorkspace();
	const known = ROW_NAMES.find((name) => name === row.row);
	const { comparison } = row;
	return (
		<Tr>
			<Td>{known ? t(`row.${known}`) : t(`row.${row.split}`)}</Td>
			{comparison ? (
				<>
					{DIMENSIONS.map((dimension) => (
						<Td key={dimension}>
							<Verdict word={comparison[dimension].verdict} delta={comparison[dimension].delta} />
							<Range {...comparison[dimension]} />
						</Td>
					))}
					<Td numeric>
						{formatDelta(comparison.avgDelta)}
						{comparison.avgInterval && <Range {...comparison.avgInterval} />}
					</Td>
					<Td muted className="max-md:hidden">
						{t("flips", { fixed: comparison.fixed, broken: comparison.broken })}
					</Td>
				</>
			) : (
				<Td muted colSpan={4}>
					{row.state === "none" ? t("none") : t("running", { done: formatCount(row.done), planned: formatCount(row.planned) })}
				</Td>
			)}
			<Td>
				{row.runId && row.baseRunId && (
					<Link href={`${path("runs", row.runId)}?against=${row.baseRunId}`} className="link">
						{t("open")}
					</Link>
				)}
			</Td>
		</Tr>
	);
}

/** What releasing needs now: a role, an acknowledgement, another's leave, or a reason. */
function useBlocked(preview: PolicyPreview, reasonNeeded: boolean, reason: string): string | null {
	const t = useTranslations("training.compare");
	const r = useTranslations("releases");
	const { can, shell } = useWorkspace();
	if (!can("release.create")) return t("releaseForbidden");
	if (preview.leave) return preview.gate.verdict === "fail" && preview.leave.by.id === shell.person.id ? r("ownLeave") : null;
	if (preview.alarms.some((alarm) => !alarm.acknowledged)) return t("needsAlarm");
	if (preview.gate.verdict === "fail") return r("needsLeave");
	return reasonNeeded && reason.trim().length < 3 ? r("needsReason") : null;
}

function Release({ preview }: { preview: PolicyPreview }) {
	const t = useTranslations("training.compare");
	const r = useTranslations("releases");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, can } = useWorkspace();
	const [reason, setReason, forgetReason] = useKept(`release:${preview.policy.id}`, "");
	const [waiting, setWaiting] = useState(false);
	const input = { workspace: slug, policyVersionId: preview.policy.id };
	const refresh = () => Promise.all([trpc.release, trpc.workspace.shell, trpc.evolution].map((part) => queryClient.invalidateQueries(part.pathFilter())));
	const release = useMutation(
		trpc.release.policyRelease.mutationOptions({
			meta: { silent: true },
			onSuccess: async ({ tag }) => {
				setWaiting(tag === null);
				if (tag === null) return void (await refresh());
				forgetReason();
				toastDone(t("released", { tag, policy: preview.policy.name }));
				await refresh();
			},
			onError: () => {
				setWaiting(false);
				void refresh();
			},
		}),
	);
	const leave = useMutation(
		trpc.release.policyLeave.mutationOptions({
			onSuccess: async () => {
				toastDone(r("leaveGiven"));
				forgetReason();
				await refresh();
			},
		}),
	);
	// What was written earlier is not sent before its field is shown.
	const asksReason = wireOf(release.error)?.reason === "gate-inconclusive";
	const act = () => release.mutate({ ...input, ...(asksReason && reason.trim() ? { reason: reason.trim() } : {}) });
	// While the gate's runs are under way it asks again: they may have ended before the answer that they are arrived.
	const again = useEffectEvent(act);
	useEffect(() => {
		if (!waiting || release.isPending) return;
		const timer = setTimeout(again, ASK_AGAIN_MS);
		return () => clearTimeout(timer);
	}, [waiting, release.isPending]);
	const mayLeave = preview.gate.verdict === "fail" && !preview.leave && can("gate.override-fail");
	const blocked = useBlocked(preview, asksReason, reason);
	return (
		<div className="mt-3 grid justify-items-start gap-3">
			{waiting && <Notice>{r("waitingForRuns")}</Notice>}
			{preview.leave && (
				<Notice tone="unsure">
					{r.rich("leaveBy", { name: () => <Name>{preview.leave?.by.name ?? ""}</Name>, reason: () => <Words>{preview.leave?.reason ?? ""}</Words> })}
				</Notice>
			)}
			{(asksReason || mayLeave) && (
				<Field label={r(asksReason ? "reasonInconclusive" : "reasonLeave")} hint={r("reasonHint")} required className="w-full max-w-[560px]">
					<Textarea value={reason} onChange={(event) => setReason(event.target.value)} maxLength={2000} rows={2} />
				</Field>
			)}
			{release.error && !waiting && !asksReason && <CreateError error={release.error} />}
			<div className="flex flex-wrap gap-2">
				{mayLeave && (
					<GuardedButton
						reason={reason.trim().length < 3 ? r("needsReason") : null}
						busy={leave.isPending}
						onClick={() => leave.mutate({ ...input, reason: reason.trim() })}
					>
						{r("giveLeave")}
					</GuardedButton>
				)}
				<GuardedButton variant="solid" reason={blocked} busy={release.isPending || waiting} onClick={act}>
					<Tag className="size-3.5" aria-hidden />
					{t("release", { tag: preview.nextTag })}
				</GuardedButton>
			</div>
		</div>
	);
}

function Body({ preview }: { preview: PolicyPreview }) {
	const t = useTranslations("training.compare");
	const r = useTranslations("releases");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, can } = useWorkspace();
	const evaluate = useMutation(
		trpc.release.policyEvaluate.mutationOptions({
			onSuccess: async () => {
				toastDone(t("queued"));
				await queryClient.invalidateQueries(trpc.release.policyPreview.pathFilter());
			},
		}),
	);
	const { rows, policy, current, gate, alarms, holdout } = preview;
	const against = preview.against === "base" ? t("base") : preview.against;
	const started = rows.some((row) => row.state !== "none");
	const missing = rows.some((row) => row.state === "none");
	if (preview.inForce)
		return (
			<>
				<SectionHead title={t("title")} />
				<p className="pb-3 text-13 text-ink-2">{t("isLive", { policy: policy.name })}</p>
			</>
		);
	return (
		<>
			<SectionHead title={t("title")} meta={t("meta", { policy: policy.name, current: current.name, against })}>
				{missing && (
					<GuardedButton
						size="sm"
						variant={started ? "outline" : "solid"}
						reason={can("run.start") ? null : t("forbidden")}
						busy={evaluate.isPending}
						onClick={() => evaluate.mutate({ workspace: slug, policyVersionId: policy.id })}
					>
						{t(started ? "again" : "evaluate")}
					</GuardedButton>
				)}
			</SectionHead>
			{started ? (
				<>
					<div className="overflow-x-auto">
						<Table aria-label={t("title")}>
							<thead>
								<tr>
									<Th>{t("column.suite")}</Th>
									<Th>{t("column.accuracy")}</Th>
									<Th>{t("column.effectiveness")}</Th>
									<Th className="text-right">{t("column.avg")}</Th>
									<Th className="max-md:hidden">{t("column.flips")}</Th>
									<Th>{t("column.runs")}</Th>
								</tr>
							</thead>
							<tbody>
								{rows.map((row) => (
									<RowView key={`${row.suite}-${row.row ?? row.split}`} row={row} />
								))}
							</tbody>
						</Table>
					</div>
					<p className="mt-1.5 text-12 text-ink-3">{t("intervalNote")}</p>
					<VerdictNote items={rows.flatMap(({ comparison }) => (comparison ? [comparison.accuracy, comparison.effectiveness] : []))} className="mt-1" />
					<SectionHead title={t("gate")} meta={r("holdoutReadings", holdout)} className="mt-3 border-line border-t">
						<GateWord gate={gate} />
					</SectionHead>
					<GateList gate={gate} />
					<OpenAlarms preview={{ alarms }} />
					<Release preview={preview} />
					<p className="mt-2 mb-3 max-w-[62em] text-12 text-ink-3">{t("note", { against, policy: policy.name })}</p>
				</>
			) : (
				<p className="max-w-[62em] pb-3 text-13 text-ink-2">{t("intro")}</p>
			)}
		</>
	);
}

/** A checkpoint on its way to production: measured beside the policy in force, gated like a harness edit, released. */
export function PolicyGate({ policyVersionId }: { policyVersionId: string }) {
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const query = useQuery(trpc.release.policyPreview.queryOptions({ workspace: slug, policyVersionId }));
	const running = (query.data?.rows ?? []).flatMap((row) => (row.state === "running" ? [row.runId, row.baseRunId] : [])).filter((id) => id !== null);
	useLive(["evolution", "runs", ...running.slice(0, 14).map((id) => `run:${id}`)], () =>
		queryClient.invalidateQueries(trpc.release.policyPreview.pathFilter()),
	);
	return (
		<section className="mt-4 border-line border-t">
			<QueryBoundary query={query} skeleton={<SkeletonRows rows={6} columns={5} />}>
				{(preview) => <Body preview={preview} />}
			</QueryBoundary>
		</section>
	);
}
