import { useMemo } from "react";
import { useSaid } from "@/components/ui/said";
import type { Problem } from "@/server/harness/contract";

/**
 * Problems with message and fix in the reader's language, for lists and for the editor's markers. Equal problems give the
 * same array: new markers close the list of quick fixes that a person is just reading.
 */
export function useProblems(problems: readonly Problem[]): Problem[] {
	const said = useSaid("problems");
	const key = JSON.stringify(problems);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the problems
	return useMemo(
		() =>
			problems.map((problem) => ({
				...problem,
				message: said(problem.phrase, problem.message).text,
				...(problem.fix && { fix: { ...problem.fix, title: said(problem.fix.phrase, problem.fix.title).text } }),
			})),
		[key, said],
	);
}
