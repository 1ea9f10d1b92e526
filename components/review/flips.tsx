import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { SectionHead } from "@/components/ui/page";
import { Words } from "@/components/ui/person";
import { Skeleton } from "@/components/ui/status";
import { FlipVerdict } from "@/components/ui/verdict";
import { casesThatFlipped, flipsByCase } from "./flips-by-case";
import type { Proposal } from "./types";

type Evidence = NonNullable<Proposal["evidence"]>;

const FLIPS_SHOWN = 6;

/** As many rows as there will be, so that what is below stays where it is. */
function FlipsSkeleton({ count }: { count: number }) {
	const t = useTranslations("review.evidence");
	return (
		<section className="border-line border-t px-4 pb-4" aria-busy="true">
			<SectionHead title={t("flipsTitle")} />
			{Array.from({ length: Math.max(1, Math.min(count, FLIPS_SHOWN)) }, (_, row) => (
				<div key={`flip-${row.toString()}`} className="grid h-[41px] content-center gap-2 border-line border-t first:border-t-0">
					<Skeleton className="w-3/5" />
					<Skeleton className="w-2/5" />
				</div>
			))}
		</section>
	);
}

/** The cases that changed, what broke first; each opens its two trajectories. */
export function Flips({ evidence, prediction }: { evidence: Evidence; prediction: Evidence["prediction"] }) {
	const t = useTranslations("review.evidence");
	const c = useTranslations("common");
	const trpc = useTRPC();
	const { slug, path } = useWorkspace();
	const { comparison } = evidence;
	const { data } = useQuery(
		trpc.evaluation.compare.queryOptions(
			{ workspace: slug, baseRunId: evidence.base.runId, runId: evidence.run.runId },
			{ enabled: comparison !== null, staleTime: 300_000 },
		),
	);
	if (!comparison) return null;
	if (!data) return <FlipsSkeleton count={casesThatFlipped(comparison).size} />;
	const flips = flipsByCase(data.flips);
	const surprises = new Set(prediction?.breaks.surprise);
	return (
		<section className="border-line border-t px-4 pb-4">
			<SectionHead
				title={t("flipsTitle")}
				meta={t("flips", { fixed: flips.filter((f) => f.fixed.length > 0).length, broken: flips.filter((f) => f.broken.length > 0).length })}
			>
				{flips.length > 0 && (
					<Link href={`${path("runs", evidence.run.runId)}?against=${encodeURIComponent(evidence.base.runId)}`} className="link">
						{t("openAll", { count: flips.length })}
					</Link>
				)}
			</SectionHead>
			{flips.length === 0 && <p className="text-12 text-ink-2">{t("noFlips")}</p>}
			<ul className="text-12">
				{flips.slice(0, FLIPS_SHOWN).map((flip) => (
					<li key={flip.caseId} className="flex min-h-7 flex-wrap items-center gap-x-2 border-line border-t py-0.5 first:border-t-0">
						{flip.broken.length > 0 && <FlipVerdict better={false}>{t("brokenIn", { dimensions: flip.broken.map((d) => c(d)).join(t("and")) })}</FlipVerdict>}
						{flip.fixed.length > 0 && <FlipVerdict better>{t("fixedIn", { dimensions: flip.fixed.map((d) => c(d)).join(t("and")) })}</FlipVerdict>}
						<span className="ml-auto text-ink-3">{flip.caseKey}</span>
						<Link
							href={`${path("runs", evidence.run.runId)}?against=${encodeURIComponent(evidence.base.runId)}${flip.afterEpisodeId ? `&episode=${encodeURIComponent(flip.afterEpisodeId)}` : ""}`}
							className="w-full truncate text-ink no-underline hover:underline"
						>
							<Words>{flip.message}</Words>
						</Link>
						{flip.broken.length > 0 && surprises.has(flip.caseId) && <span className="text-ink-3">{t("notPredicted")}</span>}
					</li>
				))}
			</ul>
		</section>
	);
}
