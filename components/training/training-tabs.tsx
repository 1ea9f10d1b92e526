"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { cn } from "@/components/ui/cn";

/** The pages of Training; the first one has no name of its own in the address. */
const TABS = ["trainings", "variants", "ablation"] as const;

/** Where in Training we are. */
export function TrainingTabs() {
	const t = useTranslations("training.tabs");
	const { path } = useWorkspace();
	const pathname = usePathname();
	const named = TABS.find((tab) => pathname.startsWith(path("training", tab)));
	return (
		<nav aria-label={t("label")} className="flex gap-5 overflow-x-auto border-line border-b px-6 max-md:px-4">
			{TABS.map((tab) => {
				const active = tab === (named ?? "trainings");
				return (
					<Link
						key={tab}
						href={tab === "trainings" ? path("training") : path("training", tab)}
						aria-current={active ? "page" : undefined}
						className={cn(
							"-mb-px flex h-9 items-center whitespace-nowrap border-b-2 text-13 no-underline focus-visible:-outline-offset-2 max-md:h-11",
							active ? "border-accent font-semibold text-ink" : "border-transparent text-ink-2 hover:text-ink",
						)}
					>
						{t(tab)}
					</Link>
				);
			})}
		</nav>
	);
}
