import { coverage, encodeText, weighFeatures } from "@/server/compact";

/** Messages must share this much more with their own group's replies than with other replies. */
const LIFT = 2;
/** As many other replies tell as much as all of them. */
const MAX_OTHERS = 60;

/**
 * Whether replies belong to the messages that they are given for: people's questions and right answers share words. Where
 * they do not, more than replies to something else would, a rule learnt from the pair would send messages to an answer that
 * is not theirs. The average of all pairs is compared, so that one terse message decides nothing.
 */
export function repliesFitMessages(pairs: readonly { message: string; reply: string }[], others: readonly string[]): boolean {
	if (others.length === 0) return true;
	const step = Math.max(1, Math.floor(others.length / MAX_OTHERS));
	const sample = others.filter((_, i) => i % step === 0);
	const weights = weighFeatures([...sample, ...pairs.map((pair) => pair.reply)]);
	let own = 0;
	let elsewhere = 0;
	for (const { message, reply } of pairs) {
		own += coverage(encodeText(reply), message, weights);
		let sum = 0;
		for (const other of sample) sum += coverage(encodeText(other), message, weights);
		elsewhere += sum / sample.length;
	}
	return own > LIFT * elsewhere;
}
