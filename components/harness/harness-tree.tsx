"use client";

import { CircleX, FileText, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { Tree, type TreeNode } from "@/components/ui/tree";
import type { ComponentKind, ComponentView, FileStatus } from "@/server/harness/contract";
import type { Workbench } from "./use-workbench";

const GROUPS: { kind: ComponentKind; letter: string; name: "skills" | "tools" | "prompts" | "hooks" }[] = [
	{ kind: "skill", letter: "S", name: "skills" },
	{ kind: "tool", letter: "T", name: "tools" },
	{ kind: "prompt", letter: "P", name: "prompts" },
	{ kind: "hook", letter: "K", name: "hooks" },
];

const STATUS_LETTER: Record<FileStatus, string> = { same: "", modified: "M", added: "A", deleted: "D" };

/** Errors and warnings as sign and number. */
export function ProblemMarks({ errors, warnings }: { errors: number; warnings: number }) {
	const t = useTranslations("harness");
	return (
		<>
			{errors > 0 && (
				<span className="inline-flex items-center gap-0.5 text-down" title={t("errors", { count: errors })}>
					<CircleX className="size-3" aria-hidden />
					{errors}
				</span>
			)}
			{warnings > 0 && (
				<span className="inline-flex items-center gap-0.5 text-unsure" title={t("warnings", { count: warnings })}>
					<TriangleAlert className="size-3" aria-hidden />
					{warnings}
				</span>
			)}
		</>
	);
}

function StatusLetter({ status }: { status: FileStatus }) {
	const t = useTranslations("harness.status");
	if (status === "same") return null;
	return (
		<span className="text-accent" title={t(status)}>
			{STATUS_LETTER[status]}
		</span>
	);
}

/** The harness by S / T / P / K, with what has problems and what the draft changes. */
export function HarnessTree({
	workbench,
	filter,
	selected,
	onSelect,
}: {
	workbench: Workbench;
	filter: string;
	selected: string | null;
	onSelect: (path: string) => void;
}) {
	const t = useTranslations("harness");
	const { components, otherFiles } = workbench.view;
	const nodes = useMemo(() => {
		const wanted = filter.trim().toLowerCase();
		const matches = (text: string) => wanted === "" || text.toLowerCase().includes(wanted);
		const groups = GROUPS.map(({ kind, letter, name }): TreeNode => {
			const own = components.filter((component) => component.kind === kind);
			const shown = own.filter((component) => matches(component.name));
			const sum = (key: "errors" | "warnings") => own.reduce((total, component) => total + component[key], 0);
			return {
				id: kind,
				text: t(`kinds.${name}`),
				label: (
					<>
						<span className="mr-1.5 font-semibold text-accent" aria-hidden>
							{letter}
						</span>
						{t(`kinds.${name}`)} <span className="font-normal text-ink-3">{own.length}</span>
					</>
				),
				marks: <ProblemMarks errors={sum("errors")} warnings={sum("warnings")} />,
				children: shown.flatMap((component) => componentNodes(component, t("strategy"))),
			};
		});
		const manifest = components.filter((component) => component.kind === "manifest").flatMap((component) => componentNodes(component, ""));
		const files = otherFiles
			.filter((file) => matches(file.path))
			.map(
				(file): TreeNode => ({
					id: file.path,
					text: file.path,
					label: file.path,
					icon: <FileText className="size-3.5 text-ink-3" aria-hidden />,
					marks: <StatusLetter status={file.status} />,
				}),
			);
		return [...groups, ...manifest, ...files];
	}, [components, otherFiles, filter, t]);
	return <Tree nodes={nodes} selected={selected} onSelect={onSelect} label={t("tree")} />;
}

function componentNodes(component: ComponentView, strategy: string): TreeNode[] {
	const name = component.kind === "hook" ? `${component.name}.js` : component.kind === "manifest" ? "harness.yaml" : component.name;
	const main: TreeNode = {
		id: component.path,
		text: name,
		label: <span className={component.status === "deleted" ? "line-through" : undefined}>{name}</span>,
		...(component.kind === "manifest" ? { icon: <FileText className="size-3.5 text-ink-3" aria-hidden /> } : {}),
		marks: (
			<>
				{component.skillType === "strategy" && <span className="text-ink-3">{strategy}</span>}
				<ProblemMarks errors={component.errors} warnings={component.warnings} />
				<StatusLetter status={component.status} />
			</>
		),
	};
	const rest = component.files
		.filter((file) => file.path !== component.path)
		.map((file): TreeNode => {
			const short = file.path.slice(file.path.indexOf(`/${component.name}/`) + component.name.length + 2);
			return { id: file.path, text: short, label: <span className="pl-3 text-ink-3">{short}</span>, marks: <StatusLetter status={file.status} /> };
		});
	return [main, ...rest];
}
