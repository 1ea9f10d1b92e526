import type { EvaluationService } from "@/server/evaluation";
import type { EvolutionService } from "@/server/evolution";
import type { ReleaseService } from "@/server/release";

interface Surroundings {
	evaluation: Pick<EvaluationService, "list">;
	evolution: Pick<EvolutionService, "evolutions">;
	release: Pick<ReleaseService, "tagsOfPolicy">;
}

const MOST_RUNS = 20;

/** Names of the releases, evolutions and runs that refer to a policy version, as people know them; of runs the newest. */
export async function policyReferences({ evaluation, evolution, release }: Surroundings, workspaceId: string, policyVersionId: string): Promise<string[]> {
	const filter = { status: [], split: [], suiteKey: [], reason: [], policyVersionId: [policyVersionId], text: "" };
	const [tags, evolutions, runs] = await Promise.all([
		release.tagsOfPolicy(workspaceId, policyVersionId),
		evolution.evolutions(workspaceId),
		evaluation.list({ workspaceId, ...filter, sort: "number", descending: true, offset: 0, limit: MOST_RUNS }),
	]);
	return [
		...tags,
		...evolutions.filter((one) => one.policyVersionId === policyVersionId).map(({ title }) => `“${title}”`),
		...runs.rows.map(({ number }) => `R-${number}`),
	];
}
