"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { FormEvent } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { Button, GuardedButton } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, Textarea } from "@/components/ui/field";
import { toastDone } from "@/components/ui/toast";
import { Written } from "@/components/ui/written";
import { CasePicker } from "./case-picker";
import type { OpenEvolution } from "./use-branch";
import { useCaseChoices } from "./use-case-choices";
import { useProposalWords } from "./use-proposal-words";
import type { Workbench } from "./use-workbench";

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
	const { kind, branch } = workbench.view;
	const [entered, keep, forget] = useProposalWords(slug, branch);
	const { title, summary, pattern, linked, fixes, breaks } = entered;
	const enter = (change: Partial<typeof entered>) => keep({ ...entered, ...change });
	const cases = useCaseChoices(evolution?.id ?? null);
	const evidence = cases.confirmed.filter((finding) => linked.includes(finding.id)).flatMap((finding) => finding.caseIds);
	const missing = [...new Set(evidence)].filter((id) => !fixes.includes(id));
	const create = useMutation(trpc.evolution.proposalCreate.mutationOptions());
	const discard = useMutation(trpc.harness.draftDiscard.mutationOptions());
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
			manifest: { summary: summary.trim() || title.trim(), failurePattern: pattern.trim(), predictedFixes: fixes, predictedBreaks: breaks },
			findingIds: linked,
		});
		// The text now lives in the proposal's branch; the draft can still be taken back.
		await discard.mutateAsync({ workspace: slug, kind, branch, version: draft.version });
		forget();
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
					<Input value={title} onChange={(event) => enter({ title: event.target.value })} maxLength={200} />
				</Field>
				<Field label={t("summary")} hint={t("summaryHint")}>
					<Textarea value={summary} onChange={(event) => enter({ summary: event.target.value })} maxLength={2000} />
				</Field>
				<Field label={t("pattern")} hint={t("patternHint")}>
					<Textarea rows={2} value={pattern} onChange={(event) => enter({ pattern: event.target.value })} maxLength={2000} />
				</Field>
				{cases.confirmed.length > 0 && (
					<fieldset className="grid gap-1">
						<legend className="mb-1 text-12 text-ink-3">{t("findings")}</legend>
						{cases.confirmed.map((finding) => (
							<Checkbox
								key={finding.id}
								checked={linked.includes(finding.id)}
								onCheckedChange={(on) => enter({ linked: on ? [...linked, finding.id] : linked.filter((id) => id !== finding.id) })}
								label={
									<>
										<b className="font-semibold">F-{finding.number}</b> <Written phrases={finding.phrases}>{finding.title}</Written>
									</>
								}
							/>
						))}
					</fieldset>
				)}
				<Field label={t("fixes")} hint={t("fixesHint")}>
					<CasePicker label={t("fixes")} value={fixes} onChange={(ids) => enter({ fixes: ids })} options={cases.fixable(linked)} known={cases.known} />
				</Field>
				{missing.length > 0 && (
					<Button size="sm" className="justify-self-start" onClick={() => enter({ fixes: [...fixes, ...missing] })}>
						{t("addEvidence", { count: missing.length })}
					</Button>
				)}
				<Field label={t("breaks")}>
					<CasePicker label={t("breaks")} value={breaks} onChange={(ids) => enter({ breaks: ids })} options={cases.breakable} known={cases.known} />
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
