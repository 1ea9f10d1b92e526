import type { Database } from "@/server/db/client";
import { summarize } from "../statistics";
import { listSettled } from "./chunk.repository";
import { readEpisodeScores } from "./result.repository";
import { findRun, finishRun } from "./run.repository";

/**
 * Ends the runs that are ready for it: computes the summary of those whose chunks are all done, and calls those cancelled
 * on which nobody works any more. Any worker may call it at any time; the database lets one of them win. Returns their ids.
 */
export async function finishSettledRuns(db: Database): Promise<string[]> {
	const ended: string[] = [];
	for (const { id, workspaceId, status } of await listSettled(db)) {
		if (status === "cancelling") {
			if (await finishRun(db, { id, workspaceId }, ["cancelling"], { status: "cancelled" })) ended.push(id);
			continue;
		}
		const run = await findRun(db, id);
		if (!run) continue;
		const cases = run.planned / run.trials;
		const summary = summarize(await readEpisodeScores(db, id), {
			planned: run.planned,
			trials: run.trials,
			cases,
			variants: run.variants !== null,
			wallMs: run.startedAt ? Date.now() - run.startedAt.getTime() : 0,
		});
		// Of a sealed run only the overall figures are ever kept.
		const kept = run.split === "holdout" ? { ...summary, perCategory: [] } : summary;
		if (await finishRun(db, { id, workspaceId }, ["running"], { status: "done", summary: kept })) ended.push(id);
	}
	return ended;
}
