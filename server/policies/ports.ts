/** What the registry must be told of the things that act. */
export interface PolicyPorts {
	/** Fingerprint of the embedded policy as it is now. */
	compactFingerprint(): string;
	/** An endpoint of the workspace as it is now. Throws `not-found`. */
	describeEndpoint(
		workspaceId: string,
		endpointId: string,
	): Promise<{ name: string; baseUrl: string; model: string; extraBody: Record<string, unknown>; fingerprint: string }>;
	/** The workspace's endpoints by name. */
	listEndpoints(workspaceId: string): Promise<{ id: string; name: string }[]>;
	/** The policy version that the current release binds; null before the first release. */
	releasedPolicy(workspaceId: string): Promise<string | null>;
	/** The endpoint that plays the policy; null for the embedded one. */
	policyEndpoint(workspaceId: string): Promise<string | null>;
}

/** How a version becomes something that acts; `composition.ts` wires it. */
export interface PolicyMakers<P> {
	compact(version: { name: string }): P;
	/** Acts with the weights of a checkpoint. */
	checkpoint(checkpointId: string, version: { name: string; fingerprint: string }): Promise<P>;
	endpoint(endpointId: string, options: { name: string; temperature?: number; maxTokens?: number }): Promise<P>;
}
