"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";

/** The evolution that a proposal lands on. */
export interface OpenEvolution {
	id: string;
	branch: string;
}

/** The branch that is edited, in the URL. Unless one is named: where the open evolution lands, else `main`. */
export function useBranch() {
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const [named, setNamed] = useQueryState("branch", parseAsString);
	const overview = useQuery(trpc.evolution.overview.queryOptions({ workspace: slug }, { staleTime: 30_000 }));
	const list = useQuery(trpc.harness.branches.queryOptions({ workspace: slug, kind: "agent" }, { staleTime: 30_000 }));
	const latest = overview.data?.evolution ?? null;
	const evolution: OpenEvolution | null = latest && latest.status !== "closed" ? latest : null;
	const landing = evolution?.branch ?? "main";
	const names = (list.data ?? []).map((entry) => entry.name);
	return {
		branch: named ?? landing,
		/** False until it is known where edits go. */
		ready: named !== null || !overview.isPending,
		branches: [...new Set(["main", ...names, ...(named ? [named] : [])])],
		setBranch: (next: string) => void setNamed(next),
		evolution,
	};
}
