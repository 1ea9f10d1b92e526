import type { Flip } from "@/server/evaluation/contract";

/** One case that changed: its dimensions by direction, and each change. */
export interface CaseFlip extends Pick<Flip, "caseId" | "caseKey" | "category" | "message" | "beforeEpisodeId" | "afterEpisodeId"> {
	broken: Flip["dimension"][];
	fixed: Flip["dimension"][];
	changes: Pick<Flip, "dimension" | "before" | "after">[];
}

interface Flipped {
	dimensions: Record<string, { fixed: readonly string[]; broken: readonly string[] }>;
}

/** The ids of the cases that changed in any dimension. */
export const casesThatFlipped = ({ dimensions }: Flipped): Set<string> =>
	new Set(Object.values(dimensions).flatMap(({ fixed, broken }) => [...fixed, ...broken]));

/** Flips as one row a case, what broke first: that is what a reviewer has to see. Otherwise in the order given. */
export function flipsByCase(flips: readonly Flip[]): CaseFlip[] {
	const rows = new Map<string, CaseFlip>();
	for (const { dimension, change, before, after, ...of } of flips) {
		const row: CaseFlip = rows.get(of.caseId) ?? { ...of, broken: [], fixed: [], changes: [] };
		rows.set(of.caseId, row);
		row.changes.push({ dimension, before, after });
		if (change !== 0) row[change < 0 ? "broken" : "fixed"].push(dimension);
	}
	const all = [...rows.values()];
	return [...all.filter((row) => row.broken.length > 0), ...all.filter((row) => row.broken.length === 0)];
}
