import { type GateAlarm, isReadyForHoldout } from "@/server/evolution";
import type { GateResult } from "@/server/evolution/contract";
import type { Actor } from "@/server/workspace/contract";
import { errors } from "./errors";
import { type GateCandidate, sideKey } from "./gate-sides";
import type { ReleaseDeps } from "./ports";
import { readHoldout } from "./read-holdout";
import * as repository from "./release.repository";

export interface Assessed {
	gate: GateResult;
	alarms: GateAlarm[];
	runIds: string[];
	running: string[];
	holdoutUsed: number;
}

/** The gate as it stands, without starting a run or reading the holdout. */
export async function lookAtGate(deps: ReleaseDeps, { readingsOf, conditions, candidate, reference }: GateCandidate): Promise<Assessed> {
	const holdoutReadings = await repository.countReadings(deps.db, readingsOf);
	const known = await repository.findReading(deps.db, readingsOf, sideKey(candidate), sideKey(reference));
	const holdout = known?.result ?? null;
	const { result, alarms, runIds, running } = await deps.evolution.assessPair({
		...{ conditions, candidate, reference },
		...{ start: null, holdout, holdoutReadings },
	});
	return { gate: result, alarms, runIds, running, holdoutUsed: holdoutReadings };
}

/**
 * The gate for making a release: starts the runs that are missing, and reads the holdout once everything else passes, so
 * that no reading is wasted on a candidate that fails anyway. Throws `release-evaluating` while runs are under way.
 */
export async function passGate(deps: ReleaseDeps, gate: GateCandidate, actor: Actor): Promise<Assessed> {
	const { conditions, candidate, reference } = gate;
	const before = await repository.countReadings(deps.db, gate.readingsOf);
	const assess = (holdout: Awaited<ReturnType<typeof readHoldout>> | null) =>
		deps.evolution.assessPair({
			...{ conditions, candidate, reference },
			start: { requestedById: actor.id },
			holdout: holdout?.counts ?? null,
			holdoutReadings: holdout?.used ?? before,
		});
	const first = await assess(null);
	if (first.running.length > 0) throw errors.evaluating(first.running);
	const { content: policy } = await deps.evolution.gatePolicy(conditions.workspaceId);
	if (!policy.useHoldout || !isReadyForHoldout(first.result))
		return { gate: withoutHoldout(first.result, policy.useHoldout), alarms: first.alarms, runIds: first.runIds, running: [], holdoutUsed: before };
	const holdout = await readHoldout(deps, { gate, policy, actor });
	const second = await assess(holdout);
	return { gate: second.result, alarms: second.alarms, runIds: second.runIds, running: [], holdoutUsed: holdout.used };
}

/** What is kept with a release must not promise a reading that never came. */
function withoutHoldout(gate: GateResult, used: boolean): GateResult {
	return used ? { ...gate, checks: gate.checks.map((c) => (c.id === "holdout" && c.ok === null ? { ...c, detail: "not read" } : c)) } : gate;
}
