import { z } from "zod";
import type { Services } from "@/server/composition";
import { type Training, TrainingSchema } from "@/server/training/contract";

/** A training with the names that people read. The folder of general data is a matter of the server. */
export const TrainingViewSchema = TrainingSchema.extend({
	source: TrainingSchema.shape.source.omit({ generalData: true }).extend({ general: z.boolean() }),
	requestedBy: z.string(),
	/** Name of the policy version that it made. */
	policyName: z.string().nullable(),
});

export async function viewTrainings({ auth, policies }: Pick<Services, "auth" | "policies">, trainings: readonly Training[]) {
	const [first] = trainings;
	const [names, versions] = await Promise.all([
		auth.namesOf(trainings.map((training) => training.requestedById)),
		first?.workspaceId ? policies.list(first.workspaceId) : [],
	]);
	return trainings.map(({ source: { generalData, ...source }, ...training }) => ({
		...training,
		source: { ...source, general: generalData !== null },
		requestedBy: names.get(training.requestedById) ?? training.requestedById,
		policyName: versions.find((version) => version.id === training.policyVersionId)?.name ?? null,
	}));
}
