import type { z } from "zod";
import { AppError } from "@/server/kernel/errors";
import { runLoop } from "@/server/release";
import { summariseEditTest } from "@/server/training";
import type { Session } from "../session";
import { type CommandResult, points, progress } from "./output";
import type { EditTestOptions } from "./read-options";

/** `harness-edit-test`: the harness is evolved on dev by the loop, unless `--after` names what it became; then how many errors each policy loses under it. */
export async function harnessEditTest(session: Session, options: z.infer<typeof EditTestOptions>): Promise<CommandResult> {
	const { workspace, before, seeds, split, cases, rounds } = options;
	const { services } = session;
	const { id: workspaceId } = await session.workspace(workspace);
	const abort = new AbortController();
	process.once("SIGINT", () => abort.abort());
	const { commit: from } = await services.harness.resolveHarness(workspaceId, before);
	let after = options.after;
	if (after === undefined) {
		const report = await runLoop(services, { workspaceId, rounds, seed: 1, unattended: true, release: false, onProgress: progress, signal: abort.signal });
		after = report.rounds.at(-1)?.commit ?? undefined;
		if (after === undefined || after === from)
			throw new AppError("precondition", "The loop changed nothing, so that there is no edit to measure.", { reason: "edit-test-no-edit" });
	}
	const { about, rows } = await services.training.editTest({
		...{ workspaceId, before: from ?? before, after, seeds, split, cases },
		signal: abort.signal,
		onRow: ({ policy, seed, before: old, after: now }) => {
			const mean = (values: readonly number[]) => points(values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length));
			progress(`seed ${seed} ${policy}: ${mean(old)} under the harness before, ${mean(now)} under the harness after`);
		},
	});
	const { groups, ...rest } = about;
	return { document: { workspace, ...rest, after: { ref: after, treeId: rest.after }, seeds, split, ...summariseEditTest(rows, groups) } };
}
