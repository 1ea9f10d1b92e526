import { z } from "zod";
import { ScheduleSchema } from "@/server/triggers/contract";
import { workspaceProcedure } from "../../init";

/** The next times of a schedule that is being written. */
export const nextTimes = workspaceProcedure("rule.manage")
	.input(ScheduleSchema)
	.output(z.array(z.date()))
	.query(({ ctx, input: { cron, timeZone } }) => ctx.services.triggers.nextTimes({ cron, timeZone }));
