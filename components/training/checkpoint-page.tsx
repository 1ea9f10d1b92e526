"use client";

import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { Breadcrumbs } from "@/components/ui/breadcrumbs";
import { Button } from "@/components/ui/button";
import { PageHeader, Split } from "@/components/ui/page";
import { RelativeTime } from "@/components/ui/relative-time";
import { PageSkeleton } from "@/components/ui/status";
import { useDownloadCheckpoint } from "./checkpoint-menu";
import { DataCardPanel } from "./data-card";
import { PolicyGate } from "./policy-gate";
import { RemoveCheckpoint } from "./remove-checkpoint";

/** A checkpoint that no training here made: where it comes from, and its way to production, which is that of any other. */
export function CheckpointPage({ policyVersionId }: { policyVersionId: string }) {
	const t = useTranslations("training");
	const trpc = useTRPC();
	const { slug, path } = useWorkspace();
	const download = useDownloadCheckpoint();
	const router = useRouter();
	const query = useQuery(trpc.training.checkpoint.queryOptions({ workspace: slug, policyVersionId }));
	return (
		<QueryBoundary query={query} skeleton={<PageSkeleton title={t("title")} rows={10} columns={4} />}>
			{({ id, name, createdAt, origin }) => (
				<>
					<Breadcrumbs items={[{ label: t("title"), href: path("training") }, { label: name }]} />
					<PageHeader
						title={t("checkpoint.titleOf", { name })}
						lead={
							<>
								{origin.recipe === null ? t("checkpoint.leadPlain") : t("checkpoint.lead", { recipe: t(`recipe.${origin.recipe}`), seed: origin.seed ?? "–" })}{" "}
								<RelativeTime at={createdAt} />
							</>
						}
						actions={
							<>
								<Button variant="quiet" onClick={() => void download(id)}>
									<Download className="size-3.5" aria-hidden />
									{t("checkpoint.download")}
								</Button>
								<RemoveCheckpoint id={id} name={name} onDone={() => router.push(path("training"))} />
							</>
						}
					/>
					<Split side={<DataCardPanel card={origin.card} />}>
						<div className="px-6 pt-4 pb-6 max-md:px-4">
							<PolicyGate policyVersionId={id} />
						</div>
					</Split>
				</>
			)}
		</QueryBoundary>
	);
}
