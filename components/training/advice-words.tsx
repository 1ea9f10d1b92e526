"use client";

import { useLocale, useTranslations } from "next-intl";
import { formatCount, formatDelta, formatDuration, formatInterval, formatPoints, formatShare } from "@/components/ui/format";
import type { Advice, AdviceSign, AdviceState } from "@/server/training/contract";

export const ADVICE_TONE: Record<AdviceState, "text-up" | "text-unsure" | "text-down"> = {
	"keep-editing": "text-up",
	"retrain-advised": "text-unsure",
	"retrain-due": "text-down",
};

/** Each sign in a sentence of the reader's language: what it is now, and from where on it counts. */
export function useSignWords({ evidence, rule }: Pick<Advice, "evidence" | "rule">): (sign: AdviceSign) => string {
	const t = useTranslations("training.advice.sign");
	const d = useTranslations("variants.dimension");
	const locale = useLocale();
	const { distance, gap, earlyStop, edits, stuck, checkpoint } = evidence;
	const words: Record<AdviceSign, () => string> = {
		outside() {
			if (!distance) return t("outside.unknown", { policy: evidence.policy.name });
			const left = distance.dimensions.filter((one) => !one.inside).map((one) => d(one.dimension as Parameters<typeof d>[0]));
			return left.length === 0 ? t("outside.inside") : t("outside.left", { dimensions: left.join(locale === "zh" ? "、" : ", ") });
		},
		gap: () =>
			gap
				? t("gap.value", { value: formatPoints(gap.value), range: formatInterval(gap.low, gap.high, locale), from: rule.gapPoints.toFixed(1) })
				: t("gap.unknown"),
		stopped: () =>
			earlyStop
				? t(earlyStop.stopped ? "stopped.yes" : "stopped.no", { used: earlyStop.strikes + earlyStop.stale, of: earlyStop.patience })
				: t("stopped.unknown"),
		unpaid: () =>
			edits
				? t("unpaid.value", {
						landings: edits.landings,
						rounds: edits.rounds,
						gain: formatDelta(edits.gain.value),
						range: formatInterval(edits.gain.low, edits.gain.high, locale),
						needed: rule.gainPoints.toFixed(1),
						episodes: formatCount(edits.episodes),
						time: formatDuration(edits.wallMs, locale),
					})
				: t("unpaid.unknown"),
		stuck: () =>
			stuck
				? t("stuck.value", {
						stuck: stuck.stuck,
						failures: stuck.failures,
						attempts: stuck.attempts,
						share: formatShare(rule.stuckShare, locale, 0),
						least: rule.leastFailures,
					})
				: t("stuck.unknown"),
		old: () => (checkpoint ? t("old.value", { days: Math.floor(checkpoint.ageDays), training: checkpoint.training, from: rule.ageDays }) : t("old.unknown")),
	};
	return (sign) => words[sign]();
}

/** The one sentence: what is advised, and for which reasons. */
export function useAdviceSentence(): (advice: Pick<Advice, "state" | "signs">) => string {
	const t = useTranslations("training.advice");
	const locale = useLocale();
	return ({ state, signs }) => {
		const why = signs.filter((sign) => sign !== "old").map((sign) => t(`because.${sign}`));
		return t(`say.${state}`, { why: why.length === 0 ? t("because.none") : why.join(locale === "zh" ? "，" : ", ") });
	};
}
