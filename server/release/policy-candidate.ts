import type { PairRow } from "@/server/evolution/contract";
import { recordAudit } from "@/server/workspace";
import type { Actor } from "@/server/workspace/contract";
import type { PolicyPreview } from "./contract";
import { bind, finishPending, finishRelease, overrideOf, writeLeave } from "./create-release";
import { errors } from "./errors";
import type { GateCandidate } from "./gate-sides";
import { lookAtGate, passGate } from "./pass-gate";
import type { ReleaseDeps } from "./ports";
import * as repository from "./release.repository";
import { releaseWriter } from "./written-texts";

interface Named {
	id: string;
	name: string;
	kind: string;
}

interface PolicyCandidate extends GateCandidate {
	policy: Named;
	/** The policy in force. */
	current: Named;
	evolutionId: string | null;
	/** The release whose files stay; null before the first one. */
	last: { tag: string; number: number; roundId: string | null } | null;
}

/** A policy version as a candidate: the same files as are live, acted on by it instead of the policy in force. */
async function findPolicyCandidate(deps: ReleaseDeps, workspaceId: string, policyVersionId: string): Promise<PolicyCandidate> {
	const [head, last, { evolutionId, ...conditions }, inForce] = await Promise.all([
		deps.git.head(workspaceId, "main"),
		repository.currentRelease(deps.db, workspaceId),
		deps.evolution.gateConditions(workspaceId),
		deps.registry.currentPolicy(workspaceId),
	]);
	if (!head) throw errors.noRelease();
	const treeId = await deps.git.treeOf(workspaceId, head);
	const nameOf = async (id: string) => (await deps.registry.describe({ policyVersionId: id, judgeVersionId: conditions.judgeVersionId })).policy;
	const [policy, current] = await Promise.all([nameOf(policyVersionId), nameOf(inForce.id)]);
	return {
		...{ policy, current, last, conditions, evolutionId },
		// Policies spend the readings of the campaign that they are part of.
		readingsOf: evolutionId ?? `policies:${workspaceId}`,
		label: `policy ${policy.name}`,
		candidate: { commit: head, treeId, policyVersionId },
		reference: { name: last?.tag ?? "base", commit: head, treeId, policyVersionId: inForce.id },
	};
}

/** A policy beside the one in force: what was measured so far, the gate, and what a release would be. Starts nothing. */
export async function previewPolicy(deps: ReleaseDeps, input: { workspaceId: string; policyVersionId: string }): Promise<PolicyPreview> {
	const { workspaceId, policyVersionId } = input;
	await finishPending(deps, workspaceId);
	const found = await findPolicyCandidate(deps, workspaceId, policyVersionId);
	const { conditions, candidate, reference, policy, current, last } = found;
	const [rows, { gate, alarms, running, holdoutUsed }, leave, { content }] = await Promise.all([
		deps.evolution.measurePair({ conditions, candidate, reference, start: null }),
		lookAtGate(deps, found),
		repository.findLeave(deps.db, policyVersionId, reference.commit),
		deps.evolution.gatePolicy(workspaceId),
	]);
	const admin = leave && (await deps.people([leave.userId])).get(leave.userId);
	return {
		...{ policy, current, rows, gate, alarms, running },
		inForce: policy.id === current.id,
		commit: candidate.commit,
		against: reference.name,
		nextTag: `v${(last?.number ?? 0) + 1}`,
		holdout: { used: holdoutUsed, max: content.useHoldout ? content.maxHoldoutReadings : 0 },
		leave: leave && { by: { id: leave.userId, name: admin?.name ?? leave.userId }, reason: leave.reason, at: leave.createdAt },
	};
}

/** Queues whatever is missing to compare a policy with the one in force: dev, test, T2 and T3 of both. Safe to repeat. */
export async function evaluatePolicy(deps: ReleaseDeps, input: { workspaceId: string; policyVersionId: string; actor: Actor }): Promise<PairRow[]> {
	const { workspaceId, policyVersionId, actor } = input;
	const found = await findPolicyCandidate(deps, workspaceId, policyVersionId);
	if (found.policy.id === found.current.id) throw errors.policyLive(found.policy.name);
	const { conditions, candidate, reference } = found;
	const rows = await deps.evolution.measurePair({ conditions, candidate, reference, start: { requestedById: actor.id } });
	await recordAudit(deps.db, { workspaceId, actor, action: "policy.evaluate", subject: `${found.policy.name} against ${found.current.name}` });
	return rows;
}

interface ReleasePolicy {
	workspaceId: string;
	policyVersionId: string;
	actor: Actor;
	/** A reviewer's written reason to release on an inconclusive gate. */
	reason?: string | undefined;
}

/**
 * Releases a policy: the files that are live stay, and from then on this version acts. The same gate as for a round decides,
 * or a person overrides it in writing; the tag names the same commit again.
 */
export async function releasePolicy(deps: ReleaseDeps, input: ReleasePolicy): Promise<{ tag: string }> {
	const { workspaceId, policyVersionId, actor } = input;
	await finishPending(deps, workspaceId);
	const found = await findPolicyCandidate(deps, workspaceId, policyVersionId);
	const { policy, current, reference, evolutionId, last } = found;
	if (policy.id === current.id) throw errors.policyLive(policy.name);
	const { gate, runIds } = await passGate(deps, found, actor);
	const override = await overrideOf(deps, { candidateId: policy.id, reference }, gate, input);
	const said = releaseWriter(await repository.findLanguage(deps.db, workspaceId))("policy", { policy: policy.name, before: current.name });
	const row = await bind(deps, found, {
		...{ actor, gate, runIds, override, unattended: false },
		notes: { text: `${said.text}\n`, phrases: { [said.text]: said.phrase } },
		...{ kind: "policy", title: policy.name, evolutionId, roundId: last?.roundId ?? null },
	});
	await finishRelease(deps, row, actor);
	return { tag: row.tag };
}

/** An admin's written leave to release this policy against a failing gate. */
export async function givePolicyLeave(deps: ReleaseDeps, input: { workspaceId: string; policyVersionId: string; actor: Actor; reason: string }): Promise<void> {
	const found = await findPolicyCandidate(deps, input.workspaceId, input.policyVersionId);
	await writeLeave(deps, { ...found, candidateId: found.policy.id, subject: found.label }, input);
}
