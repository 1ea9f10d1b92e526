"use client";

import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { formatDelta, formatInterval, formatP, shortId } from "@/components/ui/format";
import { Noise } from "@/components/ui/noise";
import { Notice } from "@/components/ui/notes";
import { SectionHead } from "@/components/ui/page";
import { Select } from "@/components/ui/select";
import { SkeletonRows } from "@/components/ui/status";
import { Sideways, Table, Td, Th, Tr } from "@/components/ui/table";
import { IntervalBar, sharedDomain, Verdict, VerdictNote } from "@/components/ui/verdict";
import type { Comparison, DimensionComparison, Flip, RunInfo } from "@/server/evaluation/contract";
import { INVALID_COMPARISONS } from "@/server/evaluation/values.contract";
import { FlipList } from "./flip-list";
import type { RunState } from "./use-run-state";

const REASONS = Object.keys(INVALID_COMPARISONS) as (keyof typeof INVALID_COMPARISONS)[];
const DIMENSIONS = ["accuracy", "effectiveness"] as const;

function DimensionCells({ value, domain, p }: { value: DimensionComparison; domain: readonly [number, number]; p: number }) {
	const locale = useLocale();
	return (
		<>
			<Td numeric>
				<b className="font-semibold">{formatDelta(value.delta)}</b>
			</Td>
			<Td className="min-w-40 max-md:hidden">
				<IntervalBar {...value} domain={domain} />
			</Td>
			<Td numeric muted>
				{formatInterval(value.low, value.high, locale)}
			</Td>
			<Td numeric muted className="max-md:hidden">
				{formatP(p)}
			</Td>
			<Td>
				<Verdict word={value.verdict} />
			</Td>
		</>
	);
}

function Dimensions({ comparison }: { comparison: Comparison }) {
	const t = useTranslations("runs.compare");
	const c = useTranslations("common");
	const domain = sharedDomain(DIMENSIONS.map((dimension) => comparison.dimensions[dimension]));
	return (
		<section className="px-4">
			<SectionHead title={t("dimensions")} />
			<Sideways label={t("dimensions")}>
				<Table aria-label={t("dimensions")}>
					<thead>
						<tr>
							<Th>{t("dimension")}</Th>
							<Th numeric>{t("delta")}</Th>
							<Th className="w-72 max-md:hidden">
								<span className="sr-only">{t("interval")}</span>
							</Th>
							<Th numeric>{t("interval")}</Th>
							<Th numeric className="max-md:hidden">
								{t("p")}
							</Th>
							<Th>{t("verdict")}</Th>
							<Th>{t("nonInferior")}</Th>
							<Th numeric>{t("fixed")}</Th>
							<Th numeric>{t("broken")}</Th>
						</tr>
					</thead>
					<tbody>
						{DIMENSIONS.map((dimension) => {
							const value = comparison.dimensions[dimension];
							return (
								<Tr key={dimension}>
									<Td className="whitespace-nowrap">{c(dimension)}</Td>
									<DimensionCells value={value} domain={domain} p={value.p} />
									<Td className={value.nonInferior ? "" : "text-down"}>{t(value.nonInferior ? "yes" : "no")}</Td>
									<Td numeric>{value.fixed.length}</Td>
									<Td numeric>{value.broken.length}</Td>
								</Tr>
							);
						})}
					</tbody>
				</Table>
			</Sideways>
			<VerdictNote items={DIMENSIONS.map((dimension) => comparison.dimensions[dimension])} className="mt-2" />
		</section>
	);
}

function Categories({ comparison }: { comparison: Comparison }) {
	const t = useTranslations("runs.compare");
	const c = useTranslations("common");
	const { categoryTitle } = useWorkspace();
	const r = useTranslations("runs.categories");
	const domain = sharedDomain(comparison.perCategory.flatMap((row) => [row.accuracy, row.effectiveness]));
	return (
		<section className="border-line border-t px-4 pb-3">
			<SectionHead title={t("categories")} meta={t("categoriesMeta")} />
			{comparison.alarms.map((alarm) => (
				<p key={`${alarm.category} ${alarm.dimension}`} className="flex items-center gap-1.5 pb-1 text-12 text-unsure">
					<TriangleAlert className="size-3.5 flex-none" aria-hidden />
					{t("alarm", { ...alarm, category: categoryTitle(alarm.category), dimension: c(alarm.dimension) })}
				</p>
			))}
			<Sideways label={t("categories")}>
				<Table aria-label={t("categories")}>
					<thead>
						<tr>
							<Th>{t("categories")}</Th>
							<Th numeric>{r("cases")}</Th>
							<Th>{t("dimension")}</Th>
							<Th numeric>{t("delta")}</Th>
							<Th className="w-72 max-md:hidden">
								<span className="sr-only">{t("interval")}</span>
							</Th>
							<Th numeric>{t("interval")}</Th>
							<Th numeric className="max-md:hidden">
								{t("p")}
							</Th>
							<Th>{t("verdict")}</Th>
						</tr>
					</thead>
					<tbody>
						{comparison.perCategory.flatMap((row) =>
							DIMENSIONS.map((dimension) => (
								<Tr key={`${row.category} ${dimension}`}>
									<Td>{dimension === "accuracy" ? categoryTitle(row.category) : ""}</Td>
									<Td numeric muted>
										{dimension === "accuracy" ? row.cases : ""}
									</Td>
									<Td muted>{c(dimension)}</Td>
									<DimensionCells value={row[dimension]} domain={domain} p={row[dimension].pHolm} />
								</Tr>
							)),
						)}
					</tbody>
				</Table>
			</Sideways>
		</section>
	);
}

function Say({ comparison, base }: { comparison: Comparison; base: RunInfo }) {
	const t = useTranslations("runs.compare");
	const words = useTranslations("common.verdict");
	const { accuracy, effectiveness } = comparison.dimensions;
	const same = accuracy.verdict === "identical" && effectiveness.verdict === "identical";
	const phrase = (value: DimensionComparison) => (value.delta === 0 ? words(value.verdict) : `${words(value.verdict)} ${formatDelta(value.delta)}`);
	return (
		<p className="say px-4 pt-4">
			{same ? t("saySame", { number: base.number }) : t("say", { accuracy: phrase(accuracy), effectiveness: phrase(effectiveness), number: base.number })}
		</p>
	);
}

function Compared({ run, base, comparison, flips }: { run: RunInfo; base: RunInfo; comparison: Comparison; flips: Flip[] }) {
	const t = useTranslations("runs.compare");
	if (comparison.invalid) {
		const known = REASONS.find((id) => INVALID_COMPARISONS[id] === comparison.invalid);
		return (
			<div className="p-4">
				<Notice tone="down">
					<b className="font-semibold">{t("invalid")}</b> {known ? t(`reason.${known}`) : comparison.invalid}
				</Notice>
			</div>
		);
	}
	const test = run.trials === 1 && base.trials === 1 ? "mcnemar" : "permutation";
	return (
		<>
			<Say comparison={comparison} base={base} />
			<p className="px-4 pt-1 pb-2 text-13 text-ink-2">{t("lead", { count: comparison.cases, test: t(test) })}</p>
			<p className="flex flex-wrap gap-x-4 px-4 pb-2 text-12 text-ink-3 empty:hidden">
				{[base, run].map(
					(side) =>
						side.summary?.noise != null && (
							<span key={side.id}>
								R-{side.number} <Noise share={side.summary.noise} />
							</span>
						),
				)}
			</p>
			<Dimensions comparison={comparison} />
			<Categories comparison={comparison} />
			<FlipList flips={flips} beforeLabel={t("side", { number: base.number })} afterLabel={t("side", { number: run.number })} />
		</>
	);
}

/** This run against another, paired by case: deltas with their intervals and words, categories, and every flip. */
export function CompareView({ run, state }: { run: RunInfo; state: RunState }) {
	const t = useTranslations("runs.compare");
	const r = useTranslations("runs");
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const against = state.state.against;
	const candidates = useQuery(
		trpc.evaluation.runs.queryOptions({ workspace: slug, status: ["done"], split: [run.split], suiteKey: [run.suiteKey], limit: 200 }),
	);
	const base = useQuery(trpc.evaluation.run.queryOptions({ workspace: slug, runId: against ?? "" }, { enabled: against !== null }));
	const query = useQuery(
		trpc.evaluation.compare.queryOptions({ workspace: slug, baseRunId: against ?? "", runId: run.id }, { enabled: against !== null && run.status === "done" }),
	);
	const options = (candidates.data?.rows ?? [])
		.filter((row) => row.id !== run.id)
		.map((row) => ({
			value: row.id,
			label: `${r("name", { number: row.number })} · ${shortId(row.commit ?? row.treeId)}`,
			hint: row.judgeName === run.judgeName ? r(`reason.${row.reason}`) : row.judgeName,
		}));
	return (
		<div className="min-h-0 flex-1 overflow-y-auto">
			<div className="flex flex-wrap items-center gap-2 border-line border-b px-4 py-2">
				<Select
					label={t("against")}
					prefix
					placeholder={t("choose")}
					value={base.data?.run.id}
					options={options}
					onValueChange={(value) => void state.setState({ view: "compare", against: value })}
				/>
			</div>
			{run.status !== "done" && <p className="p-4 text-13 text-ink-2">{t("running")}</p>}
			{run.status === "done" && against === null && <p className="p-4 text-13 text-ink-2">{t("chooseBody")}</p>}
			{run.status === "done" && against !== null && (
				<QueryBoundary
					query={query}
					skeleton={
						<div className="p-4">
							<SkeletonRows rows={10} columns={6} />
						</div>
					}
				>
					{({ comparison, flips }) => (base.data ? <Compared run={run} base={base.data.run} comparison={comparison} flips={flips} /> : null)}
				</QueryBoundary>
			)}
		</div>
	);
}
