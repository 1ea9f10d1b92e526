import type { TryStatus } from "./contract";

/** Whether nothing more will happen to a try. */
export const isTryOver = (status: TryStatus): boolean => status === "done" || status === "failed" || status === "cancelled";
