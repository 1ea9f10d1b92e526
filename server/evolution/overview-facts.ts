import type { Comparison } from "@/server/evaluation/contract";
import type { AlarmRow } from "./gate.repository";
import type { RobustnessRow, RoundRelease } from "./overview.contract";
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

type HarnessRelease = ReleaseFact & { kind: "release" | "rollback" };
/** The releases that changed the files; a released policy leaves them as they are. */
const ofHarness = (releases: readonly ReleaseFact[]) => releases.filter((r): r is HarnessRelease => r.kind !== "policy");

/** Releases that hold a round, oldest first: those made of it, and the one whose files are live where they are the round's (a rollback). Pure. */
export function releasesOf(round: Pick<RoundRow, "id" | "evolutionId" | "treeId">, releases: readonly ReleaseFact[]): HarnessRelease[] {
	const made = ofHarness(releases);
	const live = made.at(-1);
	return made.filter((r) => r.roundId === round.id || (r === live && r.evolutionId === round.evolutionId && r.treeId === round.treeId));
}

/** The release that speaks for a round: the newest of them, which is the live one where there is one. Pure. */
export function releaseOf(round: Pick<RoundRow, "id" | "evolutionId" | "treeId">, releases: readonly ReleaseFact[], people: People): RoundRelease | null {
	const last = releasesOf(round, releases).at(-1);
	if (!last) return null;
	const { tag, kind, at, createdById, unattended, against, gate, override } = last;
	const live = ofHarness(releases).at(-1)?.tag ?? tag;
	return { tag, kind, at, by: somebody(people, createdById), unattended, live, against, gate, override };
}

export function landedOf(proposal: ProposalRow, facts: Pick<OverviewFacts, "people">) {
	const { id, number, title, engine, unattended, landedAt, landedCommit } = proposal;
	const phrases = lastRevisionOf(proposal)?.manifest.phrases ?? {};
	return { id, number, title, phrases, engine, unattended, landedAt, commit: landedCommit, approvedBy: personOf(facts.people, proposal.landedById) };
}

/** Whether a round that is closing waits for a run that will not end by itself. Pure. */
export function isStalled(round: Pick<RoundRow, "status" | "devRunId" | "testRunId" | "regressionRunIds">, runs: ReadonlyMap<string, RunView>): boolean {
	if (round.status !== "closing") return false;
	return [round.devRunId, round.testRunId, ...round.regressionRunIds].some((id) => {
		const status = id ? runs.get(id)?.status : undefined;
		return status === "failed" || status === "cancelled";
	});
}
