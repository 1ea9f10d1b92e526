"use client";

import { LogOut, Monitor, Moon, Sun } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { isLocale, THEMES, type Theme } from "@/components/locale";
import { cn } from "@/components/ui/cn";
import { PersonAvatar, Words } from "@/components/ui/person";
import { DropdownMenu, type MenuItem } from "@/components/ui/popover";
import { toastFailed } from "@/components/ui/toast";
import { useSetLocale } from "./preferences";
import { setTheme, useTheme } from "./theme";
import { useWorkspace } from "./workspace-context";

const THEME_ICON: Record<Theme, typeof Sun> = { system: Monitor, light: Sun, dark: Moon };

/** Ends the session; the cookie dies on the server, so a copy of it is worth nothing. */
async function signOut(failed: string): Promise<void> {
	const response = await fetch("/api/auth/sign-out", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
	if (response.ok) window.location.assign("/sign-in");
	else toastFailed(failed);
}

/** Who I am here, theme, language, and the way out. */
export function AccountMenu({ tight, className }: { tight?: boolean; className?: string }) {
	const t = useTranslations("shell");
	const c = useTranslations("common");
	const { shell } = useWorkspace();
	const theme = useTheme();
	const locale = useLocale();
	const setLocale = useSetLocale();
	const roles = shell.roles.map((role) => c(`role.${role}`)).join(" · ");
	const items: MenuItem[] = [
		{ heading: shell.person.email },
		{ separator: true },
		{ heading: t("theme.title") },
		...THEMES.map((value): MenuItem => {
			const Icon = THEME_ICON[value];
			return {
				label: t(`theme.${value}`),
				icon: <Icon className="size-3.5 text-ink-3" aria-hidden />,
				checked: theme === value,
				onSelect: () => setTheme(value),
			};
		}),
		{ heading: t("language") },
		...(["en", "zh"] as const).map(
			(value): MenuItem => ({
				label: value === "en" ? <span lang="en">English</span> : <span lang="zh-Hans">简体中文</span>,
				checked: isLocale(locale) && locale === value,
				onSelect: () => setLocale(value),
			}),
		),
		{ separator: true },
		{ label: t("signOut"), icon: <LogOut className="size-3.5 text-ink-3" aria-hidden />, onSelect: () => void signOut(t("signOutFailed")) },
	];
	return (
		<DropdownMenu
			align="start"
			items={items}
			trigger={
				<button
					type="button"
					aria-label={t("account", { name: shell.person.name })}
					className={cn(
						"flex w-full min-w-0 items-center gap-2 border-line border-t text-left text-12 leading-4 hover:bg-hover",
						tight ? "justify-center py-3" : "px-4 py-3",
						className,
					)}
				>
					<PersonAvatar name={shell.person.name} me />
					{!tight && (
						<span className="min-w-0">
							<Words className="block truncate">{shell.person.name}</Words>
							<span className="block truncate text-ink-3">{roles}</span>
						</span>
					)}
				</button>
			}
		/>
	);
}
