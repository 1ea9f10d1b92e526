"use client";

import { useFormatter, useTranslations } from "next-intl";
import { formatDelta, formatPoints, formatPValue, shortId } from "@/components/ui/format";
import { Noise } from "@/components/ui/noise";
import { Words } from "@/components/ui/person";
import { useName, useNames } from "@/components/ui/use-name";
import { Written } from "@/components/ui/written";
import { useRoundName } from "./names";
import { digestOf } from "./round-state";
import type { CurveSplit, OverviewRound } from "./types";

/** What is behind a point, as text: commit, who closed it, what changed and who approved it, flips and p values. */
export function RoundTip({ round, split }: { round: OverviewRound; split: CurveSplit }) {
	const t = useTranslations("evolution.tip");
	const nameOf = useName();
	const names = useNames();
	const c = useTranslations("common");
	const format = useFormatter();
	const roundName = useRoundName();
	const digest = digestOf(round, split);
	const approvers = [...new Set(round.landed.flatMap((proposal) => (proposal.approvedBy ? [proposal.approvedBy.name] : [])))];
	const scores = round[split];
	return (
		<>
			<p>
				<b className="font-semibold">{roundName(round.name)}</b>{" "}
				<span className="text-ink-3">
					{round.closedAt
						? t(round.closedBy ? "closedBy" : "closed", { date: format.dateTime(round.closedAt, "day"), name: nameOf(round.closedBy?.name ?? "") })
						: t("opened", { date: format.dateTime(round.openedAt, "day") })}
				</span>
			</p>
			<dl className="grid grid-cols-[auto_1fr] gap-x-2.5">
				{round.commit && (
					<>
						<dt className="text-ink-3">{t("commit")}</dt>
						<dd>
							<code>{shortId(round.commit)}</code>
						</dd>
					</>
				)}
				{round.landed.length > 0 && (
					<>
						<dt className="text-ink-3">{t("changed")}</dt>
						<dd>
							{round.landed.slice(0, 4).map((proposal) => (
								<span key={proposal.id} className="block truncate">
									#{proposal.number} <Written phrases={proposal.phrases}>{proposal.title}</Written>
								</span>
							))}
							{round.landed.length > 4 && <span className="text-ink-3">{t("more", { count: round.landed.length - 4 })}</span>}
						</dd>
					</>
				)}
				{approvers.length > 0 && (
					<>
						<dt className="text-ink-3">{t("approved")}</dt>
						<dd>
							<Words>{names(approvers)}</Words>
							{round.unattended && ` (${t("unattended")})`}
						</dd>
					</>
				)}
				{(["accuracy", "effectiveness"] as const).map(
					(dimension) =>
						scores?.[dimension] && (
							<div key={dimension} className="contents">
								<dt className="text-ink-3">{c(dimension)}</dt>
								<dd className="whitespace-nowrap">
									{formatPoints(scores[dimension].value)}
									{digest && round.index > 0 && (
										<>
											{" "}
											({formatDelta(digest[dimension].delta)}, {formatPValue(digest[dimension].p)})
										</>
									)}
								</dd>
							</div>
						),
				)}
				{digest && (
					<>
						<dt className="text-ink-3">{t("flips")}</dt>
						<dd>{t("flipCounts", { fixed: digest.fixed, broken: digest.broken, against: roundName(digest.against, true) })}</dd>
					</>
				)}
				{scores && scores.noise !== null && (
					<dd className="col-span-2">
						<Noise share={scores.noise} />
					</dd>
				)}
			</dl>
		</>
	);
}
