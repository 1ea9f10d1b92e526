import type { z } from "zod";
import { replayPublished } from "@/server/evolution";
import { AppError } from "@/server/kernel/errors";
import { runLoop } from "@/server/release";
import type { Session } from "../session";
import { type CommandResult, progress } from "./output";
import type { LoopOptions } from "./read-options";

/** `loop`: diagnose → confirm → edit → evaluate → close, for a number of rounds, without a person. Ctrl-C ends it between two steps; whatever ends it early, what is finished is reported. */
export async function loop(session: Session, options: z.infer<typeof LoopOptions>): Promise<CommandResult> {
	if (!options.unattended) throw new AppError("bad-input", "The loop lands changes that nobody looks at: say so with --unattended.", { reason: "bad-options" });
	const workspace = await session.workspace(options.workspace);
	const { rounds, seed, unattended, release, control } = options;
	const policy = await session.services.policies.find(workspace.id, options.policy);
	const report = await runLoop(session.services, {
		workspaceId: workspace.id,
		rounds,
		seed,
		unattended,
		release,
		policyVersionId: policy.id,
		...(control ? { control } : {}),
		onProgress: progress,
		signal: session.signal,
	});
	return { document: report, failed: report.interrupted !== null };
}

/** `replay-published`: the published series through the same rules. */
export function replay(): CommandResult {
	return { document: replayPublished() };
}
