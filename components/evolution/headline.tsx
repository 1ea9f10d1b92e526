"use client";

import Link from "next/link";
import { useFormatter, useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { formatDelta, formatInterval } from "@/components/ui/format";
import { useRoundName } from "./names";
import type { Overview } from "./types";

/** The one sentence that says where we are: a product manager could forward it. */
export function Headline({ overview }: { overview: Overview }) {
	const t = useTranslations("evolution.headline");
	const locale = useLocale();
	const roundName = useRoundName();
	const { headline } = overview;
	if (headline.kind === "recommended") {
		const keep = (chunks: ReactNode) => <span className="whitespace-nowrap max-md:whitespace-normal">{chunks}</span>;
		return t.rich("recommended", {
			round: roundName(headline.round),
			accuracy: formatDelta(headline.accuracy.delta),
			accuracyRange: formatInterval(headline.accuracy.low, headline.accuracy.high, locale),
			effectiveness: formatDelta(headline.effectiveness.delta),
			effectivenessRange: formatInterval(headline.effectiveness.low, headline.effectiveness.high, locale),
			keep,
			small: (chunks) => <small>{chunks}</small>,
		});
	}
	if (headline.kind === "none-better") return t("noneBetter", { rounds: headline.rounds });
	if (headline.kind === "baseline-only") return t("baselineOnly");
	return t(headline.kind === "evaluating-baseline" ? "evaluatingBaseline" : "noEvolution");
}

/** What qualifies the sentence: released or ready, and why it stopped. */
export function HeadlineLead({ overview }: { overview: Overview }) {
	const t = useTranslations("evolution.lead");
	const locale = useLocale();
	const format = useFormatter();
	const roundName = useRoundName();
	const { path } = useWorkspace();
	const { headline, earlyStop, evolution } = overview;
	const parts: ReactNode[] = [];
	if (headline.kind === "recommended") {
		const round = overview.rounds.find((item) => item.name === headline.round);
		const release = round?.released.find((item) => item.tag === headline.released) ?? round?.released.at(-1);
		if (release)
			parts.push(
				t.rich("released", {
					tag: release.tag,
					date: format.dateTime(release.at, "day"),
					link: (chunks) => (
						<Link href={path("releases")} className="link">
							{chunks}
						</Link>
					),
				}),
			);
		else if (headline.gate) parts.push(t(`gate.${headline.gate}`));
	}
	if (headline.kind === "none-better") parts.push(t("noneBetter"));
	if (headline.kind === "baseline-only") parts.push(t("baselineOnly"));
	if (headline.kind === "evaluating-baseline") parts.push(t("evaluatingBaseline"));
	if (evolution?.status === "stopped" && earlyStop?.stoppedAfter) parts.push(t("stopped", { round: roundName(earlyStop.stoppedAfter) }));
	if (evolution?.status === "closed") parts.push(t("closed"));
	return parts.map((part, index) => (
		<span key={`part-${index.toString()}`}>
			{index > 0 && locale !== "zh" && " "}
			{part}
		</span>
	));
}
