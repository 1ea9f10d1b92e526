import { newId } from "@/server/kernel/id";
import { nextNumber, recordAudit } from "@/server/workspace";
import type { Actor } from "@/server/workspace/contract";
import { evaluateRound } from "./close-round";
import { errors } from "./errors";
import * as repository from "./evolution.repository";
import { currentGatePolicy } from "./gate.repository";
import type { EvolutionDeps } from "./ports";
import { headOf } from "./require-evolution";

export interface StartEvolution {
	workspaceId: string;
	actor: Actor;
	title: string;
	suiteKey?: string;
	/** Who acts in it: the policy in force unless given. */
	policyVersionId?: string;
	trials?: number;
	seed?: number;
	unattended?: boolean;
}

/** A branch name's last part from a title: ASCII letters and digits; a title in another script gives `evo`. */
export function slugify(title: string): string {
	const slug = title
		.normalize("NFKD")
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, "-")
		.replace(/^-+|-+$/g, "")
		.slice(0, 40)
		.replace(/-+$/, "");
	return slug || "evo";
}

/**
 * Starts a campaign on the released harness: branch `evolution/<slug>` at `main`, the baseline (round 0) with its dev and
 * test runs, and the first open round. Can be killed at any line: the branch is made again from the row where it is missing.
 */
export async function startEvolution(deps: EvolutionDeps, input: StartEvolution): Promise<{ id: string; slug: string }> {
	const { workspaceId, actor } = input;
	const baseCommit = await deps.harness.head(workspaceId, "main");
	if (!baseCommit) throw errors.noHarness();
	const suiteKey = input.suiteKey ?? "t1";
	const suite = await deps.evaluation.currentSuiteVersion(workspaceId, suiteKey);
	if (!suite) throw errors.noSuite(suiteKey);
	const [policy, judge, gate, baseTreeId] = await Promise.all([
		input.policyVersionId === undefined ? deps.registry.currentPolicy(workspaceId) : { id: input.policyVersionId },
		deps.registry.currentJudge(workspaceId),
		currentGatePolicy(deps.db, workspaceId),
		deps.harness.treeOf(workspaceId, baseCommit),
	]);
	const id = newId("evo");
	const slug = await deps.db.$transaction(async (tx) => {
		const number = await nextNumber(tx, workspaceId, "evolution");
		const plain = slugify(input.title);
		const taken = await repository.hasSlug(tx, workspaceId, plain);
		const chosen = taken || plain === "evo" ? `${plain}-${number}` : plain;
		await repository.insertEvolution(tx, {
			id,
			number,
			workspaceId,
			slug: chosen,
			title: input.title.trim(),
			branch: `evolution/${chosen}`,
			baseCommit,
			baseTreeId,
			patience: gate.content.patience,
			policyVersionId: policy.id,
			judgeVersionId: judge.id,
			suiteVersionId: suite.id,
			trials: input.trials ?? 1,
			seed: input.seed ?? 1,
			createdById: actor.id,
			unattended: input.unattended ?? false,
		});
		await recordAudit(tx, {
			workspaceId,
			actor,
			action: "evolution.start",
			subject: `evolution/${chosen} at ${baseCommit.slice(0, 10)}`,
			detail: { suite: `${suite.key} v${suite.version}`, trials: input.trials ?? 1, seed: input.seed ?? 1, unattended: input.unattended ?? false },
		});
		return chosen;
	});
	const evolution = await repository.getEvolution(deps.db, id);
	await headOf(deps, evolution);
	const baseline = (await repository.listRounds(deps.db, id))[0];
	if (baseline) await evaluateRound(deps, baseline.id, actor.id);
	await deps.publish(`evolution:${workspaceId}`);
	return { id, slug };
}
