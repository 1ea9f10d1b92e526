"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronLeft, ChevronRight, X } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useCommands } from "@/components/layout/command-registry";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC, useTRPCClient } from "@/components/trpc/client";
import { Button, GuardedButton, IconButton } from "@/components/ui/button";
import { downloadText } from "@/components/ui/csv";
import { SearchField } from "@/components/ui/field";
import { EmptyState } from "@/components/ui/notes";
import { PageHeader } from "@/components/ui/page";
import { DropdownMenu } from "@/components/ui/popover";
import { Select } from "@/components/ui/select";
import { PageSkeleton, SkeletonRows } from "@/components/ui/status";
import type { SuiteInfo } from "@/server/evaluation/contract";
import { CaseTable } from "./case-table";
import { useCasesState } from "./use-cases-state";

/** Forms with their schemas: loaded when one is opened. */
const CaseSheet = dynamic(() => import("./case-sheet").then((module) => module.CaseSheet), { ssr: false });
const ImportDialog = dynamic(() => import("./import-dialog").then((module) => module.ImportDialog), { ssr: false });

const PAGE = 100;
type State = ReturnType<typeof useCasesState>;

function Filters({
	suites,
	suite,
	version,
	categories,
	page,
}: {
	suites: readonly SuiteInfo[];
	suite: SuiteInfo;
	version: SuiteInfo["versions"][number];
	categories: readonly string[];
	page: State;
}) {
	const t = useTranslations("cases");
	const { local, categoryTitle } = useWorkspace();
	const { state, set } = page;
	return (
		<>
			<SearchField className="w-52 max-md:w-full" value={state.q} onValueChange={(q) => set({ q })} label={t("filter")} placeholder={t("filter")} />
			{suites.length > 1 && (
				<Select
					size="sm"
					label={t("suite")}
					value={suite.key}
					onValueChange={(key) => set({ suite: key, version: null })}
					options={suites.map((one) => ({ value: one.key, label: local(one.title), hint: one.key }))}
				/>
			)}
			<Select
				size="sm"
				label={t("version")}
				value={version.id}
				onValueChange={(id) => set({ version: id === suite.versions[0]?.id ? null : id })}
				options={suite.versions.map((one, index) => ({
					value: one.id,
					label: t("versionOf", { version: one.version }),
					hint: index === 0 ? t("latest") : one.note,
				}))}
			/>
			<Select
				size="sm"
				label={t("column.split")}
				value={state.split ?? ""}
				onValueChange={(value) => set({ split: value === "dev" || value === "test" ? value : null })}
				options={[
					{ value: "", label: t("anySplit") },
					{ value: "dev", label: t("split.dev"), hint: version.splits.dev },
					{ value: "test", label: t("split.test"), hint: version.splits.test },
				]}
			/>
			<Select
				size="sm"
				label={t("category")}
				value={state.category ?? ""}
				onValueChange={(value) => set({ category: value || null })}
				options={[{ value: "", label: t("anyCategory") }, ...categories.map((value) => ({ value, label: categoryTitle(value) }))]}
			/>
			{state.group && (
				<span className="inline-flex h-6 items-center gap-1 rounded-4 border border-accent-line bg-accent-soft pl-2 text-12 max-md:h-11">
					{t("group", { group: state.group })}
					<button type="button" className="grid h-full w-6 place-items-center" aria-label={t("clearGroup")} onClick={() => set({ group: null })}>
						<X className="size-3" aria-hidden />
					</button>
				</span>
			)}
		</>
	);
}

function SuiteCases({ suites, suite, page }: { suites: readonly SuiteInfo[]; suite: SuiteInfo; page: State }) {
	const t = useTranslations("cases");
	const c = useTranslations("common.table");
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const { state, set } = page;
	const version = suite.versions.find((one) => one.id === state.version) ?? suite.versions[0];
	const number = Math.max(1, state.page);
	const query = useQuery(
		trpc.cases.list.queryOptions(
			{
				workspace: slug,
				suiteVersionId: version?.id ?? "none",
				split: state.split ? [state.split] : [],
				category: state.category ? [state.category] : [],
				tag: state.tag,
				group: state.group,
				text: state.q,
				sort: state.sort,
				descending: state.desc,
				offset: (number - 1) * PAGE,
				limit: PAGE,
			},
			{ placeholderData: keepPreviousData, enabled: version !== undefined },
		),
	);
	if (!version) return null;
	return (
		<QueryBoundary
			query={query}
			skeleton={
				<div className="px-6 py-3">
					<SkeletonRows rows={14} columns={6} />
				</div>
			}
		>
			{({ rows, total, categories }) => {
				const pages = Math.max(1, Math.ceil(total / PAGE));
				return (
					<div className="px-6 pb-6 max-md:px-4">
						<div className="flex flex-wrap items-center gap-2 py-2">
							<Filters suites={suites} suite={suite} version={version} categories={categories} page={page} />
							<span className="ml-auto text-12 text-ink-3">
								{t("pageOf", { from: total === 0 ? 0 : (number - 1) * PAGE + 1, to: Math.min(number * PAGE, total), total })}
							</span>
						</div>
						{rows.length === 0 ? <p className="py-4 text-13 text-ink-2">{t("nothing")}</p> : <CaseTable rows={rows} page={page} />}
						{pages > 1 && (
							<nav aria-label={c("pages")} className="flex items-center justify-end gap-2 pt-2 text-12 text-ink-2">
								{c("pageOf", { page: number, pages })}
								<IconButton label={c("previous")} disabled={number <= 1} onClick={() => set({ page: number - 1 })}>
									<ChevronLeft className="size-3.5" aria-hidden />
								</IconButton>
								<IconButton label={c("next")} disabled={number >= pages} onClick={() => set({ page: number + 1 })}>
									<ChevronRight className="size-3.5" aria-hidden />
								</IconButton>
							</nav>
						)}
					</div>
				);
			}}
		</QueryBoundary>
	);
}

/** The cases of a suite: what is asked of the agent, in which split and group; import with a dry run, and export. */
export function CasesPage() {
	const t = useTranslations("cases");
	const trpc = useTRPC();
	const client = useTRPCClient();
	const { slug, can } = useWorkspace();
	const page = useCasesState();
	const [importing, setImporting] = useState(false);
	const query = useQuery(trpc.cases.suites.queryOptions({ workspace: slug }));
	const may = can("case.import");
	useCommands(may ? [{ id: "cases-import", label: t("wizard.title"), run: () => setImporting(true) }] : []);
	const exportAs = async (suiteVersionId: string, format: "csv" | "jsonl") => {
		const file = await client.cases.exportCases.query({ workspace: slug, suiteVersionId, format });
		downloadText(file.name, format === "csv" ? "text/csv" : "application/jsonl", file.content);
	};
	return (
		<QueryBoundary query={query} skeleton={<PageSkeleton title={t("title")} rows={14} columns={6} />}>
			{(suites) => {
				const suite = suites.find((one) => one.key === page.state.suite) ?? suites[0];
				const version = suite?.versions.find((one) => one.id === page.state.version) ?? suite?.versions[0];
				const open = version ? version.splits.dev + version.splits.test : 0;
				return (
					<>
						<PageHeader
							title={t("say", { open, sealed: version?.splits.holdout ?? 0 })}
							lead={t("lead")}
							actions={
								<>
									{version && (
										<DropdownMenu
											trigger={
												<Button>
													{t("export")}
													<ChevronDown className="size-3.5" aria-hidden />
												</Button>
											}
											items={[
												{ label: t("exportCsv"), onSelect: () => void exportAs(version.id, "csv") },
												{ label: t("exportJsonl"), onSelect: () => void exportAs(version.id, "jsonl") },
											]}
										/>
									)}
									<GuardedButton variant="solid" reason={may ? null : t("importForbidden")} onClick={() => setImporting(true)}>
										{t("import")}
									</GuardedButton>
								</>
							}
						/>
						{importing && (
							<ImportDialog
								suite={suite?.key ?? "t1"}
								onClose={(imported) => {
									setImporting(false);
									if (imported) page.set({ suite: imported, version: null });
								}}
							/>
						)}
						{suite && version ? (
							<SuiteCases suites={suites} suite={suite} page={page} />
						) : (
							<EmptyState title={t("empty.title")} action={may && <Button onClick={() => setImporting(true)}>{t("empty.action")}</Button>}>
								{t("empty.body")}
							</EmptyState>
						)}
						{page.state.case && suite && (
							<CaseSheet
								key={page.state.case}
								caseId={page.state.case}
								suite={suite.key}
								onClose={() => page.set({ case: null, page: page.state.page })}
								onGroup={(group) => page.set({ case: null, group })}
							/>
						)}
					</>
				);
			}}
		</QueryBoundary>
	);
}
