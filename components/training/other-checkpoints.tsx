"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { SectionHead } from "@/components/ui/page";
import { RelativeTime } from "@/components/ui/relative-time";
import { RemoveCheckpoint } from "./remove-checkpoint";

/** Checkpoints that came with the workspace or from a file; nothing where there are none. */
export function OtherCheckpoints() {
	const t = useTranslations("training.checkpoint");
	const trpc = useTRPC();
	const { slug, path } = useWorkspace();
	const { data = [] } = useQuery(trpc.training.checkpoints.queryOptions({ workspace: slug }));
	if (data.length === 0) return null;
	return (
		<section>
			<SectionHead title={t("others")} meta={t("othersMeta")} className="mt-4 border-line border-t" />
			<ul className="divide-y divide-line text-13">
				{data.map(({ id, name, createdAt, initial }) => (
					<li key={id} className="flex min-h-9 items-center gap-3 max-md:min-h-11">
						<Link href={path("training", "checkpoints", id)} className="link font-semibold">
							{name}
						</Link>
						<span className="text-ink-2">
							<RelativeTime at={createdAt} />
						</span>
						{!initial && (
							<span className="ml-auto">
								<RemoveCheckpoint id={id} name={name} size="sm" />
							</span>
						)}
					</li>
				))}
			</ul>
		</section>
	);
}
