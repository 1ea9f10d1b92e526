import { type EngineTask, type Finding, isReady } from "./types";

/**
 * Confirmed findings that the newest edit they were part of has no change for. One that was decided anew since then is not
 * among them: a person did what was advised. Pure.
 */
export function leftByEdit(findings: readonly Finding[], tasks: readonly EngineTask[]): Finding[] {
	const edits = tasks.filter((task) => task.kind === "edit").toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
	return findings.filter((finding) => {
		const edit = edits.find((task) => task.findingIds.includes(finding.id));
		if (!isReady(finding) || edit?.status !== "done" || edit.finishedAt === null) return false;
		// Its proposal may have been rejected since: then there was an edit for it.
		const edited = finding.proposals.some((proposal) => proposal.id === edit.proposalId);
		return !edited && (finding.decidedAt === null || finding.decidedAt <= edit.finishedAt);
	});
}
