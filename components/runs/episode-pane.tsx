"use client";

import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { VariantOfEpisode } from "@/components/training/variant-of-episode";
import { TrajectoryView } from "@/components/trajectory/trajectory-view";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { IconButton } from "@/components/ui/button";
import { SkeletonRows } from "@/components/ui/status";
import { useFacetName } from "./facet-filters";

/** One episode beside the list it belongs to: verdict with evidence, the timeline, raw JSON a click away. */
export function EpisodePane({ episodeId, onClose }: { episodeId: string; onClose: () => void }) {
	const t = useTranslations("runs.episode");
	const trpc = useTRPC();
	const name = useFacetName();
	const { slug, path } = useWorkspace();
	const query = useQuery(trpc.evaluation.episode.queryOptions({ workspace: slug, episodeId }, { staleTime: 60_000 }));
	return (
		<section aria-label={t("title")} className="flex min-h-0 flex-col">
			<QueryBoundary
				query={query}
				skeleton={
					<div className="p-4">
						<SkeletonRows rows={10} columns={2} />
					</div>
				}
			>
				{({ row, trajectory, verdict }) => (
					<>
						<header className="flex min-h-9 items-center gap-3 border-line border-b px-4 text-12">
							<h2 className="whitespace-nowrap font-semibold text-13">{row.caseKey}</h2>
							<span className="min-w-0 truncate text-ink-3">
								{name("category", row.category)}
								{row.failureType && ` · ${name("failureType", row.failureType)}`}
								{row.blamed && ` · ${t("blamed", { component: row.blamed })}`}
							</span>
							<span className="ml-auto flex flex-none items-center gap-2">
								<Link href={`${path("cases")}?case=${encodeURIComponent(row.caseId)}`} className="link">
									{t("openCase")}
								</Link>
								<IconButton label={t("close")} size="sm" onClick={onClose}>
									<X className="size-3.5" aria-hidden />
								</IconButton>
							</span>
						</header>
						<div className="min-h-0 flex-1 overflow-y-auto px-4 py-2">
							<VariantOfEpisode episodeId={episodeId} />
							{trajectory && <TrajectoryView trajectory={trajectory} verdict={verdict} />}
						</div>
					</>
				)}
			</QueryBoundary>
		</section>
	);
}
