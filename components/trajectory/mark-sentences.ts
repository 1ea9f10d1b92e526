import type { Evidence } from "@/server/judge/contract";

export interface Segment {
	text: string;
	/** down: what broke a rule; up: what met one. */
	tone: "up" | "down" | null;
}

/** Cuts a reply at the sentences that a verdict's evidence names. Where two overlap, what failed is shown. */
export function markSentences(reply: string, evidence: readonly Pick<Evidence, "sentence" | "ok">[]): Segment[] {
	const tones: Segment["tone"][] = new Array(reply.length).fill(null);
	for (const failed of [false, true])
		for (const { sentence, ok } of evidence) {
			if (!sentence || ok === failed) continue;
			for (let at = reply.indexOf(sentence); at >= 0; at = reply.indexOf(sentence, at + sentence.length))
				tones.fill(ok ? "up" : "down", at, at + sentence.length);
		}
	const segments: Segment[] = [];
	for (const [index, tone] of tones.entries()) {
		const last = segments.at(-1);
		if (last?.tone === tone) last.text += reply[index];
		else segments.push({ text: reply[index] ?? "", tone });
	}
	return segments;
}

/**
 * What decides between two verdicts on one case: in the better one the evidence that holds and did not before, in the worse
 * one the evidence that fails and did not before. Evidence is matched by its rubric item, else by its rule.
 */
export function decisiveEvidence(own: readonly Evidence[], other: readonly Evidence[]): Evidence[] {
	const keyOf = (evidence: Evidence) => (evidence.item === null ? `${evidence.kind} ${evidence.rule}` : String(evidence.item));
	const before = new Map(other.map((evidence) => [keyOf(evidence), evidence.ok]));
	const changed = own.filter((evidence) => before.get(keyOf(evidence)) !== evidence.ok);
	// A new kind of failure has no counterpart; what merely holds on one side without one is no news.
	return changed.filter((evidence) => !evidence.ok || before.has(keyOf(evidence)));
}
