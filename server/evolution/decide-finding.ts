import type { Phrases } from "@/server/kernel/phrase.contract";
import { recordAudit } from "@/server/workspace";
import type { Actor } from "@/server/workspace/contract";
import { errors } from "./errors";
import { findFinding, updateFinding } from "./finding.repository";
import type { EvolutionDeps } from "./ports";
import { decideStatus, type FindingDecision } from "./proposal-state";
import type { FindingRow } from "./rows";

export interface DecideFinding {
	workspaceId: string;
	findingId: string;
	actor: Actor;
	decision: FindingDecision;
	note?: string | undefined;
	/** The note, where the studio wrote it. */
	phrases?: Phrases | undefined;
	/** For `modify`. */
	title?: string | undefined;
	hypothesis?: string | undefined;
	unattended?: boolean;
}

/**
 * Accepts, modifies or rejects a finding, or takes the decision back. What the engine wrote is kept beside a person's
 * words, so that undoing restores it exactly.
 */
export async function decideFinding(deps: EvolutionDeps, input: DecideFinding): Promise<{ before: FindingRow["status"]; after: FindingRow["status"] }> {
	const { workspaceId, actor, decision } = input;
	const result = await deps.db.$transaction(async (tx) => {
		const finding = await findFinding(tx, workspaceId, input.findingId);
		if (!finding) throw errors.findingUnknown();
		const status = decideStatus(finding.status, decision);
		if (!status) throw errors.findingStatus(finding.status);
		const written = finding.evidence.original ?? { title: finding.title, hypothesis: finding.hypothesis };
		const modified = decision === "modify";
		const words = modified ? { title: input.title?.trim() || finding.title, hypothesis: input.hypothesis?.trim() || finding.hypothesis } : written;
		await updateFinding(tx, finding.id, {
			status,
			...words,
			evidence: { ...finding.evidence, original: modified ? written : null, phrases: { ...finding.evidence.phrases, ...input.phrases } },
			note: decision === "undo" ? null : (input.note?.trim() ?? null),
			decidedById: decision === "undo" ? null : actor.id,
			decidedAt: decision === "undo" ? null : deps.clock.now(),
		});
		await recordAudit(tx, {
			workspaceId,
			actor,
			action: `finding.${decision}`,
			subject: `finding F-${finding.number}`,
			...(input.note ? { reason: input.note, phrases: input.phrases } : {}),
			detail: { before: finding.status, after: status, unattended: input.unattended ?? false },
		});
		return { before: finding.status, after: status };
	});
	await deps.publish(`evolution:${workspaceId}`);
	return result;
}
