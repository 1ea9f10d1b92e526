import { z } from "zod";

export const TrainingId = z.object({ trainingId: z.string().min(1).max(60) });
