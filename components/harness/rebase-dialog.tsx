"use client";

import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { MonacoDiff } from "@/components/editor";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { Button, GuardedButton } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Segmented } from "@/components/ui/segmented";
import { toastDone } from "@/components/ui/toast";
import type { MergeConflict } from "@/server/harness/contract";
import type { Workbench } from "./use-workbench";

type Choice = "draft" | "branch";

/** Moves the draft onto the branch as it is now; where both changed one file, the person chooses. */
export function useRebase(workbench: Workbench) {
	const t = useTranslations("harness.rebase");
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const [conflicts, setConflicts] = useState<MergeConflict[]>([]);
	const mutation = useMutation(trpc.harness.draftRebase.mutationOptions());
	const { kind, branch } = workbench.view;

	const run = async (choices?: Record<string, Choice>) => {
		const view = await workbench.flush();
		if (!view?.draft) return;
		const result = await mutation.mutateAsync({ workspace: slug, kind, branch, version: view.draft.version, choices });
		if (!result.ok) return setConflicts(result.conflicts);
		setConflicts([]);
		await workbench.reload();
		toastDone(t("done", { branch }));
	};
	return {
		run: (choices?: Record<string, Choice>) => void run(choices).catch(() => undefined),
		busy: mutation.isPending,
		conflicts,
		close: () => setConflicts([]),
	};
}

export function RebaseDialog({ rebase, branch }: { rebase: ReturnType<typeof useRebase>; branch: string }) {
	const t = useTranslations("harness.rebase");
	const c = useTranslations("common");
	const [choices, setChoices] = useState<Record<string, Choice>>({});
	const open = rebase.conflicts.filter((conflict) => !choices[conflict.path]).length;
	return (
		<Dialog
			open={rebase.conflicts.length > 0}
			onOpenChange={(next) => !next && rebase.close()}
			title={t("title", { branch })}
			description={t("text")}
			className="w-[920px]"
			footer={
				<>
					<Button onClick={rebase.close}>{c("cancel")}</Button>
					<GuardedButton variant="solid" busy={rebase.busy} reason={open > 0 ? t("left", { count: open }) : null} onClick={() => rebase.run(choices)}>
						{t("act")}
					</GuardedButton>
				</>
			}
		>
			<ul className="grid gap-4">
				{rebase.conflicts.map((conflict) => (
					<li key={conflict.path} className="border-line border-t pt-3">
						<div className="mb-2 flex flex-wrap items-center gap-3">
							<code className="min-w-0 break-all">{conflict.path}</code>
							<Segmented
								label={conflict.path}
								value={choices[conflict.path] ?? ""}
								onValueChange={(next) => setChoices((before) => ({ ...before, [conflict.path]: next as Choice }))}
								options={[
									{ value: "draft", label: t("mine") },
									{ value: "branch", label: t("theirs", { branch }) },
								]}
							/>
						</div>
						<div className="h-56 border border-line">
							<MonacoDiff
								path={conflict.path}
								original={conflict.ours ?? ""}
								modified={conflict.theirs ?? ""}
								label={t("diffLabel", { path: conflict.path, branch })}
							/>
						</div>
					</li>
				))}
			</ul>
		</Dialog>
	);
}
