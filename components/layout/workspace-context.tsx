"use client";

import { useQuery } from "@tanstack/react-query";
import { useLocale } from "next-intl";
import { createContext, type ReactNode, use, useMemo } from "react";
import { useTRPC } from "@/components/trpc/client";
import type { Permission } from "@/server/auth/contract";
import type { LocalizedText, Shell } from "@/server/workspace/contract";
import { workspacePath } from "./nav";

interface WorkspaceValue {
	/** The slug: the `workspace` input of every procedure. */
	slug: string;
	shell: Shell;
	/** Whether this person's roles hold a permission. The server decides again; this only shapes the screen. */
	can: (permission: Permission) => boolean;
	/** An address inside this workspace: `path("runs", id)`. */
	path: (...parts: string[]) => string;
	/** A text in the reader's language. */
	local: (text: LocalizedText) => string;
	/** A category's title; its id where the workspace does not name it. */
	categoryTitle: (id: string) => string;
}

const WorkspaceContext = createContext<WorkspaceValue | null>(null);

/** Where we are and as whom. The server rendered `initial`; it is read again like any query. */
export function WorkspaceProvider({ slug, initial, children }: { slug: string; initial: Shell; children: ReactNode }) {
	const trpc = useTRPC();
	const locale = useLocale();
	const { data: shell } = useQuery(trpc.workspace.shell.queryOptions({ workspace: slug }, { initialData: initial, staleTime: 10_000 }));
	const value = useMemo<WorkspaceValue>(() => {
		const local = (text: LocalizedText) => (locale === "zh" ? text.zh || text.en : text.en || text.zh);
		const titles = new Map(shell.workspace.categories.map((category) => [category.id, local(category.title)]));
		return {
			slug,
			shell,
			can: (permission) => shell.permissions.includes(permission),
			path: (...parts) => workspacePath(slug, ...parts),
			local,
			categoryTitle: (id) => titles.get(id) ?? id,
		};
	}, [slug, shell, locale]);
	return <WorkspaceContext value={value}>{children}</WorkspaceContext>;
}

/** The workspace of the page; throws outside of `/w/[workspace]`. */
export function useWorkspace(): WorkspaceValue {
	const value = use(WorkspaceContext);
	if (!value) throw new Error("useWorkspace needs a page under /w/[workspace]");
	return value;
}
