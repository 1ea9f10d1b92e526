import type { Sandbox } from "@/server/sandbox/contract";
import type { ToolExecutor } from "./contract";

/** What an episode needs from outside. */
export interface AgentDependencies {
	sandbox: Sandbox;
	/** By kind of binding: simulator, http, mcp. */
	tools: Readonly<Record<string, ToolExecutor>>;
	/** Monotonic milliseconds; `performance.now` unless a test drives it. */
	monotonicMs?: () => number;
}
