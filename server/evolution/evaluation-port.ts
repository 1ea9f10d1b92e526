import type { EvaluationService } from "@/server/evaluation";
import { SERVICE_ACTORS } from "@/server/workspace/contract";
import type { EvaluationPort, RunRequest, VariantRow } from "./ports";

type NameOf = (ids: readonly string[]) => Promise<Map<string, { name: string }>>;

/** The port over the evaluation domain. `people` names who asked for a run in the audit log; `planVariants` knows the workspace's envelope. */
export function createEvaluationPort(
	evaluation: EvaluationService,
	people: NameOf,
	planVariants: (workspaceId: string, seed: number) => Promise<VariantRow[]>,
): EvaluationPort {
	async function actorOf(id: string) {
		const name = (await people([id])).get(id)?.name;
		return { id: id || SERVICE_ACTORS.system.id, name: name ?? (id || SERVICE_ACTORS.system.name) };
	}
	const toInput = ({ requestedById: _by, ...request }: RunRequest) => request;
	return {
		ensureRun: async (request) => evaluation.ensureRun(toInput(request), await actorOf(request.requestedById)),
		startPartial: async (request, caseIds) => evaluation.start({ ...toInput(request), caseIds }, await actorOf(request.requestedById)),
		findRuns: (ids) => evaluation.findRuns(ids),
		findEqualRun: (request) => evaluation.findEquivalentRun({ ...request, reason: "release" }, { live: true }),
		compare: (baseRunId, runId, rule) => evaluation.compare(baseRunId, runId, rule),
		readFailures: (runId) => evaluation.readFailures(runId),
		readPassing: (runId) => evaluation.readPassing(runId),
		countSparse: (runId) => evaluation.countSparse(runId),
		currentSuiteVersion: (workspaceId, key) => evaluation.currentSuiteVersion(workspaceId, key),
		planVariants,
		gap: (baseRunId, runId) => evaluation.gap(baseRunId, runId),
		findSuiteVersion: (id) => evaluation.findSuiteVersion(id),
	};
}
