"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { SectionHead } from "@/components/ui/page";
import { Select } from "@/components/ui/select";
import { SkeletonRows } from "@/components/ui/status";
import { Verdict } from "@/components/ui/verdict";
import { ExactDiff } from "./exact-diff";

/** Two releases: what changed in the files, and what it did where both were evaluated alike. */
export function ComparePanel({
	tags,
	from,
	to,
	onChange,
}: {
	tags: readonly string[];
	from: string;
	to: string;
	onChange: (from: string, to: string) => void;
}) {
	const t = useTranslations("releases");
	const c = useTranslations("common");
	const trpc = useTRPC();
	const { slug, path } = useWorkspace();
	const query = useQuery(trpc.release.compare.queryOptions({ workspace: slug, from, to }));
	const options = tags.map((tag) => ({ value: tag, label: tag }));
	return (
		<section className="border-line border-t px-6 pb-6 max-md:px-4">
			<SectionHead title={t("compare")}>
				<Select label={t("from")} value={from} options={options} onValueChange={(value) => onChange(value, to)} />
				<span aria-hidden>→</span>
				<Select label={t("to")} value={to} options={options} onValueChange={(value) => onChange(from, value)} />
			</SectionHead>
			<QueryBoundary query={query} skeleton={<SkeletonRows rows={6} columns={3} />}>
				{({ comparison, diff, policyChanged, judgeChanged }) => (
					<>
						<p className="mb-3 flex flex-wrap gap-x-5 gap-y-1 text-12">
							{comparison ? (
								<>
									<span>
										{c("accuracy")} <Verdict word={comparison.accuracy.verdict} delta={comparison.accuracy.delta} strong />
									</span>
									<span>
										{c("effectiveness")} <Verdict word={comparison.effectiveness.verdict} delta={comparison.effectiveness.delta} strong />
									</span>
									<Link href={`${path("runs", comparison.runId)}?against=${encodeURIComponent(comparison.baseRunId)}`} className="link">
										{t("flips", { fixed: comparison.fixed, broken: comparison.broken })}
									</Link>
								</>
							) : (
								<span className="text-ink-2">{t("notComparable")}</span>
							)}
							{policyChanged && <span className="text-unsure">{t("policyChanged")}</span>}
							{judgeChanged && <span className="text-unsure">{t("judgeChanged")}</span>}
						</p>
						<ExactDiff diff={diff} />
					</>
				)}
			</QueryBoundary>
		</section>
	);
}
