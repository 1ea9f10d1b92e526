import type { Services } from "@/server/composition";
import type { Training, TrainingView } from "@/server/training/contract";

/** Adds the names that people read, and takes away what is a matter of the server. */
export async function viewTrainings({ auth, policies }: Pick<Services, "auth" | "policies">, trainings: readonly Training[]): Promise<TrainingView[]> {
	const [first] = trainings;
	const [names, versions] = await Promise.all([
		auth.namesOf(trainings.map((training) => training.requestedById)),
		first ? policies.list(first.workspaceId) : [],
	]);
	return trainings.map(({ source: { generalData, ...source }, ...training }) => ({
		...training,
		source: { ...source, general: generalData !== null },
		requestedBy: names.get(training.requestedById) ?? training.requestedById,
		policyName: versions.find((version) => version.id === training.policyVersionId)?.name ?? null,
	}));
}
