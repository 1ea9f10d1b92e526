import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { VerdictWord } from "@/server/evaluation/contract";
import { cn } from "./cn";
import { formatDelta, formatInterval, formatPoints } from "./format";

type Tone = "up" | "down" | "unsure" | "same";

const TONE: Record<VerdictWord, Tone> = {
	improved: "up",
	"slightly-better": "up",
	regressed: "down",
	"slightly-worse": "down",
	inconclusive: "unsure",
	unchanged: "same",
	identical: "same",
	"too-few": "same",
};

const TEXT: Record<Tone, string> = { up: "text-up", down: "text-down", unsure: "text-unsure", same: "text-same" };

/** The colour family of a verdict word. */
function _toneOf(word: VerdictWord): Tone {
	return TONE[word];
}

const SIGN: Record<VerdictWord, ReactNode> = {
	improved: <path d="M5 1.2 9.4 8.8H.6z" fill="currentColor" />,
	regressed: <path d="M5 8.8.6 1.2h8.8z" fill="currentColor" />,
	"slightly-better": <path d="M5 2.4 8.4 8.2H1.6z" fill="none" stroke="currentColor" strokeWidth="1.3" strokeLinejoin="round" />,
	"slightly-worse": <path d="M5 7.6 1.6 1.8h6.8z" fill="none" stroke="currentColor" strokeWidth="1.3" strokeLinejoin="round" />,
	inconclusive: <path d="M.8 6.4c1-2.6 2.7-3.2 4.2-1.4s3.2 1.2 4.2-1.4" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />,
	unchanged: <path d="M1 3.3h8M1 6.7h8" stroke="currentColor" strokeWidth="1.6" />,
	identical: <path d="M1 2h8M1 5h8M1 8h8" stroke="currentColor" strokeWidth="1.4" />,
	"too-few": (
		<g fill="currentColor">
			<circle cx="1.6" cy="5" r="1.1" />
			<circle cx="5" cy="5" r="1.1" />
			<circle cx="8.4" cy="5" r="1.1" />
		</g>
	),
};

/** The drawn sign of a verdict: shape carries the meaning, colour only repeats it. */
export function VerdictSign({ word, className }: { word: VerdictWord; className?: string }) {
	return (
		<svg viewBox="0 0 10 10" aria-hidden="true" className={cn("block size-2.5 flex-none", className)}>
			{SIGN[word]}
		</svg>
	);
}

const SIGNIFICANT: readonly VerdictWord[] = ["improved", "regressed", "slightly-better", "slightly-worse"];

/** Whether a word and the interval beside it seem to say different things: one leaves zero out and the other does not. */
export function wordAndIntervalDiffer({ verdict, low, high }: { verdict: VerdictWord; low: number; high: number }): boolean {
	if (verdict === "identical" || verdict === "too-few") return false;
	return SIGNIFICANT.includes(verdict) !== (low > 0 || high < 0);
}

/** Below words that stand with intervals: where they differ, why. */
export function VerdictNote({ items, className }: { items: readonly Parameters<typeof wordAndIntervalDiffer>[0][]; className?: string }) {
	const t = useTranslations("common");
	if (!items.some(wordAndIntervalDiffer)) return null;
	return <p className={cn("text-12 text-ink-2", className)}>{t("verdictNote")}</p>;
}

export interface VerdictProps {
	word: VerdictWord;
	/** A difference of proportions, shown after the word. */
	delta?: number;
	strong?: boolean;
	className?: string;
}

/** Sign, word, delta, always in this order: "▲ improved +9.7". */
export function Verdict({ word, delta, strong, className }: VerdictProps) {
	const t = useTranslations("common.verdict");
	return (
		<span className={cn("inline-flex items-center gap-[5px] whitespace-nowrap", TEXT[TONE[word]], strong && "font-semibold", className)}>
			<VerdictSign word={word} />
			{t(word)}
			{delta !== undefined && ` ${formatDelta(delta)}`}
		</span>
	);
}

/** Fixed or broken: the verdict of one case that changed. */
export function FlipVerdict({ better, children, className }: { better: boolean; children?: ReactNode; className?: string }) {
	const t = useTranslations("common.flip");
	return (
		<span className={cn("inline-flex items-center gap-[5px] whitespace-nowrap", better ? "text-up" : "text-down", className)}>
			<VerdictSign word={better ? "improved" : "regressed"} />
			{children ?? t(better ? "fixed" : "broken")}
		</span>
	);
}

/** A proportion × 100 with its interval beside it: "92.5 89.9 … 94.6". */
export function Score({
	value,
	low,
	high,
	digits = 1,
	className,
}: {
	value: number;
	low?: number;
	high?: number;
	/** Two only under the published curve. */
	digits?: number;
	className?: string;
}) {
	const locale = useLocale();
	return (
		<span className={cn("whitespace-nowrap", className)}>
			<b className="font-semibold">{formatPoints(value, digits)}</b>
			{low !== undefined && high !== undefined && <span className="ml-1 text-11 text-ink-3">{formatInterval(low, high, locale)}</span>}
		</span>
	);
}

const BAR: Record<Tone, string> = { up: "fill-up-heat", down: "fill-down-heat", unsure: "fill-unsure-line", same: "fill-line-2" };

export interface IntervalBarProps {
	delta: number;
	low: number;
	high: number;
	verdict: VerdictWord;
	/** Ends of the axis, shared by the bars that stand together; proportions. */
	domain?: readonly [number, number];
	/** The non-inferiority margin as a proportion; drawn dashed below zero. */
	margin?: number;
	className?: string;
}

/** A delta's interval on a shared axis: zero rule, dashed margin, tick at the estimate. The words stand beside it. */
export function IntervalBar({ delta, low, high, verdict, domain = [-0.1, 0.1], margin = 0.03, className }: IntervalBarProps) {
	const [start, end] = domain;
	const at = (value: number) => `${(((Math.min(Math.max(value, start), end) - start) / (end - start)) * 100).toFixed(2)}%`;
	const left = Math.min(Math.max(low, start), end);
	const right = Math.min(Math.max(high, start), end);
	return (
		<svg className={cn("block h-3.5 w-full overflow-visible", className)} aria-hidden="true">
			<line x1="0" x2="100%" y1="7.5" y2="7.5" className="stroke-line" />
			<rect x={at(left)} y="3" width={`${(((right - left) / (end - start)) * 100).toFixed(2)}%`} height="9" rx="1" className={BAR[TONE[verdict]]} />
			<line x1={at(-margin)} x2={at(-margin)} y1="0" y2="14" className="stroke-line-ctl" strokeDasharray="2 2" />
			<line x1={at(0)} x2={at(0)} y1="0" y2="14" className="stroke-line-ctl" />
			<line x1={at(delta)} x2={at(delta)} y1="1" y2="14" strokeWidth="2" className="stroke-ink" />
		</svg>
	);
}

/** One axis for several interval bars: covers all ends and zero, rounded outward to whole points. */
export function sharedDomain(intervals: readonly { low: number; high: number }[], margin = 0.03): [number, number] {
	const low = Math.min(-margin - 0.01, ...intervals.map((item) => item.low));
	const high = Math.max(0.02, ...intervals.map((item) => item.high));
	return [Math.floor(low * 100) / 100, Math.ceil(high * 100) / 100];
}
