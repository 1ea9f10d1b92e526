import { z } from "zod";
import { workspaceProcedure } from "../../init";

/** Policy versions that act with a checkpoint which no training here made: they came with the workspace, or from a file. */
export const checkpoints = workspaceProcedure("workspace.read")
	.output(z.array(z.object({ id: z.string(), name: z.string(), createdAt: z.date(), initial: z.boolean() })))
	.query(async ({ ctx }) => {
		const { policies, training } = ctx.services;
		const [versions, trained] = await Promise.all([policies.list(ctx.workspace.id), training.trainedPolicies(ctx.workspace.id)]);
		return versions
			.filter(({ id, kind }) => kind === "checkpoint" && !trained.has(id))
			.map(({ id, name, createdAt, config }) => ({ id, name, createdAt, initial: config.initial ?? false }));
	});
