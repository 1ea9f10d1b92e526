"use client";

import { CircleX, FilePen, TriangleAlert } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { describeError, type Translator } from "@/components/trpc/error-text";
import { Button } from "@/components/ui/button";
import { shortId } from "@/components/ui/format";
import { Notice } from "@/components/ui/notes";
import type { useRebase } from "./rebase-dialog";
import type { Workbench } from "./use-workbench";

/** Which draft, of what, how far saved, how sound; the acts at the right. */
export function StatusBar({ workbench, picker, actions }: { workbench: Workbench; picker: ReactNode; actions: ReactNode }) {
	const t = useTranslations("harness");
	const { view } = workbench;
	const errors = view.problems.filter((problem) => problem.severity === "error").length;
	const warnings = view.problems.length - errors;
	return (
		<header className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1.5 border-line border-b px-4 py-1.5">
			<FilePen className="size-4 text-ink-2 max-md:hidden" aria-hidden />
			<h1 className="flex min-w-0 items-center gap-1.5 whitespace-nowrap text-13">
				<b className="font-semibold text-14">{t("draft")}</b>
				<span className="text-ink-2 max-md:hidden">{t("of")}</span>
				{picker}
				<span className="text-ink-2 max-md:hidden">{t("at", { commit: shortId(view.baseCommit) })}</span>
			</h1>
			<SaveText workbench={workbench} />
			{/* On a phone the main act comes first, with its reason below it, and the menu stands at the right edge. */}
			<span className="ml-auto flex flex-wrap items-center gap-x-3 gap-y-1.5 max-md:ml-0 max-md:w-full max-md:items-start max-md:[&>*:last-child]:order-first max-md:[&>button:not(:last-child)]:ml-auto">
				{errors > 0 && (
					<span className="inline-flex items-center gap-1 text-12 text-down">
						<CircleX className="size-3.5" aria-hidden />
						{t("errors", { count: errors })}
					</span>
				)}
				{warnings > 0 && (
					<span className="inline-flex items-center gap-1 text-12 text-unsure">
						<TriangleAlert className="size-3.5" aria-hidden />
						{t("warnings", { count: warnings })}
					</span>
				)}
				{actions}
			</span>
		</header>
	);
}

function SaveText({ workbench }: { workbench: Workbench }) {
	const t = useTranslations("harness.save");
	const e = useTranslations("errors");
	const format = useFormatter();
	const { save, view, canEdit } = workbench;
	const changed = Object.keys({ ...view.draft?.changes, ...workbench.local }).length;
	const at = save.kind === "saved" ? (save.at ?? view.draft?.updatedAt ?? null) : null;
	const time = at ? format.dateTime(at, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" }) : "";
	return (
		<p role="status" className="min-w-0 text-12 text-ink-3">
			{!canEdit
				? t("readOnly")
				: save.kind === "saving" || save.kind === "unsaved"
					? t("saving")
					: save.kind === "failed"
						? t("failed", { reason: describeError(save.error, e as unknown as Translator).title })
						: save.kind === "conflict"
							? t("conflict")
							: changed === 0
								? t("nothing")
								: t("saved", { count: changed, time })}
		</p>
	);
}

/** What needs a decision before one goes on: a conflict of two windows, or a branch that moved. */
export function WorkbenchNotices({ workbench, rebase }: { workbench: Workbench; rebase: ReturnType<typeof useRebase> }) {
	const t = useTranslations("harness.notice");
	const { save, view } = workbench;
	if (save.kind === "conflict")
		return (
			<div className="border-line border-b px-4 py-2">
				<Notice tone="unsure">
					{t("conflict")}{" "}
					<Button size="sm" onClick={() => void workbench.resolve("mine")}>
						{t("mine")}
					</Button>{" "}
					<Button size="sm" onClick={() => void workbench.resolve("theirs")}>
						{t("theirs")}
					</Button>
				</Notice>
			</div>
		);
	if (view.baseMoved && workbench.canEdit)
		return (
			<div className="border-line border-b px-4 py-2">
				<Notice>
					{t("moved", { branch: view.branch, commit: shortId(view.head) })}{" "}
					<Button size="sm" busy={rebase.busy} onClick={() => rebase.run()}>
						{t("rebase")}
					</Button>
				</Notice>
			</div>
		);
	return null;
}
