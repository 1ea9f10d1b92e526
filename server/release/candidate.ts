import { type EvolutionRow, type RoundRow, recommendRound, roundName, toRoundComparison } from "@/server/evolution";
import type { ReleaseCandidate } from "./contract";
import { errors } from "./errors";
import type { GateCandidate } from "./gate-sides";
import type { ReleaseDeps } from "./ports";
import * as repository from "./release.repository";
import { type NoteProposal, type ReleaseNotes, writeNotes } from "./release-notes";

export interface Candidate extends GateCandidate {
	evolution: EvolutionRow;
	round: RoundRow;
	name: string;
}

/** Closed rounds of all evolutions whose files are not live, the newest first. */
export async function listCandidates(deps: ReleaseDeps, workspaceId: string): Promise<ReleaseCandidate[]> {
	const live = await repository.currentRelease(deps.db, workspaceId);
	const evolutions = await deps.evolution.evolutions(workspaceId);
	const rounds = await Promise.all(evolutions.map(({ id }) => deps.evolution.rounds(id)));
	return evolutions.flatMap(({ id, title }, i) =>
		(rounds[i] ?? [])
			.filter((round) => round.status === "closed" && round.index > 0 && round.treeId !== null && round.treeId !== live?.treeId)
			.toReversed()
			.map((round) => ({ roundId: round.id, name: roundName(round.index), evolution: { id, title }, eligible: round.standing?.eligible ?? false })),
	);
}

/** A closed round as a candidate, with what it is compared with: the last release, else the baseline. */
export async function findCandidate(deps: ReleaseDeps, workspaceId: string, roundId: string): Promise<Candidate> {
	const round = await deps.evolution.findRound(workspaceId, roundId);
	if (!round) throw errors.roundUnknown();
	if (round.status !== "closed" || round.index === 0 || !round.headCommit || !round.treeId) throw errors.roundNotClosed();
	const evolution = await deps.evolution.getEvolution(round.evolutionId);
	const [reference, policyVersionId] = await Promise.all([deps.evolution.gateReference(evolution), deps.evolution.releasePolicy(evolution)]);
	return {
		...{ evolution, round, name: roundName(round.index) },
		...{ readingsOf: evolution.id, label: evolution.branch, conditions: evolution },
		candidate: { commit: round.headCommit, treeId: round.treeId, policyVersionId },
		reference: { ...reference, policyVersionId },
	};
}

/** Notes from the manifests of everything that landed up to the candidate's round and is not in an earlier release of the evolution. */
export async function notesFor(deps: ReleaseDeps, candidate: Candidate): Promise<ReleaseNotes> {
	const { evolution, round } = candidate;
	const { workspaceId } = evolution;
	const rounds = await deps.evolution.rounds(evolution.id);
	const released = (await repository.listReleases(deps.db, workspaceId)).filter((r) => r.evolutionId === evolution.id && r.kind === "release");
	const since = Math.max(0, ...released.map((r) => rounds.find((x) => x.id === r.roundId)?.index ?? 0));
	const from = since < round.index ? since : 0;
	const notes: NoteProposal[] = [];
	for (const each of rounds.filter((r) => r.index > from && r.index <= round.index)) {
		const landed = await deps.evolution.proposals({ workspaceId, roundId: each.id, status: ["landed"] });
		for (const p of landed.toReversed()) {
			const approval = await deps.evolution.approvalOf(workspaceId, p.id);
			notes.push({
				number: p.number,
				title: p.title,
				summary: approval.summary,
				engine: p.engine,
				authors: p.authors.map((a) => a.name),
				approvedBy: approval.approvedBy,
				findings: p.findings,
				phrases: p.phrases,
				round: roundName(each.index),
				unattended: p.unattended,
			});
		}
	}
	const language = await repository.findLanguage(deps.db, workspaceId);
	return writeNotes({ title: evolution.title, round: candidate.name, against: candidate.reference.name, proposals: notes, language });
}

/** Whether the rule recommends this round now. */
export async function isRecommended(deps: ReleaseDeps, candidate: Candidate): Promise<boolean> {
	const { evolution, round } = candidate;
	const rounds = (await deps.evolution.rounds(evolution.id)).filter((r) => r.status === "closed");
	const runs = await deps.evolution.runs(rounds.map((r) => r.testRunId));
	const base = rounds.find((r) => r.index === 0);
	const scored = await Promise.all(
		rounds
			.filter((r) => r.index > 0)
			.map(async (r) => {
				const comparison = await deps.evolution.compare(evolution.workspaceId, base?.testRunId ?? null, r.testRunId);
				return {
					index: r.index,
					avg: runs.get(r.testRunId ?? "")?.summary?.avg.value ?? 0,
					againstBaseline: comparison && r.standing?.againstBaseline ? toRoundComparison(comparison) : null,
				};
			}),
	);
	return recommendRound(scored) === round.index;
}
