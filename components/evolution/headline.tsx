"use client";

import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { formatDelta, formatInterval } from "@/components/ui/format";
import { useReleasedWords } from "./gate-panel";
import { gateState } from "./gate-state";
import { useRoundName } from "./names";
import type { Overview } from "./types";

/** What the curve does not show yet: changes that landed in the open round, or a round that is being evaluated. */
function unmeasured(overview: Overview) {
	const open = overview.evolution?.status === "active" ? overview.rounds.find((round) => round.status === "open") : undefined;
	const closing = overview.rounds.find((round) => round.index > 0 && round.status === "closing");
	return {
		landed: open?.landed.length ?? 0,
		open: open?.name ?? null,
		closing: closing?.name ?? null,
		stalled: overview.rounds.find((round) => round.stalled)?.name ?? null,
	};
}

/** What comes after a measured baseline. */
export function nextOf(overview: Pick<Overview, "tasks" | "counts">): "diagnosing" | "diagnosed" | "allRejected" | "baselineOnly" {
	if (overview.tasks.some((task) => task.kind === "diagnose")) return "diagnosing";
	const { findingsOpen, findingsAccepted, findingsRejected } = overview.counts;
	if (findingsOpen + findingsAccepted > 0) return "diagnosed";
	return findingsRejected > 0 ? "allRejected" : "baselineOnly";
}

/** The one sentence that says where we are: a product manager could forward it. */
export function Headline({ overview }: { overview: Overview }) {
	const t = useTranslations("evolution.headline");
	const locale = useLocale();
	const roundName = useRoundName();
	const { headline } = overview;
	const { landed, closing, stalled } = unmeasured(overview);
	if (stalled) return t("stalled", { round: roundName(stalled, true) });
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
	if (headline.kind === "baseline-only") {
		if (closing) return t("firstClosing", { round: roundName(closing) });
		return landed > 0 ? t("landedOnly", { landed }) : t("baselineOnly");
	}
	return t(headline.kind === "evaluating-baseline" ? "evaluatingBaseline" : "noEvolution");
}

/** What qualifies the sentence: released or ready, and why it stopped. */
export function HeadlineLead({ overview }: { overview: Overview }) {
	const t = useTranslations("evolution.lead");
	const locale = useLocale();
	const roundName = useRoundName();
	const releasedWords = useReleasedWords();
	const { headline, earlyStop, evolution } = overview;
	const parts: ReactNode[] = [];
	const { gate } = overview;
	if (gate?.release) parts.push(releasedWords(gate.release, gate.candidate));
	else if (headline.kind === "recommended" && gate?.candidate === headline.round) {
		const { kind, met, of } = gateState(gate.result);
		parts.push(t(`gate.${kind}`, { met, of }));
	}
	if (headline.kind === "none-better" && !gate?.release) parts.push(t("noneBetter"));
	const { landed, open, closing, stalled } = unmeasured(overview);
	if (stalled) parts.push(t("stalled"));
	else if (closing) parts.push(t(headline.kind === "baseline-only" ? "firstClosing" : "closing", { round: roundName(closing) }));
	else if (landed > 0 && open) parts.push(t(headline.kind === "baseline-only" ? "landedOnly" : "landed", { landed, round: roundName(open) }));
	else if (headline.kind === "baseline-only") parts.push(t(nextOf(overview), { count: overview.counts.findingsRejected }));
	const outdated = evolution?.status === "active" && overview.waiting.find((item) => item.landed > 0);
	if (outdated) parts.push(t("outdated", { count: outdated.count, landed: outdated.landed }));
	if (headline.kind === "evaluating-baseline" && !stalled) parts.push(t("evaluatingBaseline"));
	if (evolution?.status === "stopped" && earlyStop?.stoppedAfter) parts.push(t("stopped", { round: roundName(earlyStop.stoppedAfter) }));
	if (evolution?.status === "closed") parts.push(t("closed"));
	return parts.map((part, index) => (
		<span key={`part-${index.toString()}`}>
			{index > 0 && locale !== "zh" && " "}
			{part}
		</span>
	));
}
