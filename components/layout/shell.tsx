"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Radio } from "lucide-react";
import dynamic from "next/dynamic";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { LiveProvider, useLive } from "@/components/trpc/live";
import { cn } from "@/components/ui/cn";
import type { Shell as ShellData } from "@/server/workspace/contract";
import { CommandRegistry, useCommandKey } from "./command-registry";
import { isTight } from "./nav";
import { Rail } from "./rail";
import { TabBar } from "./tab-bar";
import { TopBar } from "./top-bar";
import { WorkspaceProvider } from "./workspace-context";

const CommandPalette = dynamic(() => import("./command-palette"), { ssr: false });

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

/** Says that figures may be old, once the stream has been away for longer than a reconnect takes. */
function StaleNotice({ connected }: { connected: boolean }) {
	const t = useTranslations("common");
	const [stale, setStale] = useState(false);
	useEffect(() => {
		if (connected) return setStale(false);
		const timer = setTimeout(() => setStale(true), 6_000);
		return () => clearTimeout(timer);
	}, [connected]);
	if (!stale) return null;
	return (
		<p
			role="status"
			className="fixed bottom-4 left-1/2 z-40 flex max-w-[92vw] -translate-x-1/2 items-center gap-2 rounded-6 border border-line-2 bg-pop px-3 py-1.5 text-12 text-ink-2 shadow-pop max-md:bottom-16"
		>
			<Radio className="size-3.5 text-unsure" aria-hidden />
			{t("stale")}
		</p>
	);
}

function Frame({ children }: { children: ReactNode }) {
	const t = useTranslations("common");
	const tight = isTight(usePathname());
	const [searching, setSearching] = useState(false);
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	// The counts in the rail follow what others do.
	const connected = useLive(["evolution", "triggers"], () => queryClient.invalidateQueries(trpc.workspace.shell.pathFilter()));
	const [paletteWanted, setPaletteWanted] = useState(false);
	const openSearch = useCallback(() => {
		setPaletteWanted(true);
		setSearching(true);
	}, []);
	const toggleSearch = useCallback(() => {
		setPaletteWanted(true);
		setSearching((open) => !open);
	}, []);
	useCommandKey(toggleSearch);
	return (
		<div
			data-rail={tight ? "tight" : "wide"}
			className={cn("grid min-h-dvh max-md:grid-cols-1 max-md:pb-14", tight ? "grid-cols-[48px_minmax(0,1fr)]" : "grid-cols-[188px_minmax(0,1fr)]")}
		>
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
			<StaleNotice connected={connected} />
			{paletteWanted && <CommandPalette open={searching} onOpenChange={setSearching} />}
		</div>
	);
}
