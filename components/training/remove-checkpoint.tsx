"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { toastDone } from "@/components/ui/toast";

/** For an admin: removes an imported checkpoint that nothing refers to; the server says by what it is. */
export function RemoveCheckpoint({ id, name, onDone }: { id: string; name: string; onDone: () => void }) {
	const t = useTranslations("training.checkpoint.remove");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, can } = useWorkspace();
	const [asking, setAsking] = useState(false);
	const remove = useMutation(
		trpc.training.checkpointRemove.mutationOptions({
			onSuccess: async () => {
				toastDone(t("done", { name }));
				onDone();
				await queryClient.invalidateQueries(trpc.training.checkpoints.pathFilter());
			},
		}),
	);
	if (!can("checkpoint.remove")) return null;
	return (
		<>
			<Button variant="danger" onClick={() => setAsking(true)}>
				{t("action")}
			</Button>
			<ConfirmDialog
				open={asking}
				onOpenChange={setAsking}
				title={t("title", { name })}
				description={t("body")}
				confirmLabel={t("confirm")}
				danger
				onConfirm={() => remove.mutateAsync({ workspace: slug, policyVersionId: id })}
			/>
		</>
	);
}
