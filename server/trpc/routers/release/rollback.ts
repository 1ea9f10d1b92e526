import { z } from "zod";
import { ReleaseTagSchema } from "@/server/release/contract";
import { workspaceProcedure } from "../../init";

const Input = z.object({
	target: z.union([ReleaseTagSchema, z.literal("base")]),
	reason: z.string().trim().min(3).max(2000),
	/** What the person typed: the target's name. */
	confirmation: z.string().max(40),
	/** Tree and current release that the preview showed. */
	treeId: z.string().regex(/^[0-9a-f]{40}$/),
	current: ReleaseTagSchema,
});

/** Goes back to exactly the files of a release, as a new release. */
export const rollback = workspaceProcedure("release.rollback")
	.input(Input)
	.output(z.object({ tag: z.string(), treeId: z.string() }))
	.mutation(({ ctx, input: { workspace: _slug, ...input } }) => ctx.services.release.rollback({ ...input, workspaceId: ctx.workspace.id, actor: ctx.user }));
