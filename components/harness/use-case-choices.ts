import { useQuery } from "@tanstack/react-query";
import { isConfirmed } from "@/components/findings/types";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { type CaseChoice, mergeChoices } from "./case-choices";

/** What a proposal can be for, and which cases it can name: confirmed findings, their cases, and what failed in the newest dev run. */
export function useCaseChoices(evolutionId: string | null) {
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const enabled = evolutionId !== null;
	const findings = useQuery(
		trpc.evolution.findings.queryOptions({ workspace: slug, evolutionId: evolutionId ?? "", status: ["accepted", "modified"] }, { enabled, staleTime: 60_000 }),
	);
	const overview = useQuery(trpc.evolution.overview.queryOptions({ workspace: slug }, { staleTime: 30_000 }));
	const run = overview.data?.rounds.findLast((round) => round.dev?.status === "done")?.dev ?? null;
	const all = useQuery(
		trpc.evaluation.results.queryOptions({ workspace: slug, runId: run?.runId ?? "", sort: "case", limit: 500 }, { enabled: run !== null, staleTime: 300_000 }),
	);
	const rows = all.data?.rows ?? [];
	const confirmed = (findings.data ?? []).filter(isConfirmed);
	const caseOf = (row: (typeof rows)[number]) => ({ id: row.caseId, key: row.caseKey, message: row.message });
	const known = mergeChoices([{ why: "", cases: rows.map(caseOf) }]).map((one): CaseChoice => ({ ...one, why: [] }));
	const byId = new Map(known.map((one) => [one.id, one]));
	const passed = new Set(rows.filter((row) => row.verdict === "passed").map((row) => row.caseId));
	return {
		confirmed,
		/** Every case of the run. */
		known,
		/** What may be fixed: cases of the linked findings first, then what else failed. */
		fixable: (linked: readonly string[]): CaseChoice[] =>
			mergeChoices([
				...confirmed
					.filter((finding) => linked.includes(finding.id))
					.map((finding) => ({ why: `F-${finding.number}`, cases: finding.caseIds.flatMap((id) => byId.get(id) ?? []) })),
				{ why: run ? `R-${run.runNumber}` : "", cases: known.filter((one) => !passed.has(one.id)) },
			]),
		/** What may be broken: what passes. */
		breakable: known.filter((one) => passed.has(one.id)),
	};
}
