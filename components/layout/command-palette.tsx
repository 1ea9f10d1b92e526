"use client";

import { Command } from "cmdk";
import { CornerDownLeft, Languages, Moon, Search, Sun } from "lucide-react";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { Dialog as RadixDialog } from "radix-ui";
import { use, useState } from "react";
import { Kbd } from "@/components/ui/status";
import { CommandsContext } from "./command-registry";
import { NAV, workspacePath } from "./nav";
import { parseReference } from "./parse-reference";
import { useSetLocale } from "./preferences";
import { setTheme, useResolvedTheme } from "./theme";
import { useWorkspace } from "./workspace-context";

const row =
	"flex min-h-8 cursor-default select-none items-center gap-2.5 px-3 text-13 data-[selected=true]:bg-accent-soft data-[selected=true]:shadow-[inset_2px_0_0_var(--accent)] max-md:min-h-11 [&>svg]:size-3.5 [&>svg]:text-ink-3";
const group =
	"[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-0.5 [&_[cmdk-group-heading]]:text-12 [&_[cmdk-group-heading]]:text-ink-3";

/** Loaded on the first ⌘K: every page, the things that have a number, the acts of this page. */
export default function CommandPalette({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
	const t = useTranslations("shell");
	const router = useRouter();
	const locale = useLocale();
	const setLocale = useSetLocale();
	const theme = useResolvedTheme();
	const { shell, path, local } = useWorkspace();
	const registered = use(CommandsContext);
	const [query, setQuery] = useState("");

	const run = (act: () => void) => () => {
		onOpenChange(false);
		setQuery("");
		act();
	};
	const pageCommands = [...registered.values()].flat();
	return (
		<RadixDialog.Root open={open} onOpenChange={onOpenChange}>
			<RadixDialog.Portal>
				<RadixDialog.Overlay className="fixed inset-0 z-40 bg-veil" />
				<RadixDialog.Content className="-translate-x-1/2 fixed top-[12vh] left-1/2 z-50 w-[520px] max-w-[calc(100vw-24px)] overflow-hidden rounded-6 border border-line-2 bg-pop pb-1.5 shadow-pop">
					<RadixDialog.Title className="sr-only">{t("palette.title")}</RadixDialog.Title>
					<RadixDialog.Description className="sr-only">{t("palette.hint")}</RadixDialog.Description>
					<Command label={t("palette.title")} loop>
						<div className="flex h-11 items-center gap-2.5 border-line border-b px-3">
							<Search className="size-3.5 text-ink-3" aria-hidden />
							<Command.Input
								value={query}
								onValueChange={setQuery}
								placeholder={t("palette.placeholder")}
								className="h-full min-w-0 flex-1 bg-transparent text-14 outline-none max-md:text-16"
							/>
							<Kbd>Esc</Kbd>
						</div>
						<Command.List className="max-h-[52vh] overflow-y-auto">
							<Command.Empty className="px-3 py-4 text-13 text-ink-2">{t("palette.nothing")}</Command.Empty>
							{parseReference(query).length > 0 && (
								<Command.Group heading={t("palette.open")} className={group}>
									{parseReference(query).map((jump) => (
										<Command.Item key={jump.key} value={`${query} ${jump.key}`} className={row} onSelect={run(() => router.push(path(...jump.path)))}>
											<CornerDownLeft aria-hidden />
											{t(`palette.${jump.key}`, { number: jump.number })}
										</Command.Item>
									))}
								</Command.Group>
							)}
							{pageCommands.length > 0 && (
								<Command.Group heading={t("palette.here")} className={group}>
									{pageCommands.map((command) => (
										<Command.Item key={command.id} value={`${command.label} ${command.keywords ?? ""}`} className={row} onSelect={run(command.run)}>
											{command.icon ?? <CornerDownLeft aria-hidden />}
											{command.label}
										</Command.Item>
									))}
								</Command.Group>
							)}
							<Command.Group heading={t("palette.goTo")} className={group}>
								{NAV.map((item) => (
									<Command.Item key={item.id} value={`${t(`nav.${item.id}`)} ${item.id}`} className={row} onSelect={run(() => router.push(path(item.path)))}>
										<item.icon aria-hidden />
										{t(`nav.${item.id}`)}
									</Command.Item>
								))}
								{shell.workspaces
									.filter((workspace) => workspace.slug !== shell.workspace.slug)
									.map((workspace) => (
										<Command.Item
											key={workspace.slug}
											value={`${local(workspace.title)} ${workspace.slug}`}
											className={row}
											onSelect={run(() => router.push(workspacePath(workspace.slug)))}
										>
											<CornerDownLeft aria-hidden />
											{local(workspace.title)}
										</Command.Item>
									))}
							</Command.Group>
							<Command.Group heading={t("palette.do")} className={group}>
								<Command.Item
									value={`${t("palette.theme")} theme dark light`}
									className={row}
									onSelect={run(() => setTheme(theme === "dark" ? "light" : "dark"))}
								>
									{theme === "dark" ? <Sun aria-hidden /> : <Moon aria-hidden />}
									{t("palette.theme")}
								</Command.Item>
								<Command.Item value="language 语言 中文 English" className={row} onSelect={run(() => setLocale(locale === "zh" ? "en" : "zh"))}>
									<Languages aria-hidden />
									{locale === "zh" ? <span lang="en">English</span> : <span lang="zh-Hans">中文</span>}
								</Command.Item>
							</Command.Group>
						</Command.List>
					</Command>
				</RadixDialog.Content>
			</RadixDialog.Portal>
		</RadixDialog.Root>
	);
}
