import { type EvolutionRow, type GateAlarm, isReadyForHoldout, type RoundRow, recommendRound, roundName, toRoundComparison } from "@/server/evolution";
import type { GateResult } from "@/server/evolution/contract";
import type { Actor } from "@/server/workspace/contract";
import { errors } from "./errors";
import type { ReleaseDeps } from "./ports";
import { readHoldout } from "./read-holdout";
import * as repository from "./release.repository";
import { type NoteProposal, type ReleaseNotes, writeNotes } from "./release-notes";

export interface Candidate {
	evolution: EvolutionRow;
	round: RoundRow;
	name: string;
	commit: string;
	treeId: string;
	reference: { name: string; commit: string; treeId: string };
}

/** A closed round as a candidate, with what it is compared with: the last release, else the baseline. */
export async function findCandidate(deps: ReleaseDeps, workspaceId: string, roundId: string): Promise<Candidate> {
	const round = await deps.evolution.findRound(workspaceId, roundId);
	if (!round) throw errors.roundUnknown();
	if (round.status !== "closed" || round.index === 0 || !round.headCommit || !round.treeId) throw errors.roundNotClosed();
	const evolution = await deps.evolution.getEvolution(round.evolutionId);
	const reference = await deps.evolution.gateReference(evolution);
	return { evolution, round, name: roundName(round.index), commit: round.headCommit, treeId: round.treeId, reference };
}

export interface Assessed {
	gate: GateResult;
	alarms: GateAlarm[];
	runIds: string[];
	running: string[];
	holdoutUsed: number;
}

/** The gate as it stands, without starting a run or reading the holdout. */
export async function lookAtGate(deps: ReleaseDeps, candidate: Candidate): Promise<Assessed> {
	const { evolution, round, reference, commit } = candidate;
	const holdoutReadings = await repository.countReadings(deps.db, evolution.id);
	const known = await repository.findReading(deps.db, evolution.id, commit, reference.commit);
	const { result, alarms, runIds, running } = await deps.evolution.assessGate({
		evolution,
		round,
		reference,
		start: null,
		holdout: known?.result ?? null,
		holdoutReadings,
	});
	return { gate: result, alarms, runIds, running, holdoutUsed: holdoutReadings };
}

/**
 * The gate for making a release: starts the runs that are missing, and reads the holdout once everything else passes, so
 * that no reading is wasted on a candidate that fails anyway. Throws `release-evaluating` while runs are under way.
 */
export async function passGate(deps: ReleaseDeps, candidate: Candidate, actor: Actor): Promise<Assessed> {
	const { evolution, round, reference, commit, treeId } = candidate;
	const before = await repository.countReadings(deps.db, evolution.id);
	const assess = (holdout: Awaited<ReturnType<typeof readHoldout>> | null) =>
		deps.evolution.assessGate({
			evolution,
			round,
			reference,
			start: { requestedById: actor.id },
			holdout: holdout?.counts ?? null,
			holdoutReadings: holdout?.used ?? before,
		});
	const first = await assess(null);
	if (first.running.length > 0) throw errors.evaluating(first.running);
	const { content: policy } = await deps.evolution.gatePolicy(evolution.workspaceId);
	if (!policy.useHoldout || !isReadyForHoldout(first.result))
		return { gate: withoutHoldout(first.result, policy.useHoldout), alarms: first.alarms, runIds: first.runIds, running: [], holdoutUsed: before };
	const holdout = await readHoldout(deps, {
		workspaceId: evolution.workspaceId,
		evolution,
		candidate: { commit, treeId },
		base: { commit: reference.commit, treeId: reference.treeId },
		policy,
		actor,
	});
	const second = await assess(holdout);
	return { gate: second.result, alarms: second.alarms, runIds: second.runIds, running: [], holdoutUsed: holdout.used };
}

/** What is kept with a release must not promise a reading that never came. */
function withoutHoldout(gate: GateResult, used: boolean): GateResult {
	return used ? { ...gate, checks: gate.checks.map((c) => (c.id === "holdout" && c.ok === null ? { ...c, detail: "not read" } : c)) } : gate;
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
