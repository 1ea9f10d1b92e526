import { z } from "zod";
import { TriggerContentSchema } from "@/server/triggers/contract";

/** A trigger in the version that the person saw. */
export const SeenInput = z.object({ id: z.string().min(1).max(60), version: z.number().int().min(1), reason: z.string().trim().max(500).optional() });

export const DecideInput = z.object({ id: z.string().min(1).max(60), note: z.string().trim().max(2_000).optional() });

/** One that is saved (`id`), or is still being written. */
export const DryRunInput = z.object({
	days: z.number().int().min(1).max(90).default(30),
	trigger: z.object({ id: z.string().max(60).nullable().default(null), name: z.string().max(120).default(""), content: TriggerContentSchema }),
});
