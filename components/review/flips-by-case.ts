import type { Flip } from "@/server/evaluation/contract";

/** One case that changed: its dimensions by direction. */
export interface CaseFlip {
	caseId: string;
	caseKey: string;
	message: string;
	afterEpisodeId: string | null;
	broken: Flip["dimension"][];
	fixed: Flip["dimension"][];
}

/** Flips as one row a case, what broke first: that is what a reviewer has to see. Otherwise in the order given. */
export function flipsByCase(flips: readonly Flip[]): CaseFlip[] {
	const rows = new Map<string, CaseFlip>();
	for (const { caseId, caseKey, message, afterEpisodeId, dimension, change } of flips) {
		const row = rows.get(caseId) ?? { caseId, caseKey, message, afterEpisodeId, broken: [], fixed: [] };
		rows.set(caseId, row);
		if (change !== 0) row[change < 0 ? "broken" : "fixed"].push(dimension);
	}
	const all = [...rows.values()];
	return [...all.filter((row) => row.broken.length > 0), ...all.filter((row) => row.broken.length === 0)];
}
