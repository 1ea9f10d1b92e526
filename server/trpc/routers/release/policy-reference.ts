import { z } from "zod";
import type { Services } from "@/server/composition";

export const PolicyReference = z.object({ policyVersionId: z.string().min(1).max(80) });

/** The version's id if it is one of this workspace's; throws `not-found` otherwise. */
export async function policyOf(ctx: { services: Services; workspace: { id: string } }, { policyVersionId }: z.infer<typeof PolicyReference>): Promise<string> {
	return (await ctx.services.policies.find(ctx.workspace.id, policyVersionId)).id;
}
