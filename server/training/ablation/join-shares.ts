import { AppError } from "@/server/kernel/errors";
import type { AblationDocument } from "../ablation.contract";
import type { AblationResult } from "./perform-ablation";
import { type AblationPart, ANY_SEED } from "./run-ablation";
import { summariseAblation } from "./summarise-ablation";

/** What one process made, with the processor time that it took. */
export interface AblationShare extends AblationResult {
	cpuSeconds: number;
}

export const nameOfPart = ({ seed, recipe }: AblationPart) => `${seed}:${recipe}`;

/** Every part of the table, a whole seed after the other: what is there when a run is stopped can be read. */
export function planParts(seeds: number): AblationPart[] {
	const all = Array.from({ length: seeds }, (_value, i) => i + 1);
	const of = (seed: number, ...recipes: AblationPart["recipe"][]) => recipes.map((recipe): AblationPart => ({ seed, recipe }));
	const main = all.flatMap((seed) => of(seed, "hat", "fixed"));
	return [...main.slice(0, 2), ...of(ANY_SEED, "untrained"), ...main.slice(2), ...all.flatMap((seed) => of(seed, "hat-other", "fixed-other"))];
}

function requireSame(shares: readonly AblationShare[]): AblationResult["about"] {
	const [first, ...rest] = shares.map(({ about }) => JSON.stringify(sorted(about)));
	if (first === undefined || rest.some((about) => about !== first))
		throw new AppError("bad-input", "The parts that were kept are about another harness, envelope or other cases.", {
			reason: "ablation-part",
			fix: "Give another folder to --keep.",
		});
	return (shares[0] as AblationShare).about;
}

/** The same whatever order its keys came back in. */
function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (value === null || typeof value !== "object") return value;
	return Object.fromEntries(
		Object.entries(value)
			.sort(([a], [b]) => (a < b ? -1 : 1))
			.map(([key, own]) => [key, sorted(own)]),
	);
}

/** Parts of one ablation as the document that is shown, stored and printed. Throws `bad-input` when they are about something else than each other. */
export function joinShares(
	shares: readonly AblationShare[],
	{ wallSeconds, ...asked }: Pick<AblationDocument, "workspace" | "seeds" | "split"> & { wallSeconds: number },
): AblationDocument {
	const { groups, workspaceId: _workspaceId, ...about } = requireSame(shares);
	const rows = shares.flatMap((share) => share.rows).sort((a, b) => a.seed - b.seed);
	const cpu = shares.reduce((sum, share) => sum + share.cpuSeconds, 0);
	return { ...about, ...asked, seconds: { wall: Math.round(wallSeconds), cpu: Math.round(cpu) }, ...summariseAblation(rows, groups) };
}
