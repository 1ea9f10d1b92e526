"use client";

import dynamic from "next/dynamic";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import type { ReactNode } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { Breadcrumbs } from "@/components/ui/breadcrumbs";
import { Button } from "@/components/ui/button";
import { Name } from "@/components/ui/names";
import { PageHeader, Split } from "@/components/ui/page";
import { SkeletonRows } from "@/components/ui/status";
import { CurveSection } from "./curve-section";
import { ExportTrigger } from "./export-trigger";
import { Headline, HeadlineLead } from "./headline";
import { GapLine, RobustnessStrip } from "./robustness-strip";
import { digestOf } from "./round-state";
import { SidePanel } from "./side-panel";
import type { Overview } from "./types";

const ExportMenu = dynamic(() => import("./export-menu").then((module) => module.ExportMenu), { ssr: false, loading: () => <ExportTrigger disabled /> });
/** Below the curve, and large: loaded beside the page. */
const Heatmap = dynamic(() => import("./heatmap").then((module) => module.Heatmap), { ssr: false, loading: () => <SkeletonRows rows={13} columns={2} /> });

/** The whole page from its data; `acts` are the buttons of this person. */
export function EvolutionView({ overview, acts, start }: { overview: Overview; acts: ReactNode; start: ReactNode }) {
	const t = useTranslations("evolution");
	const { path } = useWorkspace();
	const [split, setSplit] = useQueryState("split", parseAsStringLiteral(["test", "dev"] as const).withDefault("test"));
	const { evolution } = overview;
	const best = overview.rounds.find((round) => round.recommended) ?? overview.rounds.findLast((round) => round.status === "closed" && round.index > 0);
	const digest = best ? digestOf(best, "test") : null;
	return (
		<>
			<Breadcrumbs
				items={evolution ? [{ label: t("evolutions"), href: path("evolution") }, { label: <Name>{evolution.title}</Name> }] : [{ label: t("title") }]}
			/>
			<PageHeader
				title={<Headline overview={overview} />}
				lead={
					<>
						<HeadlineLead overview={overview} />
						{overview.gap && <GapLine gap={overview.gap} />}
					</>
				}
				actions={
					evolution && (
						<>
							<ExportMenu overview={overview} split={split} />
							{digest && (
								<Button asChild>
									<Link href={`${path("runs", digest.runId)}?against=${encodeURIComponent(digest.baseRunId)}`}>{t("act.compare")}</Link>
								</Button>
							)}
							{acts}
						</>
					)
				}
			/>
			{evolution ? (
				<>
					<Split side={<SidePanel overview={overview} />}>
						<CurveSection overview={overview} split={split} onSplitChange={(next) => void setSplit(next)} />
					</Split>
					<RobustnessStrip overview={overview} />
					{overview.heatmap.rows.length > 0 && (
						<div className="border-line border-t px-6 pb-6 max-md:px-4">
							<Heatmap heatmap={overview.heatmap} />
						</div>
					)}
				</>
			) : (
				<div className="px-6 max-md:px-4">{start}</div>
			)}
		</>
	);
}
