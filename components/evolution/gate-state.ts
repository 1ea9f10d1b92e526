import type { GateResult } from "@/server/evolution/contract";
import { HOLDOUT_UNREAD } from "@/server/evolution/holdout-unread.contract";

/** The gate as people should read it: "ready" is open on nothing but the holdout, which is read only by releasing. */
export interface GateState {
	kind: GateResult["verdict"] | "ready";
	met: number;
	of: number;
}

export function gateState({ verdict, checks }: Pick<GateResult, "verdict" | "checks">): GateState {
	const met = checks.filter((c) => c.ok === true).length;
	const open = checks.filter((c) => c.ok !== true);
	const ready = verdict === "inconclusive" && open.length === 1 && open[0]?.id === "holdout" && open[0].detail === HOLDOUT_UNREAD;
	return { kind: ready ? "ready" : verdict, met, of: checks.length };
}
