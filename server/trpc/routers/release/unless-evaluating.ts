import { z } from "zod";
import { AppError } from "@/server/kernel/errors";

/** `tag` is null while the gate's runs are under way: ask again when they are done. */
export const ReleasedSchema = z.object({ tag: z.string().nullable() });

/** Runs that are under way are what a release waits for, no failure of it: whoever waits asks again and again. */
export async function unlessEvaluating(release: Promise<{ tag: string }>): Promise<z.infer<typeof ReleasedSchema>> {
	try {
		return await release;
	} catch (error) {
		if (error instanceof AppError && error.reason === "release-evaluating") return { tag: null };
		throw error;
	}
}
