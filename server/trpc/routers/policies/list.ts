import { z } from "zod";
import { PolicyVersionSchema } from "@/server/policies/contract";
import { workspaceProcedure } from "../../init";

const Output = z.object({
	versions: z.array(
		PolicyVersionSchema.pick({ id: true, name: true, kind: true, fingerprint: true, createdAt: true }).extend({ model: z.string().nullable() }),
	),
	currentId: z.string(),
});

/** All policy versions of a workspace, newest first, and which of them acts now. */
export const list = workspaceProcedure("workspace.read")
	.output(Output)
	.query(async ({ ctx }) => {
		const current = await ctx.services.policies.current(ctx.workspace.id);
		const versions = await ctx.services.policies.list(ctx.workspace.id);
		return { versions: versions.map(({ config, ...version }) => ({ ...version, model: config.model ?? null })), currentId: current.id };
	});
