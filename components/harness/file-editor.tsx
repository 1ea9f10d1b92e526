"use client";

import { GitCompareArrows, History, MoreHorizontal, Pencil, RotateCcw, Trash2, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { MonacoDiff, MonacoEditor } from "@/components/editor";
import { Button, IconButton } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { EmptyState } from "@/components/ui/notes";
import { DropdownMenu, type MenuItem } from "@/components/ui/popover";
import type { ComponentView, Problem } from "@/server/harness/contract";
import type { Comparison } from "./history-sheet";
import { ProblemList } from "./problem-list";
import { SkillImpact } from "./skill-impact";
import { useProblems } from "./use-problems";
import type { Workbench } from "./use-workbench";

export interface FileEditorProps {
	workbench: Workbench;
	path: string | null;
	open: readonly string[];
	onOpen: (path: string) => void;
	onClose: (path: string) => void;
	comparison: Comparison | null;
	onCompare: (comparison: Comparison | null) => void;
	reveal: { line: number; column: number } | null;
	onProblem: (problem: Problem) => void;
	onFix: ((problem: Problem) => void) | null;
	onHistory: (component: ComponentView) => void;
	onRename: (component: ComponentView) => void;
	onDelete: (component: ComponentView) => void;
	schemas: { manifest: unknown; tool: unknown } | null;
}

/** The file's name in its tab: a skill by its folder. */
function TabName({ path }: { path: string }) {
	const skill = /^skills\/([^/]+)\/(.+)$/.exec(path);
	if (!skill) return <>{path.replace(/^(prompts|tools|hooks)\//, "")}</>;
	return (
		<>
			<span className="text-ink-3">{skill[1]} / </span>
			{skill[2]}
		</>
	);
}

/** Open files as tabs, the editor (or a comparison), and the problems of the file below. */
export function FileEditor(props: FileEditorProps) {
	const { workbench, path, comparison } = props;
	const t = useTranslations("harness");
	const [cursor, setCursor] = useState({ line: 1, column: 1 });
	const { view, files } = workbench;
	const component = view.components.find((candidate) => candidate.files.some((file) => file.path === path) || candidate.path === path) ?? null;
	const text = path === null ? undefined : files[path];
	const problems = useProblems(view.problems.filter((problem) => problem.file === path));
	const compared = comparison && comparison.path === path ? comparison : null;
	return (
		<div className="flex h-full min-h-0 flex-col max-md:h-[calc(100dvh-220px)]">
			<FileTabs {...props} component={component} />
			{compared && (
				<p className="flex items-center gap-2 border-line border-b bg-sub px-3 py-1 text-12 text-ink-2">
					<GitCompareArrows className="size-3.5" aria-hidden />
					{t("comparing", { label: compared.label })}
					<Button size="sm" variant="quiet" className="ml-auto" onClick={() => props.onCompare(null)}>
						{t("backToEditing")}
					</Button>
				</p>
			)}
			<div className="relative min-h-0 flex-1">
				{path === null ? (
					<EmptyState title={t("chooseTitle")} className="px-6">
						{t("chooseText")}
					</EmptyState>
				) : compared ? (
					<MonacoDiff path={path} original={compared.text} modified={text ?? ""} label={t("diffLabel", { path })} />
				) : text === undefined ? (
					<EmptyState
						title={t("deletedTitle", { path })}
						className="px-6"
						action={
							workbench.canEdit &&
							view.baseFiles[path] !== undefined && <Button onClick={() => workbench.write({ [path]: view.baseFiles[path] ?? null })}>{t("bringBack")}</Button>
						}
					>
						{t("deletedText")}
					</EmptyState>
				) : (
					<MonacoEditor
						scope={`${view.kind}/${view.branch}`}
						path={path}
						value={text}
						onChange={(next) => workbench.write({ [path]: next })}
						problems={problems}
						settled={workbench.local[path] === undefined}
						baseText={view.baseFiles[path] ?? null}
						readOnly={!workbench.canEdit}
						assist={view.assist}
						reveal={props.reveal}
						onCursor={(line, column) => setCursor({ line, column })}
						label={t("editorLabel", { path })}
						schemas={props.schemas}
					/>
				)}
			</div>
			{component?.kind === "skill" && component.status !== "same" && <SkillImpact skill={component.name} />}
			{problems.length > 0 && (
				<section aria-label={t("problems")} className="max-h-[34%] shrink-0 overflow-y-auto border-line border-t">
					<h2 className="sticky top-0 flex items-center gap-2 border-line border-b bg-bg px-3 py-1 font-semibold text-12">
						{t("problems")} <span className="font-normal text-ink-3">{problems.length}</span>
						<span className="ml-auto font-mono font-normal text-11 text-ink-3">{t("cursor", cursor)}</span>
					</h2>
					<ProblemList problems={problems} onOpen={props.onProblem} onFix={props.onFix} />
				</section>
			)}
		</div>
	);
}

function FileTabs({
	workbench,
	path,
	open,
	onOpen,
	onClose,
	component,
	onCompare,
	onHistory,
	onRename,
	onDelete,
}: FileEditorProps & { component: ComponentView | null }) {
	const t = useTranslations("harness");
	const { view, files, canEdit } = workbench;
	const changed = (file: string) => files[file] !== view.baseFiles[file];
	const items: MenuItem[] = component
		? [
				{
					label: t("menu.compare", { branch: view.branch }),
					icon: <GitCompareArrows className="size-3.5" aria-hidden />,
					onSelect: () => path && onCompare({ path, text: view.baseFiles[path] ?? "", label: view.branch }),
				},
				{ label: t("menu.history"), icon: <History className="size-3.5" aria-hidden />, onSelect: () => onHistory(component) },
				...(canEdit
					? ([
							{ separator: true },
							{
								label: t("menu.revert"),
								icon: <RotateCcw className="size-3.5" aria-hidden />,
								disabled: path === null || !changed(path),
								onSelect: () => path && workbench.write({ [path]: view.baseFiles[path] ?? null }),
							},
							...(component.kind === "manifest"
								? []
								: ([
										{ label: t("menu.rename"), icon: <Pencil className="size-3.5" aria-hidden />, onSelect: () => onRename(component) },
										{ label: t("menu.delete"), icon: <Trash2 className="size-3.5" aria-hidden />, danger: true, onSelect: () => onDelete(component) },
									] as MenuItem[])),
						] as MenuItem[])
					: []),
			]
		: [];
	return (
		<div className="flex h-9 shrink-0 items-stretch border-line border-b bg-sub">
			<ul className="flex min-w-0 flex-1 overflow-x-auto">
				{open.map((file) => (
					<li key={file} className={cn("flex items-center border-line border-r", file === path ? "-mb-px bg-bg" : "text-ink-2")}>
						<button
							type="button"
							aria-current={file === path || undefined}
							className="flex h-full items-center gap-1.5 whitespace-nowrap pr-1 pl-3 text-12"
							onClick={() => onOpen(file)}
						>
							<span>
								<TabName path={file} />
							</span>
							{changed(file) && <span role="img" aria-label={t("changedFile")} className="size-2 rounded-full bg-ink-2" />}
						</button>
						<button
							type="button"
							aria-label={t("closeFile", { path: file })}
							className="grid size-6 place-items-center rounded-4 text-ink-3 hover:bg-hover hover:text-ink"
							onClick={() => onClose(file)}
						>
							<X className="size-3" aria-hidden />
						</button>
					</li>
				))}
			</ul>
			{items.length > 0 && (
				<span className="flex items-center px-1.5">
					<DropdownMenu
						trigger={
							<IconButton size="sm" label={t("menu.label")}>
								<MoreHorizontal className="size-4" aria-hidden />
							</IconButton>
						}
						items={items}
					/>
				</span>
			)}
		</div>
	);
}
