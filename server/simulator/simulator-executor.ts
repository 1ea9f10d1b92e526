import type { ToolExecutor } from "@/server/agent/contract";
import { AppError } from "@/server/kernel/errors";
import type { Sandbox, SandboxLimits } from "@/server/sandbox/contract";
import type { WorkspaceBundle } from "./contract";

const LIMITS: Partial<SandboxLimits> = { timeMs: 200, memoryBytes: 32 << 20 };

/** Runs a workspace's tool handlers in the sandbox, on its frozen world. What a handler throws is what the policy reads. */
export function createSimulatorExecutor(sandbox: Sandbox, bundle: WorkspaceBundle): ToolExecutor {
	// One object, so that the sandbox writes and sends the world once.
	const data = { world: bundle.world };
	const dataId = `world-${bundle.id}`;
	return {
		async execute({ binding, args, room, seed, scope, timeoutMs }) {
			const handler = binding.handler ?? "";
			const source = Object.hasOwn(bundle.handlers, handler) ? bundle.handlers[handler] : undefined;
			if (source === undefined)
				throw new AppError("not-found", `This workspace has no handler “${handler}”.`, { reason: "handler-unknown", params: { handler } });
			const result = await sandbox.run(
				{ source, data, dataId, globals: "none" },
				{ args },
				{
					scope,
					seed,
					nowMs: Date.parse(String(room.now)) || 0,
					shared: { room },
					limits: { ...LIMITS, timeMs: Math.min(timeoutMs, LIMITS.timeMs ?? timeoutMs) },
				},
			);
			if (result.ok) return result.value;
			if (result.kind === "throw") throw new AppError("bad-input", result.message.replace(/^Error: /, ""), { reason: "tool-refused" });
			if (result.kind === "timeout" || result.kind === "killed")
				throw new AppError("timeout", "The tool's handler did not end in time.", { reason: "tool-timeout" });
			throw new AppError("upstream", `The tool's handler failed (${result.kind}): ${result.message}`, { reason: "tool-handler-failed" });
		},
	};
}
