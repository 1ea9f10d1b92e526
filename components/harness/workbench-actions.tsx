"use client";

import { useMutation } from "@tanstack/react-query";
import { Download, FolderInput, MoreHorizontal, Plus, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { useCommands } from "@/components/layout/command-registry";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { Button, GuardedButton, IconButton } from "@/components/ui/button";
import { downloadBlob, downloadText } from "@/components/ui/csv";
import { ConfirmDialog } from "@/components/ui/dialog";
import { DropdownMenu, type MenuItem } from "@/components/ui/popover";
import { toastDone } from "@/components/ui/toast";
import type { OpenEvolution } from "./use-branch";
import { useProposalWords } from "./use-proposal-words";
import type { Workbench } from "./use-workbench";

/** Loaded when they are opened. */
const ProposeDialog = dynamic(() => import("./propose-dialog").then((module) => module.ProposeDialog), { ssr: false });
const ImportDialog = dynamic(() => import("./import-dialog").then((module) => module.ImportDialog), { ssr: false });

function downloadBase64(name: string, base64: string, mediaType: string): void {
	downloadBlob(name, new Blob([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], { type: mediaType }));
}

/** What one does with a draft as a whole: new, import, export, discard, propose. */
export function WorkbenchActions({ workbench, onNew, evolution }: { workbench: Workbench; onNew: () => void; evolution: OpenEvolution | null }) {
	const t = useTranslations("harness.actions");
	const { slug } = useWorkspace();
	const client = useTRPCClient();
	const [importing, setImporting] = useState(false);
	const [discarding, setDiscarding] = useState(false);
	const [proposing, setProposing] = useState(false);
	const { view, canEdit } = workbench;
	const { kind, branch } = view;
	const changed = Object.keys({ ...view.draft?.changes, ...workbench.local }).length;
	const errors = view.problems.filter((problem) => problem.severity === "error").length;

	const exports: MenuItem[] = [
		{ heading: t("exportHeading", { branch }) },
		{
			label: t("exportSkills"),
			icon: <Download className="size-3.5" aria-hidden />,
			onSelect: () =>
				void client.harness.exportSkills
					.query({ workspace: slug, kind, revision: branch })
					.then((file) => downloadBase64(`${slug}-skills.zip`, file.archive, file.mediaType)),
		},
		{
			label: t("exportTools"),
			icon: <Download className="size-3.5" aria-hidden />,
			onSelect: () =>
				void client.harness.exportTools
					.query({ workspace: slug, kind, revision: branch })
					.then((list) => downloadText(`${slug}-tools.json`, "application/json", `${JSON.stringify(list, null, 2)}\n`)),
		},
		{
			label: t("exportAll"),
			icon: <Download className="size-3.5" aria-hidden />,
			onSelect: () =>
				void client.harness.archive
					.query({ workspace: slug, kind, revision: branch })
					.then((file) => downloadBase64(`${slug}-${file.commit.slice(0, 7)}.zip`, file.archive, file.mediaType)),
		},
	];
	const edits: MenuItem[] = canEdit
		? [
				{ label: t("new"), icon: <Plus className="size-3.5" aria-hidden />, onSelect: onNew },
				{ label: t("import"), icon: <FolderInput className="size-3.5" aria-hidden />, onSelect: () => setImporting(true) },
				{ separator: true },
			]
		: [];
	const end: MenuItem[] =
		canEdit && changed > 0
			? [{ separator: true }, { label: t("discard"), icon: <Trash2 className="size-3.5" aria-hidden />, danger: true, onSelect: () => setDiscarding(true) }]
			: [];
	const commands = useMemo(
		() =>
			canEdit
				? [
						{ id: "harness-new", label: t("new"), run: onNew },
						{ id: "harness-import", label: t("import"), run: () => setImporting(true) },
					]
				: [],
		[canEdit, t, onNew],
	);
	useCommands(commands);
	// A judge harness is not evolved by proposals: it has no evolution to land on.
	const refusal =
		changed === 0 ? t("nothingToPropose") : errors > 0 ? t("invalid", { count: errors }) : workbench.save.kind === "conflict" ? t("conflictFirst") : null;
	return (
		<>
			<DropdownMenu
				trigger={
					<IconButton label={t("more")}>
						<MoreHorizontal className="size-4" aria-hidden />
					</IconButton>
				}
				items={[...edits, ...exports, ...end]}
			/>
			{canEdit && kind === "agent" && (
				<GuardedButton variant="solid" reason={refusal} onClick={() => setProposing(true)}>
					{t("propose")}
				</GuardedButton>
			)}
			<ImportDialog open={importing} onOpenChange={setImporting} workbench={workbench} />
			<DiscardDialog open={discarding} onOpenChange={setDiscarding} workbench={workbench} />
			{proposing && <ProposeDialog onOpenChange={setProposing} workbench={workbench} evolution={evolution} />}
		</>
	);
}

function DiscardDialog({ open, onOpenChange, workbench }: { open: boolean; onOpenChange: (open: boolean) => void; workbench: Workbench }) {
	const t = useTranslations("harness.actions");
	const c = useTranslations("common");
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const discard = useMutation(trpc.harness.draftDiscard.mutationOptions());
	const restore = useMutation(trpc.harness.draftRestore.mutationOptions());
	const { kind, branch } = workbench.view;
	const [, , forget] = useProposalWords(slug, branch);
	const run = async () => {
		// What was typed last is part of what can be taken back.
		const version = (await workbench.flush())?.draft?.version;
		if (!version) return;
		const { id } = await discard.mutateAsync({ workspace: slug, kind, branch, version });
		forget();
		await workbench.reload();
		toastDone(t("discarded"), {
			undo: { label: c("undo"), run: () => void restore.mutateAsync({ workspace: slug, id }).then(workbench.reload, () => undefined) },
		});
	};
	return (
		<ConfirmDialog
			open={open}
			onOpenChange={onOpenChange}
			title={t("discardTitle")}
			description={t("discardText")}
			confirmLabel={t("discardAct")}
			danger
			onConfirm={run}
		/>
	);
}

export function NewButton({ onNew }: { onNew: () => void }) {
	const t = useTranslations("harness.actions");
	return (
		<Button size="sm" variant="quiet" onClick={onNew}>
			<Plus className="size-3.5" aria-hidden />
			{t("newShort")}
		</Button>
	);
}
