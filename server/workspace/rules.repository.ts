import type { DatabaseOrTransaction } from "@/server/db/client";
import { newId } from "@/server/kernel/id";
import { RULES, type Rule, type RuleKey, RuleKeySchema, RuleSchema } from "./contract";

const select = { key: true, event: true, action: true, enabled: true, version: true, updatedAt: true, updatedBy: true } as const;

/** Gives a workspace the rules that it lacks; those it has stay as people switched them. */
export async function ensureRules(db: DatabaseOrTransaction, workspaceId: string): Promise<void> {
	const data = RuleKeySchema.options.map((key) => ({ id: newId("rule"), workspaceId, key, ...RULES[key] }));
	await db.triggerRule.createMany({ data, skipDuplicates: true });
}

export async function listRuleRows(db: DatabaseOrTransaction, workspaceId: string): Promise<Rule[]> {
	const rows = await db.triggerRule.findMany({ where: { workspaceId, key: { in: RuleKeySchema.options } }, select, orderBy: { key: "desc" } });
	return rows.map((row) => RuleSchema.parse(row));
}

/** Whether a rule is on; one that was never written counts as on, its default. */
export async function isRuleOn(db: DatabaseOrTransaction, workspaceId: string, key: RuleKey): Promise<boolean> {
	const row = await db.triggerRule.findUnique({ where: { workspaceId_key: { workspaceId, key } }, select: { enabled: true } });
	return row?.enabled ?? true;
}

/** Switches a rule if it still has the version that the person saw; returns whether it did. */
export async function switchRuleRow(
	db: DatabaseOrTransaction,
	workspaceId: string,
	key: RuleKey,
	change: { enabled: boolean; version: number; by: string },
): Promise<boolean> {
	const changed = await db.triggerRule.updateMany({
		where: { workspaceId, key, version: change.version },
		data: { enabled: change.enabled, version: { increment: 1 }, updatedBy: change.by },
	});
	return changed.count === 1;
}
