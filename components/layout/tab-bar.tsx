"use client";

import { Menu } from "lucide-react";
import Link from "next/link";
import { usePathname, useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { cn } from "@/components/ui/cn";
import { Sheet } from "@/components/ui/dialog";
import { langOf } from "@/components/ui/format";
import { CountMark } from "@/components/ui/status";
import { AccountMenu } from "./account-menu";
import { areaOf, NAV, type NavItem, TAB_BAR, workspacePath } from "./nav";
import { useWorkspace } from "./workspace-context";

const cell = "relative grid content-center justify-items-center gap-0.5 text-11 leading-3.5 text-ink-2 no-underline";
const corner = "absolute top-1 left-[calc(50%+4px)] min-w-[15px] px-[3px] text-[10px] leading-[15px]";

/** The navigation at 390 px: four places in a bar, the rest in a sheet from below. */
export function TabBar() {
	const t = useTranslations("shell");
	const pathname = usePathname();
	const router = useRouter();
	const [open, setOpen] = useState(false);
	const { shell, path, local } = useWorkspace();
	const area = areaOf(pathname);
	// biome-ignore lint/correctness/useExhaustiveDependencies: a new address means that the choice was made
	useEffect(() => setOpen(false), [pathname]);
	const inBar = NAV.filter((item) => TAB_BAR.includes(item.id));
	const inSheet = NAV.filter((item) => !TAB_BAR.includes(item.id));
	const elsewhere = inSheet.some((item) => item.id === area);
	const waiting = (item: NavItem) => (item.count && !item.quiet ? shell.counts[item.count] : 0);
	const waitingElsewhere = inSheet.reduce((sum, item) => sum + waiting(item), 0);
	return (
		<>
			<nav aria-label={t("main")} className="fixed inset-x-0 bottom-0 z-30 grid h-14 grid-cols-5 border-line-2 border-t bg-bg md:hidden">
				{inBar.map((item) => (
					<Link
						key={item.id}
						href={path(item.path)}
						aria-current={area === item.id ? "page" : undefined}
						className={cn(cell, area === item.id && "font-semibold text-accent")}
					>
						<item.icon className="size-4" aria-hidden />
						{t(`nav.${item.id}`)}
						<CountMark count={waiting(item)} className={corner} />
					</Link>
				))}
				<button type="button" aria-expanded={open} onClick={() => setOpen(true)} className={cn(cell, elsewhere && "font-semibold text-accent")}>
					<Menu className="size-4" aria-hidden />
					{t("more")}
					<CountMark count={waitingElsewhere} className={corner} />
				</button>
			</nav>
			<Sheet open={open} onOpenChange={setOpen} side="bottom" title={<span lang={langOf(local(shell.workspace.title))}>{local(shell.workspace.title)}</span>}>
				<ul className="-mx-2">
					{inSheet.map((item) => (
						<li key={item.id}>
							<Link
								href={path(item.path)}
								aria-current={area === item.id ? "page" : undefined}
								className="flex h-11 items-center gap-3 rounded-4 px-2 text-14 text-ink no-underline aria-[current]:bg-sunk aria-[current]:font-semibold"
							>
								<item.icon className="size-4 text-ink-2" aria-hidden />
								{t(`nav.${item.id}`)}
								<CountMark count={waiting(item)} className="ml-auto" />
							</Link>
						</li>
					))}
				</ul>
				{shell.workspaces.length > 1 && (
					<>
						<h3 className="mt-3 text-12 text-ink-3">{t("workspaces")}</h3>
						<ul className="-mx-2">
							{shell.workspaces.map((workspace) => (
								<li key={workspace.slug}>
									<button
										type="button"
										onClick={() => router.push(workspacePath(workspace.slug))}
										aria-current={workspace.slug === shell.workspace.slug ? "true" : undefined}
										className="h-11 w-full rounded-4 px-2 text-left text-14 aria-[current]:font-semibold"
									>
										<span lang={langOf(local(workspace.title))}>{local(workspace.title)}</span>
									</button>
								</li>
							))}
						</ul>
					</>
				)}
				<div className="-mx-5 mt-3 -mb-3">
					<AccountMenu />
				</div>
			</Sheet>
		</>
	);
}
