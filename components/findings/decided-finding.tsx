"use client";

import { Check, Pencil, X } from "lucide-react";
import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { cn } from "@/components/ui/cn";
import { formatShare } from "@/components/ui/format";
import { Name } from "@/components/ui/names";
import { RelativeTime } from "@/components/ui/relative-time";
import { Written } from "@/components/ui/written";
import { ComponentLink } from "./finding-card";
import type { Finding } from "./types";
import type { Decide } from "./use-decide";

/** A decided finding folds to one line: who, why, and what became of it. */
export function DecidedFinding({
	finding,
	current,
	left,
	decide,
	selected,
}: {
	finding: Finding;
	/** Of the newest diagnosis: only there is its share one of the failures that the page counts. */
	current: boolean;
	/** The last edit found no change for it. */
	left: boolean;
	decide: Decide;
	selected: boolean;
}) {
	const t = useTranslations("findings");
	const c = useTranslations("common");
	const locale = useLocale();
	const { can, path, shell } = useWorkspace();
	const rejected = finding.status === "rejected";
	const Icon = rejected ? X : finding.status === "modified" ? Pencil : Check;
	const last = finding.proposals.at(0);
	return (
		<article
			id={`F-${finding.number}`}
			className={cn(
				"grid grid-cols-[64px_minmax(0,1fr)_auto] gap-x-4 border-line border-b px-6 py-2.5 text-12 max-md:px-4",
				selected && "bg-accent-soft shadow-[inset_2px_0_0_var(--accent)]",
			)}
		>
			<p className="text-right text-ink-3">
				<span className="text-13 text-ink">{finding.cases}</span> {current && formatShare(finding.share, locale, 0)}
			</p>
			<div className="min-w-0">
				<p className="flex flex-wrap items-baseline gap-x-2 text-13">
					<span className={cn("inline-flex items-center gap-1 self-center text-12", rejected ? "text-down" : "text-up")}>
						<Icon className="size-3" aria-hidden />
						{t(`status.${finding.status}`)}
					</span>
					<b className={rejected ? "font-normal text-ink-2" : "font-semibold"}>
						<Written phrases={finding.phrases}>{finding.title}</Written>
					</b>
					<ComponentLink component={finding.component} />
				</p>
				{finding.status === "modified" && (
					<p className="max-w-[62em] text-13">
						<span className="text-12 text-ink-3">{t("hypothesis")} </span>
						<Written phrases={finding.phrases}>{finding.hypothesis}</Written>
					</p>
				)}
				<p className="text-ink-2">
					<span className="text-ink-3">F-{finding.number}</span>{" "}
					{finding.decidedBy && (finding.decidedBy.id === shell.person.id ? c("you") : <Name>{finding.decidedBy.name}</Name>)}{" "}
					{finding.decidedAt && <RelativeTime at={finding.decidedAt} />}
					{finding.note && (
						<>
							{": "}
							<Written phrases={finding.phrases}>{finding.note}</Written>
						</>
					)}{" "}
					{last ? (
						<Link href={path("reviews", String(last.number))} className="link">
							{t(rejected ? "wasInProposal" : "inProposal", { number: last.number })}
						</Link>
					) : (
						!rejected && <span className={left ? "text-unsure" : undefined}>{t(left ? "left.one" : "waitsForEdit")}</span>
					)}
				</p>
			</div>
			{can("finding.decide") && finding.status !== "addressed" && (
				<button
					type="button"
					className="self-start text-12 text-accent hover:underline max-md:min-h-11"
					onClick={() => decide.run(finding, "undo")}
					disabled={decide.busy}
				>
					{c("undo")}
				</button>
			)}
		</article>
	);
}
