import { LRUCache } from "lru-cache";
import type { Database } from "@/server/db/client";
import { AppError } from "@/server/kernel/errors";
import { readHoldoutCases, readOpenCases, readReferences, type StoredCase } from "../cases/case.repository";
import type { EvaluationPorts, PreparedRun } from "../ports";
import { findRun, type RunRow } from "./run.repository";

/** References of each intent that the judge compares with; more would cost time and change little. */
export const MAX_REFERENCES = 25;

/** A run as a worker holds it: what it binds, loaded once. */
export interface LoadedRun {
	run: RunRow;
	sealed: boolean;
	prepared: PreparedRun;
	/** Reference replies by intent, where the workspace measures by them. */
	references: Record<string, string[]> | null;
	readCases(ids: readonly string[]): Promise<StoredCase[]>;
}

/** Loads runs for a worker and remembers the last few. */
export function createRunLoader(db: Database, ports: EvaluationPorts) {
	const loaded = new LRUCache<string, Promise<LoadedRun>>({ max: 8, ttl: 10 * 60_000 });

	async function load(runId: string): Promise<LoadedRun> {
		const run = await findRun(db, runId);
		if (!run) throw new AppError("not-found", "There is no such run.", { reason: "run-not-found" });
		const facts = await ports.workspaceFacts(run.workspaceId);
		const prepared = await ports.prepareRun({
			workspaceId: run.workspaceId,
			treeId: run.treeId,
			policyVersionId: run.policyVersionId,
			judgeVersionId: run.judgeVersionId,
			bundleId: run.bundleId,
			// A model's answer may quote the case: of a sealed one nothing is kept.
			useCache: run.useCache && run.split !== "holdout",
			variants: run.variants,
		});
		const { split, suiteVersionId } = run;
		return {
			run,
			sealed: split === "holdout",
			prepared,
			references: facts.measure === "reference-intent" ? await readReferences(db, suiteVersionId, MAX_REFERENCES) : null,
			readCases: (ids) => (split === "holdout" ? readHoldoutCases(db, { suiteVersionId }, "execute", ids) : readOpenCases(db, suiteVersionId, split, ids)),
		};
	}

	return {
		get(runId: string): Promise<LoadedRun> {
			const known = loaded.get(runId);
			if (known !== undefined) return known;
			const loading = load(runId);
			loaded.set(runId, loading);
			loading.catch(() => loaded.delete(runId));
			return loading;
		},
		forget: (runId: string) => void loaded.delete(runId),
	};
}
