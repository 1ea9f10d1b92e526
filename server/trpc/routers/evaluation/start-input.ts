import { z } from "zod";
import type { Services } from "@/server/composition";
import { AppError } from "@/server/kernel/errors";

/** What a person says to start or estimate a run. The holdout is no choice: only a release gate reads it. */
export const StartInput = z.object({
	/** Branch, tag, commit or tree. */
	harness: z.string().min(1).max(200).default("main"),
	suite: z.string().min(1).max(80).default("t1"),
	split: z.enum(["dev", "test"]),
	/** A policy version's id; the one in force unless given. */
	policy: z.string().min(1).max(120).optional(),
	trials: z.number().int().min(1).max(50).default(1),
	seed: z.number().int().min(0).max(2_147_483_647).default(1),
	useCache: z.boolean().default(true),
});

/** The ids behind what was said. Throws `not-found` or `precondition` with what to do. */
export async function resolveStart(services: Services, workspaceId: string, input: z.infer<typeof StartInput>) {
	const suite = await services.evaluation.currentSuiteVersion(workspaceId, input.suite);
	if (!suite)
		throw new AppError("precondition", `The suite ${input.suite} has no case yet.`, {
			reason: "suite-empty",
			params: { suite: input.suite },
			fix: "Import cases first.",
		});
	const [harness, policy, judge] = await Promise.all([
		services.harness.resolveHarness(workspaceId, input.harness),
		input.policy ? services.policies.find(workspaceId, input.policy) : services.policies.current(workspaceId),
		services.judges.current(workspaceId),
	]);
	return {
		workspaceId,
		suiteVersionId: suite.id,
		split: input.split,
		treeId: harness.treeId,
		commit: harness.commit,
		policyVersionId: policy.id,
		judgeVersionId: judge.id,
		trials: input.trials,
		seed: input.seed,
		useCache: input.useCache,
	};
}
