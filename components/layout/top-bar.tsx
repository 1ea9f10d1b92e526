"use client";

import { Search } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { CRUMB_SLOT } from "@/components/ui/breadcrumbs";
import { cn } from "@/components/ui/cn";
import { Kbd } from "@/components/ui/status";
import { areaOf } from "./nav";
import { LanguageButton } from "./preferences";
import { useWorkspace } from "./workspace-context";

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
	return (
		<div className="flex min-w-0 items-baseline">
			<dt className="mr-[5px] text-ink-3">{name}</dt>
			<dd className="min-w-0 truncate text-ink">{children}</dd>
		</div>
	);
}

/** Where this page is, what is live, which engines act and judge, and the way to everything else (⌘K). */
export function TopBar({ tight, onSearch }: { tight: boolean; onSearch: () => void }) {
	const t = useTranslations("shell");
	const pathname = usePathname();
	const { shell, path } = useWorkspace();
	const area = areaOf(pathname);
	return (
		<header
			className={cn(
				"flex h-11 shrink-0 items-center gap-4 whitespace-nowrap border-line border-b bg-bg pr-4 text-12 max-md:sticky max-md:top-0 max-md:z-20 max-md:gap-2 max-md:pr-1 max-md:pl-4",
				tight ? "pl-4" : "pl-6",
			)}
		>
			<nav aria-label={t("crumbs")} className="min-w-0 flex-1 text-13">
				{/* The page portals its path in here; until then the area's name stands. */}
				<div id={CRUMB_SLOT} className="peer min-w-0 empty:hidden" />
				{area && (
					<span aria-current="page" className="hidden font-semibold peer-empty:inline">
						{t(`nav.${area}`)}
					</span>
				)}
			</nav>
			<dl className="flex min-w-0 items-center gap-4 text-ink-2 max-md:hidden">
				<Fact name={t("released")}>
					{shell.released ? (
						<Link href={path("releases", shell.released.id)} className="text-inherit no-underline hover:text-accent hover:underline">
							{shell.released.tag}
							{shell.released.round && ` · ${shell.released.round}`}
						</Link>
					) : (
						<span className="text-ink-3">{t("notYet")}</span>
					)}
				</Fact>
				<Fact name={t("policy")}>{shell.engines.policy ?? <span className="text-ink-3">{t("notChosen")}</span>}</Fact>
				<Fact name={t("judge")}>{shell.engines.judge ?? <span className="text-ink-3">{t("notChosen")}</span>}</Fact>
			</dl>
			<button
				type="button"
				onClick={onSearch}
				aria-label={t("search")}
				className="flex h-7 items-center gap-2 rounded-4 border border-line-2 pr-[5px] pl-[9px] text-ink-3 hover:border-line-ctl max-md:size-11 max-md:justify-center max-md:border-0 max-md:p-0"
			>
				<Search className="size-3.5" aria-hidden />
				<span className="max-md:hidden">{t("search")}</span>
				<span className="max-md:hidden">
					<Kbd>⌘K</Kbd>
				</span>
			</button>
			<LanguageButton />
		</header>
	);
}
