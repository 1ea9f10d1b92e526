import type { Comparison } from "@/server/evaluation/contract";
import type { AlarmRow } from "./gate.repository";
import type { RobustnessRow } from "./overview.contract";
import type { ReleaseFact, RunView } from "./ports";
import { type FindingRow, lastRevisionOf, type ProposalRow, type ReviewRow, type RoundRow } from "./rows";

export type People = Map<string, { id: string; name: string; email: string }>;

/** A person as pages show them; an id that nobody has any more shows as itself. */
export const personOf = (people: People, id: string | null) => (id === null ? null : { id, name: people.get(id)?.name ?? id });
export const somebody = (people: People, id: string) => ({ id, name: people.get(id)?.name ?? id });

export interface RoundFacts {
	/** Index of the anchor of that time. */
	anchor: number;
	againstBaseline: Comparison | null;
	againstAnchor: Comparison | null;
}

export interface OverviewFacts {
	rounds: RoundRow[];
	runs: Map<string, RunView>;
	proposals: ProposalRow[];
	reviews: ReviewRow[];
	releases: ReleaseFact[];
	people: People;
	acknowledgements: AlarmRow[];
	/** By round index: anchor's index and the two comparisons on test. */
	comparisons: Map<number, RoundFacts>;
	/** T2 and T3, by round. */
	robustness: Map<string, RobustnessRow[]>;
	openFindings: FindingRow[];
}

export function landedOf(proposal: ProposalRow, facts: Pick<OverviewFacts, "people">) {
	const { id, number, title, engine, unattended, landedAt, landedCommit } = proposal;
	const phrases = lastRevisionOf(proposal)?.manifest.phrases ?? {};
	return { id, number, title, phrases, engine, unattended, landedAt, commit: landedCommit, approvedBy: personOf(facts.people, proposal.landedById) };
}
