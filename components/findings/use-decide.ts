"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { toastDone } from "@/components/ui/toast";
import type { Finding } from "./types";

type Decision = "accept" | "modify" | "reject" | "undo";

interface Words {
	title?: string | undefined;
	hypothesis?: string | undefined;
	note?: string;
}

export interface Decide {
	/** Resolves once it is decided; rejects where it was refused, which a toast has said by then. */
	settle: (finding: Finding, decision: Decision, words?: Words) => Promise<void>;
	/** The same for a button that nothing waits for. */
	run: (finding: Finding, decision: Decision, words?: Words, after?: () => void) => void;
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
	const settle: Decide["settle"] = async (finding, decision, words = {}) => {
		await mutation.mutateAsync({ workspace: slug, findingId: finding.id, decision, ...words });
		toastDone(t(`done.${decision}`, { number: finding.number }), decision === "undo" ? {} : { undo: { label: c("undo"), run: () => run(finding, "undo") } });
	};
	const run: Decide["run"] = (finding, decision, words, after) =>
		void settle(finding, decision, words).then(
			() => after?.(),
			() => undefined,
		);
	return { settle, run, busy: mutation.isPending };
}
