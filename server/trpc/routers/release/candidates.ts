import { z } from "zod";
import { ReleaseCandidateSchema } from "@/server/release/contract";
import { workspaceProcedure } from "../../init";

/** Closed rounds of all evolutions whose files are not live, the newest first. */
export const candidates = workspaceProcedure("workspace.read")
	.output(z.array(ReleaseCandidateSchema))
	.query(({ ctx }) => ctx.services.release.candidates(ctx.workspace.id));
