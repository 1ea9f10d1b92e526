import { type Choose, chooseBest, type DecisionInput } from "@/server/compact";
import type { SftExample } from "../datasets/build-sft-set";

type Kind = DecisionInput["kind"];

interface Label {
	count: number;
	grams: Map<number, number>;
	total: number;
}

/** Laplace smoothing: of ours, the usual one. */
const SMOOTHING = 1;

/**
 * Multinomial naive Bayes over the grams of the message, for the skill and the rule that the teacher chose: what the wording
 * alone gives away, without a look at what the harness says. Names it has not met score as labels without a message. For all
 * other decisions the logits decide.
 */
export function naiveBayes(examples: readonly SftExample[]): Choose {
	const byKind = new Map<Kind, { labels: Map<string, Label>; grams: Set<number>; count: number }>();
	for (const { decisions } of examples) {
		for (const { input, chosen, weight } of decisions) {
			if (weight === 0 || (input.kind !== "skill" && input.kind !== "rule")) continue;
			const own = byKind.get(input.kind) ?? { labels: new Map<string, Label>(), grams: new Set<number>(), count: 0 };
			byKind.set(input.kind, own);
			own.count += 1;
			const id = input.candidates[chosen]?.id ?? "";
			const label = own.labels.get(id) ?? { count: 0, grams: new Map<number, number>(), total: 0 };
			own.labels.set(id, label);
			label.count += 1;
			for (const gram of input.situation.buckets) {
				own.grams.add(gram);
				label.grams.set(gram, (label.grams.get(gram) ?? 0) + 1);
				label.total += 1;
			}
		}
	}
	return (input, logits) => {
		const known = byKind.get(input.kind);
		if (!known) return chooseBest(input, logits);
		const scores = input.candidates.map(({ id }) => {
			const label = known.labels.get(id);
			const prior = Math.log(((label?.count ?? 0) + SMOOTHING) / (known.count + SMOOTHING * input.candidates.length));
			const below = Math.log((label?.total ?? 0) + SMOOTHING * known.grams.size);
			let score = prior;
			for (const gram of input.situation.buckets) if (known.grams.has(gram)) score += Math.log((label?.grams.get(gram) ?? 0) + SMOOTHING) - below;
			return score;
		});
		return chooseBest(input, Float64Array.from(scores));
	};
}
