"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { useLive } from "@/components/trpc/live";
import { Button } from "@/components/ui/button";
import { type Column, DataTable } from "@/components/ui/data-table";
import { formatInterval, formatPoints } from "@/components/ui/format";
import { SectionHead } from "@/components/ui/page";
import { RelativeTime } from "@/components/ui/relative-time";
import { toastDone } from "@/components/ui/toast";
import type { Interval } from "@/server/evaluation/contract";
import type { CheckpointRow } from "@/server/training/contract";

const SEARCHED_FROM = 9;
/** Runs that are followed at once; when one ends, others take its place. */
const MOST_FOLLOWED = 8;

/** A figure that is not there: it is being measured, or was not. */
function Missing({ row }: { row: CheckpointRow }) {
	const t = useTranslations("training.checkpoints");
	return <span className="text-ink-3">{t(row.running.length > 0 ? "underWay" : "notMeasured")}</span>;
}

/** In points, with its 95 % interval. */
function Figure({ value, low, high }: Interval) {
	const locale = useLocale();
	return (
		<>
			<b className="font-semibold">{formatPoints(value)}</b> <span className="text-11 text-ink-3">{formatInterval(low, high, locale)}</span>
		</>
	);
}

function T1({ row }: { row: CheckpointRow }) {
	const { path } = useWorkspace();
	if (!row.t1) return <Missing row={row} />;
	return (
		<Link href={path("runs", row.t1.runId)} className="link whitespace-nowrap">
			<Figure {...row.t1.avg} />
		</Link>
	);
}

function Gap({ row }: { row: CheckpointRow }) {
	const { path } = useWorkspace();
	if (!row.gap) return <Missing row={row} />;
	const { value, low, high, runId, baseRunId } = row.gap;
	return (
		<Link href={`${path("runs", runId)}?against=${baseRunId}`} className="link whitespace-nowrap">
			<Figure value={value} low={low} high={high} />
		</Link>
	);
}

/** Starts what is missing to know a checkpoint; nothing where all is measured or under way, or for who may start no run. */
function Measure({ row }: { row: CheckpointRow }) {
	const t = useTranslations("training.checkpoints");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, can } = useWorkspace();
	const measure = useMutation(
		trpc.training.checkpointMeasure.mutationOptions({
			onSuccess: async () => {
				toastDone(t("queued", { name: row.name }));
				await queryClient.invalidateQueries(trpc.training.checkpoints.pathFilter());
			},
		}),
	);
	if (row.running.length > 0 || (row.t1 && row.gap) || !can("run.start")) return null;
	return (
		<Button
			size="sm"
			aria-label={t("measureOf", { name: row.name })}
			busy={measure.isPending}
			onClick={() => measure.mutate({ workspace: slug, policyVersionId: row.id })}
		>
			{t("measure")}
		</Button>
	);
}

function useColumns(): Column<CheckpointRow>[] {
	const t = useTranslations("training.checkpoints");
	const r = useTranslations("training");
	const from = (row: CheckpointRow) => (row.training ? r("name", { number: row.training.number }) : t("elsewhere"));
	const round = (value: number) => Number((value * 100).toFixed(2));
	return [
		{
			id: "checkpoint",
			header: t("column.checkpoint"),
			sortValue: (row) => row.name,
			text: (row) => row.name,
			cell: (row) => <b className="font-semibold">{row.name}</b>,
		},
		{
			id: "from",
			header: t("column.from"),
			wideOnly: true,
			text: from,
			cell: (row) => (row.inForce ? t("fromInForce", { from: from(row) }) : from(row)),
		},
		{
			id: "t1",
			header: t("column.t1"),
			csvHeader: "t1",
			numeric: true,
			sortValue: (row) => row.t1?.avg.value ?? -1,
			csv: (row) => (row.t1 ? round(row.t1.avg.value) : null),
			cell: (row) => <T1 row={row} />,
		},
		{
			id: "gap",
			header: t("column.gap"),
			csvHeader: "t2-gap",
			numeric: true,
			sortValue: (row) => row.gap?.value ?? Number.NEGATIVE_INFINITY,
			csv: (row) => (row.gap ? round(row.gap.value) : null),
			cell: (row) => <Gap row={row} />,
		},
		{
			id: "when",
			header: t("column.when"),
			wideOnly: true,
			sortValue: (row) => row.createdAt.getTime(),
			csv: (row) => row.createdAt.toISOString(),
			cell: (row) => <RelativeTime at={row.createdAt} />,
		},
		{ id: "measure", header: <span className="sr-only">{t("measure")}</span>, csv: () => null, cell: (row) => <Measure row={row} /> },
	];
}

/** Every checkpoint of the workspace with what is measured of it under the conditions of now; nothing where there are none. */
export function CheckpointList() {
	const t = useTranslations("training.checkpoints");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, path } = useWorkspace();
	const columns = useColumns();
	const { data = [] } = useQuery(trpc.training.checkpoints.queryOptions({ workspace: slug }));
	// A run that ends says so under its own name alone.
	const running = data.flatMap((row) => row.running).slice(0, MOST_FOLLOWED);
	useLive(["runs", "trainings", ...running.map((id) => `run:${id}`)], () => queryClient.invalidateQueries(trpc.training.checkpoints.pathFilter()));
	if (data.length === 0) return null;
	return (
		<section>
			<SectionHead title={t("title")} meta={t("meta")} className="mt-4 border-line border-t" />
			<DataTable
				rows={data}
				columns={columns}
				rowKey={(row) => row.id}
				href={(row) => (row.training ? path("training", row.training.id) : path("training", "checkpoints", row.id))}
				label={t("title")}
				csvName="checkpoints"
				searchable={data.length >= SEARCHED_FROM}
				prefix="c"
			/>
			<p className="mt-1.5 max-w-[72em] text-12 text-ink-3">{t("note")}</p>
		</section>
	);
}
