import type { GateResult } from "@/server/evolution/contract";
import { AppError } from "@/server/kernel/errors";
import { newId } from "@/server/kernel/id";
import { emitEvent, recordAudit } from "@/server/workspace";
import type { Actor } from "@/server/workspace/contract";
import { findCandidate, notesFor } from "./candidate";
import type { ReleaseOverride } from "./contract";
import { errors } from "./errors";
import type { GateCandidate } from "./gate-sides";
import { passGate } from "./pass-gate";
import type { ReleaseDeps, ReleaseMessage } from "./ports";
import type { ReleaseRow } from "./release.repository";
import * as repository from "./release.repository";
import type { ReleaseNotes } from "./release-notes";

export interface CreateRelease {
	workspaceId: string;
	roundId: string;
	actor: Actor;
	/** A reviewer's written reason to release on an inconclusive gate; with a failing gate an admin's leave is needed too. */
	reason?: string | undefined;
	/** What the person saw it compared with, a tag or `base`: a decision about that comparison is no decision about another. */
	against?: string | undefined;
	unattended?: boolean;
}

/**
 * Releases a closed round. The gate decides, or a person overrides it in writing; the row binds commit, policy, judge,
 * gate and runs; `main` moves by compare-and-swap and an annotated tag names it. Can be killed at any line: what is
 * pending is finished, or taken back, by the next one who looks.
 */
export async function createRelease(deps: ReleaseDeps, input: CreateRelease): Promise<{ tag: string }> {
	const { workspaceId, actor } = input;
	await finishPending(deps, workspaceId);
	const found = await findCandidate(deps, workspaceId, input.roundId);
	const { evolution, round, name, candidate, reference } = found;
	if (input.against !== undefined && input.against !== reference.name) throw errors.mainMoved();
	if (candidate.treeId === reference.treeId) throw errors.alreadyLive(reference.name);
	const { gate, runIds } = await passGate(deps, found, actor);
	const override = await overrideOf(deps, { candidateId: round.id, reference }, gate, input);
	const notes = await notesFor(deps, found);
	const origin = { kind: "release" as const, title: `${name} of ${evolution.title}`, evolutionId: evolution.id, roundId: round.id };
	const row = await bind(deps, found, { actor, gate, runIds, override, notes, unattended: input.unattended ?? false, ...origin });
	await finishRelease(deps, row, actor);
	return { tag: row.tag };
}

/** Who may release against the gate's word: a reviewer with a reason where it is inconclusive; with an admin's written leave where it fails, who is not that reviewer. */
export async function overrideOf(
	deps: ReleaseDeps,
	candidate: { candidateId: string; reference: { commit: string } },
	gate: GateResult,
	input: Pick<CreateRelease, "actor" | "reason" | "unattended">,
): Promise<ReleaseOverride | null> {
	if (gate.verdict === "pass") return null;
	const by = { id: input.actor.id, name: input.actor.name };
	if (gate.verdict === "inconclusive") {
		const reason = input.reason?.trim();
		// The unattended loop has nobody who could answer for a reason.
		if (!reason || input.unattended) throw errors.gateInconclusive(gate);
		return { verdict: "inconclusive", by, reason, at: deps.clock.now() };
	}
	const leave = input.unattended ? null : await repository.findLeave(deps.db, candidate.candidateId, candidate.reference.commit);
	if (!leave) throw errors.gateFailed(gate);
	// Two people stand against a failing gate, whatever roles one of them has given themselves.
	if (leave.userId === input.actor.id) throw errors.ownLeave();
	const admin = (await deps.people([leave.userId])).get(leave.userId);
	return { verdict: "fail", by: { id: leave.userId, name: admin?.name ?? leave.userId }, reason: leave.reason, at: leave.createdAt };
}

/** An admin's written leave to release this round against a failing gate. The release itself stays a reviewer's. */
export async function giveLeave(deps: ReleaseDeps, input: { workspaceId: string; roundId: string; actor: Actor; reason: string }): Promise<void> {
	const found = await findCandidate(deps, input.workspaceId, input.roundId);
	return writeLeave(deps, { ...found, candidateId: found.round.id, subject: `${found.evolution.branch} ${found.name}` }, input);
}

/** The leave for any candidate, a round's or a policy's. */
export async function writeLeave(
	deps: ReleaseDeps,
	candidate: GateCandidate & { candidateId: string; subject: string },
	{ workspaceId, actor, reason }: { workspaceId: string; actor: Actor; reason: string },
): Promise<void> {
	const { gate } = await passGate(deps, candidate, actor);
	if (gate.verdict !== "fail") throw errors.gateNotFailing();
	await deps.db.$transaction(async (tx) => {
		await repository.insertLeave(tx, { workspaceId, roundId: candidate.candidateId, baseCommit: candidate.reference.commit, gate, userId: actor.id, reason });
		await recordAudit(tx, {
			workspaceId,
			actor,
			action: "gate.override-fail",
			subject: `${candidate.subject} against ${candidate.reference.name}`,
			reason,
			detail: { gate },
		});
	});
	await deps.publish(`evolution:${workspaceId}`);
}

interface Binding {
	actor: Actor;
	gate: GateResult;
	runIds: string[];
	override: ReleaseOverride | null;
	notes: ReleaseNotes;
	unattended: boolean;
	kind: "release" | "policy";
	/** What is released, for the commit that joins two histories. */
	title: string;
	evolutionId: string | null;
	roundId: string | null;
}

/** Writes the row that binds everything, as pending; nothing is visible yet. */
export async function bind(deps: ReleaseDeps, { conditions, candidate, reference }: GateCandidate, input: Binding): Promise<ReleaseRow> {
	const { workspaceId } = conditions;
	const mainBefore = await deps.git.head(workspaceId, "main");
	if (!mainBefore) throw errors.mainMoved();
	const createdAt = deps.clock.now();
	const author = await authorOf(deps, input.actor);
	// Where main is not part of the candidate's past (after a rollback, or another campaign's release), a commit that joins
	// both holds exactly the candidate's files: history is never rewritten, and what is released is what was evaluated.
	const commit = (await deps.git.contains(workspaceId, candidate.commit, mainBefore))
		? candidate.commit
		: await deps.git.writeCommit(workspaceId, {
				filesOf: candidate.commit,
				parents: [mainBefore, candidate.commit],
				message: { subject: `Release ${input.title}`, body: "", trailers: input.roundId ? { Round: [input.roundId] } : {}, author },
				at: createdAt,
			});
	return deps.db.$transaction(async (tx) => {
		await repository.lockReleases(tx, workspaceId);
		const last = await repository.currentRelease(tx, workspaceId);
		const pending = await repository.listPending(tx, workspaceId);
		// The gate compared with what was live then; somebody who released in between makes that comparison stale.
		if (pending.length > 0 || (last ? last.tag : "base") !== reference.name) throw errors.mainMoved();
		const number = (last?.number ?? 0) + 1;
		const row: Omit<ReleaseRow, "status"> = {
			id: newId("rel"),
			number,
			workspaceId,
			tag: `v${number}`,
			kind: input.kind,
			mainBefore,
			commit,
			treeId: candidate.treeId,
			evolutionId: input.evolutionId,
			roundId: input.roundId,
			previousId: last?.id ?? null,
			restored: null,
			policyVersionId: candidate.policyVersionId,
			policyBeforeId: last?.policyVersionId ?? reference.policyVersionId,
			judgeVersionId: conditions.judgeVersionId,
			gatePolicyVersion: input.gate.policyVersion,
			runIds: input.runIds,
			gate: input.gate,
			override: input.override,
			notes: input.notes.text,
			phrases: input.notes.phrases,
			unattended: input.unattended,
			createdById: input.actor.id,
			createdAt,
		};
		await repository.insertPending(tx, row);
		return { ...row, status: "pending" as const };
	});
}

export async function authorOf(deps: ReleaseDeps, actor: Actor) {
	const person = (await deps.people([actor.id])).get(actor.id);
	return { name: person?.name ?? actor.name, email: person?.email || `${actor.id.replace(/[^a-z0-9-]/gi, "-")}@studio.invalid` };
}

/** Moves `main`, tags, and makes the row visible. Every step finds what an earlier try did. */
export async function finishRelease(deps: ReleaseDeps, row: ReleaseRow, actor: Actor): Promise<void> {
	const { workspaceId } = row;
	const head = await deps.git.head(workspaceId, "main");
	if (head !== row.commit) {
		try {
			if (head !== row.mainBefore) throw errors.mainMoved();
			await deps.git.moveMain(workspaceId, row.commit, row.mainBefore);
		} catch (error) {
			// Another one that finishes the same row may have moved it.
			if ((await deps.git.head(workspaceId, "main")) !== row.commit) {
				await repository.deletePending(deps.db, row.id);
				throw error instanceof AppError && error.reason === "ref-moved" ? errors.mainMoved() : error;
			}
		}
	}
	await deps.git.tag(workspaceId, row.tag, row.commit, await tagMessage(deps, row, actor));
	await deps.db.$transaction(async (tx) => {
		if (!(await repository.markMade(tx, row.id))) return;
		await emitEvent(tx, workspaceId, { type: "release.made", releaseId: row.id });
		await recordAudit(tx, {
			workspaceId,
			actor,
			action: row.kind === "rollback" ? "release.rollback" : "release.create",
			subject: `${row.tag} at ${row.commit.slice(0, 10)}`,
			...(row.override ? { reason: row.override.reason } : {}),
			detail: { gate: row.gate.verdict, override: row.override, restored: row.restored, unattended: row.unattended },
		});
	});
	await deps.git.pushRemote(workspaceId);
	await deps.publish(`evolution:${workspaceId}`);
	await deps.publish(`release:${workspaceId}`);
}

async function tagMessage(deps: ReleaseDeps, row: ReleaseRow, actor: Actor): Promise<ReleaseMessage> {
	const { policy, judge } = await deps.registry.describe(row);
	return {
		subject: row.kind === "rollback" ? `${row.tag}: back to ${row.restored}` : `${row.tag}: release`,
		body: row.notes,
		author: await authorOf(deps, actor),
		trailers: {
			Release: [row.id],
			Policy: [policy.name],
			Judge: [judge.name],
			Gate: [`${row.gate.verdict} by policy v${row.gatePolicyVersion}${row.override ? ", overridden" : ""}`],
			Run: row.runIds,
		},
	};
}

/** Finishes, or takes back, what a crash left pending. */
export async function finishPending(deps: ReleaseDeps, workspaceId: string): Promise<void> {
	for (const row of await repository.listPending(deps.db, workspaceId)) {
		const person = (await deps.people([row.createdById])).get(row.createdById);
		await finishRelease(deps, row, { id: row.createdById, name: person?.name ?? row.createdById }).catch((error: unknown) => {
			if (!(error instanceof AppError && error.reason === "release-main-moved")) throw error;
		});
	}
}
