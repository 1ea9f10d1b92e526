import { sha256 } from "@/server/kernel/hash";
import type { Split, SplitShares } from "../contract";

const positionOf = (text: string): number => Number.parseInt(sha256(text).slice(0, 12), 16) / 2 ** 48;

/** Whether a group belongs to the share of a table that the training suite takes: by another hash than the split's. */
export const isForTraining = (groupKey: string, share: number): boolean => positionOf(`training/${groupKey}`) < share;

/** The split of a group: by a stable hash of its key, never by order, so that near-duplicates stay together and a second import agrees. */
export function assignSplit(groupKey: string, shares: SplitShares): Split {
	const position = positionOf(`split/${groupKey}`);
	if (position < shares.dev) return "dev";
	return position < shares.dev + shares.test ? "test" : "holdout";
}
