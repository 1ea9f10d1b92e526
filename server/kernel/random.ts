/** A deterministic source of randomness: the same seed gives the same sequence on every machine. */
export interface Random {
	/** Uniform in [0, 1). */
	next(): number;
	/** Uniform integer in [0, n). */
	int(n: number): number;
	/** One element; throws on an empty list. */
	pick<T>(items: readonly T[]): T;
	/** A shuffled copy (Fisher–Yates). */
	shuffle<T>(items: readonly T[]): T[];
}

/** FNV-1a, 32 bit: a stable number for a string. */
export function hash32(text: string): number {
	let h = 0x811c9dc5;
	for (let i = 0; i < text.length; i++) {
		h ^= text.charCodeAt(i);
		h = Math.imul(h, 0x01000193);
	}
	return h >>> 0;
}

/** Seeded generator (mulberry32). Strings are hashed, so that `${runSeed}/${caseId}` is a fine seed. */
export function createRandom(seed: number | string): Random {
	let state = typeof seed === "string" ? hash32(seed) | 0 : seed | 0;
	const next = () => {
		state = (state + 0x6d2b79f5) | 0;
		let t = state;
		t = Math.imul(t ^ (t >>> 15), t | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
	};
	const int = (n: number) => Math.floor(next() * n);
	return {
		next,
		int,
		pick<T>(items: readonly T[]): T {
			if (items.length === 0) throw new RangeError("pick from an empty list");
			return items[int(items.length)] as T;
		},
		shuffle<T>(items: readonly T[]): T[] {
			const copy = [...items];
			for (let i = copy.length - 1; i > 0; i--) {
				const j = int(i + 1);
				[copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
			}
			return copy;
		},
	};
}
