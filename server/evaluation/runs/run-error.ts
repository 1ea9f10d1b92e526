import * as z from "zod";
import type { AppError } from "@/server/kernel/errors";

const StoredSchema = z.object({ message: z.string(), reason: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) });

/** Why a run failed: in English, and as slug and values of `errors.<reason>` for a screen; none where the text is of foreign origin. */
export interface RunError {
	error: string | null;
	errorReasons: { reason: string; params: Record<string, string | number> }[];
}

/** As the column holds it. */
export const storeRunError = ({ message, reason, params }: Pick<AppError, "message" | "reason" | "params">): string =>
	JSON.stringify({ message, reason, params });

/** Reads the column; a text that is no such record stands as it was written. Pure. */
export function readRunError(stored: string | null): RunError {
	if (stored === null) return { error: null, errorReasons: [] };
	try {
		const { message, reason, params } = StoredSchema.parse(JSON.parse(stored));
		return { error: message, errorReasons: [{ reason, params }] };
	} catch {
		return { error: stored, errorReasons: [] };
	}
}
