"use client";

import { useQueryClient } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useCallback, useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { LiveProvider, useLive } from "@/components/trpc/live";
import { cn } from "@/components/ui/cn";
import type { Shell as ShellData } from "@/server/workspace/contract";
import { CommandPalette, CommandRegistry } from "./command-palette";
import { isTight } from "./nav";
import { Rail } from "./rail";
import { TabBar } from "./tab-bar";
import { TopBar } from "./top-bar";
import { WorkspaceProvider } from "./workspace-context";

/** The frame around every page of a workspace: rail, top bar, command palette; a tab bar at 390 px. */
export function Shell({ slug, initial, children }: { slug: string; initial: ShellData; children: ReactNode }) {
	return (
		<WorkspaceProvider slug={slug} initial={initial}>
			<LiveProvider workspace={slug}>
				<CommandRegistry>
					<Frame>{children}</Frame>
				</CommandRegistry>
			</LiveProvider>
		</WorkspaceProvider>
	);
}

function Frame({ children }: { children: ReactNode }) {
	const t = useTranslations("common");
	const tight = isTight(usePathname());
	const [searching, setSearching] = useState(false);
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	// The counts in the rail follow what others do.
	useLive(["evolution"], () => void queryClient.invalidateQueries(trpc.workspace.shell.pathFilter()));
	const openSearch = useCallback(() => setSearching(true), []);
	return (
		<div className={cn("grid min-h-dvh max-md:grid-cols-1 max-md:pb-14", tight ? "grid-cols-[48px_minmax(0,1fr)]" : "grid-cols-[188px_minmax(0,1fr)]")}>
			<a href="#main" className="sr-only z-50 rounded-4 bg-pop px-3 py-1 focus:not-sr-only focus:fixed focus:top-2 focus:left-2">
				{t("skipToContent")}
			</a>
			<Rail tight={tight} />
			<div className={cn("flex min-w-0 flex-col", tight && "md:h-dvh")}>
				<TopBar tight={tight} onSearch={openSearch} />
				{/* Work surfaces fill the window and scroll inside their panes; other pages scroll as pages. */}
				<main id="main" tabIndex={-1} className={cn("min-w-0 flex-1", tight && "md:flex md:min-h-0 md:flex-col md:overflow-y-auto")}>
					{children}
				</main>
			</div>
			<TabBar />
			<CommandPalette open={searching} onOpenChange={setSearching} />
		</div>
	);
}
