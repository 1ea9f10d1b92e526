import os from "node:os";
import type { z } from "zod";
import { meanPoints } from "@/server/evaluation";
import { history } from "@/server/harness";
import { AppError } from "@/server/kernel/errors";
import { summariseRoads } from "@/server/training";
import type { Session } from "../session";
import { evolveHarness } from "./evolve-harness";
import { type CommandResult, progress } from "./output";
import type { RoadsOptions } from "./read-options";

/** So many steps of a line, evenly apart, the last one always among them. */
function thin<T>(line: readonly T[], most: number): T[] {
	if (line.length <= most) return [...line];
	return Array.from({ length: most }, (_value, i) => line[Math.round(((i + 1) * line.length) / most) - 1] as T);
}

/** Commits after one up to another on their own line, oldest first: only those that changed the files. */
async function editsBetween({ services }: Session, workspaceId: string, before: string, after: string): Promise<string[]> {
	const repository = await services.harness.repository(workspaceId);
	const [{ commit }, { treeId }] = await Promise.all([
		services.harness.resolveHarness(workspaceId, after),
		services.harness.resolveHarness(workspaceId, before),
	]);
	if (!commit) throw new AppError("bad-input", "A folder has no history: name a branch, a tag or a commit.", { reason: "history-missing" });
	const line = (await history(repository, commit, { since: before, firstParent: true, limit: 1_000 })).reverse();
	const edits = line.filter((one, i) => one.tree !== (line[i - 1]?.tree ?? treeId)).map((one) => one.commit);
	if (edits.length > 0) return edits;
	throw new AppError("precondition", "Between these two the harness did not change.", { reason: "edit-test-no-edit" });
}

/** `hat-roads`: one HAT training used unchanged, beside retraining after every edit and adapting at test time: quality, latency, cost. */
export async function hatRoads(session: Session, options: z.infer<typeof RoadsOptions>): Promise<CommandResult> {
	const { workspace, seeds, split, cases } = options;
	const startedMs = performance.now();
	const { id: workspaceId } = await session.workspace(workspace);
	const { before, after } = await evolveHarness(session, workspaceId, options);
	const edits = await editsBetween(session, workspaceId, before, after);
	const measured = thin(edits, options.edits);
	const { about, rows } = await session.services.training.compareRoads({
		...{ workspaceId, harnesses: [before, ...measured], seeds, split, cases },
		signal: session.signal,
		onRow: ({ road, seed, t1, t2 }) => progress(`seed ${seed} ${road}: T1 ${t1.map(meanPoints).join(" ")}, T2 ${t2.map(meanPoints).join(" ")}`),
	});
	const { groups, ...rest } = about;
	return {
		document: {
			kind: "roads",
			workspace,
			...rest,
			seeds,
			split,
			edits: { all: edits.length, measured: measured.length },
			machine: { processor: os.cpus()[0]?.model ?? "unknown", node: process.version },
			seconds: Math.round((performance.now() - startedMs) / 1000),
			...summariseRoads(rows, groups),
		},
	};
}
