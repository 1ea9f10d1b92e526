"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { parseAsString, parseAsStringLiteral, useQueryState } from "nuqs";
import { useState } from "react";
import { Coded } from "@/components/harness/problem-list";
import { useProblems } from "@/components/harness/use-problems";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { useLive } from "@/components/trpc/live";
import { Breadcrumbs } from "@/components/ui/breadcrumbs";
import { useEngineName } from "@/components/ui/engine-name";
import { shortId } from "@/components/ui/format";
import { Notice } from "@/components/ui/notes";
import { PageHeader } from "@/components/ui/page";
import { Panes } from "@/components/ui/panes";
import { Words } from "@/components/ui/person";
import { useWritten } from "@/components/ui/said";
import { Segmented } from "@/components/ui/segmented";
import { SkeletonRows } from "@/components/ui/status";
import { Tabs } from "@/components/ui/tabs";
import { useName, useNames } from "@/components/ui/use-name";
import { Written } from "@/components/ui/written";
import { ActionBar } from "./action-bar";
import { ConflictPanel } from "./conflict-panel";
import { DiffSection } from "./diff-section";
import { EvidenceColumn } from "./evidence";
import { FileList } from "./file-list";
import { casesThatFlipped } from "./flips-by-case";
import { StatusBadge } from "./status-badge";
import type { Proposal } from "./types";

/** The tabs behind the first one. */
const Conversation = dynamic(() => import("./tabs-content").then((module) => module.Conversation), {
	ssr: false,
	loading: () => <SkeletonRows rows={6} columns={2} />,
});
const Manifest = dynamic(() => import("./tabs-content").then((module) => module.Manifest), {
	ssr: false,
	loading: () => <SkeletonRows rows={6} columns={2} />,
});
const Revisions = dynamic(() => import("./tabs-content").then((module) => module.Revisions), {
	ssr: false,
	loading: () => <SkeletonRows rows={6} columns={2} />,
});
const Trajectories = dynamic(() => import("./tabs-content").then((module) => module.Trajectories), {
	ssr: false,
	loading: () => <SkeletonRows rows={6} columns={2} />,
});

const TABS = ["files", "conversation", "manifest", "trajectories", "revisions"] as const;

function Lead({ proposal }: { proposal: Proposal }) {
	const t = useTranslations("review");
	const { path, shell } = useWorkspace();
	const engineName = useEngineName();
	const nameOf = useName();
	const names = useNames();
	const written = useWritten();
	const c = useTranslations("common");
	const name = (person: { id: string; name: string }) => (person.id === shell.person.id ? c("you") : nameOf(person.name));
	const editors = proposal.authors.filter((a) => a.id !== proposal.requestedBy.id).map(name);
	return (
		<>
			{proposal.engine === "person"
				? t.rich("writtenBy", { name: () => <Words>{name(proposal.requestedBy)}</Words> })
				: t.rich("writtenByEngine", {
						engine: () => <b className="font-semibold">{engineName(proposal.engine)}</b>,
						name: () => <Words>{name(proposal.requestedBy)}</Words>,
					})}
			{editors.length > 0 && ` ${t("editedBy", { names: names(editors) })}`}{" "}
			{t.rich(proposal.status === "landed" ? "landedOn" : "landsOn", {
				branch: () => (
					<Link href={path("evolution")} className="link">
						<code>{proposal.evolution.branch}</code>
					</Link>
				),
				commit: () => <code>{shortId(proposal.branchHead)}</code>,
			})}{" "}
			{proposal.findings.length > 0 &&
				t.rich("forFindings", {
					list: () =>
						proposal.findings.map((finding, index) => (
							<span key={finding.id}>
								{index > 0 && t("evidence.and")}
								<Link href={path("findings", String(finding.number))} className="link" title={written(finding.title, proposal.phrases).text}>
									F-{finding.number}
								</Link>
							</span>
						)),
				})}
		</>
	);
}

function Files({ proposal, layout }: { proposal: Proposal; layout: "auto" | "side" | "inline" }) {
	const t = useTranslations("review");
	const [file, setFile] = useQueryState("file", parseAsString);
	const [pane, setPane] = useState("diff");
	const selected = proposal.diff.find((f) => f.path === file)?.path ?? proposal.diff[0]?.path ?? null;
	const errors = useProblems(proposal.problems.filter((p) => p.severity === "error"));
	return (
		<Panes
			name="review"
			className="h-full"
			active={pane}
			onActiveChange={setPane}
			panes={[
				{
					id: "files",
					title: t("files"),
					count: proposal.diff.length,
					width: 208,
					minWidth: 160,
					content: (
						<FileList
							proposal={proposal}
							selected={selected}
							onSelect={(path) => {
								void setFile(path);
								setPane("diff");
							}}
						/>
					),
				},
				{
					id: "diff",
					title: t("diff"),
					content: (
						<div className="flex h-full min-h-0 flex-col">
							{errors.length > 0 && (
								<Notice tone="down" className="m-3 flex-none">
									{t("invalid", { count: errors.length })}{" "}
									{errors.slice(0, 3).map((problem) => (
										<span key={`${problem.file}:${problem.line}:${problem.rule}`} className="block">
											<code>
												{problem.file}:{problem.line}
											</code>{" "}
											<Coded text={problem.message} />
										</span>
									))}
								</Notice>
							)}
							<div className="min-h-0 flex-1">
								{proposal.status === "conflict" && proposal.conflicts.length > 0 && proposal.may.edit.ok ? (
									<ConflictPanel proposal={proposal} />
								) : (
									selected && <DiffSection key={selected} proposal={proposal} path={selected} layout={layout} />
								)}
							</div>
						</div>
					),
				},
				{ id: "evidence", title: t("evidence.title"), width: 348, minWidth: 280, content: <EvidenceColumn proposal={proposal} /> },
			]}
		/>
	);
}

function Body({ proposal }: { proposal: Proposal }) {
	const t = useTranslations("review");
	const { path } = useWorkspace();
	const [tab, setTab] = useQueryState("tab", parseAsStringLiteral(TABS).withDefault("files"));
	const [layout, setLayout] = useQueryState("diff", parseAsStringLiteral(["auto", "side", "inline"] as const).withDefault("auto"));
	const comparison = proposal.evidence?.comparison;
	const flips = comparison ? casesThatFlipped(comparison).size : undefined;
	const scroll = "md:overflow-y-auto";
	return (
		<div className="flex min-h-0 flex-1 flex-col md:h-full">
			<Breadcrumbs items={[{ label: t("title"), href: path("reviews") }, { label: t("crumb", { number: proposal.number }) }]} />
			<PageHeader
				compact
				title={
					<>
						<Written phrases={proposal.phrases}>{proposal.title}</Written> <span className="font-normal text-ink-3">#{proposal.number}</span>
					</>
				}
				lead={<Lead proposal={proposal} />}
				actions={<StatusBadge status={proposal.status} />}
			/>
			<Tabs
				label={t("tabs")}
				value={tab}
				onValueChange={(value) => void setTab(value as (typeof TABS)[number])}
				className="min-h-0 flex-1"
				end={
					tab === "files" && (
						<Segmented
							label={t("layout")}
							value={layout === "auto" ? "side" : layout}
							onValueChange={(value) => void setLayout(value as "side" | "inline")}
							options={[
								{ value: "side", label: t("side") },
								{ value: "inline", label: t("inline") },
							]}
							className="max-md:hidden"
						/>
					)
				}
				tabs={[
					{ id: "files", label: t("files"), count: proposal.diff.length, content: <Files proposal={proposal} layout={layout} /> },
					{
						id: "conversation",
						label: t("conversation"),
						count: proposal.comments.length + proposal.reviews.length,
						content: (
							<div className={`h-full ${scroll}`}>
								<Conversation proposal={proposal} />
							</div>
						),
					},
					{
						id: "manifest",
						label: t("manifest"),
						content: (
							<div className={`h-full ${scroll}`}>
								<Manifest proposal={proposal} />
							</div>
						),
					},
					{
						id: "trajectories",
						label: t("trajectories"),
						...(flips === undefined ? {} : { count: flips }),
						content: (
							<div className={`h-full ${scroll}`}>
								<Trajectories proposal={proposal} />
							</div>
						),
					},
					{
						id: "revisions",
						label: t("revisions"),
						count: proposal.revisions.length,
						content: (
							<div className={`h-full ${scroll}`}>
								<Revisions proposal={proposal} />
							</div>
						),
					},
				]}
			/>
			<ActionBar proposal={proposal} />
		</div>
	);
}

/** Should this diff land? The diff beside its evidence, the conversation, and the acts, each refusal with its reason. */
export function ReviewPage({ proposal }: { proposal: string }) {
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const query = useQuery(trpc.evolution.proposal.queryOptions({ workspace: slug, proposal }));
	const evidence = query.data?.evidence;
	const running = evidence && !evidence.comparison ? [`run:${evidence.run.runId}`] : [];
	useLive(["evolution", ...(query.data ? [`proposal:${query.data.id}`] : []), ...running], () =>
		queryClient.invalidateQueries(trpc.evolution.proposal.pathFilter()),
	);
	return (
		<QueryBoundary
			query={query}
			skeleton={
				<div className="p-6">
					<SkeletonRows rows={14} columns={3} />
				</div>
			}
		>
			{(data) => <Body proposal={data} />}
		</QueryBoundary>
	);
}
