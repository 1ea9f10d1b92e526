"use client";

import { Check, CircleDashed, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { cn } from "@/components/ui/cn";
import { formatDelta, formatInterval, formatPoints } from "@/components/ui/format";
import { SectionHead } from "@/components/ui/page";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, Td, Th, Tr } from "@/components/ui/table";
import { ADVICE_SIGNS } from "@/server/training/advice-signs.contract";
import type { Advice, AdviceEntry } from "@/server/training/contract";
import { ADVICE_TONE, useSignWords } from "./advice-words";
import { ChangedThresholds, ThresholdsButton } from "./thresholds";

/** A distance as a bar whose middle mark is the edge of what the checkpoint was trained on. */
function DistanceBar({ distance, inside }: { distance: number | null; inside: boolean }) {
	const share = distance === null ? 1 : Math.min(1, distance / 2);
	return (
		<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" className="block h-2.5 w-full">
			<rect x="0" y="2" width={share * 100} height="6" className={inside ? "fill-line-ctl" : "fill-down"} />
			<line x1="50" x2="50" y1="0" y2="10" className="stroke-ink" vectorEffect="non-scaling-stroke" />
		</svg>
	);
}

function DistancePanel({ advice }: { advice: Advice }) {
	const t = useTranslations("training.advice");
	const d = useTranslations("variants.dimension");
	const { distance, policy } = advice.evidence;
	return (
		<Panel title={t("panel.distance")}>
			{distance ? (
				<>
					<ul className="grid gap-1 text-12">
						{distance.dimensions.map((one) => (
							<li key={one.dimension} className="grid grid-cols-[104px_minmax(0,1fr)_40px_64px] items-center gap-2">
								<span className="truncate">{d(one.dimension as Parameters<typeof d>[0])}</span>
								<DistanceBar distance={one.distance} inside={one.inside} />
								<span className="text-right tabular-nums">{one.distance === null ? "∞" : one.distance.toFixed(2)}</span>
								<span className={one.inside ? "text-ink-3" : "text-down"}>{t(one.inside ? "inside" : "outside")}</span>
							</li>
						))}
					</ul>
					<p className="mt-1.5 text-12 text-ink-3">{t("distanceNote", { policy: policy.name })}</p>
				</>
			) : (
				<p className="text-12 text-ink-2">{t("sign.outside.unknown", { policy: advice.evidence.policy.name })}</p>
			)}
		</Panel>
	);
}

function Panel({ title, children }: { title: ReactNode; children: ReactNode }) {
	return (
		<section className="min-w-0 border-line px-6 py-3 not-first:border-l max-lg:not-first:border-t max-lg:not-first:border-l-0 max-md:px-4">
			<h2 className="mb-2 font-semibold text-13">{title}</h2>
			{children}
		</section>
	);
}

function Big({ value, range }: { value: string; range: string }) {
	return (
		<p className="text-12">
			<b className="font-semibold text-20 tabular-nums">{value}</b> <span className="text-ink-3">{range}</span>
		</p>
	);
}

/** The three measures side by side: how far the harness went, what variants cost, what edits gain. */
export function EvidencePanels({ advice }: { advice: Advice }) {
	const t = useTranslations("training.advice");
	const locale = useLocale();
	const { path } = useWorkspace();
	const say = useSignWords(advice);
	const { gap, edits } = advice.evidence;
	return (
		<div className="grid grid-cols-3 border-line border-b max-lg:grid-cols-1">
			<DistancePanel advice={advice} />
			<Panel title={t("panel.gap")}>
				{gap ? (
					<>
						<Big value={formatPoints(gap.value)} range={t("interval", { range: formatInterval(gap.low, gap.high, locale) })} />
						<p className="mt-1 text-12 text-ink-2">
							{t("gapNote", { cases: gap.cases, from: advice.rule.gapPoints.toFixed(1) })}{" "}
							<Link href={`${path("runs", gap.runId)}?against=${gap.baseRunId}`} className="link">
								{t("openGap")}
							</Link>
						</p>
					</>
				) : (
					<p className="text-12 text-ink-2">{say("gap")}</p>
				)}
			</Panel>
			<Panel title={t("panel.edits")}>
				{edits && <Big value={formatDelta(edits.gain.value)} range={t("interval", { range: formatInterval(edits.gain.low, edits.gain.high, locale) })} />}
				<p className="mt-1 text-12 text-ink-2">{say("unpaid")}</p>
			</Panel>
		</div>
	);
}

/** Every sign with its figures, whether it is there, absent or unknown; and what would change the advice. */
export function AdviceReasons({ advice }: { advice: Advice }) {
	const t = useTranslations("training.advice");
	const say = useSignWords(advice);
	const icons = {
		there: <TriangleAlert className="mt-[3px] size-3.5 text-unsure" aria-hidden />,
		absent: <Check className="mt-[3px] size-3.5 text-up" aria-hidden />,
		unknown: <CircleDashed className="mt-[3px] size-3.5 text-ink-3" aria-hidden />,
	};
	return (
		<div className="grid grid-cols-2 gap-x-8 max-lg:grid-cols-1">
			<section>
				<SectionHead title={t("signs")}>
					<ThresholdsButton />
				</SectionHead>
				<ul className="grid gap-1.5 text-12">
					{ADVICE_SIGNS.map((sign) => {
						const state = advice.signs.includes(sign) ? "there" : advice.unknown.includes(sign) ? "unknown" : "absent";
						return (
							<li key={sign} className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2">
								{icons[state]}
								<span className={cn(state === "unknown" && "text-ink-3")}>
									<span className="sr-only">{t(`is.${state}`)} </span>
									{say(sign)}
								</span>
							</li>
						);
					})}
				</ul>
				<ChangedThresholds rule={advice.rule} />
			</section>
			<section>
				<SectionHead title={t("changes")} />
				<ul className="grid gap-1.5 text-12 text-ink-2">
					{advice.changes.map(({ sign, direction, to }) => (
						<li key={sign}>{t(`change.${direction}`, { sign: t(`because.${sign}`), to: t(`state.${to}`) })}</li>
					))}
					{advice.changes.length === 0 && <li>{t("changesNone")}</li>}
				</ul>
			</section>
		</div>
	);
}

/** What was advised before, and what happened next. */
export function AdviceHistory({ history }: { history: readonly AdviceEntry[] }) {
	const t = useTranslations("training.advice");
	const { path } = useWorkspace();
	if (history.length === 0) return null;
	return (
		<>
			<SectionHead title={t("history")} meta={t("historyMeta")} className="mt-4 border-line border-t" />
			<div className="overflow-x-auto">
				<Table aria-label={t("history")}>
					<thead>
						<tr>
							<Th>{t("column.when")}</Th>
							<Th>{t("column.state")}</Th>
							<Th className="max-md:hidden">{t("column.why")}</Th>
							<Th>{t("column.next")}</Th>
							<Th>{t("column.held")}</Th>
						</tr>
					</thead>
					<tbody>
						{history.map(({ id, at, advice, followUp }) => (
							<Tr key={id}>
								<Td muted className="whitespace-nowrap">
									<RelativeTime at={at} />
								</Td>
								<Td className={cn("whitespace-nowrap", ADVICE_TONE[advice.state])}>{t(`state.${advice.state}`)}</Td>
								<Td className="max-md:hidden">{advice.signs.map((sign) => t(`because.${sign}`)).join(" · ") || t("because.none")}</Td>
								<Td>
									{followUp.training && (
										<Link href={path("training", followUp.training.id)} className="link mr-2">
											T-{followUp.training.number}
										</Link>
									)}
									{followUp.released && <span className="mr-2">{t("next.released", { tag: followUp.released })}</span>}
									{followUp.gain !== null && <span>{t("next.rounds", { count: followUp.rounds, gain: formatDelta(followUp.gain) })}</span>}
									{!followUp.training && !followUp.released && followUp.gain === null && <span className="text-ink-3">{t("next.nothing")}</span>}
								</Td>
								<Td muted={followUp.held === "open"}>{t(`held.${followUp.held}`)}</Td>
							</Tr>
						))}
					</tbody>
				</Table>
			</div>
		</>
	);
}
