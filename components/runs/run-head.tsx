"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Play, RotateCcw, Unplug } from "lucide-react";
import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { useStoredReasons } from "@/components/trpc/reasons";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { formatCount, formatDuration, formatPoints, formatShare, shortId } from "@/components/ui/format";
import { ErrorNote, Notice } from "@/components/ui/notes";
import { Words } from "@/components/ui/person";
import { RelativeTime } from "@/components/ui/relative-time";
import { Progress } from "@/components/ui/status";
import { toastDone } from "@/components/ui/toast";
import { useName } from "@/components/ui/use-name";
import { Score } from "@/components/ui/verdict";
import type { RunInfo, RunProgress } from "@/server/evaluation/contract";
import { isMoving, RunStatusBadge } from "./run-status";
import { suiteName } from "./suite-name";

/** Tokens in the unit that people read: 0.47 M, 12 k. */
function formatTokens(count: number): string {
	if (count >= 100_000) return `${(count / 1e6).toFixed(2)} M`;
	return count >= 1_000 ? `${Math.round(count / 1_000)} k` : formatCount(Math.round(count));
}

function Acts({ run }: { run: RunInfo }) {
	const t = useTranslations("runs");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, can } = useWorkspace();
	const [asking, setAsking] = useState(false);
	const control = useMutation(trpc.evaluation.runControl.mutationOptions({ onSuccess: () => queryClient.invalidateQueries(trpc.evaluation.pathFilter()) }));
	if (!can("run.control")) return null;
	const act = (command: "resume" | "retry-errors") => control.mutate({ workspace: slug, runId: run.id, command }, { onSuccess: () => toastDone(t("resumed")) });
	return (
		<>
			{(run.status === "cancelled" || run.status === "failed") && (
				<Button variant="solid" busy={control.isPending} onClick={() => act("resume")}>
					<Play className="size-3.5" aria-hidden />
					{t("resume")}
				</Button>
			)}
			{run.status === "done" && run.infraErrors > 0 && (
				<Button busy={control.isPending} onClick={() => act("retry-errors")}>
					<RotateCcw className="size-3.5" aria-hidden />
					{t("retryErrors")}
				</Button>
			)}
			{(run.status === "queued" || run.status === "running") && (
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
				onConfirm={() => control.mutateAsync({ workspace: slug, runId: run.id, command: "cancel" })}
			/>
		</>
	);
}

function Moving({ run, progress }: { run: RunInfo; progress: RunProgress }) {
	const t = useTranslations("runs");
	const locale = useLocale();
	const done = progress.valid + progress.infraErrors;
	const moving = isMoving(run.status);
	return (
		<>
			{(moving || done < progress.planned) && (
				<Progress
					className="mt-3"
					done={progress.valid}
					failed={progress.infraErrors}
					total={progress.planned}
					label={t("of", { done: formatCount(done), planned: formatCount(progress.planned) })}
				/>
			)}
			<p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-12 text-ink-2" aria-live="polite">
				<span>
					<b className="font-semibold text-ink">{formatCount(done)}</b> / {formatCount(progress.planned)}
				</span>
				{progress.infraErrors > 0 && (
					<span className="inline-flex items-center gap-1.5 text-down">
						<Unplug className="size-3" aria-hidden />
						{t("infra", { count: progress.infraErrors })}
					</span>
				)}
				<span>{t("coverage", { share: formatShare(done === 0 ? 0 : progress.valid / (moving ? done : progress.planned), locale) })}</span>
				{moving && progress.perSecond > 0 && <span>{t("rate", { count: formatCount(Math.round(progress.perSecond * 60)) })}</span>}
				{moving && progress.leftMs !== null && <span>{t("left", { time: formatDuration(Math.max(1_000, progress.leftMs), locale) })}</span>}
				{moving && <span>{t("workers", { count: progress.workers })}</span>}
				{!moving && progress.elapsedMs > 0 && <span>{t("took", { time: formatDuration(progress.elapsedMs, locale) })}</span>}
			</p>
		</>
	);
}

function Figure({ name, children }: { name: ReactNode; children: ReactNode }) {
	return (
		<div>
			<dt className="text-ink-3">{name}</dt>
			<dd className="whitespace-nowrap">{children}</dd>
		</div>
	);
}

function Figures({ run, progress }: { run: RunInfo; progress: RunProgress }) {
	const t = useTranslations("runs");
	const c = useTranslations("common");
	const locale = useLocale();
	const { summary, estimate } = run;
	const over = summary !== null;
	const named = (name: string) => (over ? name : t("soFar", { name }));
	const tokens = progress.tokens.prompt + progress.tokens.completion;
	const expected = estimate ? estimate.promptTokens + estimate.completionTokens : null;
	return (
		<div className="mt-3 flex flex-wrap items-end gap-x-6 gap-y-2 border-line border-t pt-2.5 text-12">
			<dl className="flex flex-wrap gap-x-6 gap-y-2">
				{progress.accuracy && (
					<Figure name={named(c("accuracy"))}>
						<Score {...progress.accuracy} />
					</Figure>
				)}
				{progress.effectiveness && (
					<Figure name={named(c("effectiveness"))}>
						<Score {...progress.effectiveness} />
					</Figure>
				)}
				{summary && (
					<Figure name={t("column.avg")}>
						<Score {...summary.avg} />
					</Figure>
				)}
				{progress.latencyMs && (
					<Figure name={t("latency")}>
						<b className="font-semibold">{formatDuration(progress.latencyMs.p50, locale)}</b>{" "}
						<span className="text-ink-3">{formatDuration(progress.latencyMs.p95, locale)}</span>
					</Figure>
				)}
				<Figure name={t("tokens")}>
					<b className="font-semibold">{formatTokens(tokens)}</b> {expected !== null && <span className="text-ink-3">{formatTokens(expected)}</span>}
				</Figure>
				{progress.tokens.judge > 0 && (
					<Figure name={t("judgeTokens")}>
						<b className="font-semibold">{formatTokens(progress.tokens.judge)}</b>{" "}
						{estimate?.judgeTokens != null && <span className="text-ink-3">{formatTokens(estimate.judgeTokens)}</span>}
					</Figure>
				)}
				{estimate?.cost != null && (
					<Figure name={t("cost")}>
						<b className="font-semibold">{estimate.cost.toFixed(2)}</b>
					</Figure>
				)}
				{estimate && (
					<Figure name={t("mde")}>
						{estimate.mde === null ? (
							t("mdeNone")
						) : (
							<>
								<b className="font-semibold">{formatPoints(estimate.mde)}</b> <span className="text-ink-3">{t("mdeValue")}</span>
							</>
						)}
					</Figure>
				)}
				{summary?.noise != null && <Figure name={t("noise")}>{formatShare(summary.noise, locale)}</Figure>}
				{summary?.skillSelection != null && <Figure name={t("skillSelection")}>{formatPoints(summary.skillSelection)}</Figure>}
				{summary?.toolRationality != null && <Figure name={t("toolRationality")}>{formatPoints(summary.toolRationality)}</Figure>}
				{summary?.recovery != null && <Figure name={t("recovery")}>{formatPoints(summary.recovery)}</Figure>}
				{summary && (
					<Figure name={t("cached")}>
						{formatCount(summary.modelCalls)} <span className="text-ink-3">{formatCount(summary.cachedCalls)}</span>
					</Figure>
				)}
			</dl>
			{!over && <p className="ml-auto text-ink-3">{t("partialNote")}</p>}
		</div>
	);
}

/** The head of a run: what it is, how far, and the figures so far or at its end. */
export function RunHead({ run, progress }: { run: RunInfo; progress: RunProgress }) {
	const t = useTranslations("runs");
	const { path } = useWorkspace();
	const nameOf = useName();
	const sayStored = useStoredReasons();
	const sealed = run.split === "holdout";
	return (
		<header className="border-line border-b px-4 py-3">
			<div className="flex flex-wrap items-center gap-x-2.5 gap-y-2">
				<h1 className="font-semibold text-16">
					{t("suiteOn", { suite: suiteName(run), split: t(`split.${run.split}`) })}{" "}
					<Link href={`${path("harness")}?branch=${encodeURIComponent(run.commit ?? run.treeId)}`} className="font-mono text-14 hover:text-accent">
						{shortId(run.commit ?? run.treeId)}
					</Link>
				</h1>
				<RunStatusBadge status={run.status} />
				<p className="text-12 text-ink-2">
					{[
						t("name", { number: run.number }),
						`v${run.suiteVersion}`,
						run.policyName,
						run.judgeName,
						run.variants ? t(`variants.${run.variants.book}`, { count: run.trials }) : run.trials > 1 && t("trials", { count: run.trials }),
						t("seed", { seed: run.seed }),
						!run.useCache && t("cache"),
						run.partial && t("partial"),
					]
						.filter(Boolean)
						.join(", ")}
					{" · "}
					{t("startedBy", { reason: t(`reason.${run.reason}`), name: nameOf(run.requestedBy) })} · <RelativeTime at={run.createdAt} />
				</p>
				<span className="ml-auto flex gap-2 max-md:ml-0">
					<Acts run={run} />
				</span>
			</div>
			<Moving run={run} progress={progress} />
			{run.error && (
				<ErrorNote
					className="mt-3"
					title={t("failedTitle")}
					happened={<Words>{sayStored(run.errorReasons, run.error) ?? run.error}</Words>}
					kept={t("failedKept", { count: progress.valid })}
					next={t("failedNext")}
				/>
			)}
			{run.summary && run.summary.standing !== "decisive" && (
				<div className="mt-2">
					<Notice tone={run.summary.standing === "indecisive" ? "down" : "unsure"}>{t(`standing.${run.summary.standing}`)}</Notice>
				</div>
			)}
			{sealed ? (
				<div className="mt-2">
					<Notice>{t("sealed")}</Notice>
				</div>
			) : (
				<Figures run={run} progress={progress} />
			)}
		</header>
	);
}
