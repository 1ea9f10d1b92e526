import { z } from "zod";
import { PersonSchema } from "@/server/auth/contract";
import { workspaceProcedure } from "../../init";

export const peopleList = workspaceProcedure("people.manage")
	.output(z.array(PersonSchema))
	.query(({ ctx }) => ctx.services.auth.listPeople(ctx.workspace.id, ctx.user.id));
