"use client";

import { Download, Undo2 } from "lucide-react";
import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { Button, GuardedButton } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { shortId } from "@/components/ui/format";
import { Name } from "@/components/ui/names";
import { Notice } from "@/components/ui/notes";
import { Facts, SectionHead } from "@/components/ui/page";
import { Words } from "@/components/ui/person";
import { Badge } from "@/components/ui/status";
import type { ReleaseView } from "@/server/release/contract";
import { GateList, GateWord } from "./gate-list";
import { NotesText } from "./notes-text";

/** Everything that a release binds, and the way back to it. */
export function ReleaseDetail({ release, onRollback }: { release: ReleaseView; onRollback: () => void }) {
	const t = useTranslations("releases");
	const format = useFormatter();
	const { slug, path, can } = useWorkspace();
	const file = (ending: string) => `/api/releases/${encodeURIComponent(slug)}/${release.tag}.${ending}`;
	const reason = !can("release.rollback") ? t("roleForbidsRollback") : release.current ? t("isLive") : null;
	return (
		<article aria-label={release.tag} className="px-6 pb-6 max-md:px-4">
			<header className="flex flex-wrap items-center gap-2 py-3">
				<h2 className="font-semibold text-16">{release.tag}</h2>
				{release.current && <Badge tone="accent">{t("live")}</Badge>}
				{release.kind === "rollback" && (
					<Badge icon={<Undo2 className="size-3" aria-hidden />}>
						{t("rollbackOf", { target: release.restored === "base" ? t("base") : (release.restored ?? "") })}
					</Badge>
				)}
				{release.unattended && <Badge tone="unsure">{t("unattended")}</Badge>}
				<span className="ml-auto flex flex-wrap gap-2">
					<Button asChild size="sm">
						<a href={file("tar.gz")} download>
							<Download className="size-3.5" aria-hidden />
							{t("archive")}
						</a>
					</Button>
					<Button asChild size="sm" variant="quiet">
						<a href={file("json")}>{t("manifest")}</a>
					</Button>
				</span>
			</header>
			<Facts
				layout="list"
				items={[
					[
						t("by"),
						<span key="by">
							<Name>{release.createdBy.name}</Name>, {format.dateTime(release.createdAt, "moment")}
						</span>,
					],
					release.round !== null && [
						t("round"),
						<Link key="r" href={path("evolution", "rounds", release.round.id)} className="link">
							{release.round.name} · {release.evolution?.slug}
						</Link>,
					],
					[
						t("commit"),
						<span key="c" className="inline-flex items-center gap-1 max-md:-my-2">
							<code>{shortId(release.commit)}</code>
							<CopyButton value={release.commit} />
						</span>,
					],
					[t("tree"), <code key="t">{shortId(release.treeId)}</code>],
					[t("policy"), release.policy.name],
					[t("judge"), release.judge.name],
					release.previous !== null && [t("previous"), release.previous],
					[
						t("runs"),
						release.runs.length === 0
							? "–"
							: release.runs.map((run, index) => (
									<span key={run.id}>
										{index > 0 && ", "}
										<Link href={path("runs", run.id)} className="link">
											R-{run.number}
										</Link>
									</span>
								)),
					],
				]}
			/>
			<SectionHead title={t("gate.title")} meta={t("gate.policyVersion", { version: release.gate.policyVersion })} className="mt-3 border-line border-t">
				<GateWord gate={release.gate} overridden={release.override !== null} />
			</SectionHead>
			{release.override && (
				<Notice tone="unsure" className="mb-3">
					{t.rich(`override.${release.override.verdict}`, {
						name: () => <Name>{release.override?.by.name ?? ""}</Name>,
						date: format.dateTime(release.override.at, "date"),
						reason: () => <Words>{release.override?.reason ?? ""}</Words>,
					})}
				</Notice>
			)}
			<GateList gate={release.gate} />
			<SectionHead title={t("notes")} className="mt-4 border-line border-t" />
			<NotesText notes={release.notes} phrases={release.phrases} />
			<div className="mt-4 border-line border-t pt-3">
				<GuardedButton variant="danger" reason={reason} onClick={onRollback}>
					<Undo2 className="size-3.5" aria-hidden />
					{t("rollbackTo", { target: release.tag })}…
				</GuardedButton>
			</div>
		</article>
	);
}
