import { z } from "zod";
import { HarnessKindSchema, type WorkbenchKey } from "@/server/harness/contract";
import type { WorkspaceContext } from "@/server/trpc/init";

/** Which harness of a workspace, and which branch of it. */
export const target = { kind: HarnessKindSchema.default("agent"), branch: z.string().min(1).max(200).default("main") };

export const Revision = z.string().min(1).max(200);
export const Component = z.templateLiteral([z.enum(["skill", "tool", "prompt", "hook", "manifest"]), ":", z.string().min(1).max(120)]);

/** A person's draft on a branch. */
export function draftKey(ctx: { user: { id: string }; workspace: WorkspaceContext }, input: { kind: "agent" | "judge"; branch: string }): WorkbenchKey {
	return { workspaceId: ctx.workspace.id, userId: ctx.user.id, kind: input.kind, branch: input.branch };
}

export const authorOf = (ctx: { user: { name: string; email: string } }) => ({ name: ctx.user.name, email: ctx.user.email });
