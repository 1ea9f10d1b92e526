"use client";

import { Check, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { cn } from "@/components/ui/cn";
import { useEvidence } from "@/components/ui/evidence";
import type { Trajectory } from "@/server/agent/contract";
import type { Evidence, Verdict } from "@/server/judge/contract";
import { decisiveEvidence } from "./mark-sentences";
import { MarkedReply } from "./marked-reply";
import { ScoreMark } from "./score-mark";
import { Timeline } from "./timeline";
import { OutcomeBadge } from "./trajectory-view";

export interface FlipSide {
	/** Which harness this was: "main", "r2", "Evo.1". */
	label: string;
	trajectory: Trajectory;
	verdict: Verdict | null;
}

/** One case before and after a change: both replies side by side with the deciding sentences underlined; the timelines one click away. */
export function FlipView({ before, after, className }: { before: FlipSide; after: FlipSide; className?: string }) {
	const t = useTranslations("trajectory");
	const [open, setOpen] = useState(false);
	const pair = [
		{ side: before, name: t("before"), other: after },
		{ side: after, name: t("after"), other: before },
	];
	return (
		<div className={className}>
			<div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
				{pair.map(({ side, name, other }) => (
					<FlipColumn key={name} side={side} name={name} decisive={decisiveEvidence(side.verdict?.evidence ?? [], other.verdict?.evidence ?? [])} open={open} />
				))}
			</div>
			<button type="button" aria-expanded={open} className="mt-2 text-12 text-accent" onClick={() => setOpen(!open)}>
				{t(open ? "hideTimelines" : "showTimelines")}
			</button>
		</div>
	);
}

function FlipColumn({ side, name, decisive, open }: { side: FlipSide; name: string; decisive: readonly Evidence[]; open: boolean }) {
	const t = useTranslations("trajectory");
	const c = useTranslations("common");
	const said = useEvidence();
	const { trajectory, verdict, label } = side;
	const scored = trajectory.outcome === "replied" || trajectory.outcome === "blocked";
	return (
		<section className="min-w-0 border-line-2 border-l-2 pl-2" aria-label={`${name}, ${label}`}>
			<p className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-12 text-ink-3">
				<span>
					{name} <span className="font-mono">{label}</span>
				</span>
				{verdict && (
					<>
						<span className="inline-flex items-center gap-1">
							{c("accuracy")} <ScoreMark score={verdict.accuracy} strong />
						</span>
						<span className="inline-flex items-center gap-1">
							{c("effectiveness")} <ScoreMark score={verdict.effectiveness} strong />
						</span>
					</>
				)}
				{!scored && <OutcomeBadge outcome={trajectory.outcome} />}
			</p>
			{trajectory.reply === null ? (
				<p className="mt-1 text-13 text-ink-3">{t("noReply")}</p>
			) : (
				<MarkedReply text={trajectory.reply} evidence={decisive} className="mt-1 text-13" />
			)}
			<ul className="mt-1 text-12 text-ink-2">
				{decisive.map((evidence) => (
					<li key={`${evidence.kind} ${evidence.item ?? ""} ${evidence.rule}`} className={cn("flex gap-1.5", evidence.ok ? "text-ink-2" : "text-down")}>
						{evidence.ok ? <Check className="mt-[3px] size-3 flex-none" aria-hidden /> : <X className="mt-[3px] size-3 flex-none" aria-hidden />}
						<span lang={said(evidence).lang}>
							{said(evidence).text}
							{evidence.fact && <span className="ml-1 font-mono text-ink-3">{evidence.fact}</span>}
						</span>
					</li>
				))}
			</ul>
			{open && (
				<div className="mt-2">
					<Timeline steps={trajectory.steps} durationMs={trajectory.durationMs} evidence={verdict?.evidence} />
				</div>
			)}
		</section>
	);
}
