import type { Database } from "@/server/db/client";
import { AppError } from "@/server/kernel/errors";
import { recordAudit } from "@/server/workspace";
import type { Actor } from "@/server/workspace/contract";
import type { Envelope } from "./contract";
import { checkEnvelope, DEFAULT_ENVELOPE } from "./envelope";
import { type EnvelopeVersion, insertEnvelope, listEnvelopes } from "./envelope.repository";

const FIRST: EnvelopeVersion = { version: 0, content: DEFAULT_ENVELOPE, reason: "", createdById: null, createdAt: null };

/** The envelopes of workspaces: every change is a version, with its reason, in the audit log. */
export function createEnvelopeService(db: Database) {
	return {
		/** All versions, newest first; the default is version 0. */
		list: async (workspaceId: string): Promise<EnvelopeVersion[]> => [...(await listEnvelopes(db, workspaceId)), FIRST],
		current: async (workspaceId: string): Promise<EnvelopeVersion> => (await listEnvelopes(db, workspaceId))[0] ?? FIRST,
		/**
		 * Writes the next version. Throws `bad-input` with every impossible range, `conflict` when the envelope that was seen is
		 * not the current one any more.
		 */
		async save(workspaceId: string, input: { seenVersion: number; envelope: unknown; reason: string }, actor: Actor): Promise<EnvelopeVersion> {
			const content: Envelope = checkEnvelope(input.envelope);
			const stale = () => new AppError("conflict", "Somebody else has changed the envelope.", { reason: "envelope-changed", fix: "Load it again." });
			try {
				return await db.$transaction(async (tx) => {
					const before = (await listEnvelopes(tx, workspaceId))[0] ?? FIRST;
					if (before.version !== input.seenVersion) throw stale();
					const version = before.version + 1;
					await insertEnvelope(tx, workspaceId, { version, content, reason: input.reason, createdById: actor.id });
					await recordAudit(tx, {
						workspaceId,
						actor,
						action: "envelope.save",
						subject: `envelope v${version}`,
						reason: input.reason,
						detail: { before: before.content, after: content },
					});
					return { version, content, reason: input.reason, createdById: actor.id, createdAt: new Date() };
				});
			} catch (error) {
				throw error instanceof Error && "code" in error && error.code === "P2002" ? stale() : error;
			}
		},
	};
}

export type EnvelopeService = ReturnType<typeof createEnvelopeService>;
