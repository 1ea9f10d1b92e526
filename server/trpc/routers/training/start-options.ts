import { z } from "zod";
import { TrainingOptionsSchema } from "@/server/training/contract";
import { workspaceProcedure } from "../../init";

/** What a training can be started with: versions of the envelope, branches, and the settings as they are by default. */
export const startOptions = workspaceProcedure("training.start")
	.output(
		z.object({
			envelopes: z.array(z.object({ version: z.number().int(), reason: z.string() })),
			branches: z.array(z.string()),
			defaults: TrainingOptionsSchema.required(),
			/** Whether the general data is on the machine; without it OPD is left out. */
			general: z.boolean(),
		}),
	)
	.query(async ({ ctx }) => {
		const { envelopes, harness, training } = ctx.services;
		const [versions, repository] = await Promise.all([envelopes.list(ctx.workspace.id), harness.repository(ctx.workspace.id).catch(() => null)]);
		return {
			envelopes: versions.map(({ version, reason }) => ({ version, reason })),
			branches: repository ? (await repository.branches()).map((branch) => branch.name) : [],
			...training.defaults(),
		};
	});
