"use client";

import { CircleX } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { formatDelta, formatPValue } from "@/components/ui/format";
import { SideSection } from "@/components/ui/page";
import { PersonAvatar, Words } from "@/components/ui/person";
import { RelativeTime } from "@/components/ui/relative-time";
import { Strikes } from "@/components/ui/status";
import { useName } from "@/components/ui/use-name";
import { VerdictNote } from "@/components/ui/verdict";
import { GatePanel } from "./gate-panel";
import { useRoundName } from "./names";
import type { Overview, Waiting } from "./types";
import { useWaiting } from "./waiting";

/** Has a question of its own to the server: loaded beside the page. */
const AdviceSide = dynamic(() => import("@/components/training/advice-side").then((module) => module.AdviceSide), { ssr: false });

type EarlyStop = NonNullable<Overview["earlyStop"]>;
type StopStep = EarlyStop["steps"][number];

function StepWords({ step }: { step: StopStep }) {
	const t = useTranslations("evolution.stop");
	const c = useTranslations("common");
	const roundName = useRoundName();
	const parts = (["accuracy", "effectiveness"] as const).map((dimension) => {
		const item = step[dimension];
		return t("dimension", { dimension: c(dimension), verdict: c(`verdict.${item.verdict}`), delta: formatDelta(item.delta), p: formatPValue(item.p) });
	});
	return (
		<li className="grid grid-cols-[48px_1fr] py-[3px]">
			<b className="font-semibold">{roundName(step.round)}</b>
			<span className="text-ink-2">{t(`effect.${step.effect}`, { detail: parts.join(t("and")), against: roundName(step.against, true) })}</span>
		</li>
	);
}

/** Is it safe to stop? The rule's state in words. */
function EarlyStopPanel({ stop, rounds }: { stop: EarlyStop; rounds: Overview["rounds"] }) {
	const t = useTranslations("evolution.stop");
	const format = useFormatter();
	const roundName = useRoundName();
	const nameOf = useName();
	const used = stop.strikes + stop.stale;
	const digests = rounds.flatMap((round) => (stop.steps.some((step) => step.round === round.name) ? (round.againstAnchor ?? []) : []));
	return (
		<SideSection title={t("title")} meta={t("patience", { count: stop.patience })}>
			{stop.stopped && stop.stoppedAfter ? (
				<p className="flex items-center gap-2 text-13">
					<span className="inline-flex items-center gap-[5px] font-semibold text-down">
						<CircleX className="size-3.5" aria-hidden />
						{t("stoppedAfter", { round: roundName(stop.stoppedAfter) })}
					</span>
					{stop.stoppedAt && <span className="text-12 text-ink-3">{format.dateTime(stop.stoppedAt, "moment")}</span>}
				</p>
			) : (
				<p className="flex items-center gap-2 text-13">
					<Strikes count={used} of={stop.patience} />
					{t("counting", { used, of: stop.patience, anchor: roundName(stop.anchor, true) })}
				</p>
			)}
			{stop.steps.length > 0 ? (
				<ol className="mt-1.5">
					{stop.steps.map((step) => (
						<StepWords key={step.round} step={step} />
					))}
				</ol>
			) : (
				!stop.stopped && <p className="mt-1 text-ink-2">{t("none")}</p>
			)}
			<VerdictNote items={digests.flatMap((digest) => [digest.accuracy, digest.effectiveness])} className="mt-1.5" />
			<details className="mt-1.5 text-12 text-ink-2">
				<summary className="cursor-pointer text-ink-3 max-md:min-h-11 max-md:content-center">{t("rule")}</summary>
				<p className="mt-1">{t("ruleText", { count: stop.patience })}</p>
			</details>
			{stop.sparse && <p className="mt-1.5 text-ink-2">{t("sparse", stop.sparse)}</p>}
			{stop.reopened.map((item) => (
				<p key={item.at.toISOString()} className="mt-1.5 border-line border-t pt-1.5 text-ink-2">
					{t("reopened", { name: nameOf(item.by.name), date: format.dateTime(item.at, "day"), round: roundName(item.afterRound, true) })}{" "}
					<Words className="text-ink">{item.reason}</Words>
				</p>
			))}
		</SideSection>
	);
}

/** What waits for whom; mine first. */
function WaitingPanel({ items }: { items: readonly Waiting[] }) {
	const t = useTranslations("evolution.waiting");
	const c = useTranslations("common");
	const { href, label } = useWaiting();
	const { shell } = useWorkspace();
	const nameOf = useName();
	const sorted = [...items].sort((a, b) => Number(b.mine) - Number(a.mine));
	return (
		<SideSection title={t("title")}>
			{sorted.length === 0 ? (
				<p className="text-ink-2">{t("nothing")}</p>
			) : (
				<ul className="grid gap-2">
					{sorted.map((item) => {
						const who = item.mine ? c("you") : item.person ? nameOf(item.person.name) : item.role ? t("any", { role: c(`role.${item.role}`) }) : t("anyone");
						const avatar = item.mine ? shell.person.name : (item.person?.name ?? (item.role ? c(`role.${item.role}`) : "?"));
						return (
							<li key={`${item.kind}-${item.subjectId ?? ""}`} className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-2">
								<PersonAvatar name={avatar} me={item.mine} size="sm" />
								<div>
									<Link href={href(item)} className="link">
										{label(item)}
									</Link>
									<span className="block text-ink-3">
										<Words>{who}</Words>
										{item.since && (
											<>
												{" · "}
												<RelativeTime at={item.since} />
											</>
										)}
									</span>
								</div>
							</li>
						);
					})}
				</ul>
			)}
		</SideSection>
	);
}

export function SidePanel({ overview }: { overview: Overview }) {
	return (
		<>
			{overview.earlyStop && <EarlyStopPanel stop={overview.earlyStop} rounds={overview.rounds} />}
			{overview.gate && <GatePanel gate={overview.gate} over={overview.evolution?.status !== "active"} />}
			<AdviceSide />
			<WaitingPanel items={overview.waiting} />
		</>
	);
}
