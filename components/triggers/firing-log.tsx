"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, Download } from "lucide-react";
import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import { parseAsInteger, parseAsString, useQueryStates } from "nuqs";
import { type ReactNode, useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC, useTRPCClient } from "@/components/trpc/client";
import { useLive } from "@/components/trpc/live";
import { useStoredReasons } from "@/components/trpc/reasons";
import { Button, IconButton } from "@/components/ui/button";
import { downloadText, toCsv } from "@/components/ui/csv";
import { Sheet } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/notes";
import { Facts } from "@/components/ui/page";
import { Words } from "@/components/ui/person";
import { Select } from "@/components/ui/select";
import { SkeletonRows } from "@/components/ui/status";
import { Table, Td, Th, Tr } from "@/components/ui/table";
import { DecisionSchema, EVENT_TYPES, type Firing, type FiringFilter, type Trigger } from "@/server/triggers/contract";
import { DecisionBadge } from "./dry-run-result";
import { useTriggerWords } from "./use-trigger-words";

const PAGE_SIZE = 50;
const parsers = {
	trigger: parseAsString.withDefault(""),
	decision: parseAsString.withDefault(""),
	event: parseAsString.withDefault(""),
	page: parseAsInteger.withDefault(1),
};

/** What came of a firing, with a link to it. */
function Outcome({ firing }: { firing: Firing }) {
	const t = useTranslations("triggers.log");
	const format = useFormatter();
	const reasons = useStoredReasons();
	const { path } = useWorkspace();
	const { outcome, result, delivery, repeats } = firing;
	const parts: ReactNode[] = [];
	if (outcome === "pending") parts.push(t("pending"));
	for (const { id, number } of result?.runs ?? [])
		parts.push(
			<Link key={id} href={path("runs", id)} className="link">
				R-{number}
			</Link>,
		);
	if (result?.retraining) parts.push(t(result.retraining.already ? "already" : "retraining"));
	if (result?.trainingId)
		parts.push(
			<Link key="training" href={path("training", result.trainingId)} className="link">
				{t("training")}
			</Link>,
		);
	if (result?.finding)
		parts.push(
			<Link key="finding" href={path("findings", result.finding.id)} className="link">
				{t("finding", { number: result.finding.number })}
			</Link>,
		);
	if (delivery?.status === "delivered") parts.push(t("delivered", { status: delivery.answered ?? 0 }));
	if (delivery?.status === "queued")
		parts.push(delivery.nextAt ? t("queued", { attempts: delivery.attempts, next: format.dateTime(delivery.nextAt, "moment") }) : t("queuedFirst"));
	if (delivery?.status === "failed") parts.push(t("given-up"));
	const error = result?.error ?? (delivery?.status === "delivered" ? null : delivery?.error);
	if (outcome === "failed") parts.push(t("failed"));
	if (repeats > 0) parts.push(t("repeats", { count: repeats }));
	return (
		<>
			{parts.map((part, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence, in their order
				<span key={index}>
					{index > 0 && " · "}
					{part}
				</span>
			))}
			{error && <span className="block text-down">{reasons([error], error.message)}</span>}
		</>
	);
}

function FiringSheet({ firing, onClose }: { firing: Firing | null; onClose: () => void }) {
	const t = useTranslations("triggers.log");
	const format = useFormatter();
	const words = useTriggerWords();
	return (
		<Sheet open={firing !== null} onOpenChange={(open) => !open && onClose()} title={firing && words.name(firing.trigger)} description={t("detail")}>
			{firing && (
				<div className="grid gap-3">
					<div className="flex flex-wrap items-center gap-2 text-13">
						<DecisionBadge decision={firing.decision} />
						{words.why(firing.why)}
					</div>
					<Facts
						layout="list"
						items={[
							[t("event"), words.event(firing.event)],
							[t("at"), format.dateTime(firing.eventAt, { dateStyle: "medium", timeStyle: "medium" })],
							firing.subject.label !== null && [t("subject"), <Words key="subject">{firing.subject.label}</Words>],
							[t("version"), firing.version],
							firing.depth > 0 && [t("depth"), firing.depth],
							[t("outcome"), <Outcome key="outcome" firing={firing} />],
						]}
					/>
					<section>
						<h3 className="mb-1 font-semibold text-13">{t("facts")}</h3>
						<Facts layout="list" items={words.facts(firing.inputs)} />
						{firing.subject.payload && (
							<pre className="mt-2 overflow-x-auto whitespace-pre-wrap break-words rounded-6 border border-line bg-sub px-3 py-2 text-12">
								{JSON.stringify(firing.subject.payload, null, 2)}
							</pre>
						)}
					</section>
				</div>
			)}
		</Sheet>
	);
}

function FiringTable({ rows, onOpen }: { rows: readonly Firing[]; onOpen: (firing: Firing) => void }) {
	const t = useTranslations("triggers.log");
	const format = useFormatter();
	const words = useTriggerWords();
	return (
		<div className="overflow-x-auto">
			<Table aria-label={t("label")}>
				<thead>
					<tr>
						<Th>{t("at")}</Th>
						<Th>{t("trigger")}</Th>
						<Th className="max-md:hidden">{t("event")}</Th>
						<Th>{t("decision")}</Th>
						<Th className="max-md:hidden">{t("why")}</Th>
						<Th className="max-md:hidden">{t("outcome")}</Th>
					</tr>
				</thead>
				<tbody>
					{rows.map((row) => (
						<Tr key={row.id}>
							<Td className="whitespace-nowrap align-top" muted>
								{format.dateTime(row.createdAt, "moment")}
							</Td>
							<Td className="align-top">
								<button type="button" className="text-left hover:text-accent max-md:min-h-11" onClick={() => onOpen(row)}>
									<Words>{words.name(row.trigger)}</Words>
								</button>
							</Td>
							<Td className="align-top max-md:hidden">
								{words.event(row.event)} {row.subject.label && <Words className="text-ink-3">{row.subject.label}</Words>}
							</Td>
							<Td className="align-top">
								<DecisionBadge decision={row.decision} />
							</Td>
							<Td className="align-top max-md:hidden">{words.why(row.why)}</Td>
							<Td className="align-top max-md:hidden">
								<Outcome firing={row} />
							</Td>
						</Tr>
					))}
				</tbody>
			</Table>
		</div>
	);
}

/** At most so many rows in a file; a number of ours. */
const MOST_EXPORTED = 2_000;
const HEADER = ["at", "trigger", "version", "event", "about", "decision", "why", "outcome", "facts"] as const;

/** Hands the log as it is filtered to the browser as CSV, newest first. */
function useExport(filter: FiringFilter): () => Promise<void> {
	const client = useTRPCClient();
	const { slug } = useWorkspace();
	return async () => {
		const rows: Firing[] = [];
		for (let page = 1; rows.length < MOST_EXPORTED; page++) {
			const next = await client.triggers.firings.query({ workspace: slug, filter, page, pageSize: 200 });
			rows.push(...next.rows);
			if (next.rows.length < 200) break;
		}
		const lines = rows.map(({ createdAt, trigger, version, event, subject, decision, why, outcome, inputs }) => [
			...[createdAt.toISOString(), trigger.key ?? trigger.name, version, event, subject.label, decision],
			...[JSON.stringify(why), outcome, JSON.stringify(inputs)],
		]);
		downloadText("trigger-log.csv", "text/csv", toCsv(HEADER, lines));
	};
}

/** Every decision of every trigger, with what it stood on and what came of it. Filter and page are in the URL. */
export function FiringLog({ triggers }: { triggers: readonly Trigger[] }) {
	const t = useTranslations("triggers");
	const c = useTranslations("common.table");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const words = useTriggerWords();
	const [state, setState] = useQueryStates(parsers, { history: "replace" });
	const [open, setOpen] = useState<Firing | null>(null);
	const filter = Object.fromEntries(
		Object.entries({ triggerId: state.trigger, decision: state.decision, event: state.event }).filter(([, value]) => value !== ""),
	) as FiringFilter;
	const query = useQuery(
		trpc.triggers.firings.queryOptions(
			{ workspace: slug, filter, page: Math.max(1, state.page), pageSize: PAGE_SIZE },
			{ placeholderData: keepPreviousData, retry: false },
		),
	);
	useLive(["triggers"], () => queryClient.invalidateQueries(trpc.triggers.firings.queryFilter()));
	const exportCsv = useExport(filter);
	const set = (change: Partial<typeof state>) => void setState({ ...change, page: change.page ?? null });
	const all = { value: "", label: t("log.all") };
	return (
		<>
			<div className="flex flex-wrap items-center gap-2 py-2">
				<Select
					label={t("log.trigger")}
					prefix
					value={state.trigger}
					onValueChange={(trigger) => set({ trigger })}
					options={[all, ...triggers.map((one) => ({ value: one.id, label: words.name(one) }))]}
					className="max-md:w-full"
				/>
				<Select
					label={t("log.decision")}
					prefix
					value={state.decision}
					onValueChange={(decision) => set({ decision })}
					options={[all, ...DecisionSchema.options.map((value) => ({ value, label: t(`decision.${value}`) }))]}
					className="max-md:w-full"
				/>
				<Select
					label={t("log.event")}
					prefix
					value={state.event}
					onValueChange={(event) => set({ event })}
					options={[all, ...EVENT_TYPES.map((value) => ({ value, label: t(`event.${value}`) }))]}
					className="max-md:w-full"
				/>
				<span className="ml-auto text-12 text-ink-3">{query.data && t("log.say", { count: query.data.total })}</span>
				<Button variant="quiet" size="sm" onClick={() => void exportCsv()}>
					<Download className="size-3.5" aria-hidden />
					CSV
				</Button>
			</div>
			<QueryBoundary query={query} skeleton={<SkeletonRows rows={6} columns={5} />}>
				{({ rows, total }) => {
					const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
					if (rows.length === 0)
						return Object.keys(filter).length > 0 ? (
							<p className="py-4 text-13 text-ink-2">{c("nothingMatches")}</p>
						) : (
							<EmptyState title={t("log.empty")}>{t("log.emptyText")}</EmptyState>
						);
					return (
						<>
							<FiringTable rows={rows} onOpen={setOpen} />
							{pages > 1 && (
								<nav aria-label={c("pages")} className="flex items-center gap-2 py-2 text-12 text-ink-2">
									<IconButton size="sm" label={c("previous")} disabled={state.page <= 1} onClick={() => set({ page: state.page - 1 })}>
										<ChevronLeft className="size-3.5" aria-hidden />
									</IconButton>
									{c("pageOf", { page: state.page, pages })}
									<IconButton size="sm" label={c("next")} disabled={state.page >= pages} onClick={() => set({ page: state.page + 1 })}>
										<ChevronRight className="size-3.5" aria-hidden />
									</IconButton>
								</nav>
							)}
						</>
					);
				}}
			</QueryBoundary>
			<FiringSheet firing={open} onClose={() => setOpen(null)} />
		</>
	);
}
