"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { type CaseFlip, flipsByCase } from "@/components/review/flips-by-case";
import { FlipView } from "@/components/trajectory/flip-view";
import { useTRPC } from "@/components/trpc/client";
import { SectionHead } from "@/components/ui/page";
import { Words } from "@/components/ui/person";
import { Segmented } from "@/components/ui/segmented";
import { Skeleton } from "@/components/ui/status";
import { FlipVerdict } from "@/components/ui/verdict";
import type { Flip } from "@/server/evaluation/contract";

const STEP = 50;

function formatScore(value: number): string {
	return value === 0.5 ? "½" : String(Math.round(value * 100) / 100);
}

function Sides({ flip, beforeLabel, afterLabel }: { flip: CaseFlip; beforeLabel: string; afterLabel: string }) {
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const before = useQuery(
		trpc.evaluation.episode.queryOptions(
			{ workspace: slug, episodeId: flip.beforeEpisodeId ?? "" },
			{ enabled: flip.beforeEpisodeId !== null, staleTime: 60_000 },
		),
	);
	const after = useQuery(
		trpc.evaluation.episode.queryOptions(
			{ workspace: slug, episodeId: flip.afterEpisodeId ?? "" },
			{ enabled: flip.afterEpisodeId !== null, staleTime: 60_000 },
		),
	);
	if (!before.data?.trajectory || !after.data?.trajectory) return <Skeleton className="my-2 h-16 w-full" />;
	return (
		<FlipView
			className="py-2"
			before={{ label: beforeLabel, trajectory: before.data.trajectory, verdict: before.data.verdict }}
			after={{ label: afterLabel, trajectory: after.data.trajectory, verdict: after.data.verdict }}
		/>
	);
}

function FlipRow({ flip, beforeLabel, afterLabel }: { flip: CaseFlip; beforeLabel: string; afterLabel: string }) {
	const t = useTranslations("runs.compare");
	const c = useTranslations("common");
	const { categoryTitle } = useWorkspace();
	const [open, setOpen] = useState(false);
	const Arrow = open ? ChevronDown : ChevronRight;
	return (
		<li className="border-line border-b">
			<button
				type="button"
				aria-expanded={open}
				aria-label={`${flip.caseKey}: ${t("show")}`}
				onClick={() => setOpen(!open)}
				className="flex min-h-8 w-full flex-wrap items-center gap-x-3 gap-y-0.5 py-1 text-left text-12 hover:bg-hover max-md:min-h-11"
			>
				<Arrow className="size-3.5 flex-none text-ink-3" aria-hidden />
				{flip.broken.length > 0 && <FlipVerdict better={false} />}
				{flip.fixed.length > 0 && <FlipVerdict better />}
				{flip.changes.map(({ dimension, before, after }) => (
					<span key={dimension} className="text-ink-3">
						{c(dimension)} {t("change", { before: formatScore(before), after: formatScore(after) })}
					</span>
				))}
				<span className="text-ink-2">{flip.caseKey}</span>
				<Words className="min-w-0 flex-1 truncate">{flip.message}</Words>
				<span className="text-ink-3 max-md:hidden">{categoryTitle(flip.category)}</span>
			</button>
			{open && <Sides flip={flip} beforeLabel={beforeLabel} afterLabel={afterLabel} />}
		</li>
	);
}

/** Every case that differs, one row a case, what broke first; each opens both trajectories side by side. */
export function FlipList({ flips: all, beforeLabel, afterLabel }: { flips: readonly Flip[]; beforeLabel: string; afterLabel: string }) {
	const t = useTranslations("runs.compare");
	const c = useTranslations("common");
	const [which, setWhich] = useState("all");
	const [shown, setShown] = useState(STEP);
	const flips = flipsByCase(all);
	const fixed = flips.filter((flip) => flip.fixed.length > 0);
	const broken = flips.filter((flip) => flip.broken.length > 0);
	const list = which === "fixed" ? fixed : which === "broken" ? broken : flips;
	return (
		<section className="border-line border-t px-4 pb-6">
			<SectionHead title={t("flips")} meta={t("flipsMeta", { count: flips.length })}>
				{flips.length > 0 && (
					<Segmented
						label={t("flips")}
						value={which}
						onValueChange={setWhich}
						options={[
							{ value: "all", label: t("all"), count: flips.length },
							{ value: "fixed", label: t("fixed"), count: fixed.length },
							{ value: "broken", label: t("broken"), count: broken.length },
						]}
					/>
				)}
			</SectionHead>
			{flips.length === 0 ? (
				<p className="text-13 text-ink-2">{t("noFlips")}</p>
			) : (
				<ul>
					{list.slice(0, shown).map((flip) => (
						<FlipRow key={flip.caseId} flip={flip} beforeLabel={beforeLabel} afterLabel={afterLabel} />
					))}
				</ul>
			)}
			{list.length > shown && (
				<button type="button" className="mt-2 text-12 text-accent" onClick={() => setShown(shown + STEP)}>
					{c("table.countOf", { count: shown, total: list.length })} …
				</button>
			)}
		</section>
	);
}
