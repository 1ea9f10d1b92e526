import { sha256 } from "@/server/kernel/hash";
import type { Split, SplitShares } from "../contract";

/** The split of a group: by a stable hash of its key, never by order, so that near-duplicates stay together and a second import agrees. */
export function assignSplit(groupKey: string, shares: SplitShares): Split {
	const position = Number.parseInt(sha256(`split/${groupKey}`).slice(0, 12), 16) / 2 ** 48;
	if (position < shares.dev) return "dev";
	return position < shares.dev + shares.test ? "test" : "holdout";
}
