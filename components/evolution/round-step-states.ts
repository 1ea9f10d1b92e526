import type { Step } from "@/components/ui/stepper";
import type { Round } from "./types";

export const ROUND_STEPS = ["diagnose", "confirm", "edit", "evaluate", "check"] as const;
export type RoundStep = (typeof ROUND_STEPS)[number];

/** `skipped`: it never came in this round, and will not come any more. */
export type RoundStepState = Step["state"] | "skipped";

type Facts = Pick<Round, "status" | "standing"> & {
	findings: Pick<Round["findings"], "proposed" | "accepted" | "rejected">;
	proposals: readonly unknown[];
	landed: readonly unknown[];
	dev: Pick<NonNullable<Round["dev"]>, "status"> | null;
	test: Pick<NonNullable<Round["test"]>, "status"> | null;
};

function isDone(round: Facts): Record<RoundStep, boolean> {
	const { proposed, accepted, rejected } = round.findings;
	const runs = [round.dev, round.test].filter((run) => run !== null);
	const closed = round.status === "closed";
	return {
		diagnose: proposed + accepted + rejected > 0,
		confirm: accepted + rejected > 0 && (proposed === 0 || round.status !== "open"),
		edit: round.landed.length > 0,
		evaluate: round.status !== "open" && runs.length > 0 && runs.every((run) => run.status === "done"),
		check: closed && round.standing !== null,
	};
}

/**
 * How far a round is: of its five steps one at most is current, and none once it is closed. In an open round it is the
 * first that waits for somebody: findings that nobody decided, else what comes after the last thing done. Pure.
 */
export function roundStepStates(round: Facts): Record<RoundStep, RoundStepState> {
	const done = isDone(round);
	const last = ROUND_STEPS.findLastIndex((step) => done[step]);
	const current = (): RoundStep | null => {
		if (round.status === "closed") return null;
		if (round.status === "closing") return done.evaluate ? "check" : "evaluate";
		return round.findings.proposed > 0 ? "confirm" : (ROUND_STEPS[last + 1] ?? null);
	};
	const now = current();
	const over = now === null ? ROUND_STEPS.length : ROUND_STEPS.indexOf(now);
	const stateOf = (step: RoundStep, index: number): RoundStepState => {
		if (step === now) return "current";
		if (done[step]) return "done";
		return round.status !== "open" && index < over ? "skipped" : "todo";
	};
	return Object.fromEntries(ROUND_STEPS.map((step, index) => [step, stateOf(step, index)])) as Record<RoundStep, RoundStepState>;
}
