import type { DatabaseOrTransaction } from "@/server/db/client";
import { AppError } from "@/server/kernel/errors";
import type { Phrases } from "@/server/kernel/phrase.contract";
import { emitEvent, recordAudit } from "@/server/workspace";
import { type Actor, SERVICE_ACTORS } from "@/server/workspace/contract";
import { findRunMap } from "./comparisons";
import { errors } from "./errors";
import * as repository from "./evolution.repository";
import { listFindings, markAddressed } from "./finding.repository";
import type { EvolutionDeps } from "./ports";
import * as proposals from "./proposal.repository";
import { type LandingObstacle, obstaclesToLanding } from "./proposal-state";
import { headOf } from "./require-evolution";
import type { EvolutionRow, ProposalRow } from "./rows";
import { authorOf, lastRevision, publishProposal, requireProposal } from "./save-proposal";

export interface LandProposal {
	workspaceId: string;
	proposalId: string;
	/** The revision that the reviewer read: another one in between is a conflict. */
	revisionId: string;
	actor: Actor;
	body?: string;
	/** The body, where the studio wrote it. */
	phrases?: Phrases;
	unattended?: boolean;
}

/**
 * Approves and lands, in one step: the author rule, the stop, the evidence and the base are checked while the evolution is
 * held, the merge moves the branch by compare-and-swap, and the rows follow in the same transaction. Of two reviewers who
 * land at once, one lands and the other gets `proposal-base-moved`.
 */
export async function landProposal(deps: EvolutionDeps, input: LandProposal): Promise<{ commit: string }> {
	const { workspaceId, actor } = input;
	const found = await requireProposal(deps, workspaceId, input.proposalId);
	await reconcileLandings(deps, workspaceId, found.evolutionId);
	const author = await authorOf(deps, actor);
	const commit = await deps.db.$transaction(
		async (tx) => {
			const evolution = await repository.lockEvolution(tx, found.evolutionId);
			const proposal = await proposals.lockProposal(tx, input.proposalId);
			const revision = lastRevision(proposal);
			// A landing that is repeated (a double click, a retry after a crash) has happened already.
			if (proposal.status === "landed" && proposal.landedById === actor.id && proposal.landedCommit) return proposal.landedCommit;
			const head = await headOf(deps, evolution);
			const obstacle = (await findObstacles(deps, { evolution, proposal, userId: actor.id, head }))[0];
			if (obstacle) throw refusal(obstacle, { status: proposal.status, base: revision.baseCommit, head });
			if (revision.id !== input.revisionId) throw errors.revisionStale({ seen: revisionIndex(proposal, input.revisionId), last: revision.index });
			const findings = await listFindings(tx, { ids: proposal.findingIds });
			const merged = await deps.harness
				.merge(workspaceId, {
					into: evolution.branch,
					expectedHead: head,
					from: revision.commit,
					message: {
						subject: `Land proposal #${proposal.number}: ${proposal.title}`,
						body: revision.manifest.summary,
						author,
						trailers: {
							Proposal: [`#${proposal.number}`],
							...(findings.length > 0 ? { Finding: findings.map((f) => `F-${f.number}`) } : {}),
							"Approved-by": [`${author.name} <${author.email}>`],
							Approver: [actor.id],
							...(input.unattended ? { Unattended: ["yes"] } : {}),
							...(revision.devRunId ? { Run: [revision.devRunId] } : {}),
						},
					},
				})
				.catch((error) => {
					if (error instanceof AppError && error.reason === "ref-moved")
						throw errors.baseMoved({ base: revision.baseCommit.slice(0, 10), head: head.slice(0, 10) });
					throw error;
				});
			if (!merged.ok) throw errors.baseMoved({ base: revision.baseCommit.slice(0, 10), head: head.slice(0, 10) });
			await proposals.insertReview(tx, {
				proposalId: proposal.id,
				revisionId: revision.id,
				userId: actor.id,
				verdict: "approve",
				body: input.body ?? "",
				phrases: input.phrases ?? {},
				unattended: input.unattended ?? false,
			});
			await recordLanding(deps, tx, { evolution, proposal, actor, commit: merged.commit, unattended: input.unattended ?? false });
			return merged.commit;
		},
		{ timeout: 30_000 },
	);
	await deps.harness.pushRemote(workspaceId, (await repository.getEvolution(deps.db, found.evolutionId)).branch);
	await publishProposal(deps, workspaceId, input.proposalId);
	return { commit };
}

async function recordLanding(
	deps: EvolutionDeps,
	tx: DatabaseOrTransaction,
	input: { evolution: EvolutionRow; proposal: ProposalRow; actor: Actor; commit: string; unattended: boolean },
): Promise<void> {
	const { evolution, proposal, actor, commit } = input;
	const round = await repository.findOpenRound(tx, evolution.id);
	await proposals.updateProposal(tx, proposal.id, {
		status: "landed",
		landedCommit: commit,
		landedById: actor.id,
		landedAt: deps.clock.now(),
		unattended: input.unattended,
		...(round ? { roundId: round.id } : {}),
	});
	await markAddressed(tx, proposal.findingIds);
	await emitEvent(tx, evolution.workspaceId, { type: "proposal.landed", proposalId: proposal.id, evolutionId: evolution.id, commit });
	await recordAudit(tx, {
		workspaceId: evolution.workspaceId,
		actor,
		action: "proposal.land",
		subject: `proposal #${proposal.number} r${lastRevision(proposal).index} on ${evolution.branch}`,
		detail: { commit, unattended: input.unattended },
	});
}

const revisionIndex = (proposal: ProposalRow, id: string) => proposal.revisions.find((r) => r.id === id)?.index ?? 0;

/** All that forbids this person to land this proposal now. */
export async function findObstacles(
	deps: EvolutionDeps,
	input: { evolution: EvolutionRow; proposal: ProposalRow; userId: string; head: string },
): Promise<LandingObstacle[]> {
	const { evolution, proposal } = input;
	const revision = lastRevision(proposal);
	const runs = await findRunMap(deps, [revision.devRunId, revision.baseRunId]);
	const standing = (id: string | null) => (id ? (runs.get(id)?.summary?.standing ?? null) : null);
	const [own, base] = [standing(revision.devRunId), standing(revision.baseRunId)];
	return obstaclesToLanding({
		userId: input.userId,
		authorIds: proposal.authorIds,
		status: proposal.status,
		evolution: evolution.status,
		revisionBase: revision.baseCommit,
		branchHead: input.head,
		evidence: own === null || base === null ? null : base === "indecisive" ? base : own,
	});
}

function refusal(obstacle: LandingObstacle, facts: { status: string; base: string; head: string }) {
	switch (obstacle) {
		case "author-rule":
			return errors.authorRule();
		case "evolution-stopped":
			return errors.evolutionStopped();
		case "evolution-closed":
			return errors.evolutionClosed();
		case "not-in-review":
			return errors.wrongStatus(facts.status, "land");
		case "base-moved":
			return errors.baseMoved({ base: facts.base.slice(0, 10), head: facts.head.slice(0, 10) });
		case "no-evidence":
			return errors.noEvidence();
		case "indecisive":
			return errors.indecisive();
	}
}

/**
 * Finishes landings that a crash cut between the branch and the rows: a proposal whose commit was merged into the branch
 * has landed, whatever its row says. Who approved it stands in the merge's trailers.
 */
export async function reconcileLandings(deps: EvolutionDeps, workspaceId: string, evolutionId: string): Promise<void> {
	const open = await proposals.listProposals(deps.db, workspaceId, { evolutionId, status: ["in-review"] });
	if (open.length === 0) return;
	const evolution = await repository.getEvolution(deps.db, evolutionId);
	for (const proposal of open) {
		const revision = lastRevision(proposal);
		const head = await headOf(deps, evolution);
		// Nothing landed since the revision was made: the usual case, and one comparison of two strings.
		if (head === revision.baseCommit) continue;
		const commit = await deps.harness.findMergeOf(workspaceId, evolution.branch, revision.commit);
		if (!commit) continue;
		// Written by the studio when it merged; nobody can type a trailer.
		const trailers = await deps.harness.readTrailers(workspaceId, commit);
		const actor = {
			id: trailers.Approver?.[0] ?? SERVICE_ACTORS.system.id,
			name: trailers["Approved-by"]?.[0]?.replace(/ <.*$/, "") ?? SERVICE_ACTORS.system.name,
		};
		const unattended = trailers.Unattended !== undefined;
		await deps.db.$transaction(async (tx) => {
			await repository.lockEvolution(tx, evolutionId);
			const current = await proposals.lockProposal(tx, proposal.id);
			if (current.status !== "in-review") return;
			await proposals.insertReview(tx, {
				proposalId: proposal.id,
				revisionId: revision.id,
				userId: actor.id,
				verdict: "approve",
				body: "",
				phrases: {},
				unattended,
			});
			await recordLanding(deps, tx, { evolution, proposal: current, actor, commit, unattended });
		});
		await publishProposal(deps, workspaceId, proposal.id);
	}
}
