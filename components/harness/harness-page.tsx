"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { parseAsString, parseAsStringLiteral, useQueryState } from "nuqs";
import { type ReactNode, useCallback, useEffect, useState } from "react";

import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryError, useTRPC } from "@/components/trpc/client";
import { Breadcrumbs } from "@/components/ui/breadcrumbs";
import { SearchField } from "@/components/ui/field";
import { EmptyState } from "@/components/ui/notes";
import { Panes } from "@/components/ui/panes";
import { Select } from "@/components/ui/select";
import { Kbd, SkeletonRows } from "@/components/ui/status";
import { Tabs } from "@/components/ui/tabs";
import { toastDone } from "@/components/ui/toast";
import type { ComponentView, Problem } from "@/server/harness/contract";
import { applyFix, effectiveFiles } from "./draft-files";
import { FileEditor } from "./file-editor";
import { HarnessTree } from "./harness-tree";
import type { Comparison } from "./history-sheet";
import { ProblemList } from "./problem-list";
import { PromptPreview } from "./prompt-preview";
import { RebaseDialog, useRebase } from "./rebase-dialog";
import { StatusBar, WorkbenchNotices } from "./status-bar";
import { type OpenEvolution, useBranch } from "./use-branch";
import { useProblems } from "./use-problems";
import { useWorkbench, type Workbench } from "./use-workbench";
import { NewButton, WorkbenchActions } from "./workbench-actions";

/** Loaded beside the page: most visits open none of them. */
const NewComponentDialog = dynamic(() => import("./component-dialogs").then((module) => module.NewComponentDialog), { ssr: false });
const RenameDialog = dynamic(() => import("./component-dialogs").then((module) => module.RenameDialog), { ssr: false });
const HistorySheet = dynamic(() => import("./history-sheet").then((module) => module.HistorySheet), { ssr: false });

/** Loaded when its tab is opened: most visits only read and edit. */
const TryPane = dynamic(() => import("@/components/trajectory/try-pane").then((module) => module.TryPane), {
	ssr: false,
	loading: () => <SkeletonRows rows={4} />,
});

/** The operator's page: what does the agent obey? Three panes over one draft. */
export function HarnessPage() {
	const { branch, branches, setBranch, ready, evolution } = useBranch();
	const [kind, setKind] = useQueryState("kind", parseAsStringLiteral(["agent", "judge"] as const).withDefault("agent"));
	const { shell, local, path } = useWorkspace();
	const t = useTranslations("harness");
	const at = kind === "judge" ? "main" : branch;
	const { query, workbench } = useWorkbench(kind, at, ready || kind === "judge");
	const picker = (
		<>
			<Select
				size="sm"
				label={t("kind")}
				value={kind}
				onValueChange={(next) => void setKind(next as "agent" | "judge")}
				options={[
					{ value: "agent", label: t("agent") },
					{ value: "judge", label: t("judge") },
				]}
			/>
			{kind === "agent" && (
				<Select
					size="sm"
					label={t("branch")}
					value={at}
					onValueChange={setBranch}
					options={branches.map((name) => ({ value: name, label: name }))}
					className="max-w-56"
				/>
			)}
		</>
	);
	return (
		<div className="flex min-h-0 flex-1 flex-col md:h-full">
			<Breadcrumbs items={[{ label: t("title"), href: path("harness") }, { label: local(shell.workspace.title) }]} />
			{workbench ? (
				<Loaded key={`${kind}/${at}`} workbench={workbench} picker={picker} evolution={evolution} />
			) : query.isError ? (
				<QueryError error={query.error} onRetry={() => void query.refetch()} />
			) : (
				<div className="p-4" role="status" aria-label={t("loading")}>
					<SkeletonRows rows={16} columns={3} />
				</div>
			)}
		</div>
	);
}

function Loaded({ workbench, picker, evolution }: { workbench: Workbench; picker: ReactNode; evolution: OpenEvolution | null }) {
	const t = useTranslations("harness");
	const c = useTranslations("common");
	const files = useOpenFiles(workbench);
	const [filter, setFilter] = useState("");
	const [making, setMaking] = useState(false);
	const onNew = useCallback(() => setMaking(true), []);
	const [renaming, setRenaming] = useState<ComponentView | null>(null);
	const [history, setHistory] = useState<ComponentView | null>(null);
	const [comparison, setComparison] = useState<Comparison | null>(null);
	const rebase = useRebase(workbench);
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const surroundings = useQuery(trpc.harness.surroundings.queryOptions({ workspace: slug }, { staleTime: 60_000 }));
	const onFix = workbench.canEdit ? (problem: Problem) => void fix(workbench, problem) : null;
	const onDelete = (component: ComponentView) => {
		const before = Object.fromEntries(component.files.map((file) => [file.path, workbench.files[file.path] ?? null]));
		workbench.write(Object.fromEntries(Object.keys(before).map((path) => [path, null])));
		toastDone(t("deleted", { name: component.name }), { undo: { label: c("undo"), run: () => workbench.write(before) } });
	};
	const tree = (
		<div className="flex h-full min-h-0 flex-col">
			<div className="flex items-center gap-1 border-line border-b px-2 py-2">
				<SearchField value={filter} onValueChange={setFilter} label={t("filter")} shortcut={<Kbd>/</Kbd>} className="min-w-0 flex-1" />
				{workbench.canEdit && <NewButton onNew={onNew} />}
			</div>
			<div className="min-h-0 flex-1 overflow-y-auto">
				<HarnessTree workbench={workbench} filter={filter} selected={files.path} onSelect={files.open} />
			</div>
		</div>
	);
	const editor = (
		<FileEditor
			workbench={workbench}
			path={files.path}
			open={files.opened}
			onOpen={files.open}
			onClose={files.close}
			comparison={comparison}
			onCompare={setComparison}
			reveal={files.reveal}
			onProblem={files.openProblem}
			onFix={onFix}
			onHistory={setHistory}
			onRename={setRenaming}
			onDelete={onDelete}
			schemas={surroundings.data?.schemas ?? null}
		/>
	);
	return (
		<>
			<StatusBar workbench={workbench} picker={picker} actions={<WorkbenchActions workbench={workbench} onNew={onNew} evolution={evolution} />} />
			<WorkbenchNotices workbench={workbench} rebase={rebase} />
			<Panes
				name="harness"
				active={files.pane}
				onActiveChange={files.setPane}
				panes={[
					{ id: "tree", title: t("panes.tree"), width: 226, minWidth: 170, content: tree },
					{ id: "editor", title: t("panes.editor"), content: editor },
					{
						id: "preview",
						title: t("panes.preview"),
						count: workbench.view.problems.length,
						width: 424,
						minWidth: 280,
						content: <SidePane workbench={workbench} onProblem={files.openProblem} onFix={onFix} />,
					},
				]}
			/>
			<NewComponentDialog open={making} onOpenChange={setMaking} workbench={workbench} onMade={files.open} />
			<RenameDialog component={renaming} onOpenChange={(open) => !open && setRenaming(null)} workbench={workbench} onMade={files.open} />
			<HistorySheet component={history} onOpenChange={(open) => !open && setHistory(null)} workbench={workbench} onCompare={setComparison} />
			<RebaseDialog rebase={rebase} branch={workbench.view.branch} />
		</>
	);
}

/** Applies a problem's fix where the problem now is: with unsaved text in the file its place is found again first. */
async function fix(workbench: Workbench, problem: Problem): Promise<void> {
	const { file } = problem;
	if (workbench.local[file] === undefined) {
		const text = workbench.files[file];
		if (text !== undefined) workbench.write({ [file]: applyFix(text, problem) });
		return;
	}
	const view = await workbench.flush();
	const text = view ? effectiveFiles(view.baseFiles, view.draft?.changes ?? {})[file] : undefined;
	const now = view?.problems.find((other) => other.file === file && other.rule === problem.rule && other.fix?.text === problem.fix?.text);
	if (now && text !== undefined) workbench.write({ [file]: applyFix(text, now) });
}

/** Which files are open; the one on the screen is in the URL. */
function useOpenFiles(workbench: Workbench) {
	const [path, setPath] = useQueryState("file", parseAsString);
	const [opened, setOpened] = useState<readonly string[]>([]);
	const [pane, setPane] = useState("tree");
	const [reveal, setReveal] = useState<{ line: number; column: number } | null>(null);
	const first = workbench.view.components[0]?.path ?? null;
	const shown = path ?? first;
	useEffect(() => {
		if (shown) setOpened((before) => (before.includes(shown) ? before : [...before, shown]));
	}, [shown]);
	const open = useCallback(
		(next: string) => {
			setReveal(null);
			setPane("editor");
			void setPath(next);
		},
		[setPath],
	);
	const close = (closing: string) => {
		const rest = opened.filter((file) => file !== closing);
		setOpened(rest);
		if (closing === shown) void setPath(rest.at(-1) ?? null);
	};
	const openProblem = (problem: Problem) => {
		open(problem.file);
		setReveal({ line: problem.line, column: problem.column });
	};
	return { path: shown, opened, open, close, openProblem, reveal, pane, setPane };
}

function SidePane({
	workbench,
	onProblem,
	onFix,
}: {
	workbench: Workbench;
	onProblem: (problem: Problem) => void;
	onFix: ((problem: Problem) => void) | null;
}) {
	const t = useTranslations("harness");
	const { can } = useWorkspace();
	const [tab, setTab] = useQueryState("pane", parseAsStringLiteral(["prompt", "problems", "try"] as const).withDefault("prompt"));
	const { view } = workbench;
	const problems = useProblems(view.problems);
	const errors = problems.some((problem) => problem.severity === "error");
	const tabs = [
		{ id: "prompt", label: t("panes.prompt"), content: <PromptPreview workbench={workbench} /> },
		{
			id: "problems",
			label: t("panes.problems"),
			count: view.problems.length,
			content:
				view.problems.length === 0 ? (
					<EmptyState title={t("soundTitle")} className="px-3">
						{t("soundText")}
					</EmptyState>
				) : (
					<ProblemList problems={problems} onOpen={onProblem} onFix={onFix} />
				),
		},
		...(view.kind === "agent" && can("harness.try")
			? [
					{
						id: "try",
						label: t("panes.try"),
						content: (
							<div className="p-3">
								<TryPane
									source={() => ({ kind: "draft", branch: view.branch, changes: workbench.local })}
									changes={{ ...view.draft?.changes, ...workbench.local }}
									branch={view.branch}
									invalid={errors}
								/>
							</div>
						),
					},
				]
			: []),
	];
	return (
		<Tabs
			label={t("panes.preview")}
			value={tab}
			onValueChange={(next) => void setTab(next as typeof tab)}
			tabs={tabs}
			className="h-full"
			contentClassName="overflow-y-auto"
		/>
	);
}
