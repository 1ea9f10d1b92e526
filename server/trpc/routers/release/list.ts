import { z } from "zod";
import { ReleaseViewSchema } from "@/server/release/contract";
import { workspaceProcedure } from "../../init";

/** Releases with everything that each binds, newest first. */
export const list = workspaceProcedure("workspace.read")
	.output(z.array(ReleaseViewSchema))
	.query(({ ctx }) => ctx.services.release.list(ctx.workspace.id));
