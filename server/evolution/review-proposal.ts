import type { Phrases } from "@/server/kernel/phrase.contract";
import { recordAudit } from "@/server/workspace";
import type { Actor } from "@/server/workspace/contract";
import { errors } from "./errors";
import type { EvolutionDeps } from "./ports";
import * as proposals from "./proposal.repository";
import { nextStatus } from "./proposal-state";
import { lastRevision, publishProposal, requireProposal } from "./save-proposal";

/**
 * A reviewer's word that does not land: request changes, or reject. The author rule binds a rejection's opposite only:
 * an author may ask for changes of their own proposal, since nothing lands by it.
 */
export async function reviewProposal(
	deps: EvolutionDeps,
	input: {
		workspaceId: string;
		proposalId: string;
		revisionId: string;
		actor: Actor;
		verdict: "request-changes" | "reject";
		body: string;
		/** The body, where the studio wrote it. */
		phrases?: Phrases;
		unattended?: boolean;
	},
): Promise<void> {
	const { workspaceId, actor, verdict, body } = input;
	await requireProposal(deps, workspaceId, input.proposalId);
	await deps.db.$transaction(async (tx) => {
		const proposal = await proposals.lockProposal(tx, input.proposalId);
		const last = lastRevision(proposal);
		const status = nextStatus(proposal.status, verdict);
		if (!status) throw errors.wrongStatus(proposal.status, verdict);
		if (last.id !== input.revisionId)
			throw errors.revisionStale({ seen: proposal.revisions.find((r) => r.id === input.revisionId)?.index ?? 0, last: last.index });
		await proposals.insertReview(tx, {
			proposalId: proposal.id,
			revisionId: last.id,
			userId: actor.id,
			verdict,
			body,
			phrases: input.phrases ?? {},
			unattended: input.unattended ?? false,
		});
		await proposals.updateProposal(tx, proposal.id, { status });
		await recordAudit(tx, {
			workspaceId,
			actor,
			action: `proposal.${verdict}`,
			subject: `proposal #${proposal.number} r${last.index}`,
			...(body ? { reason: body.slice(0, 2000), phrases: input.phrases } : {}),
			detail: { unattended: input.unattended ?? false },
		});
	});
	await publishProposal(deps, workspaceId, input.proposalId);
}

/** A comment on a line, on a file, on the proposal, or in a thread. A reply takes its thread's place in the file. */
export async function addComment(
	deps: EvolutionDeps,
	input: {
		workspaceId: string;
		proposalId: string;
		actor: Actor;
		body: string;
		revisionId?: string | undefined;
		parentId?: string | undefined;
		path?: string | undefined;
		line?: number | undefined;
		side?: "old" | "new" | undefined;
	},
): Promise<{ id: string }> {
	const proposal = await requireProposal(deps, input.workspaceId, input.proposalId);
	const parent = input.parentId ? await proposals.findComment(deps.db, proposal.id, input.parentId) : null;
	if (input.parentId && !parent) throw errors.commentUnknown();
	const revision = proposal.revisions.find((r) => r.id === (parent?.revisionId ?? input.revisionId)) ?? lastRevision(proposal);
	const id = await proposals.insertComment(deps.db, {
		proposalId: proposal.id,
		revisionId: revision.id,
		// One level of threads: a reply to a reply belongs to the same thread.
		parentId: parent ? (parent.parentId ?? parent.id) : null,
		path: parent?.path ?? input.path ?? null,
		line: parent?.line ?? input.line ?? null,
		side: parent?.side ?? input.side ?? null,
		body: input.body,
		userId: input.actor.id,
	});
	await publishProposal(deps, input.workspaceId, proposal.id);
	return { id };
}

/** Resolves or reopens a thread. */
export async function resolveThread(
	deps: EvolutionDeps,
	input: { workspaceId: string; proposalId: string; commentId: string; actor: Actor; resolved: boolean },
): Promise<void> {
	const proposal = await requireProposal(deps, input.workspaceId, input.proposalId);
	const comment = await proposals.findComment(deps.db, proposal.id, input.commentId);
	if (!comment) throw errors.commentUnknown();
	await proposals.setCommentResolved(deps.db, comment.parentId ?? comment.id, input.resolved ? { userId: input.actor.id, at: deps.clock.now() } : null);
	await publishProposal(deps, input.workspaceId, proposal.id);
}
