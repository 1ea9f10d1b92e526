"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { parseAsString, useQueryState } from "nuqs";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { useLive } from "@/components/trpc/live";
import { Button } from "@/components/ui/button";
import { Name } from "@/components/ui/names";
import { DropdownMenu } from "@/components/ui/popover";
import { EvolutionActs, StartArea } from "./evolution-acts";
import { EvolutionSkeleton } from "./evolution-skeleton";
import { EvolutionView } from "./evolution-view";
import type { Overview } from "./types";

/** Which of the workspace's evolutions is on the screen; in the URL, so that a link shows the same one. */
function EvolutionSwitcher({ overview, onChoose }: { overview: Overview; onChoose: (id: string | null) => void }) {
	const t = useTranslations("evolution");
	if (overview.evolutions.length < 2) return null;
	return (
		<DropdownMenu
			trigger={
				<Button variant="quiet" className="max-md:px-2">
					{t("evolutions")}
					<ChevronDown className="size-3.5" aria-hidden />
				</Button>
			}
			items={overview.evolutions.map((evolution, index) => ({
				label: <Name>{evolution.title}</Name>,
				checked: evolution.id === overview.evolution?.id,
				onSelect: () => onChoose(index === 0 ? null : evolution.id),
			}))}
		/>
	);
}

/** The product manager's page: are we better, and is it safe to stop? Follows the rounds live. */
export function EvolutionPage() {
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const [chosen, setChosen] = useQueryState("evolution", parseAsString);
	const query = useQuery(trpc.evolution.overview.queryOptions({ workspace: slug, evolutionId: chosen ?? undefined }));
	// A baseline or a round under evaluation moves without an event of the evolution; its runs say when.
	const running = (query.data?.rounds ?? []).flatMap((round) =>
		[round.test, round.dev, ...round.robustness].flatMap((run) => (run && (run.status === "running" || run.status === "queued") ? [`run:${run.runId}`] : [])),
	);
	useLive(["evolution", ...running.slice(0, 18)], () => queryClient.invalidateQueries(trpc.evolution.overview.pathFilter()));
	return (
		<QueryBoundary query={query} skeleton={<EvolutionSkeleton />}>
			{(overview) => (
				<EvolutionView
					overview={overview}
					start={<StartArea overview={overview} />}
					acts={
						<>
							<EvolutionSwitcher overview={overview} onChoose={(id) => void setChosen(id)} />
							<EvolutionActs overview={overview} />
						</>
					}
				/>
			)}
		</QueryBoundary>
	);
}
