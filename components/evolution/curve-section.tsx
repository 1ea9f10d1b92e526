"use client";

import { Tag } from "lucide-react";
import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import { useMemo } from "react";
import { type CurveColumn, type CurveRow, EvoCurve } from "@/components/charts/evo-curve";
import type { PlotValue } from "@/components/charts/evo-option";
import { useWorkspace } from "@/components/layout/workspace-context";
import { suiteTitle } from "@/components/runs/suite-name";
import { cn } from "@/components/ui/cn";
import { formatPoints, formatPValue, shortId } from "@/components/ui/format";
import { SectionHead } from "@/components/ui/page";
import { useWritten } from "@/components/ui/said";
import { Segmented } from "@/components/ui/segmented";
import { Score, Verdict } from "@/components/ui/verdict";
import { useRoundName } from "./names";
import { curveRounds, digestOf, roundState } from "./round-state";
import { RoundTip } from "./round-tip";
import { StateLabel, StateSign, useStateWord } from "./state-label";
import type { CurveSplit, Dimension, Overview, OverviewRound } from "./types";

const points = (interval: { value: number; low: number; high: number } | null | undefined): PlotValue | null =>
	interval ? { value: interval.value * 100, low: interval.low * 100, high: interval.high * 100 } : null;

function Legend() {
	const t = useTranslations("evolution.curve");
	const c = useTranslations("common");
	const key = "inline-flex items-center gap-1.5 whitespace-nowrap text-ink-2";
	return (
		<>
			<span className={key}>
				<svg width="22" height="10" viewBox="0 0 22 10" aria-hidden="true">
					<path d="M0 5h22" stroke="var(--s-acc)" strokeWidth="1.75" />
					<circle cx="11" cy="5" r="4" fill="var(--s-acc)" stroke="var(--bg)" strokeWidth="1.5" />
				</svg>
				{c("accuracy")}
			</span>
			<span className={key}>
				<svg width="22" height="10" viewBox="0 0 22 10" aria-hidden="true">
					<path d="M0 5h22" stroke="var(--s-eff)" strokeWidth="1.75" />
					<rect x="7.5" y="1.5" width="7" height="7" fill="var(--s-eff)" stroke="var(--bg)" strokeWidth="1.5" />
				</svg>
				{c("effectiveness")}
			</span>
			<span className={key}>
				<svg width="16" height="12" viewBox="0 0 16 12" aria-hidden="true">
					<rect width="7" height="12" fill="var(--s-acc-band)" />
					<rect x="9" width="7" height="12" fill="var(--s-eff-band)" />
				</svg>
				{t("interval")}
			</span>
			<span className={key}>
				<svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
					<circle cx="5" cy="5" r="3.8" fill="var(--bg)" stroke="var(--s-acc)" strokeWidth="1.75" />
				</svg>
				{t("notEligible")}
			</span>
		</>
	);
}

function Figure({ round, dimension, split }: { round: OverviewRound; dimension: Dimension; split: CurveSplit }) {
	const t = useTranslations("evolution.curve");
	const score = round[split]?.[dimension];
	if (!score) return <span className="text-ink-3">{t("notMeasured")}</span>;
	const digest = digestOf(round, split);
	return (
		<>
			<Score {...score} digits={2} className="text-12 [&>b]:text-13" />
			<span className="block min-h-[18px]">
				{digest && round.index > 0 && <Verdict word={digest[dimension].verdict} delta={digest[dimension].delta} className="justify-center" />}
			</span>
		</>
	);
}

/** The rows under the plot. Each number leads to what is behind it. */
function useRows(rounds: readonly OverviewRound[], split: CurveSplit): CurveRow[] {
	const t = useTranslations("evolution.curve");
	const c = useTranslations("common");
	const roundName = useRoundName();
	const { path } = useWorkspace();
	const written = useWritten();
	const none = <span className="text-ink-3">–</span>;
	const link = "link";
	return [
		{ key: "accuracy", label: c("accuracy"), cells: rounds.map((round) => <Figure key={round.id} round={round} dimension="accuracy" split={split} />) },
		{
			key: "effectiveness",
			label: c("effectiveness"),
			cells: rounds.map((round) => <Figure key={round.id} round={round} dimension="effectiveness" split={split} />),
		},
		{
			key: "against",
			label: t("comparedWith"),
			cells: rounds.map((round) => {
				const digest = digestOf(round, split);
				return digest ? <span key={round.id}>{digest.against === "base" ? c("baseline") : roundName(digest.against)}</span> : none;
			}),
		},
		{
			key: "flips",
			label: t("fixedBroken"),
			cells: rounds.map((round) => {
				const digest = digestOf(round, split);
				return digest ? (
					<Link key={round.id} href={`${path("runs", digest.runId)}?against=${encodeURIComponent(digest.baseRunId)}`} className={link}>
						{digest.fixed} / {digest.broken}
					</Link>
				) : (
					none
				);
			}),
		},
		{
			key: "landed",
			label: t("landed"),
			cells: rounds.map((round) =>
				round.landed.length > 0 ? (
					<span key={round.id} className="flex flex-wrap justify-center gap-x-1.5">
						{round.landed.map((proposal) => (
							<Link key={proposal.id} href={path("reviews", proposal.id)} title={written(proposal.title, proposal.phrases).text} className={link}>
								#{proposal.number}
							</Link>
						))}
					</span>
				) : (
					none
				),
			),
		},
		{
			key: "commit",
			label: t("commit"),
			cells: rounds.map((round) => (round.commit ? <code key={round.id}>{shortId(round.commit)}</code> : none)),
		},
	];
}

/** The rounds as a list: the figures at 390 px, newest first. */
function RoundList({ rounds, split, patience }: { rounds: readonly OverviewRound[]; split: CurveSplit; patience: number }) {
	const c = useTranslations("common");
	const format = useFormatter();
	const roundName = useRoundName();
	const { path } = useWorkspace();
	return (
		<ol className="text-12 md:hidden">
			{[...rounds].reverse().map((round) => {
				const digest = digestOf(round, split);
				const release = round.released.at(-1);
				return (
					<li key={round.id} className={cn("border-line border-t", round.recommended && "-mx-4 bg-accent-soft px-4")}>
						<Link href={path("evolution", "rounds", round.id)} className="block py-2 text-ink no-underline">
							<span className="mb-0.5 flex items-center gap-2 text-13">
								<b className="font-semibold">{roundName(round.name)}</b>
								<StateLabel state={roundState(round, patience)} />
								<span className="ml-auto inline-flex items-center gap-1 text-12 text-ink-3">
									{release ? (
										<>
											<Tag className="size-3" aria-hidden />
											{release.tag}
										</>
									) : (
										format.dateTime(round.closedAt ?? round.openedAt, "day")
									)}
								</span>
							</span>
							{(["accuracy", "effectiveness"] as const).map((dimension) => {
								const score = round[split]?.[dimension];
								return (
									score && (
										<span key={dimension} className="grid grid-cols-[88px_1fr_auto] gap-x-2">
											<span className="text-ink-2">{c(dimension)}</span>
											<Score {...score} digits={2} />
											{digest && round.index > 0 && <Verdict word={digest[dimension].verdict} delta={digest[dimension].delta} />}
										</span>
									)
								);
							})}
						</Link>
					</li>
				);
			})}
		</ol>
	);
}

/** The curve, its figures, and the switch between the split that gates (test) and the one that is edited on (dev). */
export function CurveSection({ overview, split, onSplitChange }: { overview: Overview; split: CurveSplit; onSplitChange: (split: CurveSplit) => void }) {
	const t = useTranslations("evolution.curve");
	const c = useTranslations("common");
	const format = useFormatter();
	const stateWord = useStateWord();
	const roundName = useRoundName();
	const { path } = useWorkspace();
	const { evolution } = overview;
	const patience = overview.earlyStop?.patience ?? 0;
	const rounds = useMemo(() => curveRounds(overview), [overview]);
	const rows = useRows(rounds, split);
	if (!evolution) return null;

	const columns: CurveColumn[] = rounds.map((round) => {
		const state = roundState(round, patience);
		const release = round.released.at(-1);
		const date = format.dateTime(round.closedAt ?? round.openedAt, "day");
		const scores = round[split];
		const said = (dimension: Dimension) => (scores?.[dimension] ? `${c(dimension)} ${formatPoints(scores[dimension].value)}` : "");
		const digest = digestOf(round, split);
		return {
			key: round.id,
			title: roundName(round.name),
			state: <StateLabel state={state} />,
			sign: <StateSign state={state} />,
			note: release ? (
				<span className="inline-flex items-center gap-1">
					<Tag className="size-3" aria-hidden />
					{t("releasedOn", { date: format.dateTime(release.at, "day") })}
				</span>
			) : state.kind === "stopped" ? (
				t("stoppedNote", { date, count: state.count, of: state.of })
			) : (
				date
			),
			accuracy: points(scores?.accuracy),
			effectiveness: points(scores?.effectiveness),
			hollow: round.index > 0 && round.status === "closed" && !round.eligible,
			tip: <RoundTip round={round} split={split} />,
			spoken: [roundName(round.name), stateWord(state), said("accuracy"), said("effectiveness"), digest ? formatPValue(digest.accuracy.p) : ""]
				.filter(Boolean)
				.join(", "),
			href: path("evolution", "rounds", round.id),
		};
	});
	const index = (match: (round: OverviewRound) => boolean) => {
		const at = rounds.findIndex(match);
		return at < 0 ? null : at;
	};
	const measured = rounds.map((round) => round[split]?.cases).find((count) => count !== null && count !== undefined);
	return (
		<section className="px-6 pb-5 max-md:px-4">
			<SectionHead
				title={t("title")}
				meta={
					<>
						{t("meta", {
							split,
							version: evolution.suite.version,
							suite: suiteTitle(evolution.suite.key),
							policy: evolution.policy.name,
							judge: evolution.judge.name,
							trials: evolution.trials,
						})}
						{measured !== undefined && measured !== null && ` · ${c("cases", { count: measured })}`}
					</>
				}
			>
				<Legend />
				<Segmented
					label={t("split")}
					value={split}
					onValueChange={(value) => onSplitChange(value === "dev" ? "dev" : "test")}
					options={[
						{ value: "test", label: "test" },
						{ value: "dev", label: "dev" },
					]}
				/>
			</SectionHead>
			<EvoCurve
				columns={columns}
				rows={rows}
				recommended={index((round) => round.recommended)}
				stopAfter={evolution.status === "stopped" ? index((round) => round.stopped) : null}
				label={t("aria")}
			/>
			<RoundList rounds={rounds} split={split} patience={patience} />
			{split === "dev" && <p className="mt-2 text-12 text-ink-3">{t("devNote")}</p>}
		</section>
	);
}
