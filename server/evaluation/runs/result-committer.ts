import { setTimeout as sleep } from "node:timers/promises";
import { databaseFailure, dataErrorCode } from "@/server/db/failures";
import { messageOf } from "@/server/kernel/errors";
import { logger } from "@/server/kernel/logger";
import { type EpisodeRow, toUnstorableRow } from "./episode-row";

const MAX_BATCH = 200;
const GATHER_MS = 25;
const RETRY_MS = [100, 300, 1_000, 2_000, 5_000];
const LONGEST_RETRY_MS = 5_000;

export interface ResultCommitter {
	add(row: EpisodeRow): void;
	/** To be marked as done in the same transaction as the results before. */
	chunkDone(runId: string, chunkId: string): void;
	/** Resolves when all that was added is committed. */
	flush(): Promise<void>;
}

/**
 * Gathers results of all runs of a worker for a moment and commits each run's in one statement: a hundred commits become
 * one. While the database is away, results wait here; the lease decides whether they still count when it is back. A result
 * that the database refuses is kept as an infrastructure error, and costs its neighbours nothing.
 */
export function createResultCommitter(
	commit: (runId: string, rows: readonly EpisodeRow[], doneChunkIds: readonly string[]) => Promise<void>,
	onCommitted: (runId: string) => void,
): ResultCommitter {
	const pending = new Map<string, { rows: EpisodeRow[]; chunks: string[] }>();
	let working: Promise<void> | null = null;

	const batchOf = (runId: string) => {
		const batch = pending.get(runId) ?? { rows: [], chunks: [] };
		pending.set(runId, batch);
		return batch;
	};

	async function commitWithRetries(runId: string, rows: readonly EpisodeRow[], chunks: readonly string[]): Promise<void> {
		for (let attempt = 0; ; attempt++) {
			try {
				await commit(runId, rows, chunks);
				return;
			} catch (error) {
				const refused = dataErrorCode(error);
				if (refused !== null && rows.length > 0) return commitWithoutRefused(runId, rows, chunks, refused);
				// The chunk's lease runs out and someone does it again: nothing is lost but work.
				if (attempt >= RETRY_MS.length && !databaseFailure(error)) {
					logger.error({ runId, rows: rows.length, error: messageOf(error) }, "evaluation: results could not be committed");
					return;
				}
				logger.warn({ runId, error: messageOf(error) }, "evaluation: commit failed, will try again");
				await sleep(RETRY_MS[attempt] ?? LONGEST_RETRY_MS);
			}
		}
	}

	/** Halves the batch until the refused row stands alone. Chunks end with the last part, when all results before are in. */
	async function commitWithoutRefused(runId: string, rows: readonly EpisodeRow[], chunks: readonly string[], sqlState: string): Promise<void> {
		const [first] = rows;
		if (rows.length > 1 || first === undefined) {
			const half = rows.length >> 1;
			await commitWithRetries(runId, rows.slice(0, half), []);
			await commitWithRetries(runId, rows.slice(half), chunks);
			return;
		}
		logger.error({ runId, caseId: first.caseId, trial: first.trial, sqlState }, "evaluation: the database refuses a result");
		const kept = toUnstorableRow(first);
		// One that is refused even so is lost; its chunk must end all the same, or the run never would.
		await commit(runId, [kept], chunks).catch((error: unknown) =>
			dataErrorCode(error) === null ? commitWithRetries(runId, [kept], chunks) : commitWithRetries(runId, [], chunks),
		);
	}

	async function work() {
		await sleep(GATHER_MS);
		while (pending.size > 0) {
			const [runId, batch] = pending.entries().next().value as [string, { rows: EpisodeRow[]; chunks: string[] }];
			const rows = batch.rows.splice(0, MAX_BATCH);
			// A chunk is done when the results before it are in: only with the batch that empties the list.
			const chunks = batch.rows.length === 0 ? batch.chunks.splice(0) : [];
			if (batch.rows.length === 0) pending.delete(runId);
			await commitWithRetries(runId, rows, chunks);
			onCommitted(runId);
		}
	}

	const start = () => {
		working ??= work().finally(() => {
			working = null;
			if (pending.size > 0) start();
		});
	};

	return {
		add(row) {
			batchOf(row.runId).rows.push(row);
			start();
		},
		chunkDone(runId, chunkId) {
			batchOf(runId).chunks.push(chunkId);
			start();
		},
		async flush() {
			while (working !== null) await working;
		},
	};
}
