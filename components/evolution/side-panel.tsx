"use client";

import { Check, CircleDashed, CircleX, X } from "lucide-react";
import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { AdviceSide } from "@/components/training/advice-side";
import { formatDelta, formatPValue } from "@/components/ui/format";
import { Checklist, SideSection } from "@/components/ui/page";
import { PersonAvatar, Words } from "@/components/ui/person";
import { RelativeTime } from "@/components/ui/relative-time";
import { Strikes } from "@/components/ui/status";
import { localizeGateDetail } from "./gate-detail";
import { gateState } from "./gate-state";
import { useRoundName } from "./names";
import type { Overview, Waiting } from "./types";
import { useWaiting } from "./waiting";

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
function EarlyStopPanel({ stop }: { stop: EarlyStop }) {
	const t = useTranslations("evolution.stop");
	const format = useFormatter();
	const roundName = useRoundName();
	const used = stop.strikes + stop.stale;
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
			{stop.sparse && <p className="mt-1.5 text-ink-2">{t("sparse", stop.sparse)}</p>}
			{stop.reopened.map((item) => (
				<p key={item.at.toISOString()} className="mt-1.5 border-line border-t pt-1.5 text-ink-2">
					{t("reopened", { name: item.by.name, date: format.dateTime(item.at, "day"), round: roundName(item.afterRound, true) })}{" "}
					<Words className="text-ink">{item.reason}</Words>
				</p>
			))}
		</SideSection>
	);
}

const GATE_TONE = { pass: "text-up", ready: "text-up", fail: "text-down", inconclusive: "text-unsure" } as const;
const GATE_SIGN = { pass: Check, ready: CircleDashed, fail: X, inconclusive: CircleDashed } as const;
const KNOWN_CHECKS = ["suites-decisive", "no-regression", "non-inferior", "improved", "alarms-acknowledged", "holdout", "restored"] as const;

/** May it be released? The conditions of the gate, each with what it rests on. */
function GatePanel({ gate }: { gate: NonNullable<Overview["gate"]> }) {
	const t = useTranslations("evolution.gate");
	const c = useTranslations("common");
	const roundName = useRoundName();
	const { shell, local } = useWorkspace();
	const categories = new Map(shell.workspace.categories.map((category) => [category.id, local(category.title)]));
	const state = gateState(gate.result);
	const Sign = GATE_SIGN[state.kind];
	const items = gate.result.checks.map((check) => {
		const known = KNOWN_CHECKS.find((id) => id === check.id);
		return {
			id: check.id,
			ok: check.ok,
			label: known ? t(`check.${known}`) : <span lang="en">{check.label}</span>,
			detail: localizeGateDetail(check.detail, (phrase, figures) => t(`phrase.${phrase}`, figures), categories),
		};
	});
	return (
		<SideSection
			title={
				<>
					{t("title")}
					<span className={`inline-flex items-center gap-[5px] ${GATE_TONE[state.kind]}`}>
						<Sign className="size-3.5" aria-hidden />
						{t(`verdict.${state.kind}`, { met: state.met, of: state.of })}
					</span>
				</>
			}
			meta={t("against", { candidate: roundName(gate.candidate), against: roundName(gate.against, true) })}
		>
			<Checklist items={items} words={{ yes: c("check.yes"), no: c("check.no"), open: c("check.open") }} />
		</SideSection>
	);
}

/** What waits for whom; mine first. */
function WaitingPanel({ items }: { items: readonly Waiting[] }) {
	const t = useTranslations("evolution.waiting");
	const c = useTranslations("common");
	const { href, label } = useWaiting();
	const { shell } = useWorkspace();
	const sorted = [...items].sort((a, b) => Number(b.mine) - Number(a.mine));
	return (
		<SideSection title={t("title")}>
			{sorted.length === 0 ? (
				<p className="text-ink-2">{t("nothing")}</p>
			) : (
				<ul className="grid gap-2">
					{sorted.map((item) => {
						const who = item.mine ? c("you") : item.person ? item.person.name : item.role ? t("any", { role: c(`role.${item.role}`) }) : t("anyone");
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
			{overview.earlyStop && <EarlyStopPanel stop={overview.earlyStop} />}
			{overview.gate && <GatePanel gate={overview.gate} />}
			<AdviceSide />
			<WaitingPanel items={overview.waiting} />
		</>
	);
}
