"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { SectionBody, SectionSkeleton } from "@/components/settings/form-parts";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { PageHeader } from "@/components/ui/page";
import { TriggerList } from "./trigger-list";

/** What happens by itself in a workspace. */
export function TriggersSection() {
	const t = useTranslations("triggers");
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const query = useQuery(trpc.triggers.list.queryOptions({ workspace: slug }));
	return (
		<QueryBoundary query={query} skeleton={<SectionSkeleton columns={2} />}>
			{(triggers) => (
				<>
					<PageHeader title={t("say", { on: triggers.filter((one) => one.enabled).length, count: triggers.length })} lead={t("lead")} />
					<SectionBody>
						<TriggerList triggers={triggers} onOpen={() => undefined} />
					</SectionBody>
				</>
			)}
		</QueryBoundary>
	);
}
