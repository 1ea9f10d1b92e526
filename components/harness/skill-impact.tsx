"use client";

import { useQuery } from "@tanstack/react-query";
import { GitFork } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";

/** What a change of this skill touches: the cases that loaded it in the latest dev run, and how they stood. */
export function SkillImpact({ skill }: { skill: string }) {
	const t = useTranslations("harness.impact");
	const trpc = useTRPC();
	const { slug, path } = useWorkspace();
	const runs = useQuery(trpc.evaluation.runs.queryOptions({ workspace: slug, status: ["done"], split: ["dev"], limit: 20 }, { staleTime: 60_000 }));
	// A run on chosen cases says nothing of the rest that load the skill.
	const run = runs.data?.rows.find((one) => !one.partial);
	const of = (verdict: "passed"[]) => ({ workspace: slug, runId: run?.id ?? "-", filter: { skill: [skill], verdict }, limit: 1 });
	const all = useQuery(trpc.evaluation.results.queryOptions(of([]), { enabled: run !== undefined, staleTime: 60_000 }));
	const right = useQuery(trpc.evaluation.results.queryOptions(of(["passed"]), { enabled: run !== undefined, staleTime: 60_000 }));
	if (!run || !all.data || !right.data) return null;
	const name = `R-${run.number}`;
	return (
		<p className="flex items-start gap-2 border-line border-t bg-sub px-3 py-2 text-12 text-ink-2">
			<GitFork className="mt-0.5 size-3.5 shrink-0" aria-hidden />
			<span>
				{all.data.total === 0
					? t("none", { run: name })
					: t.rich("text", {
							cases: all.data.total,
							split: run.split,
							right: right.data.total,
							wrong: all.data.total - right.data.total,
							run: name,
							link: (chunks) => (
								<Link href={`${path("runs", name)}?skill=${encodeURIComponent(skill)}`} className="text-accent hover:underline">
									{chunks}
								</Link>
							),
						})}
			</span>
		</p>
	);
}
