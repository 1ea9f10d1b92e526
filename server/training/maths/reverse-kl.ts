import { logSoftmax } from "@/server/kernel/softmax";

/**
 * The reverse KL divergence KL(p_θ ‖ p_base) = Σ p_θ (log p_θ − log p_base) of one decision, exact over its candidates, and its
 * gradient with respect to θ's logits: p_i (log p_i − log q_i − KL). Throws RangeError for lists of unequal length.
 */
export function reverseKl(logits: readonly number[], baseLogits: readonly number[]): { value: number; gradient: number[] } {
	if (logits.length !== baseLogits.length) throw new RangeError("Both policies must score the same candidates.");
	const own = logSoftmax(logits);
	const base = logSoftmax(baseLogits);
	const gaps = own.map((logP, i) => logP - (base[i] as number));
	const value = gaps.reduce((sum, gap, i) => sum + Math.exp(own[i] as number) * gap, 0);
	return { value, gradient: gaps.map((gap, i) => Math.exp(own[i] as number) * (gap - value)) };
}
