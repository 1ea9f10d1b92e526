"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronDown, Tag, Undo2 } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { parseAsString, useQueryState, useQueryStates } from "nuqs";
import { useSyncExternalStore } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { useLive } from "@/components/trpc/live";
import { Breadcrumbs } from "@/components/ui/breadcrumbs";
import { Button, GuardedButton } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { type Column, DataTable } from "@/components/ui/data-table";
import { shortId } from "@/components/ui/format";
import { Name } from "@/components/ui/names";
import { EmptyState } from "@/components/ui/notes";
import { PageHeader, Split } from "@/components/ui/page";
import { DropdownMenu } from "@/components/ui/popover";
import { RelativeTime } from "@/components/ui/relative-time";
import { Badge, SkeletonRows } from "@/components/ui/status";
import { useName } from "@/components/ui/use-name";
import type { ReleaseCandidate, ReleaseView } from "@/server/release/contract";
import { ComparePanel } from "./compare-panel";
import { GateWord } from "./gate-list";
import { ReleaseDetail } from "./release-detail";
import { ReleaseSheet } from "./release-sheet";
import { RollbackSheet } from "./rollback-dialog";

function useColumns(): Column<ReleaseView>[] {
	const nameOf = useName();
	const t = useTranslations("releases");
	return [
		{
			id: "tag",
			header: t("column.tag"),
			sortValue: (r) => r.number,
			text: (r) => r.tag,
			cell: (r) => (
				<span className="inline-flex items-center gap-2">
					<b className="whitespace-nowrap font-semibold">{r.tag}</b>
					{r.current && <Badge tone="accent">{t("live")}</Badge>}
				</span>
			),
		},
		{
			id: "what",
			header: t("column.what"),
			text: (r) => (r.kind === "policy" ? r.policy.name : (r.round?.name ?? r.restored ?? "")),
			sortValue: (r) => r.round?.name ?? "",
			cell: (r) =>
				r.kind === "rollback" ? (
					<span className="inline-flex items-center gap-1">
						<Undo2 className="size-3 text-ink-3" aria-hidden />
						{t("rollbackOf", { target: r.restored === "base" ? t("baseShort") : (r.restored ?? "") })}
					</span>
				) : r.kind === "policy" ? (
					t("policyOf", { policy: r.policy.name })
				) : (
					<>
						{/* On a phone there is room for one line; the evolution stands in the release itself. */}
						{r.round?.name} <span className="text-ink-3 max-md:hidden">{r.evolution?.slug}</span>
					</>
				),
		},
		{
			id: "gate",
			header: t("column.gate"),
			text: (r) => r.gate.verdict,
			sortValue: (r) => r.gate.verdict,
			cell: (r) => <GateWord gate={r.gate} overridden={r.override !== null} />,
		},
		{ id: "commit", header: t("column.commit"), wideOnly: true, text: (r) => r.commit, cell: (r) => <code>{shortId(r.commit)}</code>, csv: (r) => r.commit },
		{ id: "policy", header: t("column.policy"), wideOnly: true, text: (r) => r.policy.name, cell: (r) => r.policy.name },
		{
			id: "by",
			header: t("column.by"),
			wideOnly: true,
			text: (r) => nameOf(r.createdBy.name),
			sortValue: (r) => nameOf(r.createdBy.name),
			cell: (r) => <Name>{r.createdBy.name}</Name>,
		},
		{
			id: "at",
			header: t("column.at"),
			sortValue: (r) => r.createdAt.getTime(),
			csv: (r) => r.createdAt.toISOString(),
			cell: (r) => <RelativeTime at={r.createdAt} />,
		},
	];
}

/** Closed rounds that are not live: what the newest evolution recommends first, then the newest. */
function useCandidates() {
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const nameOf = useName();
	const candidates = useQuery(trpc.release.candidates.queryOptions({ workspace: slug })).data ?? [];
	const overview = useQuery(trpc.evolution.overview.queryOptions({ workspace: slug })).data;
	const recommended = overview?.rounds.find((round) => round.recommended)?.id;
	const newest = candidates.filter((one) => one.evolution.id === overview?.evolution?.id);
	const best = newest.find((one) => one.roundId === recommended) ?? newest[0];
	const several = (overview?.evolutions.length ?? 0) > 1;
	return {
		best,
		recommended: best !== undefined && best.roundId === recommended,
		others: candidates.filter((one) => one !== best),
		/** A round's name; where there are several evolutions, with the one it is of. */
		fullName: ({ name, evolution }: ReleaseCandidate) => (several ? `${nameOf(evolution.title)} · ${name}` : name),
	};
}

function Candidates({ onOpen }: { onOpen: (roundId: string) => void }) {
	const t = useTranslations("releases");
	const { can } = useWorkspace();
	const { best, recommended, others, fullName } = useCandidates();
	const reason = can("release.create") ? null : t("roleForbids");
	return (
		<div className="flex flex-wrap items-center gap-2">
			{best && (
				<GuardedButton variant={recommended ? "solid" : "outline"} place="below" reason={reason} onClick={() => onOpen(best.roundId)}>
					<Tag className="size-3.5" aria-hidden />
					{t("releaseRound", { round: fullName(best) })}…
				</GuardedButton>
			)}
			{can("release.create") && others.length > 0 && (
				<DropdownMenu
					trigger={
						<Button variant="quiet">
							{t("anotherRound")}
							<ChevronDown className="size-3.5 text-ink-3" aria-hidden />
						</Button>
					}
					items={others.map((one) => ({
						label: `${fullName(one)}…`,
						hint: one.eligible ? undefined : t("ineligible"),
						onSelect: () => onOpen(one.roundId),
					}))}
				/>
			)}
			{best && !can("release.create") && can("gate.override-fail") && (
				<Button variant="quiet" onClick={() => onOpen(best.roundId)}>
					{t("lookAtGate", { round: fullName(best) })}
				</Button>
			)}
		</div>
	);
}

/** What is live, and how do I go back? */
export function ReleasesPage({ selected = null }: { selected?: string | null }) {
	const t = useTranslations("releases");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, path, can } = useWorkspace();
	const [roundId, setRoundId] = useQueryState("round", parseAsString);
	const [back, setBack] = useQueryState("back", parseAsString);
	const [pair, setPair] = useQueryStates({ from: parseAsString, to: parseAsString });
	const query = useQuery(trpc.release.list.queryOptions({ workspace: slug }));
	const columns = useColumns();
	const { best, fullName } = useCandidates();
	useLive(["evolution"], () =>
		Promise.all([queryClient.invalidateQueries(trpc.release.pathFilter()), queryClient.invalidateQueries(trpc.evolution.overview.pathFilter())]),
	);
	return (
		<>
			<Breadcrumbs items={[{ label: t("title"), ...(selected ? { href: path("releases") } : {}) }, ...(selected ? [{ label: selected }] : [])]} />
			<QueryBoundary
				query={query}
				skeleton={
					<div className="p-6">
						<SkeletonRows rows={8} columns={6} />
					</div>
				}
			>
				{(releases) => {
					const live = releases.find((r) => r.current);
					const shown = releases.find((r) => r.tag === selected || r.id === selected) ?? live ?? null;
					// A policy that was released since leaves the files as they are.
					const baseLive = releases.find((r) => r.kind !== "policy")?.restored === "base";
					const tags = releases.map((r) => r.tag);
					return (
						<>
							<PageHeader
								title={
									live
										? t.rich("say.live", {
												tag: live.tag,
												what:
													live.kind === "policy"
														? t("policyOf", { policy: live.policy.name })
														: (live.round?.name ?? (live.restored === "base" ? t("base") : (live.restored ?? ""))),
												when: () => <RelativeTime at={live.createdAt} />,
											})
										: t("say.none")
								}
								lead={t("lead")}
								actions={<Candidates onOpen={(id) => void setRoundId(id)} />}
							/>
							{releases.length === 0 ? (
								<EmptyState
									title={t("emptyTitle")}
									className="m-6"
									action={
										<Button asChild>
											<Link href={path("evolution")}>{t("toEvolution")}</Link>
										</Button>
									}
								>
									{best ? t("emptyReady", { round: fullName(best) }) : t("emptyText")}
								</EmptyState>
							) : (
								<>
									<div className="px-6 py-3 max-md:px-4">
										<DataTable
											rows={releases}
											columns={columns}
											rowKey={(r) => r.id}
											selectedKey={shown?.id ?? null}
											href={(r) => path("releases", r.tag)}
											label={t("title")}
											csvName="releases"
										/>
									</div>
									{shown && (
										<div className="border-line border-t">
											<Split side={<Production live={live ?? shown} onBase={can("release.rollback") && !baseLive ? () => void setBack("base") : null} />}>
												<ReleaseDetail release={shown} onRollback={() => void setBack(shown.tag)} />
											</Split>
										</div>
									)}
									{tags.length > 1 && (
										<ComparePanel
											tags={tags}
											from={pair.from && tags.includes(pair.from) ? pair.from : (tags[1] ?? "")}
											to={pair.to && tags.includes(pair.to) ? pair.to : (tags[0] ?? "")}
											onChange={(from, to) => void setPair({ from, to })}
										/>
									)}
								</>
							)}
						</>
					);
				}}
			</QueryBoundary>
			<ReleaseSheet roundId={roundId} onClose={() => void setRoundId(null)} />
			<RollbackSheet target={back} onClose={() => void setBack(null)} />
		</>
	);
}

function Command({ children, label }: { children: string; label: string }) {
	return (
		<div className="relative mt-2">
			<pre className="whitespace-pre-wrap break-words rounded-4 bg-sunk p-2 pr-9 font-mono text-12">{children}</pre>
			<span className="absolute top-1 right-1 bg-sunk">
				<CopyButton value={children} label={label} />
			</span>
		</div>
	);
}

const never = () => () => undefined;

/** Where this studio is reached by whoever reads the page; empty while the server renders. */
const useOrigin = () =>
	useSyncExternalStore(
		never,
		() => window.location.origin,
		() => "",
	);

/** How production takes what is live. */
function Production({ live, onBase }: { live: ReleaseView; onBase: (() => void) | null }) {
	const t = useTranslations("releases");
	const { slug } = useWorkspace();
	const origin = useOrigin();
	const [scheme, host] = origin.split("//");
	return (
		<section className="px-5 py-3 text-12 max-md:px-4">
			<h2 className="mb-2 font-semibold text-13">{t("production")}</h2>
			<p className="text-ink-2">{t("productionText")}</p>
			<Command
				label={t("copyCurl")}
			>{`curl -H "Authorization: Bearer $TOKEN" \\\n  -o harness.tar.gz \\\n  ${origin}/api/releases/${slug}/current.tar.gz`}</Command>
			<p className="mt-2 text-ink-2">{t("productionGit")}</p>
			<Command label={t("copyGit")}>{`git clone --branch ${live.tag} \\\n  ${scheme}//any:$TOKEN@${host}/api/git/${slug}.git`}</Command>
			<p className="mt-2 text-ink-3">{t("productionNote", { tag: live.tag })}</p>
			{onBase && (
				<p className="mt-4">
					<button type="button" className="text-accent hover:underline max-md:min-h-11" onClick={onBase}>
						{t("backToBase")}
					</button>
				</p>
			)}
		</section>
	);
}
