import type { GatePolicy, HoldoutCounts } from "@/server/evolution/contract";
import { AppError } from "@/server/kernel/errors";
import { recordAudit } from "@/server/workspace";
import type { Actor } from "@/server/workspace/contract";
import { errors } from "./errors";
import { type GateCandidate, sideKey } from "./gate-sides";
import type { ReleaseDeps } from "./ports";
import * as repository from "./release.repository";

export interface HoldoutReading {
	counts: HoldoutCounts | null;
	/** Readings of this campaign, with this one. */
	used: number;
}

/**
 * Reads the holdout for a candidate against what is live: at most `maxHoldoutReadings` times an evolution, overall counts
 * only, each reading logged before its counts are. The same pair is read once: repeating the release finds it. Throws
 * `release-evaluating` while its runs are under way.
 */
export async function readHoldout(deps: ReleaseDeps, input: { gate: GateCandidate; policy: GatePolicy; actor: Actor }): Promise<HoldoutReading> {
	const { gate, policy, actor } = input;
	const { conditions, candidate, reference: base } = gate;
	const used = await repository.countReadings(deps.db, gate.readingsOf);
	const known = await repository.findReading(deps.db, gate.readingsOf, sideKey(candidate), sideKey(base));
	if (known?.result) return { counts: known.result, used };
	if (!known && used >= policy.maxHoldoutReadings) return { counts: null, used };
	const runIds = known?.runIds ?? (await deps.holdout.start({ conditions, candidate, base, requestedById: actor.id }));
	if (!runIds) return { counts: null, used };
	const reading = known ?? (await logReading(deps, input, used + 1, runIds));
	const outcome = await deps.holdout.read(reading.runIds, policy.alpha);
	if (outcome.status === "running") throw errors.evaluating(reading.runIds);
	if (outcome.status === "failed")
		throw new AppError("unavailable", "A run of the gate failed.", {
			reason: "gate-run-failed",
			fix: "Retry the run's errors on the Runs page, then release.",
		});
	await repository.setReadingResult(deps.db, reading.id, outcome.counts);
	return { counts: outcome.counts, used: Math.max(used, reading.index) };
}

/** Takes the next place of the evolution's readings and logs it, in one transaction. */
async function logReading(deps: ReleaseDeps, input: Parameters<typeof readHoldout>[1], index: number, runIds: string[]): Promise<repository.ReadingRow> {
	const { gate, policy, actor } = input;
	const { workspaceId } = gate.conditions;
	const [commit, baseCommit] = [sideKey(gate.candidate), sideKey(gate.reference)];
	const made = await deps.db.$transaction(async (tx) => {
		const row = await repository.insertReading(tx, {
			workspaceId,
			evolutionId: gate.readingsOf,
			index,
			commit,
			baseCommit,
			runIds,
			readById: actor.id,
		});
		if (!row) return null;
		await recordAudit(tx, {
			workspaceId,
			actor,
			action: "holdout.read",
			subject: `${gate.label} reading ${index} of ${policy.maxHoldoutReadings}`,
			detail: { commit, baseCommit },
		});
		return row;
	});
	// Somebody else took the place in the same moment: usually for the same pair, and then it is the same reading.
	const reading = made ?? (await repository.findReading(deps.db, gate.readingsOf, commit, baseCommit));
	if (!reading) throw errors.mainMoved();
	return reading;
}
