"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Sparkles } from "lucide-react";
import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { Coded } from "@/components/harness/problem-list";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { useStoredReasons } from "@/components/trpc/reasons";
import { Button, GuardedButton } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { cn } from "@/components/ui/cn";
import { useEngineName } from "@/components/ui/engine-name";
import { formatShare } from "@/components/ui/format";
import { Notice } from "@/components/ui/notes";
import { Facts, SideSection } from "@/components/ui/page";
import { useSaid } from "@/components/ui/said";
import { Badge } from "@/components/ui/status";
import { toastDone } from "@/components/ui/toast";
import { Written } from "@/components/ui/written";
import { LeftFindings } from "./left-findings";
import type { Diagnosis } from "./newest-diagnosis";
import { type EngineTask, type Finding, isConfirmed, isReady, openProposals } from "./types";

const SHARES_SHOWN = 12;

function Shares({ findings, failed }: { findings: readonly Finding[]; failed: number }) {
	const t = useTranslations("findings");
	const locale = useLocale();
	const most = Math.max(1, ...findings.map((f) => f.cases));
	const [all, setAll] = useState(false);
	const more = findings.length - SHARES_SHOWN;
	return (
		<SideSection title={t("shares", { failed })}>
			<ul className="grid gap-1">
				{(all ? findings : findings.slice(0, SHARES_SHOWN)).map((finding) => (
					<li key={finding.id} className="grid grid-cols-[48px_minmax(0,1fr)_56px] items-center gap-2">
						<a href={`#F-${finding.number}`} className="link">
							F-{finding.number}
						</a>
						<i
							aria-hidden
							className={cn(
								"block h-2",
								isConfirmed(finding) || finding.status === "addressed"
									? "bg-accent-mark"
									: finding.status === "rejected"
										? "shadow-[inset_0_0_0_1px_var(--line-ctl)]"
										: "bg-ink-3",
							)}
							style={{ width: `${(finding.cases / most) * 100}%` }}
						/>
						<span className="text-right text-ink-3">
							<b className="font-normal text-ink">{finding.cases}</b> {formatShare(finding.share, locale, 0)}
						</span>
					</li>
				))}
			</ul>
			{more > 0 && (
				<button type="button" className="link mt-1 max-md:min-h-11" aria-expanded={all} onClick={() => setAll(!all)}>
					{t(all ? "fewerShares" : "moreShares", { count: more })}
				</button>
			)}
			<p className="mt-2 flex flex-wrap gap-x-3 text-ink-2">
				<Key className="bg-accent-mark">{t("legend.accepted")}</Key>
				<Key className="bg-ink-3">{t("legend.open")}</Key>
				<Key className="shadow-[inset_0_0_0_1px_var(--line-ctl)]">{t("legend.rejected")}</Key>
			</p>
		</SideSection>
	);
}

function Key({ className, children }: { className: string; children: string }) {
	return (
		<span className="inline-flex items-center gap-1">
			<i aria-hidden className={cn("block size-2", className)} />
			{children}
		</span>
	);
}

/** The confirmed findings that no proposal is for yet, and the act that asks for one. */
function ReadyToEdit({
	evolutionId,
	findings,
	left: unedited,
	busy,
	stopped,
}: {
	evolutionId: string;
	findings: readonly Finding[];
	left: readonly Finding[];
	busy: boolean;
	stopped: boolean;
}) {
	const t = useTranslations("findings");
	const status = useTranslations("review.status");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, can, path } = useWorkspace();
	const ready = findings.filter(isReady);
	const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
	const chosen = ready.filter((f) => !left.has(f.id));
	const request = useMutation(
		trpc.evolution.editsRequest.mutationOptions({
			onSuccess: async () => {
				toastDone(t("editsRequested"));
				await queryClient.invalidateQueries(trpc.evolution.pathFilter());
			},
		}),
	);
	// What was proposed is the next step, before anything else is.
	const open = openProposals(findings);
	const forbidden = can("proposal.edit") ? null : t("roleForbids");
	const reason = forbidden ?? (stopped ? t("stopped") : busy ? t("engineBusy") : chosen.length === 0 ? t("nothingReady") : null);
	return (
		<SideSection title={t("ready")} meta={ready.length > 0 ? t("readyMeta", { chosen: chosen.length, ready: ready.length }) : undefined}>
			<ul className="grid gap-1.5">
				{ready.map((finding) => (
					<li key={finding.id}>
						<Checkbox
							checked={!left.has(finding.id)}
							onCheckedChange={(on) =>
								setLeft((before) => {
									const next = new Set(before);
									if (on) next.delete(finding.id);
									else next.add(finding.id);
									return next;
								})
							}
							label={
								<>
									<b className="font-semibold">F-{finding.number}</b> <Written phrases={finding.phrases}>{finding.title}</Written>
								</>
							}
						/>
					</li>
				))}
			</ul>
			<div className="mt-3 grid gap-2">
				{open.map((proposal, index) => (
					<Button key={proposal.id} asChild variant={index === 0 ? "solid" : "outline"} className="w-full">
						<Link href={path("reviews", String(proposal.number))}>
							{proposal.status === "draft" && !forbidden
								? t("openDraft", { number: proposal.number })
								: t("openWith", { number: proposal.number, status: status(proposal.status) })}
						</Link>
					</Button>
				))}
				{(ready.length > 0 || open.length === 0 || busy) && (
					<GuardedButton
						variant={open.length > 0 ? "outline" : "solid"}
						place="below"
						className="w-full"
						reason={reason}
						busy={request.isPending}
						onClick={() => request.mutate({ workspace: slug, evolutionId, findingIds: chosen.map((f) => f.id) })}
					>
						<Sparkles className="size-3.5" aria-hidden />
						{t("propose", { count: chosen.length })}
					</GuardedButton>
				)}
				{forbidden === null && (
					<Button asChild className="w-full">
						<Link href={path("harness")}>{t("editMyself")}</Link>
					</Button>
				)}
			</div>
			<LeftFindings findings={unedited} />
			<p className="mt-2 text-ink-3">{t("authorNote")}</p>
		</SideSection>
	);
}

/** What stands beside the act itself and at the finding, not in the list of work. */
const SAID_ELSEWHERE = ["engine-findings-left", "engine-nothing-general"];

function Tasks({ tasks }: { tasks: readonly EngineTask[] }) {
	const t = useTranslations("findings");
	const said = useSaid("problems");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, path, can } = useWorkspace();
	const say = useStoredReasons();
	const cancel = useMutation(trpc.evolution.taskCancel.mutationOptions({ onSuccess: () => queryClient.invalidateQueries(trpc.evolution.pathFilter()) }));
	if (tasks.length === 0) return null;
	return (
		<SideSection title={t("work")}>
			<ul className="grid gap-2">
				{tasks.slice(0, 5).map((task) => {
					const live = task.status === "queued" || task.status === "running";
					const reasons = task.noticeReasons.filter(({ reason }) => !SAID_ELSEWHERE.includes(reason));
					return (
						<li key={task.id}>
							<div className="flex flex-wrap items-center gap-2">
								<Badge live={live} tone={task.status === "failed" ? "down" : "plain"}>
									{t(`task.${task.kind}.${task.status}`)}
								</Badge>
								{task.proposalId && (
									<Link href={path("reviews", task.proposalId)} className="link">
										{t("openProposal")}
									</Link>
								)}
								{live && task.waitingForRunId && (
									<Link href={path("runs", task.waitingForRunId)} className="link">
										{t("waitsForRun")}
									</Link>
								)}
								{live && can("finding.diagnose") && (
									<Button size="sm" variant="quiet" onClick={() => cancel.mutate({ workspace: slug, taskId: task.id })}>
										{t("giveUp")}
									</Button>
								)}
							</div>
							{task.error && <p className="mt-1 text-down">{say(task.errorReasons, task.error)}</p>}
							{task.problems.slice(0, 3).map((problem) => (
								<p key={`${problem.file}:${problem.line}:${problem.rule}`} className="text-ink-2">
									<code>
										{problem.file}:{problem.line}
									</code>{" "}
									<Coded {...said(problem.phrase, problem.message)} />
								</p>
							))}
							{task.notice && (reasons.length > 0 || task.noticeReasons.length === 0) && <Notice className="mt-1">{say(reasons, task.notice)}</Notice>}
						</li>
					);
				})}
			</ul>
		</SideSection>
	);
}

/** What stands beside the findings: their shares, what is ready to edit, and what the engines are doing. */
export function FindingsSide({
	evolutionId,
	findings,
	left,
	newest,
	tasks,
	stopped,
}: {
	evolutionId: string;
	findings: readonly Finding[];
	/** Those that the last edit found no change for. */
	left: readonly Finding[];
	newest: Diagnosis;
	tasks: readonly EngineTask[];
	stopped: boolean;
}) {
	const t = useTranslations("findings");
	const busy = tasks.some((task) => task.kind === "edit" && (task.status === "queued" || task.status === "running"));
	const engineName = useEngineName();
	const engines = [...new Set(findings.map((f) => f.engine))];
	return (
		<>
			{newest.findings.length > 0 && <Shares findings={newest.findings} failed={newest.failed} />}
			<ReadyToEdit evolutionId={evolutionId} findings={findings} left={left} busy={busy} stopped={stopped} />
			<Tasks tasks={tasks} />
			{engines.length > 0 && (
				<SideSection title={t("engines")}>
					<Facts
						layout="list"
						items={[
							[t("enginesWrote"), engines.map(engineName).join(", ")],
							[t("enginesRead"), t("enginesReadText", { failed: newest.failed })],
						]}
					/>
				</SideSection>
			)}
		</>
	);
}
