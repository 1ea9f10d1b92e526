"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { FlipList } from "@/components/runs/flip-list";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { useEngineName } from "@/components/ui/engine-name";
import { shortId } from "@/components/ui/format";
import { Name } from "@/components/ui/names";
import { EmptyState } from "@/components/ui/notes";
import { Facts } from "@/components/ui/page";
import { PersonAvatar, Words } from "@/components/ui/person";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows } from "@/components/ui/status";
import { Table, Td, Th, Tr } from "@/components/ui/table";
import { useName } from "@/components/ui/use-name";
import { Written } from "@/components/ui/written";
import { Composer, ThreadView } from "./thread";
import { type Proposal, toThreads } from "./types";

/** Everything that was said, in order: reviews and threads, wherever they stand in the diff. */
export function Conversation({ proposal }: { proposal: Proposal }) {
	const t = useTranslations("review");
	const { can, shell } = useWorkspace();
	const items = [
		...proposal.reviews.map((review) => ({ at: review.createdAt, key: review.id, review, thread: null })),
		...toThreads(proposal.comments).map((thread) => ({ at: thread.root.createdAt, key: thread.root.id, review: null, thread })),
	].sort((a, b) => a.at.getTime() - b.at.getTime());
	return (
		<div className="max-w-[860px] px-6 py-4 max-md:px-4">
			{items.length === 0 && <p className="text-13 text-ink-2">{t("quiet")}</p>}
			<ul className="grid gap-3">
				{items.map(({ key, review, thread }) => (
					<li key={key}>
						{thread && <ThreadView proposalId={proposal.id} thread={thread} withPlace />}
						{review && (
							<div className="grid grid-cols-[24px_minmax(0,1fr)] gap-2 text-13">
								<PersonAvatar name={review.author.name} me={review.author.id === shell.person.id} service={review.author.id.startsWith("service:")} size="sm" />
								<div>
									<p>
										<b className="font-semibold">
											<Name>{review.author.name}</Name>
										</b>{" "}
										{t(`did.${review.verdict}`)} <span className="text-12 text-ink-3">r{review.revision}</span>{" "}
										<RelativeTime at={review.createdAt} className="text-12 text-ink-3" />
										{review.unattended && <span className="ml-2 text-12 text-unsure">{t("unattended")}</span>}
									</p>
									{review.body && (
										<p className="text-ink-2">
											<Written phrases={review.phrases}>{review.body}</Written>
										</p>
									)}
								</div>
							</div>
						)}
					</li>
				))}
			</ul>
			{can("comment") && (
				<div className="mt-5 rounded-6 border border-line-2 bg-sub">
					<Composer proposalId={proposal.id} />
				</div>
			)}
		</div>
	);
}

/** What the proposal says of itself, checked elsewhere against what happened. */
export function Manifest({ proposal }: { proposal: Proposal }) {
	const t = useTranslations("review");
	const trpc = useTRPC();
	const { slug, path } = useWorkspace();
	const manifest = proposal.revisions.at(-1)?.manifest;
	const caseIds = manifest ? [...manifest.predictedFixes, ...manifest.predictedBreaks] : [];
	const keys = useQuery(trpc.cases.keys.queryOptions({ workspace: slug, caseIds }, { enabled: caseIds.length > 0, staleTime: 300_000 }));
	if (!manifest) return null;
	const cases = (ids: readonly string[]) =>
		ids.length === 0 ? (
			<span className="text-ink-3">{t("noCases")}</span>
		) : (
			<ul className="flex flex-wrap gap-x-2 text-12">
				{ids.map((id) => (
					<li key={id}>
						<Link href={`${path("cases")}?case=${encodeURIComponent(id)}`} className="link">
							<code>{keys.data?.[id] ?? id}</code>
						</Link>
					</li>
				))}
			</ul>
		);
	return (
		<div className="max-w-[860px] px-6 py-4 max-md:px-4">
			<Facts
				layout="list"
				className="text-13"
				items={[
					[
						t("summary"),
						<Written key="s" phrases={manifest.phrases}>
							{manifest.summary}
						</Written>,
					],
					manifest.failurePattern !== "" && [
						t("pattern"),
						<Written key="p" phrases={manifest.phrases}>
							{manifest.failurePattern}
						</Written>,
					],
					[
						t("files"),
						<code key="f" className="break-words text-12">
							{manifest.files.join(", ")}
						</code>,
					],
					[t("predictedFixes", { count: manifest.predictedFixes.length }), cases(manifest.predictedFixes)],
					[t("predictedBreaks", { count: manifest.predictedBreaks.length }), cases(manifest.predictedBreaks)],
				]}
			/>
		</div>
	);
}

/** Every case that changed, each opening both trajectories side by side. */
export function Trajectories({ proposal }: { proposal: Proposal }) {
	const t = useTranslations("review");
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const { evidence } = proposal;
	const query = useQuery(
		trpc.evaluation.compare.queryOptions(
			{ workspace: slug, baseRunId: evidence?.base.runId ?? "", runId: evidence?.run.runId ?? "" },
			{ enabled: Boolean(evidence?.comparison), staleTime: 300_000 },
		),
	);
	if (!evidence?.comparison) return <EmptyState title={t("noTrajectories")} className="m-6" />;
	return (
		<QueryBoundary
			query={query}
			skeleton={
				<div className="p-6">
					<SkeletonRows rows={8} columns={4} />
				</div>
			}
		>
			{({ flips }) => <FlipList flips={flips} beforeLabel={proposal.evolution.slug} afterLabel={`r${proposal.revisions.at(-1)?.index ?? ""}`} />}
		</QueryBoundary>
	);
}

export function Revisions({ proposal }: { proposal: Proposal }) {
	const t = useTranslations("review");
	const nameOf = useName();
	const engineName = useEngineName();
	return (
		<div className="px-6 py-4 max-md:px-4">
			<Table>
				<thead>
					<tr>
						<Th>{t("revision")}</Th>
						<Th>{t("column.by")}</Th>
						<Th>{t("commit")}</Th>
						<Th className="max-md:hidden">{t("base")}</Th>
						<Th numeric className="max-md:hidden">
							{t("column.files")}
						</Th>
						<Th>{t("column.updated")}</Th>
					</tr>
				</thead>
				<tbody>
					{proposal.revisions.toReversed().map((revision) => (
						<Tr key={revision.id}>
							<Td>r{revision.index}</Td>
							<Td>
								<Words>
									{revision.engine === "person" || revision.engine === "merge"
										? nameOf(revision.author.name)
										: `${engineName(revision.engine)} · ${nameOf(revision.author.name)}`}
								</Words>
								{revision.engine === "merge" && <span className="text-ink-3"> {t("mergeNote")}</span>}
							</Td>
							<Td>
								<code>{shortId(revision.commit)}</code>
							</Td>
							<Td className="max-md:hidden">
								<code>{shortId(revision.baseCommit)}</code>
							</Td>
							<Td numeric className="max-md:hidden">
								{revision.manifest.files.length}
							</Td>
							<Td>
								<RelativeTime at={revision.createdAt} />
							</Td>
						</Tr>
					))}
				</tbody>
			</Table>
		</div>
	);
}
