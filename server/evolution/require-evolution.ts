import { errors } from "./errors";
import * as repository from "./evolution.repository";
import type { EvolutionDeps } from "./ports";
import type { EvolutionRow } from "./rows";

/** Head of the evolution's branch; makes the branch where a crash left none. */
export async function headOf(deps: EvolutionDeps, evolution: EvolutionRow): Promise<string> {
	const head = await deps.harness.head(evolution.workspaceId, evolution.branch);
	if (head) return head;
	await deps.harness.createBranch(evolution.workspaceId, evolution.branch, evolution.baseCommit);
	return evolution.baseCommit;
}

/** The evolution, or a clear error; another workspace's looks like none. */
export async function requireEvolution(deps: EvolutionDeps, workspaceId: string, id: string): Promise<EvolutionRow> {
	const evolution = await repository.findEvolution(deps.db, workspaceId, id);
	if (!evolution) throw errors.evolutionUnknown();
	return evolution;
}
