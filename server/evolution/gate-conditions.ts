import type { GateConditions } from "./assess-gate";
import { errors } from "./errors";
import * as repository from "./evolution.repository";
import type { EvolutionDeps } from "./ports";

/** The suite that a workspace starts with. */
const FIRST_SUITE = "t1";

/**
 * Under what a candidate that no round made (a policy) is compared: suite, repetitions and seed as in the newest evolution,
 * the suite in its newest version, judged by the judge in force. `evolutionId` owns its holdout readings; null where there is
 * no evolution yet. Throws `not-found` where the workspace has no suite.
 */
export async function gateConditions(deps: EvolutionDeps, workspaceId: string): Promise<GateConditions & { evolutionId: string | null }> {
	const [evolution] = await repository.listEvolutions(deps.db, workspaceId);
	const own = evolution ? await deps.evaluation.findSuiteVersion(evolution.suiteVersionId) : null;
	const key = own?.key ?? FIRST_SUITE;
	const [suite, judge] = await Promise.all([deps.evaluation.currentSuiteVersion(workspaceId, key), deps.registry.currentJudge(workspaceId)]);
	if (!suite) throw errors.noSuite(key);
	return {
		workspaceId,
		suiteVersionId: suite.id,
		judgeVersionId: judge.id,
		trials: evolution?.trials ?? 1,
		seed: evolution?.seed ?? 1,
		evolutionId: evolution?.id ?? null,
	};
}
