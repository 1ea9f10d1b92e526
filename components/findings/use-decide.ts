"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { toastDone } from "@/components/ui/toast";
import type { Finding } from "./types";

type Decision = "accept" | "modify" | "reject" | "undo";

export interface Decide {
	run: (
		finding: Finding,
		decision: Decision,
		more?: { title?: string | undefined; hypothesis?: string | undefined; note?: string },
		after?: () => void,
	) => void;
	busy: boolean;
}

/** Decides a finding; what was decided can be taken back from the toast. */
export function useDecide(): Decide {
	const t = useTranslations("findings");
	const c = useTranslations("common");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const mutation = useMutation(
		trpc.evolution.findingDecide.mutationOptions({
			onSuccess: () =>
				Promise.all([queryClient.invalidateQueries(trpc.evolution.pathFilter()), queryClient.invalidateQueries(trpc.workspace.shell.pathFilter())]),
		}),
	);
	const run: Decide["run"] = (finding, decision, more = {}, after) => {
		mutation.mutate(
			{ workspace: slug, findingId: finding.id, decision, ...more },
			{
				onSuccess: () => {
					after?.();
					toastDone(
						t(`done.${decision}`, { number: finding.number }),
						decision === "undo" ? {} : { undo: { label: c("undo"), run: () => run(finding, "undo") } },
					);
				},
			},
		);
	};
	return { run, busy: mutation.isPending };
}
