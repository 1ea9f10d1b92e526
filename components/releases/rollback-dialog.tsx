"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Sheet } from "@/components/ui/dialog";
import { Field, Input, Textarea } from "@/components/ui/field";
import { SectionHead } from "@/components/ui/page";
import { SkeletonRows } from "@/components/ui/status";
import { toastDone } from "@/components/ui/toast";
import { useKept } from "@/components/ui/use-kept";
import { Verdict } from "@/components/ui/verdict";
import type { RollbackPreview } from "@/server/release/contract";
import { ExactDiff } from "./exact-diff";

function Body({ preview, onDone }: { preview: RollbackPreview; onDone: () => void }) {
	const t = useTranslations("releases");
	const c = useTranslations("common");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const [reason, setReason, forgetReason] = useKept(`rollback:${slug}:${preview.target}`, "");
	const [word, setWord] = useState("");
	const go = useMutation(
		trpc.release.rollback.mutationOptions({
			onSuccess: async ({ tag }) => {
				forgetReason();
				toastDone(t("rolledBack", { tag, target: preview.target }));
				onDone();
				await Promise.all([
					queryClient.invalidateQueries(trpc.release.pathFilter()),
					queryClient.invalidateQueries(trpc.evolution.pathFilter()),
					queryClient.invalidateQueries(trpc.workspace.shell.pathFilter()),
				]);
			},
			onError: () => void queryClient.invalidateQueries(trpc.release.pathFilter()),
		}),
	);
	const ready = reason.trim().length >= 3 && word.trim() === preview.confirmation;
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault();
				if (ready)
					go.mutate({
						workspace: slug,
						target: preview.target,
						reason: reason.trim(),
						confirmation: word.trim(),
						treeId: preview.treeId,
						current: preview.current,
					});
			}}
		>
			<p className="text-13">
				{t("rollbackSay", { current: preview.current, target: preview.target === "base" ? t("baseNamed") : preview.target, next: preview.nextTag })}
			</p>
			{preview.comparison && (
				<p className="mt-2 flex flex-wrap gap-x-4 text-12">
					<span className="text-ink-3">{t("costs")}</span>
					<span>
						{c("accuracy")} <Verdict word={preview.comparison.accuracy.verdict} delta={preview.comparison.accuracy.delta} />
					</span>
					<span>
						{c("effectiveness")} <Verdict word={preview.comparison.effectiveness.verdict} delta={preview.comparison.effectiveness.delta} />
					</span>
				</p>
			)}
			<SectionHead title={t("exactDiff")} meta={t("exactDiffMeta", { count: preview.diff.length })} className="mt-3 border-line border-t" />
			<ExactDiff diff={preview.diff} />
			<div className="mt-4 grid gap-3">
				<Field label={t("rollbackReason")} required>
					<Textarea value={reason} onChange={(event) => setReason(event.target.value)} maxLength={2000} />
				</Field>
				<Field label={c.rich("typeToConfirm", { word: () => <b className="font-semibold text-ink">{preview.confirmation}</b> })} required>
					<Input value={word} onChange={(event) => setWord(event.target.value)} autoComplete="off" spellCheck={false} />
				</Field>
				<div className="flex justify-end">
					<Button type="submit" variant="danger-solid" disabled={!ready} busy={go.isPending}>
						{t("rollbackTo", { target: preview.target === "base" ? t("base") : preview.target })}
					</Button>
				</div>
			</div>
		</form>
	);
}

/** Going back: the exact diff first, then the reason and the typed word. */
export function RollbackSheet({ target, onClose }: { target: string | null; onClose: () => void }) {
	const t = useTranslations("releases");
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const query = useQuery(trpc.release.rollbackPreview.queryOptions({ workspace: slug, target: target ?? "base" }, { enabled: target !== null, staleTime: 0 }));
	return (
		<Sheet
			open={target !== null}
			onOpenChange={(open) => !open && onClose()}
			title={t("rollbackTitle", { target: target === "base" ? t("base") : (target ?? "") })}
			description={t("rollbackText")}
			className="w-[680px]"
		>
			<QueryBoundary query={query} skeleton={<SkeletonRows rows={10} columns={2} />}>
				{(preview) => <Body key={preview.treeId} preview={preview} onDone={onClose} />}
			</QueryBoundary>
		</Sheet>
	);
}
