"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { SectionSkeleton } from "@/components/settings/form-parts";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { useLive } from "@/components/trpc/live";
import { Button } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page";
import { Tabs } from "@/components/ui/tabs";
import { DryRunSheet } from "./dry-run-pane";
import { FiringLog } from "./firing-log";
import { RetrainingList } from "./retraining-list";
import { TriggerForm } from "./trigger-form";
import { type Opened, TriggerList } from "./trigger-list";
import { CallSheet, VersionsSheet } from "./trigger-sheets";

const VIEWS = ["triggers", "log", "retraining"] as const;

function OpenedSheet({ opened, onClose }: { opened: Opened; onClose: () => void }) {
	const { kind, trigger } = opened;
	if (kind === "form") return <TriggerForm trigger={trigger} onClose={onClose} />;
	if (kind === "dry-run") return <DryRunSheet trigger={trigger} onClose={onClose} />;
	if (kind === "call") return <CallSheet trigger={trigger} onClose={onClose} />;
	return <VersionsSheet trigger={trigger} onClose={onClose} />;
}

/** What happens by itself in a workspace: its triggers, what they decided, and the retrainings that they proposed. */
export function TriggersSection() {
	const t = useTranslations("triggers");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, can } = useWorkspace();
	const [view, setView] = useQueryState("view", parseAsStringLiteral(VIEWS).withDefault("triggers"));
	const [opened, setOpened] = useState<Opened | "new" | null>(null);
	const query = useQuery(trpc.triggers.list.queryOptions({ workspace: slug }));
	useLive(["triggers"], () => queryClient.invalidateQueries(trpc.triggers.list.queryFilter()));
	const waiting = useQuery(trpc.triggers.retrainings.queryOptions({ workspace: slug })).data?.filter((one) => one.status === "pending").length;
	const close = () => setOpened(null);
	return (
		<QueryBoundary query={query} skeleton={<SectionSkeleton columns={2} />}>
			{(triggers) => (
				<>
					<PageHeader
						title={t("say", { on: triggers.filter((one) => one.enabled).length, count: triggers.length })}
						lead={t("lead")}
						actions={
							can("rule.manage") && (
								<Button variant="solid" onClick={() => setOpened("new")}>
									<Plus className="size-3.5" aria-hidden />
									{t("add")}
								</Button>
							)
						}
					/>
					<Tabs
						label={t("label")}
						value={view}
						onValueChange={(next) => void setView(next as (typeof VIEWS)[number])}
						contentClassName="px-6 pb-10 max-md:px-4"
						tabs={[
							{ id: "triggers", label: t("views.triggers"), content: <TriggerList triggers={triggers} onOpen={setOpened} /> },
							{ id: "log", label: t("views.log"), content: <FiringLog triggers={triggers} /> },
							{ id: "retraining", label: t("views.retraining"), ...(waiting ? { count: waiting } : {}), content: <RetrainingList /> },
						]}
					/>
					{opened === "new" && <TriggerForm trigger={null} onClose={close} />}
					{opened !== null && opened !== "new" && <OpenedSheet opened={opened} onClose={close} />}
				</>
			)}
		</QueryBoundary>
	);
}
