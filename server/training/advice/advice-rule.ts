import type { Database, DatabaseOrTransaction } from "@/server/db/client";
import { AppError } from "@/server/kernel/errors";
import { recordAudit } from "@/server/workspace";
import type { Actor } from "@/server/workspace/contract";
import { type AdviceRule, AdviceRuleSchema, type AdviceRuleView } from "../contract";
import * as repository from "./advice.repository";

/** What the thresholds need of the rest of the studio. */
export interface AdviceRulePorts {
	db: Database;
	/** As its address has it: what the audit log names. */
	workspaceSlug(workspaceId: string): Promise<string>;
	personNames(ids: readonly string[]): Promise<Map<string, string>>;
	publish(key: string): Promise<void>;
}

const changed = () =>
	new AppError("conflict", "Somebody else changed the thresholds of the advice meanwhile.", {
		reason: "advice-rule-changed",
		fix: "Look at the new version, then change it again.",
	});

/** The thresholds in force, with their version: 0 are the defaults. */
export const currentAdviceRule = (db: DatabaseOrTransaction, workspaceId: string) => repository.currentAdviceRule(db, workspaceId);

/** The same with the name of the person who set them. */
export async function readAdviceRule(ports: AdviceRulePorts, workspaceId: string): Promise<AdviceRuleView> {
	const { createdById, ...row } = await repository.currentAdviceRule(ports.db, workspaceId);
	const names = createdById === null ? null : await ports.personNames([createdById]);
	return { ...row, createdBy: createdById === null ? null : (names?.get(createdById) ?? createdById) };
}

/**
 * Puts a new version of the thresholds in force. `expectedVersion` is the one that the admin saw; throws `conflict` when
 * there is a newer one. On record as an update of the workspace, with who, why, before and after.
 */
export async function updateAdviceRule(
	ports: AdviceRulePorts,
	input: { workspaceId: string; actor: Actor; content: AdviceRule; reason: string; expectedVersion: number },
): Promise<{ version: number }> {
	const { workspaceId, actor, reason } = input;
	const content = AdviceRuleSchema.parse(input.content);
	const subject = await ports.workspaceSlug(workspaceId);
	const version = await ports.db
		.$transaction(async (tx) => {
			const before = await repository.currentAdviceRule(tx, workspaceId);
			if (before.version !== input.expectedVersion) throw changed();
			const next = before.version + 1;
			await repository.insertAdviceRule(tx, workspaceId, { version: next, content, reason, createdById: actor.id });
			const detail = { adviceThresholds: { version: next, before: before.content, after: content } };
			await recordAudit(tx, { workspaceId, actor, action: "workspace.update", subject, reason, detail });
			return next;
		})
		.catch((error: unknown) => {
			// Two admins in the same moment: the unique version refuses the second.
			if (error instanceof Error && "code" in error && error.code === "P2002") throw changed();
			throw error;
		});
	await ports.publish(`trainings:${workspaceId}`);
	return { version };
}
