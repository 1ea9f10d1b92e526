"use client";

import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { suiteTitle } from "@/components/runs/suite-name";
import { formatShare, shortId } from "@/components/ui/format";
import { Noise } from "@/components/ui/noise";
import { SideSection } from "@/components/ui/page";
import { Progress } from "@/components/ui/status";
import { useName } from "@/components/ui/use-name";
import { Score } from "@/components/ui/verdict";
import { Written } from "@/components/ui/written";
import type { Round } from "./types";

function RunLine({ name, run }: { name: string; run: Round["test"] }) {
	const t = useTranslations("evolution.round");
	const c = useTranslations("common");
	const status = useTranslations("evolution.runStatus");
	const locale = useLocale();
	const { path } = useWorkspace();
	if (!run) return null;
	return (
		<div className="border-line border-t py-2 first-of-type:border-t-0 first-of-type:pt-0">
			<div className="flex items-baseline gap-2">
				<span>{name}</span>
				<Link href={path("runs", run.runId)} className="link">
					R-{run.runNumber}
				</Link>
				<span className="ml-auto text-ink-3">
					{run.coverage === null ? status(run.status) : t("coverage", { coverage: formatShare(run.coverage, locale) })}
				</span>
			</div>
			{run.status === "done" ? (
				<dl className="grid grid-cols-[88px_1fr] gap-x-2">
					{(["accuracy", "effectiveness"] as const).map(
						(dimension) =>
							run[dimension] && (
								<div key={dimension} className="contents">
									<dt className="text-ink-3">{c(dimension)}</dt>
									<dd>
										<Score {...run[dimension]} />
									</dd>
								</div>
							),
					)}
					{run.noise !== null && (
						<dd className="col-span-2">
							<Noise share={run.noise} />
						</dd>
					)}
				</dl>
			) : (
				<>
					<Progress done={run.done} total={run.planned} label={name} className="my-1" />
					<span className="text-ink-3">{t("running", { done: run.done, planned: run.planned })}</span>
				</>
			)}
		</div>
	);
}

/** What a round rests on: its runs, its predictions, what landed. */
export function RoundSide({ round }: { round: Round }) {
	const t = useTranslations("evolution.round");
	const nameOf = useName();
	const status = useTranslations("evolution.runStatus");
	const { path } = useWorkspace();
	return (
		<>
			<SideSection title={t("runs")}>
				<RunLine name="test" run={round.test} />
				<RunLine name="dev" run={round.dev} />
				{round.regression.map((run) => (
					<p key={run.runId} className="border-line border-t py-2">
						<Link href={path("runs", run.runId)} className="link">
							{t("suite", { suite: suiteTitle(run.suiteKey) })}
						</Link>{" "}
						<span className="text-ink-3">{status(run.status)}</span>
					</p>
				))}
				{!round.test && !round.dev && <p className="text-ink-2">{t("noCompare")}</p>}
			</SideSection>
			{round.prediction && (
				<SideSection title={t("predictionTitle")}>
					<p className="text-ink-2">
						{t("prediction", {
							fixes: round.prediction.predictedFixes,
							fixed: round.prediction.happened,
							breaks: round.prediction.predictedBreaks,
							broken: round.prediction.happenedBreaks,
							surprises: round.prediction.surpriseBreaks,
						})}
					</p>
				</SideSection>
			)}
			{round.index > 0 && (
				<SideSection title={t("landed")}>
					{round.landed.length === 0 ? (
						<p className="text-ink-2">{t("nothingLanded")}</p>
					) : (
						<ul className="grid gap-1.5">
							{round.landed.map((proposal) => (
								<li key={proposal.id}>
									<Link href={path("reviews", proposal.id)} className="link">
										#{proposal.number}
									</Link>{" "}
									<Written phrases={proposal.phrases}>{proposal.title}</Written>
									<span className="block text-ink-3">
										{proposal.approvedBy && t("approvedBy", { name: nameOf(proposal.approvedBy.name) })}{" "}
										{proposal.commit && <code>{shortId(proposal.commit)}</code>}
									</span>
								</li>
							))}
						</ul>
					)}
				</SideSection>
			)}
		</>
	);
}
