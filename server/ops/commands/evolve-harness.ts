import { AppError } from "@/server/kernel/errors";
import { runLoop } from "@/server/release";
import type { Session } from "../session";
import { progress } from "./output";

interface Wanted {
	before: string;
	/** What the harness became; evolved by the loop where it is left out. */
	after?: string | undefined;
	rounds: number;
}

/** The harness before and after edits: named, or evolved on dev by the loop. Throws `precondition` where the loop changes nothing. */
export async function evolveHarness(
	{ services, signal }: Session,
	workspaceId: string,
	{ before, after, rounds }: Wanted,
): Promise<{ before: string; after: string }> {
	const { commit: from } = await services.harness.resolveHarness(workspaceId, before);
	if (after !== undefined) return { before: from ?? before, after };
	// Under a policy that no training of the comparison made: an edit that was tried on one of them would favour it.
	const { id: policyVersionId } = await services.policies.ensureCompact(workspaceId);
	const report = await runLoop(services, { workspaceId, rounds, seed: 1, unattended: true, release: false, policyVersionId, onProgress: progress, signal });
	if (report.interrupted !== null) throw new AppError("unavailable", report.interrupted, { reason: "loop-interrupted" });
	const found = report.rounds.at(-1)?.commit ?? undefined;
	if (found === undefined || found === from)
		throw new AppError("precondition", "The loop changed nothing, so that there is no edit to measure.", { reason: "edit-test-no-edit" });
	return { before: from ?? before, after: found };
}
