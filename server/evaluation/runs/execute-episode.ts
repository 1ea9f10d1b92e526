import type { Trajectory } from "@/server/agent/contract";
import { AppError, messageOf } from "@/server/kernel/errors";
import { hash32 } from "@/server/kernel/random";
import type { StoredCase } from "../cases/case.repository";
import { type EpisodeRow, toEpisodeRow } from "./episode-row";
import type { LoadedRun } from "./load-run";

const INFRASTRUCTURE = new Set(["upstream", "rate-limited", "timeout", "unavailable"]);

/** The seed of one episode: from the run's seed, the case's own id and the trial, so that a second worker draws the same. */
export const episodeSeed = (runSeed: number, caseKey: string, trial: number): number => hash32(`${runSeed}/${caseKey}/${trial}`);

function failedTrajectory(loaded: LoadedRun, one: StoredCase, seed: number, error: string): Trajectory {
	return {
		version: 1,
		treeId: loaded.run.treeId,
		policy: "",
		seed,
		message: one.content.message,
		history: one.content.history,
		steps: [],
		outcome: "infra-error",
		reply: null,
		error,
		durationMs: 0,
	};
}

function referencesOf(loaded: LoadedRun, category: string): { own: string[]; others: Record<string, string[]> } | null {
	if (!loaded.references) return null;
	const { [category]: own = [], ...others } = loaded.references;
	return { own, others };
}

/** The judge's fault as the last step, so that whoever opens the episode reads why it has no verdict. */
function withJudgeFault(trajectory: Trajectory, error: AppError, message: string): Trajectory {
	const { code, reason, params } = error;
	const step = { type: "error" as const, atMs: trajectory.durationMs, durationMs: 0, code, message, reason, params };
	return { ...trajectory, steps: [...trajectory.steps, step], error: message };
}

/**
 * Runs and judges one case once. An infrastructure fault of policy or judge is a result of its own kind, without scores.
 * Throws `cancelled` on abort, and whatever makes the whole run impossible (a harness that cannot be rendered).
 */
export async function executeEpisode(loaded: LoadedRun, one: StoredCase, trial: number, signal: AbortSignal): Promise<EpisodeRow> {
	const { run, prepared, sealed } = loaded;
	const seed = episodeSeed(run.seed, one.key, trial);
	const { message, history, room, faults } = one.content;
	const input = { message, history, faults, ...(room ? { room } : {}) };
	const result = { runId: run.id, caseId: one.id, caseKey: one.key, category: one.category, trial, sealed };
	const trajectory = await prepared.runEpisode({ case: input, trial, seed, signal });
	if (trajectory.outcome === "infra-error") return toEpisodeRow({ ...result, trajectory, verdict: null, judgeError: null });
	const folded = await prepared.fold(trajectory, trial);
	try {
		const verdict = await prepared.judge({
			case: {
				category: one.category,
				rubric: one.content.rubric,
				expect: one.content.expect,
				reference: one.content.reference ?? null,
				references: referencesOf(loaded, one.category),
			},
			input,
			trajectory: folded.trajectory,
			trial,
			signal,
		});
		return toEpisodeRow({ ...result, trajectory, folded, verdict, judgeError: null });
	} catch (error) {
		if (!(error instanceof AppError) || !INFRASTRUCTURE.has(error.code)) throw error;
		const said = `The judge could not score it: ${error.message}`;
		return toEpisodeRow({ ...result, trajectory: withJudgeFault(trajectory, error, said), verdict: null, judgeError: said });
	}
}

/** A result for a case that could not be run at all: a bug in its data, or a chunk that killed its workers. Never a score of 0. */
export function failedEpisode(loaded: LoadedRun, one: StoredCase, trial: number, error: unknown): EpisodeRow {
	const text = error instanceof AppError ? error.message : `The episode could not be run: ${messageOf(error).slice(0, 300)}`;
	const trajectory = failedTrajectory(loaded, one, episodeSeed(loaded.run.seed, one.key, trial), text);
	return toEpisodeRow({
		runId: loaded.run.id,
		caseId: one.id,
		caseKey: one.key,
		category: one.category,
		trial,
		sealed: loaded.sealed,
		trajectory,
		verdict: null,
		judgeError: null,
	});
}
