"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Textarea } from "@/components/ui/field";
import { Markdown } from "@/components/ui/markdown";
import { Name } from "@/components/ui/names";
import { PersonAvatar } from "@/components/ui/person";
import { RelativeTime } from "@/components/ui/relative-time";
import { useKept } from "@/components/ui/use-kept";
import { useName } from "@/components/ui/use-name";
import type { Comment, Place, Thread } from "./types";

/** Writes a comment; what was typed is kept until it is sent. */
export function Composer({
	proposalId,
	parentId,
	place,
	revisionId,
	onDone,
	onCancel,
	autoFocus,
}: {
	proposalId: string;
	parentId?: string;
	place?: Place;
	revisionId?: string;
	onDone?: () => void;
	onCancel?: () => void;
	autoFocus?: boolean;
}) {
	const t = useTranslations("review");
	const c = useTranslations("common");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const id = useId();
	const [body, setBody, forgetBody] = useKept(`comment:${proposalId}:${parentId ?? (place ? `${place.path}:${place.side}:${place.line}` : "")}`, "");
	const add = useMutation(
		trpc.evolution.comment.mutationOptions({
			onSuccess: async () => {
				forgetBody();
				onDone?.();
				await queryClient.invalidateQueries(trpc.evolution.proposal.pathFilter());
			},
		}),
	);
	const send = () =>
		body.trim() !== "" &&
		add.mutate({ workspace: slug, proposalId, body: body.trim(), ...(parentId ? { parentId } : {}), ...(revisionId ? { revisionId } : {}), ...(place ?? {}) });
	return (
		<form
			className="grid gap-2 p-2"
			onSubmit={(event) => {
				event.preventDefault();
				send();
			}}
		>
			<label htmlFor={id} className="sr-only">
				{t(parentId ? "reply" : "comment")}
			</label>
			<Textarea
				id={id}
				rows={parentId ? 1 : 3}
				value={body}
				placeholder={t(parentId ? "reply" : "commentPlaceholder")}
				maxLength={10_000}
				autoFocus={autoFocus}
				onChange={(event) => setBody(event.target.value)}
				onKeyDown={(event) => {
					if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
						event.preventDefault();
						send();
					}
					if (event.key === "Escape") onCancel?.();
				}}
			/>
			{(body !== "" || onCancel) && (
				<div className="flex justify-end gap-2">
					{onCancel && (
						<Button size="sm" variant="quiet" onClick={onCancel}>
							{c("cancel")}
						</Button>
					)}
					<Button size="sm" variant="solid" type="submit" disabled={body.trim() === ""} busy={add.isPending}>
						{t(parentId ? "reply" : "comment")}
					</Button>
				</div>
			)}
		</form>
	);
}

function OneComment({ comment, line }: { comment: Comment; line?: boolean }) {
	const t = useTranslations("review");
	const { shell } = useWorkspace();
	return (
		<article className="grid grid-cols-[24px_minmax(0,1fr)] gap-x-2 px-3 py-2">
			<PersonAvatar name={comment.author.name} me={comment.author.id === shell.person.id} size="sm" />
			<div className="min-w-0">
				<p className="text-12 text-ink-2">
					<b className="font-semibold text-ink">
						<Name>{comment.author.name}</Name>
					</b>{" "}
					{line && comment.line !== null && `${t("onLine", { line: comment.line })} `}
					{line && t("onRevision", { index: comment.revision })} <RelativeTime at={comment.createdAt} />
				</p>
				<Markdown text={comment.body} className="text-13" />
			</div>
		</article>
	);
}

/** A thread with its replies; resolved, it folds to one line. */
export function ThreadView({ proposalId, thread, withPlace = false }: { proposalId: string; thread: Thread; withPlace?: boolean }) {
	const t = useTranslations("review");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, can } = useWorkspace();
	const { root, replies } = thread;
	const nameOf = useName();
	const [open, setOpen] = useState(root.resolvedAt === null);
	const resolve = useMutation(
		trpc.evolution.threadResolve.mutationOptions({ onSuccess: () => queryClient.invalidateQueries(trpc.evolution.proposal.pathFilter()) }),
	);
	const place = withPlace && root.path && (
		<p className="border-line border-b px-3 py-1 font-mono text-12 text-ink-3">
			{root.path}
			{root.line !== null && `:${root.line}`}
		</p>
	);
	if (!open)
		return (
			<button
				type="button"
				aria-expanded="false"
				onClick={() => setOpen(true)}
				className="my-1 w-full rounded-4 border border-line-2 bg-sub px-3 py-1 text-left text-12 text-ink-2 hover:bg-hover"
			>
				{t("resolvedBy", { name: nameOf(root.resolvedBy?.name ?? ""), count: 1 + replies.length })}
			</button>
		);
	return (
		<section aria-label={t("thread")} className="my-1 rounded-6 border border-line-2 bg-bg font-sans">
			{place}
			<div className="divide-y divide-line">
				<OneComment comment={root} line />
				{replies.map((reply) => (
					<OneComment key={reply.id} comment={reply} />
				))}
			</div>
			{can("comment") && (
				<footer className="grid grid-cols-[minmax(0,1fr)_auto] items-start border-line border-t bg-sub">
					<Composer proposalId={proposalId} parentId={root.id} />
					<Button
						size="sm"
						className="m-2"
						busy={resolve.isPending}
						onClick={() => {
							const resolved = root.resolvedAt === null;
							resolve.mutate({ workspace: slug, proposalId, commentId: root.id, resolved });
							if (resolved) setOpen(false);
						}}
					>
						{t(root.resolvedAt === null ? "resolve" : "reopen")}
					</Button>
				</footer>
			)}
		</section>
	);
}
