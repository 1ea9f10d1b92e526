"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { FormError } from "@/components/settings/form-parts";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { downloadBlob } from "@/components/ui/csv";
import { FormDialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { FilePicker, readBase64 } from "@/components/ui/file";
import { DropdownMenu } from "@/components/ui/popover";
import { toastDone } from "@/components/ui/toast";

const EXTENSION = ".ckpt";
const MOST_BYTES = 5 * 1024 * 1024;

/** Hands the checkpoint of a policy version to the browser as a file. */
export function useDownloadCheckpoint(): (policyVersionId: string) => Promise<void> {
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	return async (policyVersionId) => {
		const { name, base64 } = await queryClient.fetchQuery(trpc.training.checkpointFile.queryOptions({ workspace: slug, policyVersionId }, { gcTime: 0 }));
		const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
		downloadBlob(`${slug}-${name.replaceAll(" ", "-")}${EXTENSION}`, new Blob([bytes]));
	};
}

/** Takes a checkpoint that was trained elsewhere; the server checks the file. */
function ImportCheckpointDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
	const t = useTranslations("training.checkpoint.import");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const [file, setFile] = useState<File | null>(null);
	const [name, setName] = useState("");
	const take = useMutation(trpc.training.checkpointImport.mutationOptions({ meta: { silent: true } }));
	const tooLarge = file !== null && file.size > MOST_BYTES;
	const ready = file !== null && !tooLarge && name.trim() !== "";
	const submit = async () => {
		if (!file || !ready || take.isPending) return;
		const made = await take.mutateAsync({ workspace: slug, name: name.trim(), base64: await readBase64(file) }).catch(() => null);
		if (!made) return;
		toastDone(t("done", { name: made.name }));
		void queryClient.invalidateQueries();
		setFile(null);
		setName("");
		onOpenChange(false);
	};
	return (
		<FormDialog
			open={open}
			onOpenChange={onOpenChange}
			title={t("title")}
			description={t("body")}
			submitLabel={t("submit")}
			busy={take.isPending}
			ready={ready}
			onSubmit={() => void submit()}
		>
			<Field label={t("file")} error={tooLarge && t("tooLarge")}>
				<FilePicker
					accept={EXTENSION}
					file={file}
					onFile={(chosen) => {
						take.reset();
						setFile(chosen);
						if (name === "") setName(chosen.name.replace(/\.[^.]*$/, ""));
					}}
				/>
			</Field>
			<Field label={t("name")} hint={t("nameHint")}>
				<Input value={name} maxLength={60} onChange={(event) => setName(event.target.value)} />
			</Field>
			<FormError error={take.error} />
		</FormDialog>
	);
}

/** Checkpoints in and out of the workspace: the one in force as a file, or one that was trained elsewhere. */
export function CheckpointMenu({ policy }: { policy: { id: string; name: string; kind: string } | null }) {
	const t = useTranslations("training.checkpoint");
	const { can } = useWorkspace();
	const [importing, setImporting] = useState(false);
	const download = useDownloadCheckpoint();
	const items = [
		...(can("training.start") ? [{ label: t("import.action"), onSelect: () => setImporting(true) }] : []),
		...(policy?.kind === "checkpoint" ? [{ label: t("downloadOf", { name: policy.name }), onSelect: () => void download(policy.id) }] : []),
	];
	if (items.length === 0) return null;
	return (
		<>
			<DropdownMenu
				trigger={
					<Button variant="quiet">
						{t("title")}
						<ChevronDown className="size-3.5" aria-hidden />
					</Button>
				}
				items={items}
			/>
			<ImportCheckpointDialog open={importing} onOpenChange={setImporting} />
		</>
	);
}
