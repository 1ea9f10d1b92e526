"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { cn } from "@/components/ui/cn";
import { formatCount, langOf } from "@/components/ui/format";
import { Words } from "@/components/ui/person";
import { Select } from "@/components/ui/select";
import { SkeletonRows } from "@/components/ui/status";
import type { LineChange, PreviewBlock, PreviewView } from "@/server/harness/contract";
import type { Workbench } from "./use-workbench";

const signed = (count: number) => (count > 0 ? `+${formatCount(count)}` : count < 0 ? `\u2212${formatCount(-count)}` : "");

/** The system prompt as the policy sees it, block by block, against the branch. */
export function PromptPreview({ workbench }: { workbench: Workbench }) {
	const t = useTranslations("harness.prompt");
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const [room, setRoom] = useState<string | undefined>(undefined);
	const { kind, branch, treeId } = workbench.view;
	const rooms = useQuery(trpc.harness.surroundings.queryOptions({ workspace: slug }, { staleTime: 60_000 }));
	const query = useQuery(trpc.harness.preview.queryOptions({ workspace: slug, kind, branch, room, treeId }, { placeholderData: (before) => before }));
	const chosen = room ?? query.data?.room;
	return (
		<div className="flex min-h-0 flex-col">
			{(rooms.data?.rooms.length ?? 0) > 0 && kind === "agent" && (
				<div className="px-3 pt-2">
					<Select
						size="sm"
						prefix
						label={t("room")}
						value={chosen}
						onValueChange={setRoom}
						options={(rooms.data?.rooms ?? []).map((entry) => ({ value: entry.id, label: <Words>{entry.title || entry.id}</Words> }))}
						className="max-w-full"
					/>
				</div>
			)}
			<QueryBoundary
				query={query}
				skeleton={
					<div className="p-3">
						<SkeletonRows rows={10} columns={2} />
					</div>
				}
			>
				{(view) => (view ? <Preview view={view} branch={branch} /> : <p className="px-3 py-4 text-13 text-ink-2">{t("invalid")}</p>)}
			</QueryBoundary>
		</div>
	);
}

function Preview({ view, branch }: { view: PreviewView; branch: string }) {
	const t = useTranslations("harness.prompt");
	return (
		<>
			<p className="flex flex-wrap items-baseline gap-x-2 border-line border-b px-3 py-2 text-12 text-ink-2">
				<span className="min-w-0 flex-1">{t.rich("lead", { branch, b: (chunks) => <b className="font-semibold text-ink">{chunks}</b> })}</span>
				<span>
					<b className="font-semibold text-ink">{formatCount(view.tokens)}</b> <span className="text-ink-3">{t("tokens")}</span>{" "}
					{view.tokensBefore !== null && signed(view.tokens - view.tokensBefore)}
				</span>
			</p>
			{view.blocks.map((block) => (
				<Block key={block.id} block={block} />
			))}
		</>
	);
}

function Block({ block }: { block: PreviewBlock }) {
	const t = useTranslations("harness.prompt");
	const name = block.id === "skill-index" ? t("skillIndex") : block.id === "tool-notes" ? t("toolNotes") : block.id;
	return (
		<details open={block.status !== "same" || block.id === "skill-index"} className="group border-line border-b">
			<summary className="flex h-7 cursor-pointer items-center gap-2 bg-sub px-3 text-12 marker:text-ink-3 max-md:h-11">
				<b className="font-semibold">{name}</b>
				{block.status !== "same" && (
					<span className="text-ink-2">{block.status === "modified" ? signed(block.tokens - block.tokensBefore) || t("changed") : t(block.status)}</span>
				)}
				<span className="ml-auto text-ink-3">{formatCount(block.tokens)}</span>
			</summary>
			<Lines lines={block.lines} />
		</details>
	);
}

/** Lines with their change: tint and sign, never colour alone. */
function Lines({ lines }: { lines: readonly LineChange[] }) {
	const t = useTranslations("harness.prompt");
	return (
		<pre className="whitespace-pre-wrap break-words py-2 font-mono text-12">
			{lines.map((line, index) => (
				<span
					key={`line-${index.toString()}`}
					lang={langOf(line.text)}
					className={cn(
						"block min-h-[18px] border-transparent border-l-2 px-3",
						line.kind === "added" && "border-up bg-add-bg",
						line.kind === "removed" && "border-down bg-del-bg text-ink-2",
					)}
				>
					{line.kind !== "same" && <span className="sr-only">{line.kind === "added" ? t("lineAdded") : t("lineRemoved")} </span>}
					{line.text}
				</span>
			))}
		</pre>
	);
}
