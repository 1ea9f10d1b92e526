"use client";

import { ChevronsUpDown } from "lucide-react";
import Link from "next/link";
import { usePathname, useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/cn";
import { langOf } from "@/components/ui/format";
import { DropdownMenu } from "@/components/ui/popover";
import { CountMark } from "@/components/ui/status";
import { AccountMenu } from "./account-menu";
import { areaOf, NAV, type NavItem, workspacePath } from "./nav";
import { useWorkspace } from "./workspace-context";

/** The product's mark: a curve with the point where we stand. */
export function Mark({ className }: { className?: string }) {
	return (
		<svg viewBox="0 0 20 20" aria-hidden="true" className={cn("block size-5 flex-none", className)}>
			<path d="M2.5 15.5 7 8.5l4 3.5 6.5-8.5" fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round" />
			<circle cx="11" cy="12" r="2.1" fill="var(--bg-sub)" stroke="var(--accent-mark)" strokeWidth="1.7" />
		</svg>
	);
}

function WorkspaceSwitcher({ tight }: { tight: boolean }) {
	const t = useTranslations("shell");
	const router = useRouter();
	const { shell, local } = useWorkspace();
	const title = local(shell.workspace.title);
	return (
		<DropdownMenu
			align="start"
			trigger={
				<button
					type="button"
					aria-label={t("workspace", { title })}
					className={cn(
						"flex h-11 w-full items-center gap-2 border-line border-b hover:bg-hover focus-visible:outline-offset-[-2px]",
						tight ? "justify-center" : "px-3",
					)}
				>
					<Mark />
					{!tight && (
						<>
							<b lang={langOf(title)} className="min-w-0 truncate font-semibold">
								{title}
							</b>
							<ChevronsUpDown className="size-3.5 text-ink-3" aria-hidden />
						</>
					)}
				</button>
			}
			items={[
				{ heading: t("workspaces") },
				...shell.workspaces.map((workspace) => ({
					label: <span lang={langOf(local(workspace.title))}>{local(workspace.title)}</span>,
					checked: workspace.slug === shell.workspace.slug,
					onSelect: () => router.push(workspacePath(workspace.slug)),
				})),
			]}
		/>
	);
}

export function RailLink({ item, tight, current }: { item: NavItem; tight: boolean; current: boolean }) {
	const t = useTranslations("shell");
	const { shell, path } = useWorkspace();
	const count = item.count ? shell.counts[item.count] : 0;
	const name = t(`nav.${item.id}`);
	return (
		<Link
			href={path(item.path)}
			aria-current={current ? "page" : undefined}
			title={tight ? name : undefined}
			className={cn(
				"relative flex items-center gap-2.5 rounded-4 text-ink-2 no-underline hover:bg-hover hover:text-ink aria-[current]:bg-sunk aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:[&>svg]:text-accent",
				tight ? "h-8 justify-center" : "h-[30px] px-2",
			)}
		>
			<item.icon className="size-4" aria-hidden />
			<span className={tight ? "sr-only" : "min-w-0 truncate"}>{name}</span>
			{count > 0 && (!tight || !item.quiet) && (
				<>
					<CountMark count={count} quiet={item.quiet} className={tight ? "absolute top-px right-0 min-w-3.5 px-[3px] text-[10px] leading-3.5" : "ml-auto"} />
					<span className="sr-only">{item.quiet ? t("underWay") : t("waitingForYou")}</span>
				</>
			)}
		</Link>
	);
}

/** The left rail: where one can go, and where something waits for this person. 188 px, or 48 px beside work surfaces. */
export function Rail({ tight }: { tight: boolean }) {
	const t = useTranslations("shell");
	const area = areaOf(usePathname());
	const main = NAV.filter((item) => item.id !== "settings");
	const settings = NAV.filter((item) => item.id === "settings");
	return (
		<aside aria-label={t("rail")} className="border-line border-r bg-sub max-md:hidden">
			<div className="sticky top-0 flex h-dvh flex-col">
				<WorkspaceSwitcher tight={tight} />
				<nav aria-label={t("main")} className={cn("grid gap-px py-2", tight ? "px-[7px]" : "px-2")}>
					{main.map((item) => (
						<RailLink key={item.id} item={item} tight={tight} current={area === item.id} />
					))}
					<hr className="m-2 border-line" />
					{settings.map((item) => (
						<RailLink key={item.id} item={item} tight={tight} current={area === item.id} />
					))}
				</nav>
				<AccountMenu tight={tight} className="mt-auto" />
			</div>
		</aside>
	);
}
