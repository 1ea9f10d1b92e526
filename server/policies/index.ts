import type { Database, DatabaseOrTransaction } from "@/server/db/client";
import { AppError } from "@/server/kernel/errors";
import { fingerprint } from "@/server/kernel/hash";
import { type PolicyConfig, PolicyConfigSchema, type PolicyVersion } from "./contract";
import { deletePolicyRow, findPolicyRow, insertPolicyRow, listPolicyRows } from "./policies.repository";
import type { PolicyMakers, PolicyPorts } from "./ports";

export type { PolicyMakers, PolicyPorts } from "./ports";

interface CheckpointVersion extends Pick<PolicyConfig, "initial"> {
	workspaceId: string;
	base: string;
	checkpointId: string;
	fingerprint: string;
}

type Candidate = Omit<PolicyVersion, "id" | "createdAt" | "name"> & { base: string };

/** The version with this fingerprint; made under the next free name when there is none. Safe when several processes ask at once. */
async function ensureVersion(db: Database, { base, ...candidate }: Candidate): Promise<PolicyVersion> {
	for (;;) {
		const versions = await listPolicyRows(db, candidate.workspaceId);
		const found = versions.find((version) => version.fingerprint === candidate.fingerprint && version.kind === candidate.kind);
		if (found) return found;
		const names = new Set(versions.map((version) => version.name));
		let name = base;
		for (let n = 2; names.has(name); n++) name = `${base} v${n}`;
		await insertPolicyRow(db, { ...candidate, name });
	}
}

/** What the settings of a version add to the fingerprint of its endpoint. */
function endpointVersionFingerprint(endpointFingerprint: string, { temperature, maxTokens }: PolicyConfig): string {
	return temperature === undefined && maxTokens === undefined ? endpointFingerprint : fingerprint({ endpointFingerprint, temperature, maxTokens });
}

/** The checkpoint that acts: the released one, or before any release the one that came with the workspace; null for the embedded policy. */
async function findActingCheckpoint(db: Database, ports: PolicyPorts, workspaceId: string): Promise<PolicyVersion | null> {
	const releasedId = await ports.releasedPolicy(workspaceId);
	if (releasedId === null) return (await listPolicyRows(db, workspaceId)).find(({ config }) => config.initial) ?? null;
	const released = await findPolicyRow(db, releasedId);
	return released?.kind === "checkpoint" ? released : null;
}

/** The registry of policy versions. */
export function createPolicyService(db: Database, ports: PolicyPorts) {
	const ensureCompact = (workspaceId: string) =>
		ensureVersion(db, { workspaceId, base: "compact", kind: "compact", endpointId: null, config: {}, fingerprint: ports.compactFingerprint() });

	async function ensureEndpoint(
		workspaceId: string,
		endpointId: string,
		settings: Pick<PolicyConfig, "temperature" | "maxTokens"> = {},
	): Promise<PolicyVersion> {
		const endpoint = await ports.describeEndpoint(workspaceId, endpointId);
		const { baseUrl, model, extraBody } = endpoint;
		const config = PolicyConfigSchema.parse({ ...settings, baseUrl, model, extraBody });
		return ensureVersion(db, {
			workspaceId,
			base: endpoint.name,
			kind: "endpoint",
			endpointId,
			config,
			fingerprint: endpointVersionFingerprint(endpoint.fingerprint, config),
		});
	}

	async function get(id: string): Promise<PolicyVersion> {
		const version = await findPolicyRow(db, id);
		if (!version) throw new AppError("not-found", "There is no such policy version.", { reason: "policy-unknown", params: { name: id } });
		return version;
	}

	/**
	 * The version that acts in a workspace unless a run names another: the endpoint with the role, else the checkpoint that is
	 * released or, before any release, came with the workspace, else the embedded policy.
	 */
	async function current(workspaceId: string): Promise<PolicyVersion> {
		const endpointId = await ports.policyEndpoint(workspaceId);
		if (endpointId !== null) return ensureEndpoint(workspaceId, endpointId);
		return (await findActingCheckpoint(db, ports, workspaceId)) ?? ensureCompact(workspaceId);
	}

	return {
		ensureCompact,
		/** The version that acts with a checkpoint of the compact policy; `base` names it. */
		ensureCheckpoint: ({ workspaceId, base, fingerprint: print, ...config }: CheckpointVersion) =>
			ensureVersion(db, { workspaceId, base, kind: "checkpoint", endpointId: null, config, fingerprint: print }),
		/** The version of an endpoint as it is now. */
		ensureEndpoint,
		/** Throws `not-found`. */
		get,
		/** All versions of a workspace, newest first. */
		list: (workspaceId: string) => listPolicyRows(db, workspaceId),

		current,

		/** A version by what a person typed: `compact`, `current`, an endpoint's name (as they are now), a version's name or id. Throws `not-found`. */
		async find(workspaceId: string, name: string): Promise<PolicyVersion> {
			if (name === "compact") return ensureCompact(workspaceId);
			if (name === "current") return current(workspaceId);
			const endpoint = (await ports.listEndpoints(workspaceId)).find((candidate) => candidate.name === name);
			if (endpoint) return ensureEndpoint(workspaceId, endpoint.id);
			const version = (await listPolicyRows(db, workspaceId)).find((candidate) => candidate.name === name || candidate.id === name);
			if (version) return version;
			throw new AppError("not-found", `There is no policy named ${name}.`, {
				reason: "policy-unknown",
				params: { name },
				fix: "Use compact, current, a policy version, or the name of an endpoint of Settings → Endpoints.",
			});
		},

		/** Takes a version out of the registry; whoever calls knows that nothing refers to it. */
		remove: (tx: DatabaseOrTransaction, id: string): Promise<void> => deletePolicyRow(tx, id),

		/** Something that acts as this version. Throws `precondition` when what it was made of has changed since. */
		async resolve<P>(id: string, makers: PolicyMakers<P>): Promise<P> {
			const version = await get(id);
			const { name, kind, endpointId, config } = version;
			const changed = () =>
				new AppError("precondition", `${name} can no longer be run: what it was made of has changed since.`, {
					reason: "policy-changed",
					params: { name },
					fix: "Start the run with the policy as it is now.",
				});
			if (kind === "compact") {
				if (ports.compactFingerprint() !== version.fingerprint) throw changed();
				return makers.compact({ name });
			}
			if (kind === "checkpoint" && config.checkpointId !== undefined) return makers.checkpoint(config.checkpointId, { name, fingerprint: version.fingerprint });
			if (kind === "endpoint" && endpointId !== null) {
				const now = await ports.describeEndpoint(version.workspaceId, endpointId);
				if (endpointVersionFingerprint(now.fingerprint, config) !== version.fingerprint) throw changed();
				return makers.endpoint(endpointId, { name, temperature: config.temperature, maxTokens: config.maxTokens });
			}
			throw new AppError("precondition", `${name} can't act here.`, { reason: "policy-cannot-act", params: { name } });
		},
	};
}

export type PolicyService = ReturnType<typeof createPolicyService>;
