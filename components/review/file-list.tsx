"use client";

import { MessageSquare } from "lucide-react";
import { useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { cn } from "@/components/ui/cn";
import { Name } from "@/components/ui/names";
import { PersonAvatar } from "@/components/ui/person";
import { Written } from "@/components/ui/written";
import type { Proposal } from "./types";

/** What a diff adds and takes away, in figures. */
export function PlusMinus({ added, removed }: { added: number; removed: number }) {
	return (
		<span className="whitespace-nowrap text-12">
			<span className="text-up">+{added}</span> <span className="text-down">−{removed}</span>
		</span>
	);
}

/** Files of the diff by folder, the manifest in short, and who has looked. */
export function FileList({ proposal, selected, onSelect }: { proposal: Proposal; selected: string | null; onSelect: (path: string) => void }) {
	const t = useTranslations("review");
	const manifest = proposal.revisions.at(-1)?.manifest;
	const count = (path: string) => proposal.comments.filter((c) => c.path === path && c.parentId === null && c.resolvedAt === null).length;
	const folders = new Map<string, Proposal["diff"]>();
	for (const file of proposal.diff) {
		const folder = file.path.split("/").slice(0, -1).join(" / ") || "·";
		folders.set(folder, [...(folders.get(folder) ?? []), file]);
	}
	return (
		<div className="min-h-0 overflow-y-auto text-12">
			<div className="flex items-center gap-2 px-3 py-2">
				<h2 className="font-semibold text-13">{t("files")}</h2>
				<span className="ml-auto">
					<PlusMinus added={proposal.diff.reduce((n, f) => n + f.added, 0)} removed={proposal.diff.reduce((n, f) => n + f.removed, 0)} />
				</span>
			</div>
			{[...folders].map(([folder, files]) => (
				<div key={folder}>
					<p className="px-3 pt-1 text-ink-3">{folder}</p>
					<ul>
						{files.map((file) => (
							<li key={file.path}>
								<button
									type="button"
									aria-current={file.path === selected || undefined}
									onClick={() => onSelect(file.path)}
									className={cn(
										"flex min-h-7 w-full items-center gap-2 py-0.5 pr-3 pl-6 text-left hover:bg-hover max-md:min-h-11",
										file.path === selected && "bg-accent-soft shadow-[inset_2px_0_0_var(--accent)]",
									)}
								>
									<span className="min-w-0 flex-1 truncate">{file.path.split("/").at(-1)}</span>
									{count(file.path) > 0 && (
										<span className="inline-flex items-center gap-1 text-ink-3">
											<MessageSquare className="size-3" aria-hidden />
											{count(file.path)}
										</span>
									)}
									<PlusMinus added={file.added} removed={file.removed} />
								</button>
							</li>
						))}
					</ul>
				</div>
			))}
			{manifest && (
				<section className="mt-3 border-line border-t px-3 py-3">
					<h2 className="font-semibold">{t("manifest")}</h2>
					{manifest.failurePattern && (
						<p className="mt-1 text-ink-2">
							<Written phrases={manifest.phrases}>{manifest.failurePattern}</Written>
						</p>
					)}
					<p className="mt-1 text-ink-2">{t("predicts", { fixes: manifest.predictedFixes.length, breaks: manifest.predictedBreaks.length })}</p>
				</section>
			)}
			<Reviewers proposal={proposal} />
		</div>
	);
}

function Reviewers({ proposal }: { proposal: Proposal }) {
	const t = useTranslations("review");
	const { shell } = useWorkspace();
	const seen = new Map<string, { name: string; did: string }>();
	for (const comment of proposal.comments) seen.set(comment.author.id, { name: comment.author.name, did: t("did.commented") });
	for (const review of proposal.reviews) seen.set(review.author.id, { name: review.author.name, did: t(`did.${review.verdict}`) });
	for (const author of proposal.authors) seen.delete(author.id);
	return (
		<section className="border-line border-t px-3 py-3">
			<h2 className="font-semibold">{t("reviewers")}</h2>
			{seen.size === 0 && <p className="mt-1 text-ink-3">{t("nobodyYet")}</p>}
			<ul className="mt-1 grid gap-1.5">
				{[...seen].map(([id, { name, did }]) => (
					<li key={id} className="grid grid-cols-[24px_minmax(0,1fr)] gap-2">
						<PersonAvatar name={name} me={id === shell.person.id} size="sm" service={id.startsWith("service:")} />
						<div>
							<Name>{name}</Name>
							<span className="block text-ink-3">{did}</span>
						</div>
					</li>
				))}
			</ul>
		</section>
	);
}
