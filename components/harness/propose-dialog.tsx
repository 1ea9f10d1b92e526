"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { Button, GuardedButton } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, Textarea } from "@/components/ui/field";
import { toastDone } from "@/components/ui/toast";
import type { OpenEvolution } from "./use-branch";
import type { Workbench } from "./use-workbench";

const ids = (text: string) => [...new Set(text.split(/[\s,，、]+/).filter(Boolean))];

/** Turns the draft into a proposal on the evolution, with what it is meant to change; the draft is then done with. */
export function ProposeDialog({
	onOpenChange,
	workbench,
	evolution,
}: {
	onOpenChange: (open: boolean) => void;
	workbench: Workbench;
	evolution: OpenEvolution | null;
}) {
	const t = useTranslations("harness.propose");
	const c = useTranslations("common");
	const trpc = useTRPC();
	const router = useRouter();
	const queryClient = useQueryClient();
	const { slug, path } = useWorkspace();
	const [title, setTitle] = useState("");
	const [summary, setSummary] = useState("");
	const [pattern, setPattern] = useState("");
	const [fixes, setFixes] = useState("");
	const [breaks, setBreaks] = useState("");
	const create = useMutation(trpc.evolution.proposalCreate.mutationOptions());
	const discard = useMutation(trpc.harness.draftDiscard.mutationOptions());
	const { kind, branch } = workbench.view;
	const files = Object.keys({ ...workbench.view.draft?.changes, ...workbench.local });

	const submit = async (event: FormEvent) => {
		event.preventDefault();
		if (!evolution || title.trim() === "") return;
		const draft = (await workbench.flush())?.draft;
		if (!draft) return;
		const made = await create.mutateAsync({
			workspace: slug,
			evolutionId: evolution.id,
			title: title.trim(),
			changes: draft.changes,
			baseCommit: draft.baseCommit,
			manifest: { summary: summary.trim() || title.trim(), failurePattern: pattern.trim(), predictedFixes: ids(fixes), predictedBreaks: ids(breaks) },
		});
		// The text now lives in the proposal's branch; the draft can still be taken back.
		await discard.mutateAsync({ workspace: slug, kind, branch, version: draft.version });
		await queryClient.invalidateQueries({ queryKey: trpc.evolution.pathKey() });
		await workbench.reload();
		toastDone(t("done", { number: made.number }));
		onOpenChange(false);
		router.push(path("reviews", String(made.number)));
	};
	return (
		<Dialog
			open
			onOpenChange={onOpenChange}
			title={t("title")}
			description={t("text", { count: files.length, branch: evolution?.branch ?? "–" })}
			className="w-[560px]"
			footer={
				<>
					<Button onClick={() => onOpenChange(false)}>{c("cancel")}</Button>
					<GuardedButton
						variant="solid"
						type="submit"
						form="propose"
						busy={create.isPending || discard.isPending}
						reason={evolution ? (title.trim() ? null : t("titleFirst")) : t("noEvolution")}
					>
						{t("act")}
					</GuardedButton>
				</>
			}
		>
			<form id="propose" onSubmit={(event) => void submit(event).catch(() => undefined)} className="grid gap-3">
				<Field label={t("name")} required>
					<Input value={title} onChange={(event) => setTitle(event.target.value)} maxLength={200} />
				</Field>
				<Field label={t("summary")} hint={t("summaryHint")}>
					<Textarea value={summary} onChange={(event) => setSummary(event.target.value)} maxLength={2000} />
				</Field>
				<Field label={t("pattern")} hint={t("patternHint")}>
					<Textarea rows={2} value={pattern} onChange={(event) => setPattern(event.target.value)} maxLength={2000} />
				</Field>
				<Field label={t("fixes")} hint={t("fixesHint")}>
					<Input value={fixes} onChange={(event) => setFixes(event.target.value)} spellCheck={false} />
				</Field>
				<Field label={t("breaks")}>
					<Input value={breaks} onChange={(event) => setBreaks(event.target.value)} spellCheck={false} />
				</Field>
				<details className="text-12">
					<summary className="cursor-pointer text-ink-2">{t("files", { count: files.length })}</summary>
					<ul className="mt-1 font-mono text-ink-2">
						{files.map((file) => (
							<li key={file}>{file}</li>
						))}
					</ul>
				</details>
			</form>
		</Dialog>
	);
}
