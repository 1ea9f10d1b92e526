import { type DecisionInput, Gradient, type LearningRates, Optimiser, type Parameters, Scorer } from "@/server/compact";
import { AppError } from "@/server/kernel/errors";
import { logSoftmax } from "@/server/kernel/softmax";
import { reverseKl } from "../maths/reverse-kl";

/** Longest gradient that a step takes; longer ones are scaled down to it. Of ours. */
const MAX_NORM = 5;

/** Parameters with what is needed to change them. The scorer is the one that acts. */
export class Trainer {
	readonly scorer: Scorer;
	/** For steps that must not lean on exact names. */
	readonly nameless: Scorer;
	readonly gradient = new Gradient();
	readonly optimiser: Optimiser;

	constructor(readonly parameters: Parameters) {
		this.scorer = new Scorer(parameters);
		this.nameless = new Scorer(parameters, { withoutIdentity: true });
		this.optimiser = new Optimiser(parameters);
	}

	/** Adds the gradient of −w log π(chosen); returns the loss. */
	addCrossEntropy(input: DecisionInput, chosen: number, weight: number, scorer = this.scorer): number {
		const log = logSoftmax(scorer.score(input));
		const slopes = log.map((value, i) => weight * (Math.exp(value) - (i === chosen ? 1 : 0)));
		scorer.backward(input, slopes, this.gradient);
		return -weight * (log[chosen] as number);
	}

	/** Adds the gradient of w KL(π ‖ π_base), exact over the candidates; returns the divergence. */
	addReverseKl(input: DecisionInput, base: Scorer, weight: number): number {
		const { value, gradient } = reverseKl([...this.scorer.score(input)], [...base.score(input)]);
		this.scorer.backward(
			input,
			gradient.map((slope) => weight * slope),
			this.gradient,
		);
		return value;
	}

	/** Adds `slope` × d log π(chosen) / d parameters. */
	addLogProbability(input: DecisionInput, chosen: number, slope: number): void {
		const log = logSoftmax(this.scorer.score(input));
		this.scorer.backward(
			input,
			log.map((value, i) => slope * ((i === chosen ? 1 : 0) - Math.exp(value))),
			this.gradient,
		);
	}

	logProbability(input: DecisionInput, chosen: number): number {
		return logSoftmax(this.scorer.score(input))[chosen] as number;
	}

	/** Takes the step that was gathered; returns the gradient's norm before it was bounded. Throws `precondition` when it is not finite. */
	step(rates: LearningRates): number {
		const norm = this.gradient.norm();
		if (!Number.isFinite(norm)) {
			this.gradient.clear();
			throw new AppError("precondition", "Training stopped: the gradient is no longer a number.", {
				reason: "training-diverged",
				fix: "Train again with a lower learning rate, or from an earlier checkpoint.",
			});
		}
		const bound = norm > MAX_NORM ? MAX_NORM / norm : 1;
		this.optimiser.step(this.gradient, { ...rates, bound });
		return norm;
	}
}
