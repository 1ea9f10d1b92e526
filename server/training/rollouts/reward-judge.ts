import type { Judge } from "@/server/judge/contract";
import { AppError } from "@/server/kernel/errors";
import { fingerprint } from "@/server/kernel/hash";

const VERSION = "1";

/**
 * The judge of training without an endpoint: the rubric's checkers, and stricter than the judge of evaluations in one
 * point of ours: a reply that meets no point of a case that asks for some has Accuracy 0 as well, or reinforcement learning
 * would learn to say nothing. It is another version than the evaluation's judge by construction.
 */
export function createRewardJudge(rubric: Judge): Judge {
	const description = { name: "reward", fingerprint: fingerprint({ reward: VERSION, rubric: rubric.describe().fingerprint }) };
	return {
		describe: () => description,
		async judge(input, signal) {
			const verdict = await rubric.judge(input, signal);
			const asks = input.case.rubric.some((item) => item.dimension === "effectiveness");
			return asks && verdict.effectiveness === 0 ? { ...verdict, accuracy: 0, engine: "reward" } : { ...verdict, engine: "reward" };
		},
	};
}

/** Throws `bad-input` when what rewards is what evaluates: a policy trained on its own examiner is not measured by it. */
export function requireOtherJudge(reward: Judge, evaluationFingerprint: string): void {
	if (reward.describe().fingerprint !== evaluationFingerprint) return;
	throw new AppError("bad-input", "The reward judge is the evaluation judge.", {
		reason: "reward-judge-same",
		fix: "Train with another version of the judge than evaluations use.",
	});
}
