import type { FailureType } from "@/server/judge/contract";
import { findRunMap } from "./comparisons";
import type { FindingStatus } from "./contract";
import { roundName } from "./early-stop-state";
import { errors } from "./errors";
import * as repository from "./evolution.repository";
import { findFindingByNumber, listFindings } from "./finding.repository";
import { personOf } from "./overview-facts";
import type { EvolutionDeps } from "./ports";
import { listProposals } from "./proposal.repository";
import { requireEvolution } from "./require-evolution";
import type { TaskRow } from "./rows";
import type { FindingView, TaskView } from "./views.contract";

/** Findings of an evolution, the largest share first, with their proposals. */
export async function readFindings(deps: EvolutionDeps, input: { workspaceId: string; evolutionId: string; status?: FindingStatus[] }): Promise<FindingView[]> {
	const evolution = await requireEvolution(deps, input.workspaceId, input.evolutionId);
	const [findings, rounds, proposals] = await Promise.all([
		listFindings(deps.db, { evolutionId: evolution.id, status: input.status }),
		repository.listRounds(deps.db, evolution.id),
		listProposals(deps.db, input.workspaceId, { evolutionId: evolution.id }),
	]);
	const [people, runs] = await Promise.all([
		deps.people([...new Set(findings.flatMap((f) => f.decidedById ?? []))]),
		findRunMap(
			deps,
			findings.map((f) => f.runId),
		),
	]);
	return findings.map((f): FindingView => {
		const { evidence, caseIds, episodeIds: _episodes, roundId, decidedById, failureType, createdAt: _at, ...rest } = f;
		return {
			...rest,
			failureType: failureType as FailureType,
			round: roundName(rounds.find((r) => r.id === roundId)?.index ?? 0),
			runNumber: runs.get(f.runId)?.number ?? null,
			original: evidence.original,
			phrases: evidence.phrases,
			cases: caseIds.length,
			caseIds,
			examples: evidence.examples,
			decidedBy: personOf(people, decidedById),
			proposals: proposals.filter((p) => p.findingIds.includes(f.id)).map(({ id, number, status }) => ({ id, number, status })),
		};
	});
}

/** Where the finding of a number is: people say F-118, whatever evolution it belongs to. Throws `not-found`. */
export async function readFindingByNumber(deps: EvolutionDeps, input: { workspaceId: string; number: number }): Promise<{ id: string; evolutionId: string }> {
	const found = await findFindingByNumber(deps.db, input.workspaceId, input.number);
	if (!found) throw errors.findingUnknown();
	return found;
}

function toTaskView(task: TaskRow): TaskView {
	return {
		id: task.id,
		kind: task.kind,
		status: task.status,
		engine: task.engine,
		notice: task.notice,
		noticeReasons: task.result?.noticeReasons ?? [],
		error: task.error,
		errorReasons: task.result?.errorReasons ?? [],
		findings: task.result?.findings ?? null,
		findingIds: task.input.findingIds ?? [],
		proposalId: task.result?.proposalId ?? null,
		problems: task.result?.problems ?? [],
		waitingForRunId: task.status === "queued" ? (task.input.runId ?? null) : null,
		createdAt: task.createdAt,
		finishedAt: task.finishedAt,
	};
}

/** The engines' work on an evolution, newest first. */
export async function readTasks(deps: EvolutionDeps, input: { workspaceId: string; evolutionId: string }): Promise<TaskView[]> {
	const evolution = await requireEvolution(deps, input.workspaceId, input.evolutionId);
	return (await repository.listTasks(deps.db, evolution.id, {})).map(toTaskView);
}

export async function readTask(deps: EvolutionDeps, input: { workspaceId: string; taskId: string }): Promise<TaskView | null> {
	const task = await repository.findTask(deps.db, input.workspaceId, input.taskId);
	return task && toTaskView(task);
}
