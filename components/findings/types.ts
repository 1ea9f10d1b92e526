import type { FindingView, TaskView } from "@/server/evolution/contract";

export type Finding = FindingView;
export type EngineTask = TaskView;

/** The file a component lives in, for a link into the editor. */
export function componentFile(component: string): string | null {
	const at = component.indexOf(":");
	const [kind, name] = [component.slice(0, at), component.slice(at + 1)];
	if (kind === "skill") return `skills/${name}/SKILL.md`;
	if (kind === "tool") return `tools/${name}.yaml`;
	if (kind === "prompt") return `prompts/${name}.md`;
	if (kind === "hook") return `hooks/${name}.js`;
	return kind === "manifest" ? "harness.yaml" : null;
}

export const isDecided = (finding: Finding) => finding.status !== "proposed";
export const isConfirmed = (finding: Finding) => finding.status === "accepted" || finding.status === "modified";
/** Confirmed, and no open or landed proposal is for it yet. */
export const isReady = (finding: Finding) => isConfirmed(finding) && !finding.proposals.some((p) => !["rejected", "withdrawn"].includes(p.status));

type LinkedProposal = Finding["proposals"][number];

/** Proposals for these findings that are not decided yet, each once; what its author has to submit first. */
export function openProposals(findings: readonly Finding[]): LinkedProposal[] {
	const open = findings.flatMap((f) => f.proposals).filter((p) => !["landed", "rejected", "withdrawn"].includes(p.status));
	const once = [...new Map(open.map((p) => [p.id, p])).values()];
	return once.toSorted((a, b) => Number(b.status === "draft") - Number(a.status === "draft") || b.number - a.number);
}
