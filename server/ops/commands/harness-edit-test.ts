import type { z } from "zod";
import { meanPoints } from "@/server/evaluation";
import { summariseEditTest } from "@/server/training";
import type { Session } from "../session";
import { evolveHarness } from "./evolve-harness";
import { type CommandResult, progress } from "./output";
import type { EditTestOptions } from "./read-options";

/** `harness-edit-test`: the harness is evolved on dev by the loop, unless `--after` names what it became; then how many errors each policy loses under it. */
export async function harnessEditTest(session: Session, options: z.infer<typeof EditTestOptions>): Promise<CommandResult> {
	const { workspace, seeds, split, cases } = options;
	const { id: workspaceId } = await session.workspace(workspace);
	const { before, after } = await evolveHarness(session, workspaceId, options);
	const { about, rows } = await session.services.training.editTest({
		...{ workspaceId, before, after, seeds, split, cases },
		signal: session.signal,
		onRow: ({ policy, seed, before: old, after: now }) =>
			progress(`seed ${seed} ${policy}: ${meanPoints(old)} under the harness before, ${meanPoints(now)} under the harness after`),
	});
	const { groups, ...rest } = about;
	return { document: { workspace, ...rest, after: { ref: after, treeId: rest.after }, seeds, split, ...summariseEditTest(rows, groups) } };
}
