import { z } from "zod";

export const TrainingId = z.object({ trainingId: z.string().min(1).max(60) });

export const AblationId = z.object({ ablationId: z.string().min(1).max(60) });

export const PolicyVersionId = z.object({ policyVersionId: z.string().min(1).max(60) });
