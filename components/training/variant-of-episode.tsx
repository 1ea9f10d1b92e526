"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { VariantPreview } from "./variant-preview";

/** The variant that an episode acted under, beside its original; nothing where the run was on the harness itself. */
export function VariantOfEpisode({ episodeId }: { episodeId: string }) {
	const t = useTranslations("variants.preview");
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const { data } = useQuery(trpc.augmentation.ofEpisode.queryOptions({ workspace: slug, episodeId }, { staleTime: 60_000 }));
	if (!data) return null;
	return (
		<details className="mb-3 border-line border-b pb-2">
			<summary className="cursor-pointer py-1 text-12 text-ink-2">{t("ofEpisode")}</summary>
			<VariantPreview preview={{ problems: [], variant: data }} />
		</details>
	);
}
