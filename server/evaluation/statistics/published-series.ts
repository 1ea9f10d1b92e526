import type { CaseScore } from "../contract";

/** The published curve (evaluation.md): cases right and points of Effectiveness, of 483. */
export const PUBLISHED = {
	cases: 483,
	rounds: [
		{ name: "base", accuracy: 398, effectiveness: 421 },
		{ name: "Evo.1", accuracy: 445, effectiveness: 406.5 },
		{ name: "Evo.2", accuracy: 447, effectiveness: 448 },
		{ name: "Evo.3", accuracy: 442, effectiveness: 442 },
		{ name: "Evo.4", accuracy: 439, effectiveness: 434.5 },
	],
} as const;

/**
 * Case scores that give a total with the fewest discordant cases between any two totals: the first ⌊total⌋ cases score 1,
 * one may score ½, the rest 0. Two such rows differ in exactly ⌈|difference|⌉ cases where a ½ meets a whole, a lower
 * bound of what can have happened, and shown as such.
 */
export function reconstruct(round: { accuracy: number; effectiveness: number }, cases: number = PUBLISHED.cases): CaseScore[] {
	const score = (total: number, index: number) => Math.min(1, Math.max(0, total - index));
	return Array.from({ length: cases }, (_, index) => ({
		caseId: `case-${String(index + 1).padStart(3, "0")}`,
		category: "all",
		trials: 1,
		accuracy: score(round.accuracy, index),
		effectiveness: score(round.effectiveness, index),
	}));
}
