"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, Download } from "lucide-react";
import { useFormatter, useLocale, useTranslations } from "next-intl";
import { parseAsInteger, parseAsString, useQueryStates } from "nuqs";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { Button, IconButton } from "@/components/ui/button";
import { Sheet } from "@/components/ui/dialog";
import { SearchField } from "@/components/ui/field";
import { Name } from "@/components/ui/names";
import { Facts, PageHeader } from "@/components/ui/page";
import { Select } from "@/components/ui/select";
import { Table, Td, Th, Tr } from "@/components/ui/table";
import { AUDIT_ACTIONS, type AuditAction, type AuditEntryDto } from "@/server/workspace/contract";
import { ActionWords, ReasonWords, SubjectWords } from "./audit-words";
import { SectionBody, SectionSkeleton } from "./form-parts";

const PAGE_SIZE = 50;
const parsers = {
	q: parseAsString.withDefault(""),
	actor: parseAsString.withDefault(""),
	action: parseAsString.withDefault(""),
	page: parseAsInteger.withDefault(1),
};

type AuditKind = AuditAction extends `${infer Kind}.${string}` ? Kind : never;
const kindOf = (action: string) => action.split(".")[0] ?? action;
const isAuditKind = (kind: string): kind is AuditKind => AUDIT_ACTIONS.some((action) => kindOf(action) === kind);

function EntrySheet({ entry, onClose }: { entry: AuditEntryDto | null; onClose: () => void }) {
	const t = useTranslations("settings.audit");
	const format = useFormatter();
	return (
		<Sheet
			open={entry !== null}
			onOpenChange={(open) => !open && onClose()}
			title={entry && <SubjectWords entry={entry} />}
			description={entry && <ActionWords action={entry.action} />}
		>
			{entry && (
				<>
					<Facts
						layout="list"
						items={[
							[t("at"), format.dateTime(entry.at, { dateStyle: "medium", timeStyle: "medium" })],
							[t("action"), <code key="action">{entry.action}</code>],
							[
								t("actor"),
								<span key="actor">
									<Name>{entry.actorName}</Name> ({entry.actorId})
								</span>,
							],
							entry.reason !== null && [t("reason"), <ReasonWords key="reason" entry={entry} reason={entry.reason} />],
							[t("id"), <code key="id">{entry.id}</code>],
						]}
					/>
					{Object.keys(entry.detail).length > 0 && (
						<pre className="mt-3 overflow-x-auto whitespace-pre-wrap break-words rounded-6 border border-line bg-sub px-3 py-2 text-12">
							{JSON.stringify(entry.detail, null, 2)}
						</pre>
					)}
				</>
			)}
		</Sheet>
	);
}

function EntryTable({ entries, onOpen }: { entries: readonly AuditEntryDto[]; onOpen: (entry: AuditEntryDto) => void }) {
	const t = useTranslations("settings.audit");
	const format = useFormatter();
	return (
		<div className="overflow-x-auto">
			<Table aria-label={t("label")}>
				<thead>
					<tr>
						<Th>{t("at")}</Th>
						<Th className="max-md:hidden">{t("actor")}</Th>
						<Th>{t("action")}</Th>
						<Th>{t("subject")}</Th>
						<Th className="max-md:hidden">{t("reason")}</Th>
					</tr>
				</thead>
				<tbody>
					{entries.map((entry) => (
						<Tr key={entry.id} className="cursor-pointer" onClick={() => onOpen(entry)}>
							<Td className="whitespace-nowrap" muted>
								{format.dateTime(entry.at, "moment")}
							</Td>
							<Td className="whitespace-nowrap max-md:hidden">
								<Name>{entry.actorName}</Name>
							</Td>
							<Td className="md:whitespace-nowrap">
								<ActionWords action={entry.action} />
								{/* On a phone there is no room for a column of its own. */}
								<span className="block text-ink-3 md:hidden">
									<Name>{entry.actorName}</Name>
								</span>
							</Td>
							<Td>
								<button type="button" className="text-left hover:text-accent" onClick={() => onOpen(entry)}>
									<SubjectWords entry={entry} />
								</button>
							</Td>
							<Td className="text-ink-2 max-md:hidden">{entry.reason && <ReasonWords entry={entry} reason={entry.reason} />}</Td>
						</Tr>
					))}
				</tbody>
			</Table>
		</div>
	);
}

/** Who did what to which version, with the reason. Filter and page are in the URL; the export takes the same filter. */
export function AuditSection() {
	const t = useTranslations("settings.audit");
	const c = useTranslations("common.table");
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const [state, setState] = useQueryStates(parsers, { history: "replace", throttleMs: 200 });
	const [open, setOpen] = useState<AuditEntryDto | null>(null);
	const language = useLocale().startsWith("zh") ? "zh" : "en";
	const filter = { search: state.q || undefined, actor: state.actor || undefined, action: state.action || undefined };
	const query = useQuery(
		trpc.settings.audit.queryOptions(
			{ workspace: slug, filter, language, page: Math.max(1, state.page), pageSize: PAGE_SIZE },
			{ placeholderData: keepPreviousData },
		),
	);
	const actions = useQuery(trpc.settings.auditActions.queryOptions({ workspace: slug }));
	const kinds = [...new Set((actions.data ?? []).map(kindOf))];
	const set = (change: Partial<typeof state>) => void setState({ ...change, page: change.page ?? null });
	const exportUrl = `/api/audit-log?${new URLSearchParams(Object.entries({ workspace: slug, language, ...filter }).filter((pair): pair is [string, string] => Boolean(pair[1])))}`;
	return (
		<QueryBoundary query={query} skeleton={<SectionSkeleton columns={5} />}>
			{({ entries, total }) => {
				const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
				return (
					<>
						<PageHeader title={t("say", { count: total })} lead={t("lead")} />
						<SectionBody>
							<div className="flex flex-wrap items-center gap-2 py-2">
								<SearchField value={state.q} onValueChange={(q) => set({ q })} label={t("search")} className="w-56 max-md:w-full" />
								<SearchField value={state.actor} onValueChange={(actor) => set({ actor })} label={t("person")} className="w-44 max-md:w-full" />
								<Select
									label={t("action")}
									prefix
									value={state.action}
									onValueChange={(action) => set({ action })}
									options={[{ value: "", label: t("all") }, ...kinds.map((kind) => ({ value: kind, label: isAuditKind(kind) ? t(`kinds.${kind}`) : kind }))]}
									className="max-md:w-full"
								/>
								<Button asChild variant="quiet" size="sm" className="ml-auto">
									<a href={exportUrl} download>
										<Download className="size-3.5" aria-hidden />
										CSV
									</a>
								</Button>
							</div>
							{entries.length === 0 ? <p className="py-4 text-13 text-ink-2">{c("nothingMatches")}</p> : <EntryTable entries={entries} onOpen={setOpen} />}
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
						</SectionBody>
						<EntrySheet entry={open} onClose={() => setOpen(null)} />
					</>
				);
			}}
		</QueryBoundary>
	);
}
