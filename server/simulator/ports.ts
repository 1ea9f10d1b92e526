import type { Sandbox } from "@/server/sandbox/contract";

/** Files of a bundle by its id; `workspace` keeps them. Throws `not-found`. */
export interface BundleSource {
	getBundleFiles(bundleId: string): Promise<Record<string, string>>;
}

/** A connection that an admin registered, with its headers opened. */
export interface ToolConnection {
	name: string;
	kind: "http" | "mcp";
	url: string;
	headers: Record<string, string>;
	allowPrivate: boolean;
}

/** Connections by the name that a tool's binding gives. Throws `not-found`. */
export interface ConnectionSource {
	openConnection(workspaceId: string, name: string): Promise<ToolConnection>;
}

export interface SimulatorDependencies {
	sandbox: Sandbox;
	bundles: BundleSource;
	connections: ConnectionSource;
	/** A fetch that refuses private addresses unless allowed. */
	fetchFor: (allowPrivate: boolean) => typeof fetch;
}
