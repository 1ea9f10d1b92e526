"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC, useTRPCClient } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Sheet } from "@/components/ui/dialog";
import { shortId } from "@/components/ui/format";
import { Name } from "@/components/ui/names";
import { PersonAvatar, Words } from "@/components/ui/person";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows } from "@/components/ui/status";
import { toastDone } from "@/components/ui/toast";
import type { CommitInfo, ComponentView } from "@/server/harness/contract";
import type { Workbench } from "./use-workbench";

/** An older text that the centre compares with. */
export interface Comparison {
	path: string;
	text: string;
	label: string;
}

/** The versions of one component on the branch; each can be compared with, or taken back into the draft. */
export function HistorySheet({
	component,
	onOpenChange,
	workbench,
	onCompare,
}: {
	component: ComponentView | null;
	onOpenChange: (open: boolean) => void;
	workbench: Workbench;
	onCompare: (comparison: Comparison) => void;
}) {
	const t = useTranslations("harness.history");
	const trpc = useTRPC();
	const client = useTRPCClient();
	const { slug } = useWorkspace();
	const { kind, branch } = workbench.view;
	const query = useQuery(
		trpc.harness.history.queryOptions(
			{ workspace: slug, kind, revision: branch, component: component?.id ?? "manifest:harness" },
			{ enabled: component !== null },
		),
	);
	const takeBack = useMutation(trpc.harness.draftTakeBack.mutationOptions());

	const restore = async (commit: CommitInfo) => {
		const view = await workbench.flush();
		if (!component || !view) return;
		await takeBack.mutateAsync({
			workspace: slug,
			kind,
			branch,
			version: view.draft?.version ?? 0,
			component: component.id,
			revision: commit.commit,
		});
		await workbench.reload();
		toastDone(t("taken", { name: component.name, commit: shortId(commit.commit) }));
		onOpenChange(false);
	};
	const compare = async (commit: CommitInfo) => {
		if (!component) return;
		// A version in which the file was not there compares with nothing.
		const text = await client.harness.file.query({ workspace: slug, kind, revision: commit.commit, path: component.path }).then(
			(file) => file.text,
			() => "",
		);
		onCompare({ path: component.path, text, label: shortId(commit.commit) });
		onOpenChange(false);
	};

	return (
		<Sheet open={component !== null} onOpenChange={onOpenChange} title={t("title", { name: component?.name ?? "" })} description={t("text", { branch })}>
			<QueryBoundary query={query} skeleton={<SkeletonRows rows={6} columns={2} />}>
				{(commits) => (
					<ol>
						{commits.map((commit) => (
							<li key={commit.commit} className="border-line border-t py-2.5 text-12 first:border-t-0">
								<p className="text-13">
									<Words>{commit.subject}</Words>
								</p>
								<p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-ink-3">
									<PersonAvatar name={commit.author.name} />
									<Name>{commit.author.name}</Name>
									<RelativeTime at={commit.at} />
									<code>{shortId(commit.commit)}</code>
									{Object.entries(commit.trailers).map(([name, values]) => (
										<span key={name}>
											{name}: {values.join(", ")}
										</span>
									))}
								</p>
								<p className="mt-1.5 flex gap-2">
									<Button size="sm" onClick={() => void compare(commit)}>
										{t("compare")}
									</Button>
									{workbench.canEdit && (
										<Button size="sm" busy={takeBack.isPending} onClick={() => void restore(commit).catch(() => undefined)}>
											{t("takeBack")}
										</Button>
									)}
								</p>
							</li>
						))}
						{commits.length === 0 && <li className="py-4 text-13 text-ink-2">{t("empty")}</li>}
					</ol>
				)}
			</QueryBoundary>
		</Sheet>
	);
}
