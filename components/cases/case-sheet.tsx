"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { ScoreMark } from "@/components/trajectory/score-mark";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { ConfirmDialog, Sheet } from "@/components/ui/dialog";
import { Field, Textarea } from "@/components/ui/field";
import { Facts } from "@/components/ui/page";
import { Words } from "@/components/ui/person";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows, Tag } from "@/components/ui/status";
import { Table, Td, Tr } from "@/components/ui/table";
import { toastDone } from "@/components/ui/toast";
import { useKept } from "@/components/ui/use-kept";
import { type CaseContent, CaseContentSchema } from "@/server/evaluation/contract";

interface OpenCase {
	id: string;
	key: string;
	category: string;
	split: "dev" | "test";
	groupKey: string;
	content: CaseContent;
	createdAt: Date;
}

function Block({ title, note, children }: { title: ReactNode; note?: ReactNode; children: ReactNode }) {
	return (
		<section className="border-line border-t pt-2.5 pb-3 first:border-t-0 first:pt-0">
			<h3 className="mb-1 font-semibold text-12">
				{title} {note && <span className="font-normal text-ink-3">{note}</span>}
			</h3>
			{children}
		</section>
	);
}

function ContentView({ one, onGroup }: { one: OpenCase; onGroup: (group: string) => void }) {
	const t = useTranslations("cases.sheet");
	const s = useTranslations("cases");
	const { categoryTitle } = useWorkspace();
	const { content } = one;
	const expected = [
		content.expect.skills && t("skills", { list: content.expect.skills.join(", ") }),
		content.expect.strategies && (content.expect.strategies.length === 0 ? t("noStrategy") : t("strategies", { list: content.expect.strategies.join(", ") })),
		content.expect.tools && t("tools", { list: content.expect.tools.join(", ") }),
		content.expect.noTool && t("noTool"),
	].filter(Boolean);
	return (
		<>
			<Block title={t("message")}>
				<Words className="text-14">{content.message}</Words>
				<div className="mt-2">
					<Facts
						items={[
							[s("column.category"), categoryTitle(one.category)],
							[s("column.split"), <Tag key="split">{s(`split.${one.split}`)}</Tag>],
							[
								s("column.group"),
								<button key="group" type="button" className="link" onClick={() => onGroup(one.groupKey)}>
									{one.groupKey}
								</button>,
							],
							content.tags.length > 0 && [t("tags"), content.tags.join(", ")],
						]}
					/>
				</div>
			</Block>
			{content.history.length > 0 && (
				<Block title={t("history")}>
					{content.history.map((turn, index) => (
						<p key={`${index.toString()} ${turn.role}`} className="text-13">
							<span className="text-ink-3">{t(turn.role)}</span> <Words>{turn.text}</Words>
						</p>
					))}
				</Block>
			)}
			{content.room && (
				<Block title={t("room")}>
					<code className="text-12">{content.room.base}</code>
					{Object.keys(content.room.set).length > 0 && (
						<pre className="mt-1 overflow-x-auto whitespace-pre-wrap break-words font-mono text-12">
							{t("set")} {JSON.stringify(content.room.set)}
						</pre>
					)}
				</Block>
			)}
			{content.faults.length > 0 && (
				<Block title={t("faults")}>
					<p className="text-12">{content.faults.map((fault) => `${fault.handler}: ${fault.kind} × ${fault.times}`).join(", ")}</p>
				</Block>
			)}
			{content.reference && (
				<Block title={t("reference")}>
					<Words className="whitespace-pre-wrap text-13">{content.reference}</Words>
				</Block>
			)}
			<Block title={t("rubric")} note={t("rubricNote")}>
				{expected.length > 0 && (
					<p className="text-12 text-ink-2">
						{t("expect")}: {expected.join("; ")}
					</p>
				)}
				<ul className="mt-1 grid gap-0.5 text-12">
					{content.rubric.map((item) => {
						const { kind, dimension, ...rest } = item;
						return (
							<li key={JSON.stringify(item)} className="break-words">
								<b className="font-semibold">{kind}</b> <span className="font-mono text-ink-2">{JSON.stringify(rest)}</span>{" "}
								<span className="text-ink-3">{dimension}</span>
							</li>
						);
					})}
				</ul>
			</Block>
		</>
	);
}

function EditForm({ one, suite, onDone }: { one: OpenCase; suite: string; onDone: () => void }) {
	const t = useTranslations("cases.sheet");
	const c = useTranslations("common");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const [text, setText, forgetText] = useKept(`case:${one.id}`, JSON.stringify(one.content, null, 2));
	const close = () => {
		forgetText();
		onDone();
	};
	const [problem, setProblem] = useState<string | null>(null);
	const edit = useMutation(trpc.cases.edit.mutationOptions());
	const save = () => {
		let content: CaseContent;
		try {
			const parsed = CaseContentSchema.safeParse(JSON.parse(text));
			if (!parsed.success) {
				const [issue] = parsed.error.issues;
				setProblem(`${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
				return;
			}
			content = parsed.data;
		} catch (error) {
			setProblem(t("notJson", { error: (error as Error).message }));
			return;
		}
		edit.mutate(
			{ workspace: slug, suite, caseId: one.id, content },
			{
				onSuccess: ({ version }) => {
					toastDone(t("saved", { version }));
					void queryClient.invalidateQueries(trpc.cases.pathFilter());
					close();
				},
			},
		);
	};
	return (
		<form
			className="grid gap-3"
			onSubmit={(event) => {
				event.preventDefault();
				save();
			}}
		>
			<Field label={one.key} hint={t("editNote")} error={problem ?? undefined}>
				<Textarea rows={22} value={text} onChange={(event) => setText(event.target.value)} className="font-mono text-12" spellCheck={false} />
			</Field>
			<div className="flex justify-end gap-2">
				<Button onClick={close}>{c("cancel")}</Button>
				<Button type="submit" variant="solid" busy={edit.isPending}>
					{c("save")}
				</Button>
			</div>
		</form>
	);
}

/** One open case: what is asked, what is expected, its earlier texts, and how it fared in each run. */
export function CaseSheet({ caseId, suite, onClose, onGroup }: { caseId: string; suite: string; onClose: () => void; onGroup: (group: string) => void }) {
	const t = useTranslations("cases.sheet");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, can, path } = useWorkspace();
	const [editing, setEditing] = useState(false);
	const [removing, setRemoving] = useState(false);
	const query = useQuery(trpc.cases.get.queryOptions({ workspace: slug, caseId }));
	const remove = useMutation(trpc.cases.remove.mutationOptions());
	const one = query.data?.case;
	return (
		<Sheet
			open
			onOpenChange={(open) => !open && onClose()}
			title={one?.key ?? t("title")}
			footer={
				one &&
				can("case.edit") &&
				!editing && (
					<>
						<Button variant="danger" onClick={() => setRemoving(true)}>
							{t("remove")}
						</Button>
						<Button onClick={() => setEditing(true)}>{t("edit")}</Button>
					</>
				)
			}
		>
			<QueryBoundary query={query} skeleton={<SkeletonRows rows={10} columns={2} />}>
				{({ case: found, history, episodes }) =>
					editing ? (
						<EditForm one={found} suite={suite} onDone={() => setEditing(false)} />
					) : (
						<>
							<ContentView one={found} onGroup={onGroup} />
							{history.length > 1 && (
								<Block title={t("earlier")}>
									<ul className="grid gap-1 text-12">
										{history
											.filter((row) => row.id !== found.id)
											.map((row) => (
												<li key={row.id} className="flex gap-3">
													<RelativeTime at={row.createdAt} className="flex-none text-ink-3" />
													<Words className="min-w-0 truncate">{row.content.message}</Words>
												</li>
											))}
									</ul>
								</Block>
							)}
							<Block title={t("results")}>
								{episodes.length === 0 ? (
									<p className="text-12 text-ink-3">{t("noResults")}</p>
								) : (
									<Table aria-label={t("results")} className="table-fixed">
										<tbody>
											{episodes.map((row) => (
												<Tr key={row.id}>
													<Td className="w-16">
														<Link href={`${path("runs", row.run.id)}?episode=${encodeURIComponent(row.id)}`} className="link">
															{t("run", { number: row.run.number })}
														</Link>
													</Td>
													<Td className="w-12">
														<ScoreMark score={row.accuracy} />
													</Td>
													<Td className="w-12">
														<ScoreMark score={row.effectiveness} />
													</Td>
													<Td className="truncate">{row.reply && <Words>{row.reply}</Words>}</Td>
													<Td muted className="w-24 truncate text-right">
														<RelativeTime at={row.createdAt} />
													</Td>
												</Tr>
											))}
										</tbody>
									</Table>
								)}
							</Block>
						</>
					)
				}
			</QueryBoundary>
			{one && (
				<ConfirmDialog
					open={removing}
					onOpenChange={setRemoving}
					title={t("removeTitle", { key: one.key })}
					description={t("removeBody")}
					confirmLabel={t("removeConfirm")}
					danger
					onConfirm={async () => {
						const { version } = await remove.mutateAsync({ workspace: slug, suite, caseIds: [one.id] });
						toastDone(t("removed", { key: one.key, version }));
						await queryClient.invalidateQueries(trpc.cases.pathFilter());
						onClose();
					}}
				/>
			)}
		</Sheet>
	);
}
