"use client";

import Link from "next/link";
import { useFormatter, useLocale, useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { GuardedButton } from "@/components/ui/button";
import { useEngineName } from "@/components/ui/engine-name";
import { formatDelta, formatInterval, formatPValue } from "@/components/ui/format";
import { Noise } from "@/components/ui/noise";
import { SectionHead } from "@/components/ui/page";
import { Words } from "@/components/ui/person";
import { Badge, type StatusTone } from "@/components/ui/status";
import { Table, Td, Th, Tr } from "@/components/ui/table";
import { useName, useNames } from "@/components/ui/use-name";
import { IntervalBar, sharedDomain, Verdict, VerdictNote } from "@/components/ui/verdict";
import { Written } from "@/components/ui/written";
import type { Digest, Round } from "./types";

const STATUS_TONE: Record<Round["proposals"][number]["status"], StatusTone> = {
	draft: "plain",
	evaluating: "accent",
	"in-review": "accent",
	"changes-requested": "unsure",
	landed: "up",
	rejected: "down",
	conflict: "down",
	withdrawn: "same",
};

/** One comparison: both dimensions on a shared axis, words first. */
export function DigestBlock({ digest, title, noise }: { digest: Digest; title: string; noise: number | null }) {
	const t = useTranslations("evolution.round");
	const c = useTranslations("common");
	const locale = useLocale();
	const { path } = useWorkspace();
	const domain = sharedDomain([digest.accuracy, digest.effectiveness]);
	return (
		<section className="border-line border-t pb-4 first:border-t-0">
			<SectionHead title={title} meta={<Noise share={noise} />}>
				<Link href={`${path("runs", digest.runId)}?against=${encodeURIComponent(digest.baseRunId)}`} className="link">
					{t("flips", { fixed: digest.fixed, broken: digest.broken })}
				</Link>
			</SectionHead>
			<div className="grid grid-cols-2 gap-x-8 gap-y-3 max-md:grid-cols-1">
				{(["accuracy", "effectiveness"] as const).map((dimension) => {
					const item = digest[dimension];
					return (
						<div key={dimension} className="text-12">
							<div className="flex items-baseline gap-2">
								<b className="font-semibold text-13">{c(dimension)}</b>
								<b className="ml-auto font-semibold text-13">{formatDelta(item.delta)}</b>
								<span className="text-ink-3">{formatInterval(item.low, item.high, locale)}</span>
							</div>
							<IntervalBar {...item} domain={domain} className="mt-0.5" />
							<div className="mt-0.5 flex gap-2">
								<Verdict word={item.verdict} strong />
								<span className="text-ink-2">{formatPValue(item.p)}</span>
							</div>
						</div>
					);
				})}
			</div>
			<VerdictNote items={[digest.accuracy, digest.effectiveness]} className="mt-2" />
		</section>
	);
}

export function Proposals({ round }: { round: Round }) {
	const t = useTranslations("evolution.round");
	const status = useTranslations("evolution.proposalStatus");
	const engineName = useEngineName();
	const names = useNames();
	const { path } = useWorkspace();
	return (
		<section className="border-line border-t pb-4 first:border-t-0">
			<SectionHead title={t("proposals")} />
			{round.proposals.length === 0 ? (
				<p className="text-12 text-ink-2">{t("none")}</p>
			) : (
				<Table>
					<thead>
						<tr>
							<Th>{t("proposal")}</Th>
							<Th className="max-md:hidden">{t("by")}</Th>
							<Th numeric className="max-md:hidden">
								{t("files")}
							</Th>
							<Th numeric>{t("avg")}</Th>
							<Th>{t("state")}</Th>
						</tr>
					</thead>
					<tbody>
						{round.proposals.map((proposal) => (
							<Tr key={proposal.id}>
								<Td>
									<Link href={path("reviews", proposal.id)} className="link">
										#{proposal.number}
									</Link>{" "}
									<Written phrases={proposal.phrases}>{proposal.title}</Written>
								</Td>
								<Td className="whitespace-nowrap max-md:hidden">
									<Words>{proposal.engine === "person" ? names(proposal.authors.map((author) => author.name)) : engineName(proposal.engine)}</Words>
								</Td>
								<Td numeric className="max-md:hidden">
									{proposal.files}
								</Td>
								<Td numeric muted={proposal.avgDelta === null}>
									{proposal.avgDelta === null ? "–" : formatDelta(proposal.avgDelta)}
								</Td>
								<Td>
									<Badge tone={STATUS_TONE[proposal.status]} live={proposal.status === "evaluating"}>
										{status(proposal.status)}
									</Badge>
								</Td>
							</Tr>
						))}
					</tbody>
				</Table>
			)}
		</section>
	);
}

export type Alarm = Round["alarms"][number];

export function Alarms({ round, onAcknowledge }: { round: Round; onAcknowledge: (alarm: Alarm) => void }) {
	const t = useTranslations("evolution.round");
	const why = useTranslations("evolution.reason");
	const c = useTranslations("common");
	const format = useFormatter();
	const { can, categoryTitle } = useWorkspace();
	const nameOf = useName();
	if (round.status !== "closed" || round.index === 0) return null;
	return (
		<section className="border-line border-t pb-4 first:border-t-0">
			<SectionHead title={t("alarms")} />
			{round.alarms.length === 0 && <p className="text-12 text-ink-2">{t("noAlarms")}</p>}
			<ul>
				{round.alarms.map((alarm) => (
					<li
						key={`${alarm.category}-${alarm.dimension}`}
						className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t py-2 text-12 first:border-t-0"
					>
						<span>
							{t("alarm", { category: categoryTitle(alarm.category), broken: alarm.broken, fixed: alarm.fixed, cases: alarm.cases })}
							<span className="text-ink-3"> · {c(alarm.dimension)}</span>
						</span>
						{alarm.acknowledged ? (
							<span className="text-ink-2">
								{t("acknowledged", { name: nameOf(alarm.acknowledged.by.name), date: format.dateTime(alarm.acknowledged.at, "day") })}{" "}
								<Words className="text-ink">{alarm.acknowledged.reason}</Words>
							</span>
						) : (
							<GuardedButton size="sm" reason={can("alarm.acknowledge") ? null : why("role")} onClick={() => onAcknowledge(alarm)}>
								{t("acknowledge")}…
							</GuardedButton>
						)}
					</li>
				))}
			</ul>
		</section>
	);
}
