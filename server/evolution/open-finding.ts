import { nextNumber, recordAudit } from "@/server/workspace";
import type { Actor } from "@/server/workspace/contract";
import type { DiagnosisCase } from "./contract";
import { examplesOf } from "./diagnose";
import { errors } from "./errors";
import * as repository from "./evolution.repository";
import { findFindingOfTask, insertFinding } from "./finding.repository";
import type { EvolutionDeps } from "./ports";
import { requireEvolution } from "./require-evolution";

export interface OpenFinding {
	workspaceId: string;
	evolutionId: string;
	actor: Actor;
	title: string;
	hypothesis: string;
	/** Who says so, as the card names it. */
	engine: string;
	/** One finding of each origin, however often it is asked for. */
	origin: string;
	/** A dev run whose failures it is about; null where it is about none. */
	runId: string | null;
}

/** Of several values the one that occurs most; the earlier of equals. */
function mostCommon<T>(values: readonly T[]): T | undefined {
	const counts = new Map<T, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

async function failuresOfRun(deps: EvolutionDeps, runId: string | null): Promise<DiagnosisCase[]> {
	const run = runId === null ? undefined : (await deps.evaluation.findRuns([runId]))[0];
	return run?.split === "dev" && run.status === "done" ? deps.evaluation.readFailures(run.id) : [];
}

/** Writes a finding that no diagnosis made, for a person to confirm like any other. A later diagnosis does not take its place. */
export async function openFinding(deps: EvolutionDeps, input: OpenFinding): Promise<{ id: string; number: number }> {
	const { workspaceId, actor, origin } = input;
	const evolution = await requireEvolution(deps, workspaceId, input.evolutionId);
	if (evolution.status === "closed") throw errors.evolutionClosed();
	const known = await findFindingOfTask(deps.db, origin);
	if (known) return known;
	const failed = await failuresOfRun(deps, input.runId);
	const caseIds = failed.map((one) => one.caseId);
	const found = await deps.db.$transaction(async (tx) => {
		await repository.lockEvolution(tx, evolution.id);
		const again = await findFindingOfTask(tx, origin);
		if (again) return again;
		const round = await repository.findOpenRound(tx, evolution.id);
		const number = await nextNumber(tx, workspaceId, "finding");
		await insertFinding(tx, {
			...{ number, evolutionId: evolution.id, roundId: round?.id ?? "", runId: input.runId ?? "", taskId: origin },
			category: mostCommon(failed.map((one) => one.category)) ?? "",
			// A finding has a type; without failures at hand the widest one says it.
			failureType: mostCommon(failed.map((one) => one.failureType)) ?? "missing-point",
			component: mostCommon(failed.flatMap((one) => one.blamed ?? [])) ?? null,
			...{ title: input.title, hypothesis: input.hypothesis, confidence: 0, engine: input.engine },
			...{ share: failed.length > 0 ? 1 : 0, caseIds, episodeIds: failed.map((one) => one.episodeId) },
			evidence: { examples: examplesOf(caseIds, new Map(failed.map((one) => [one.caseId, one]))), original: null, phrases: {} },
		});
		await recordAudit(tx, { workspaceId, actor, action: "finding.open", subject: `finding F-${number}` });
		return findFindingOfTask(tx, origin);
	});
	await deps.publish(`evolution:${workspaceId}`);
	if (!found) throw errors.findingUnknown();
	return found;
}
