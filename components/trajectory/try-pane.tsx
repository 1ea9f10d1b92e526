"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSubscription } from "@trpc/tanstack-react-query";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { downloadText } from "@/components/ui/csv";
import { formatDuration, langOf, shortId } from "@/components/ui/format";
import { ErrorNote, Notice } from "@/components/ui/notes";
import { RelativeTime } from "@/components/ui/relative-time";
import { Badge } from "@/components/ui/status";
import type { Try, TrySource, TrySummary } from "@/server/agent/contract";
import { isTryOver } from "@/server/agent/try-over.contract";
import { changedSkills, skillsLeftOut } from "./skills-left-out";
import { Timeline } from "./timeline";
import { TrajectoryView } from "./trajectory-view";
import { TryForm } from "./try-form";

export interface TryPaneProps {
	/** What to try; asked at the moment of trying, so that unsaved changes go along. */
	source: () => TrySource;
	/** What the draft changes, with what is not saved yet: a try that left a changed skill out says so. */
	changes?: Readonly<Record<string, string | null>>;
	/** For the list of earlier tries. */
	branch: string;
	/** Errors of the draft: it cannot be tried. */
	invalid?: boolean;
	deadlineMs?: number;
	maxHookRetries?: number;
}

/** Type a viewer's message, choose a room, and see the trajectory unfold live. */
export function TryPane({ source, changes = {}, branch, invalid = false, deadlineMs, maxHookRetries }: TryPaneProps) {
	const locale = useLocale();
	const t = useTranslations("trajectory.try");
	const trpc = useTRPC();
	const { slug: workspace } = useWorkspace();
	const queryClient = useQueryClient();
	const [shownId, setShownId] = useState<string | null>(null);
	// By try, as the draft was when it began: an earlier one is of an earlier draft.
	const [changed, setChanged] = useState<Readonly<Record<string, readonly string[]>>>({});
	const listed = trpc.agent.tries.queryOptions({ workspace, source: { kind: "draft", branch } });
	const tries = useQuery(listed);
	const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.agent.tries.queryKey() });
	const start = useMutation(
		trpc.agent.tryStart.mutationOptions({
			onSuccess: ({ id }) => {
				setShownId(id);
				setChanged((before) => ({ ...before, [id]: changedSkills(changes) }));
				return refresh();
			},
		}),
	);
	const follow = useFollow(shownId, refresh);
	const cancel = useMutation(trpc.agent.tryCancel.mutationOptions());
	const running = follow.now !== null && !isTryOver(follow.now.status);
	return (
		<div className="flex flex-col gap-3">
			<TryForm
				invalid={invalid}
				busy={start.isPending}
				running={running}
				onStop={() => shownId && cancel.mutate({ workspace, id: shownId })}
				onRun={(input) => start.mutate({ workspace, source: source(), input })}
			/>
			{follow.now ? (
				<Shown now={follow.now} changed={changed[follow.now.id] ?? []} lost={follow.lost} deadlineMs={deadlineMs} maxHookRetries={maxHookRetries} />
			) : (
				<p className="text-13 text-ink-2">{t("none")}</p>
			)}
			{(tries.data?.length ?? 0) > 0 && (
				<section aria-label={t("earlier")}>
					<h3 className="font-semibold text-12 text-ink-3">{t("earlier")}</h3>
					<ul>
						{tries.data?.map((entry) => (
							<li key={entry.id}>
								<button
									type="button"
									aria-current={entry.id === shownId || undefined}
									className="grid w-full grid-cols-[minmax(0,1fr)_auto_56px] items-center gap-3 border-line border-t py-1 text-left text-12 hover:bg-hover aria-current:bg-accent-soft"
									onClick={() => setShownId(entry.id)}
								>
									<span className="truncate" lang={langOf(entry.message)}>
										{entry.message}
									</span>
									<Ended entry={entry} />
									<span className="text-right text-11 text-ink-3">
										{entry.durationMs === null ? <RelativeTime at={entry.createdAt} /> : formatDuration(entry.durationMs, locale)}
									</span>
								</button>
							</li>
						))}
					</ul>
				</section>
			)}
		</div>
	);
}

function Ended({ entry }: { entry: TrySummary }) {
	const t = useTranslations("trajectory");
	if (entry.outcome === null)
		return (
			<span className="text-ink-3">
				{t(entry.status === "cancelled" ? "try.cancelled" : entry.status === "failed" ? "failed" : entry.status === "queued" ? "try.queued" : "try.running")}
			</span>
		);
	const word = t(`ended.${entry.outcome}`);
	return (
		<span className={entry.outcome === "replied" ? "text-ink-2" : "text-unsure"}>
			{entry.reply === null ? word : t("try.chars", { outcome: word, count: [...entry.reply].length })}
		</span>
	);
}

/** A try as it is now and as it goes on; a finished one is read once. */
function useFollow(id: string | null, onOver: () => void): { now: Try | null; lost: boolean } {
	const trpc = useTRPC();
	const { slug: workspace } = useWorkspace();
	const [seen, setSeen] = useState<Try | null>(null);
	const subscription = useSubscription(
		trpc.agent.tryFollow.subscriptionOptions(
			{ workspace, id: id ?? "" },
			{
				enabled: id !== null && !(seen?.id === id && isTryOver(seen.status)),
				onData: ({ data }) => {
					setSeen(data);
					if (isTryOver(data.status)) onOver();
				},
			},
		),
	);
	const now = seen?.id === id ? seen : null;
	return { now, lost: now !== null && !isTryOver(now.status) && subscription.status === "connecting" };
}

interface ShownProps {
	now: Try;
	/** Skills that the draft had changed when this try began. */
	changed: readonly string[];
	lost: boolean;
	deadlineMs?: number;
	maxHookRetries?: number;
}

function Shown({ now, changed, lost, deadlineMs, maxHookRetries }: ShownProps) {
	const t = useTranslations("trajectory.try");
	const errors = useTranslations("errors");
	if (now.status === "failed") {
		const known = now.error && errors.has(now.error.reason as "internal");
		return (
			<ErrorNote
				title={t("failed")}
				happened={now.error && (known ? errors(now.error.reason as "internal", now.error.params) : now.error.message)}
				next={now.error?.fix}
			/>
		);
	}
	if (now.trajectory) {
		const leftOut = skillsLeftOut(changed, now.trajectory.steps);
		return (
			<>
				{leftOut.length > 0 && <Notice tone="unsure">{t("leftOut", { count: leftOut.length, skills: leftOut.join(", ") })}</Notice>}
				<TrajectoryView trajectory={now.trajectory} actions={<Exports id={now.id} />} deadlineMs={deadlineMs} maxHookRetries={maxHookRetries} />
			</>
		);
	}
	return (
		<div>
			<p className="flex items-center gap-3 text-12">
				<Badge live={!isTryOver(now.status)}>{t(now.status === "queued" ? "queued" : now.status === "cancelled" ? "cancelled" : "running")}</Badge>
				<span className="text-ink-3">{lost ? t("lost") : t("tried", { tree: shortId(now.treeId), policy: now.policyName })}</span>
			</p>
			<Timeline steps={now.steps} live={now.status === "running"} deadlineMs={deadlineMs} maxHookRetries={maxHookRetries} />
		</div>
	);
}

function Exports({ id }: { id: string }) {
	const t = useTranslations("trajectory.try");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug: workspace } = useWorkspace();
	const save = async (format: "otel" | "openai") => {
		const { fileName, text } = await queryClient.fetchQuery(trpc.agent.tryExport.queryOptions({ workspace, id, format }));
		downloadText(fileName, "application/json", text);
	};
	return (
		<>
			<button type="button" className="text-accent" onClick={() => void save("otel")}>
				{t("exportOtel")}
			</button>
			<button type="button" className="text-accent" onClick={() => void save("openai")}>
				{t("exportOpenai")}
			</button>
		</>
	);
}
