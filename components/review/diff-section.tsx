"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { MonacoDiff, MonacoEditor } from "@/components/editor";
import { useProblems } from "@/components/harness/use-problems";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { toastDone } from "@/components/ui/toast";
import { PlusMinus } from "./file-list";
import { Composer, ThreadView } from "./thread";
import { type Place, type Proposal, toThreads } from "./types";

/** One file: its diff with threads below their lines, or, for who may edit, the editor over the last revision. */
export function DiffSection({ proposal, path, layout }: { proposal: Proposal; path: string; layout: "side" | "inline" | "auto" }) {
	const t = useTranslations("review");
	const [editing, setEditing] = useState(false);
	const [writing, setWriting] = useState<Place | null>(null);
	const { can } = useWorkspace();
	const file = proposal.diff.find((f) => f.path === path);
	const last = proposal.revisions.at(-1);
	if (!file || !last) return null;
	const threads = toThreads(proposal.comments).filter(({ root }) => root.path === path && root.line !== null);
	const side = (place: "old" | "new" | null) => (place === "old" ? ("original" as const) : ("modified" as const));
	const unplaced = toThreads(proposal.comments).filter(({ root }) => root.path === path && root.line === null);
	return (
		<section aria-label={file.path} className="flex h-full min-h-0 flex-col">
			<div className="flex min-h-9 flex-none flex-wrap items-center gap-2 border-line border-b bg-sub px-3 text-12">
				<code className="min-w-0 truncate">{file.path}</code>
				<PlusMinus added={file.added} removed={file.removed} />
				<span className="ml-auto flex gap-2">
					{proposal.may.edit.ok && file.after !== null && !editing && (
						<Button size="sm" onClick={() => setEditing(true)}>
							{t("editFile")}
						</Button>
					)}
				</span>
			</div>
			{editing ? (
				<EditFile proposal={proposal} path={path} text={file.after ?? ""} base={file.before} onClose={() => setEditing(false)} />
			) : (
				<div className="min-h-0 flex-1 max-md:h-[70dvh] max-md:flex-none">
					<MonacoDiff
						path={file.path}
						original={file.before}
						modified={file.after ?? ""}
						layout={layout}
						label={t("diffOf", { path: file.path })}
						commentLabel={t("addComment")}
						{...(can("comment")
							? {
									onAddComment: (at: string, line: number, where: "original" | "modified") =>
										setWriting({ path: at, line, side: where === "original" ? "old" : "new" }),
								}
							: {})}
						threads={[
							...threads.map((thread) => ({
								id: thread.root.id,
								line: thread.root.line ?? 1,
								side: side(thread.root.side),
								content: <ThreadView proposalId={proposal.id} thread={thread} />,
							})),
							...(writing?.path === path
								? [
										{
											id: `new-${writing.side}-${writing.line}`,
											line: writing.line,
											side: side(writing.side),
											content: (
												<div className="my-1 rounded-6 border border-line-2 bg-sub font-sans">
													<Composer
														proposalId={proposal.id}
														revisionId={last.id}
														place={writing}
														autoFocus
														onDone={() => setWriting(null)}
														onCancel={() => setWriting(null)}
													/>
												</div>
											),
										},
									]
								: []),
						]}
					/>
				</div>
			)}
			{unplaced.length > 0 && (
				<div className="max-h-60 flex-none overflow-y-auto border-line border-t px-3">
					{unplaced.map((thread) => (
						<ThreadView key={thread.root.id} proposalId={proposal.id} thread={thread} />
					))}
				</div>
			)}
		</section>
	);
}

/** An edit becomes the next revision, and who edits an author; another revision in between is said, and nothing typed is lost. */
function EditFile({ proposal, path, text, base, onClose }: { proposal: Proposal; path: string; text: string; base: string | null; onClose: () => void }) {
	const t = useTranslations("review");
	const c = useTranslations("common");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const [value, setValue] = useState(text);
	const problems = useProblems(proposal.problems.filter((p) => p.file === path));
	const [expectedIndex] = useState(proposal.revisions.at(-1)?.index ?? 1);
	const save = useMutation(
		trpc.evolution.proposalSave.mutationOptions({
			onSuccess: async ({ index }) => {
				toastDone(t("saved", { index }));
				onClose();
				await queryClient.invalidateQueries(trpc.evolution.pathFilter());
			},
		}),
	);
	return (
		<div className="flex min-h-0 flex-1 flex-col">
			<div className="min-h-0 flex-1 max-md:h-[60dvh] max-md:flex-none">
				<MonacoEditor
					scope={`proposal/${proposal.id}`}
					path={path}
					value={value}
					onChange={setValue}
					problems={problems}
					settled={value === text}
					baseText={base}
					assist={null}
					label={t("editOf", { path })}
				/>
			</div>
			<div className="flex flex-none flex-wrap items-center gap-2 border-line border-t bg-sub px-3 py-2 text-12">
				<span className="text-ink-2">{t("editNote")}</span>
				<span className="ml-auto flex gap-2">
					<Button variant="quiet" onClick={onClose}>
						{c("cancel")}
					</Button>
					<Button
						variant="solid"
						disabled={value === text}
						busy={save.isPending}
						onClick={() => save.mutate({ workspace: slug, proposalId: proposal.id, expectedIndex, changes: { [path]: value } })}
					>
						{t("saveRevision")}
					</Button>
				</span>
			</div>
		</div>
	);
}
