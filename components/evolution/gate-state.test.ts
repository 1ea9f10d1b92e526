import { expect, it } from "vitest";
import type { GateCheck } from "@/server/evolution/contract";
import { HOLDOUT_UNREAD } from "@/server/evolution/holdout-unread.contract";
import { gateState } from "./gate-state";

const check = (id: string, ok: boolean | null, detail = ""): GateCheck => ({ id, ok, label: id, detail });
const unread = check("holdout", null, HOLDOUT_UNREAD);

it.each([
	["only the holdout is unread", "inconclusive", [check("improved", true), unread], "ready"],
	["something else is not shown", "inconclusive", [check("improved", null), unread], "inconclusive"],
	["no reading is left", "inconclusive", [check("improved", true), check("holdout", null, "all 3 readings are spent")], "inconclusive"],
	["something is wrong", "fail", [check("no-regression", false), unread], "fail"],
	["all is shown", "pass", [check("improved", true), check("holdout", true)], "pass"],
] as const)("%s: %s", (_name, verdict, checks, kind) => {
	const state = gateState({ verdict, checks: [...checks] });
	expect(state.kind).toBe(kind);
	expect(state).toMatchObject({ met: checks.filter((c) => c.ok === true).length, of: checks.length });
});
