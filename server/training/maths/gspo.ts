/** Settings of ours, from the probe: an upper bound that is wider than the lower one. */
export const CLIP = { low: 0.2, high: 0.28 } as const;

/** One sampled sequence: log-probabilities of its tokens (for the compact policy: of its decisions). */
export interface SampledSequence {
	/** log π of what is trained now. */
	logProbabilities: readonly number[];
	/** log π_old of what sampled. */
	oldLogProbabilities: readonly number[];
	/** One advantage for the whole sequence, or one a token. */
	advantages: number | readonly number[];
	/** 1 counts, 0 is left out; all 1 unless given. */
	mask?: readonly number[];
}

export interface SequenceLoss {
	/** The ratio s of the sequence. */
	ratio: number;
	loss: number;
	/** Whether the clip held some of the sequence's tokens. */
	clipped: boolean;
	/** d(mean loss) / d(log π) of every token. */
	gradient: number[];
}

export interface GspoResult {
	/** Mean over the sequences. */
	loss: number;
	/** Share of sequences that the clip held. */
	clipShare: number;
	sequences: SequenceLoss[];
}

function sequenceLoss(sequence: SampledSequence, clip: { low: number; high: number }, share: number): SequenceLoss {
	const { logProbabilities: now, oldLogProbabilities: old, advantages } = sequence;
	if (now.length !== old.length) throw new RangeError("A sequence needs as many old log-probabilities as new ones.");
	const mask = sequence.mask ?? now.map(() => 1);
	const count = Math.max(
		mask.reduce((sum, m) => sum + m, 0),
		1,
	);
	const ratio = Math.exp(now.reduce((sum, value, i) => sum + (mask[i] as number) * (value - (old[i] as number)), 0) / count);
	const bounded = Math.min(Math.max(ratio, 1 - clip.low), 1 + clip.high);
	let loss = 0;
	let slope = 0;
	let clipped = false;
	for (let i = 0; i < now.length; i++) {
		const advantage = typeof advantages === "number" ? advantages : (advantages[i] as number);
		const m = mask[i] as number;
		const free = -advantage * ratio;
		const held = -advantage * bounded;
		loss += (m * Math.max(free, held)) / count;
		// Where the held value is larger it does not depend on the ratio.
		if (free >= held) slope -= (m * advantage * ratio) / count;
		else if (m !== 0) clipped = true;
	}
	return { ratio, loss, clipped, gradient: mask.map((m) => (share * slope * m) / count) };
}

/**
 * GSPO: s = exp(Σ m (log π − log π_old) / max(Σ m, 1)) for each sequence, loss max(−A s, −A clip(s, 1 − ε_lo, 1 + ε_hi))
 * with A per token and the ratio per sequence, mean over a sequence's tokens, then over sequences; with its gradient.
 * Source: arXiv 2507.18071 (sequence-level ratio), used by the report. Throws RangeError for lists of unequal length.
 */
export function gspoLoss(sequences: readonly SampledSequence[], clip: { low: number; high: number } = CLIP): GspoResult {
	if (sequences.length === 0) return { loss: 0, clipShare: 0, sequences: [] };
	const losses = sequences.map((sequence) => sequenceLoss(sequence, clip, 1 / sequences.length));
	return {
		loss: losses.reduce((sum, { loss }) => sum + loss, 0) / losses.length,
		clipShare: losses.filter(({ clipped }) => clipped).length / losses.length,
		sequences: losses,
	};
}
