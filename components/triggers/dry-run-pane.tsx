"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { FormError } from "@/components/settings/form-parts";
import { useTRPC } from "@/components/trpc/client";
import { Sheet } from "@/components/ui/dialog";
import { Select } from "@/components/ui/select";
import { SkeletonRows } from "@/components/ui/status";
import type { Trigger, TriggerContent } from "@/server/triggers/contract";
import { DryRunResult } from "./dry-run-result";
import { useTriggerWords } from "./use-trigger-words";

const WINDOWS = ["7", "30", "90"] as const;

/** A trigger, saved or still being written, over the events that were. Nothing is done. */
export function DryRunPane({ trigger }: { trigger: { id: string | null; name: string; content: TriggerContent } }) {
	const t = useTranslations("triggers.dryRun");
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const [days, setDays] = useState<string>("30");
	const query = useQuery(
		trpc.triggers.dryRun.queryOptions({ workspace: slug, days: Number(days), trigger }, { placeholderData: keepPreviousData, retry: false, staleTime: 0 }),
	);
	return (
		<div className="grid gap-3">
			<Select
				label={t("window")}
				prefix
				value={days}
				onValueChange={setDays}
				options={WINDOWS.map((value) => ({ value, label: t("days", { days: Number(value) }) }))}
				className="justify-self-start"
			/>
			{query.error ? (
				<FormError error={query.error} />
			) : query.data ? (
				<DryRunResult result={query.data} days={Number(days)} />
			) : (
				<SkeletonRows rows={4} columns={3} />
			)}
		</div>
	);
}

/** The dry run of one trigger as it is saved. */
export function DryRunSheet({ trigger, onClose }: { trigger: Trigger; onClose: () => void }) {
	const t = useTranslations("triggers.dryRun");
	const { name } = useTriggerWords();
	const { id, content } = trigger;
	return (
		<Sheet open onOpenChange={(open) => !open && onClose()} title={t("title", { name: name(trigger) })} description={t("text")}>
			<DryRunPane trigger={{ id, name: trigger.name, content }} />
		</Sheet>
	);
}
