import { LRUCache } from "lru-cache";
import { createEndpointPolicy } from "@/server/agent";
import type { Policy } from "@/server/agent/contract";
import { type Checkpoint, createCompactPolicy, routingUnder, type SimulateRouting, simulateRouting } from "@/server/compact";
import { AppError } from "@/server/kernel/errors";
import type { ModelService } from "@/server/models";
import type { PolicyService } from "@/server/policies";
import type { PolicyVersion } from "@/server/policies/contract";

/** What acts with a checkpoint. Throws `precondition` when this release would answer otherwise than the version that was measured. */
function openCheckpointPolicy(checkpoint: Checkpoint, { name, fingerprint }: { name: string; fingerprint: string }): Policy {
	const policy = createCompactPolicy({ name, checkpoint });
	if (policy.describe().fingerprint === fingerprint) return policy;
	throw new AppError("precondition", `${name} can no longer be run: what it was made of has changed since.`, {
		reason: "policy-changed",
		params: { name },
		fix: "Start the run with the policy as it is now.",
	});
}

interface PolicySurroundings {
	policies: PolicyService;
	models: Pick<ModelService, "provider">;
	loadCheckpoint(checkpointId: string): Promise<Checkpoint>;
}

/** How a policy version becomes something that acts, and how an edit is tried on it without acting. */
export function wirePolicies({ policies, models, loadCheckpoint }: PolicySurroundings) {
	const weights = new LRUCache<string, Checkpoint>({ max: 8, fetchMethod: (checkpointId) => loadCheckpoint(checkpointId) });

	async function checkpointOf(checkpointId: string): Promise<Checkpoint> {
		const checkpoint = await weights.fetch(checkpointId);
		if (!checkpoint) throw new AppError("not-found", "There is no such checkpoint.", { reason: "checkpoint-unknown" });
		return checkpoint;
	}

	return {
		/** Acts as this version. Throws `precondition` when what it was made of has changed since. */
		loadPolicy: (policyVersionId: string, options: { useCache?: boolean } = {}): Promise<Policy> =>
			policies.resolve<Policy>(policyVersionId, {
				compact: ({ name }) => createCompactPolicy({ name }),
				checkpoint: async (checkpointId, version) => openCheckpointPolicy(await checkpointOf(checkpointId), version),
				endpoint: async (endpointId, settings) => createEndpointPolicy(await models.provider.forEndpoint(endpointId), { ...settings, ...options }),
			}),
		/** Where this version would take a message; the embedded policy's way where a model decides, which no simulation tells. */
		loadRouting: async (policyVersionId: string | null): Promise<SimulateRouting> =>
			policyVersionId === null
				? simulateRouting
				: policies.resolve<SimulateRouting>(policyVersionId, {
						compact: () => simulateRouting,
						checkpoint: async (checkpointId) => routingUnder((await checkpointOf(checkpointId)).parameters),
						endpoint: async () => simulateRouting,
					}),
	};
}

/** The file of a policy version that acts with a checkpoint, by what a person typed. Throws `not-found`, and `precondition` for a version without one. */
export function createCheckpointExport(policies: PolicyService, readFile: (checkpointId: string) => Promise<Uint8Array>) {
	return async (workspaceId: string, policy: string): Promise<{ version: PolicyVersion; bytes: Uint8Array }> => {
		const version = await policies.find(workspaceId, policy);
		const { name, config } = version;
		if (config.checkpointId === undefined)
			throw new AppError("precondition", `${name} acts without a checkpoint.`, {
				reason: "policy-no-checkpoint",
				params: { name },
				fix: "Name a version that acts with a checkpoint.",
			});
		return { version, bytes: await readFile(config.checkpointId) };
	};
}
export type ExportCheckpoint = ReturnType<typeof createCheckpointExport>;

export type PolicyLoaders = ReturnType<typeof wirePolicies>;
