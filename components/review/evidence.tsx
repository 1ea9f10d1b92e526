"use client";

import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { cn } from "@/components/ui/cn";
import { formatDelta, formatDuration, formatInterval, formatPoints, formatPValue, formatShare } from "@/components/ui/format";
import { Checklist, SectionHead } from "@/components/ui/page";
import { Progress } from "@/components/ui/status";
import { Table, Td, Th, Tr } from "@/components/ui/table";
import { IntervalBar, sharedDomain, Verdict, VerdictNote } from "@/components/ui/verdict";
import { Flips } from "./flips";
import type { Proposal } from "./types";
import { useChecks } from "./use-checks";

type Evidence = NonNullable<Proposal["evidence"]>;
type Comparison = NonNullable<Evidence["comparison"]>;

function Dimensions({ evidence, comparison }: { evidence: Evidence; comparison: Comparison }) {
	const t = useTranslations("review.evidence");
	const c = useTranslations("common");
	const locale = useLocale();
	const { accuracy, effectiveness } = comparison.dimensions;
	const domain = sharedDomain([accuracy, effectiveness]);
	const range = (dimension: "accuracy" | "effectiveness") => {
		const [before, after] = [evidence.base[dimension]?.value, evidence.run[dimension]?.value];
		return before !== undefined && after !== undefined ? `${formatPoints(before)} → ${formatPoints(after)}` : "";
	};
	return (
		<div className="grid gap-3 text-12">
			{(["accuracy", "effectiveness"] as const).map((name) => {
				const item = comparison.dimensions[name];
				return (
					<div key={name}>
						<div className="flex items-baseline gap-2">
							<b className="font-semibold">{c(name)}</b>
							<span className="text-ink-2">{range(name)}</span>
							<b className="ml-auto font-semibold text-13">{formatDelta(item.delta)}</b>
							<span className="text-ink-3">{formatInterval(item.low, item.high, locale)}</span>
						</div>
						<IntervalBar {...item} domain={domain} className="mt-0.5" />
						<div className="flex flex-wrap gap-x-2">
							<Verdict word={item.verdict} strong />
							<span className="text-ink-2">
								{t("flips", { fixed: item.fixed.length, broken: item.broken.length })}, {formatPValue(item.p)}
							</span>
						</div>
					</div>
				);
			})}
			<VerdictNote items={[accuracy, effectiveness]} />
		</div>
	);
}

function Behaviour({ evidence }: { evidence: Evidence }) {
	const t = useTranslations("review.evidence");
	const locale = useLocale();
	const { hookRetries, latencyP50Ms, noise } = evidence;
	return (
		<Table className="mt-3">
			<tbody>
				{hookRetries && (
					<Tr>
						<Td muted>{t("hookRetries")}</Td>
						<Td numeric>
							{hookRetries.before.toFixed(2)} → {hookRetries.after.toFixed(2)}
						</Td>
					</Tr>
				)}
				{latencyP50Ms && (
					<Tr>
						<Td muted>{t("latency")}</Td>
						<Td numeric>
							{formatDuration(latencyP50Ms.before, locale)} → {formatDuration(latencyP50Ms.after, locale)}
						</Td>
					</Tr>
				)}
				<Tr>
					<Td muted>{t("noise")}</Td>
					<Td numeric muted={noise === null}>
						{noise === null ? t("oneTrial") : formatShare(noise, locale)}
					</Td>
				</Tr>
			</tbody>
		</Table>
	);
}

/** One square a case: filled happened, hollow did not; apart, what nobody had predicted. */
function Squares({ happened, missed, extra, tone }: { happened: number; missed: number; extra: number; tone: "up" | "down" }) {
	const square = (filled: boolean, index: number, kind: string) => (
		<i
			key={`${kind}-${index.toString()}`}
			className={cn("block size-2 rounded-[1px]", filled ? (tone === "up" ? "bg-up" : "bg-down") : "shadow-[inset_0_0_0_1px_var(--line-ctl)]")}
		/>
	);
	const many = (count: number, filled: boolean, kind: string) => Array.from({ length: Math.min(count, 40) }, (_, i) => square(filled, i, kind));
	return (
		<span aria-hidden className="flex flex-wrap items-center gap-[2px]">
			{many(happened, true, "h")}
			{many(missed, false, "m")}
			{extra > 0 && <span className="w-2" />}
			{many(extra, true, "x")}
		</span>
	);
}

function PredictedActual({ prediction }: { prediction: NonNullable<Evidence["prediction"]> }) {
	const t = useTranslations("review.evidence");
	const { fixes, breaks } = prediction;
	const predicted = fixes.happened.length + fixes.missed.length;
	const risky = breaks.happened.length + breaks.missed.length;
	return (
		<section className="border-line border-t px-4 pb-4">
			<SectionHead title={t("predicted")} />
			<p className="text-12">
				{predicted + risky === 0
					? t("nothingPredicted", { fixed: fixes.extra.length, broken: breaks.surprise.length })
					: t("predictedSay", { predicted, happened: fixes.happened.length, extra: fixes.extra.length, surprise: breaks.surprise.length })}
			</p>
			<div className="mt-2 grid grid-cols-[56px_minmax(0,1fr)_auto] items-center gap-x-2 gap-y-1 text-12">
				<span className="text-ink-3">{t("fixes")}</span>
				<Squares happened={fixes.happened.length} missed={fixes.missed.length} extra={fixes.extra.length} tone="up" />
				<span className="text-ink-3">{t("ofPredicted", { happened: fixes.happened.length, predicted, extra: fixes.extra.length })}</span>
				<span className="text-ink-3">{t("breaks")}</span>
				<Squares happened={breaks.happened.length} missed={breaks.missed.length} extra={breaks.surprise.length} tone="down" />
				<span className="text-ink-3">{t("ofPredicted", { happened: breaks.happened.length, predicted: risky, extra: breaks.surprise.length })}</span>
			</div>
		</section>
	);
}

function Categories({ comparison }: { comparison: Comparison }) {
	const t = useTranslations("review.evidence");
	const c = useTranslations("common");
	const { categoryTitle } = useWorkspace();
	const rows = comparison.perCategory.toSorted((a, b) => b.cases - a.cases);
	return (
		<section className="border-line border-t px-4 pb-4">
			<SectionHead title={t("byCategory")} meta={t("byCategoryMeta")} />
			<Table>
				<thead>
					<tr>
						<Th>{t("category")}</Th>
						<Th>{c("accuracy")}</Th>
						<Th>{c("effectiveness")}</Th>
					</tr>
				</thead>
				<tbody>
					{rows.map((row) => (
						<Tr key={row.category}>
							<Td>
								{categoryTitle(row.category)} <span className="text-ink-3">{row.cases}</span>
							</Td>
							{(["accuracy", "effectiveness"] as const).map((d) => (
								<Td key={d}>
									{row[d].fixed.length + row[d].broken.length === 0 ? (
										<span className="text-ink-3">0 / 0</span>
									) : (
										<>
											<span className="text-ink-2">
												{row[d].fixed.length} / {row[d].broken.length}
											</span>{" "}
											<Verdict word={row[d].verdict} delta={row[d].delta} />
										</>
									)}
								</Td>
							))}
						</Tr>
					))}
				</tbody>
			</Table>
		</section>
	);
}

/** What the diff does to dev, against the branch it would land on: the heart of a review. */
export function EvidenceColumn({ proposal }: { proposal: Proposal }) {
	const t = useTranslations("review.evidence");
	const r = useTranslations("review");
	const c = useTranslations("common.check");
	const { path } = useWorkspace();
	const checks = useChecks(proposal);
	const { evidence } = proposal;
	const words = { yes: c("yes"), no: c("no"), open: c("open") };
	return (
		<div className="min-h-0 overflow-y-auto">
			<div className="flex min-h-9 flex-wrap items-center gap-x-3 border-line border-b bg-sub px-4 text-12">
				<h2 className="font-semibold text-13">{t("title")}</h2>
				{evidence && (
					<>
						<span className="text-ink-3">{t("meta", { cases: evidence.comparison?.cases ?? evidence.run.planned })}</span>
						<Link href={path("runs", evidence.run.runId)} className="link ml-auto">
							R-{evidence.run.runNumber}
						</Link>
					</>
				)}
			</div>
			{!evidence && <p className="px-4 py-3 text-12 text-ink-2">{t("none")}</p>}
			{evidence && !evidence.comparison && (
				<div className="px-4 py-3 text-12">
					<p className="text-ink-2">{t(evidence.run.status === "failed" || evidence.run.status === "cancelled" ? "failed" : "running")}</p>
					<Progress done={evidence.run.done} total={evidence.run.planned} label={t("progress")} className="mt-2" />
				</div>
			)}
			{evidence?.comparison && (
				<section className="px-4 py-3">
					<Dimensions evidence={evidence} comparison={evidence.comparison} />
					<Behaviour evidence={evidence} />
				</section>
			)}
			{evidence?.prediction && <PredictedActual prediction={evidence.prediction} />}
			{evidence?.comparison && <Flips evidence={evidence} prediction={evidence.prediction} />}
			{evidence?.comparison && <Categories comparison={evidence.comparison} />}
			<section className="border-line border-t px-4 pb-4">
				<SectionHead title={t("checks")} />
				<h3 className="mb-1 text-12 text-ink-3">{t("blocking")}</h3>
				<Checklist
					words={words}
					items={[
						...checks(true),
						{ id: "author", ok: !proposal.may.land.reasons.includes("author-rule"), label: r("check.author") },
						{ id: "base", ok: !proposal.baseMoved, label: r("check.base") },
					]}
				/>
				<h3 className="mt-3 mb-1 text-12 text-ink-3">{t("advising")}</h3>
				<Checklist words={words} items={checks(false).map((item) => ({ ...item, advises: true }))} />
			</section>
		</div>
	);
}
