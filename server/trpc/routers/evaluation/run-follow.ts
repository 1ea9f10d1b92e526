import { tracked } from "@trpc/server";
import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { RunId } from "./inputs";

/** A run's progress, live, until it is over. For clients that follow one run; pages share `workspace.changes`. */
export const runFollow = workspaceProcedure("workspace.read")
	.input(RunId.extend({ lastEventId: z.string().nullish() }))
	.subscription(async function* ({ ctx, input, signal }) {
		const { id } = await ctx.services.evaluation.get(ctx.workspace.id, input.runId);
		for await (const _ of ctx.services.notifier.changes([`run:${id}`], signal ?? new AbortController().signal)) {
			const progress = await ctx.services.evaluation.progress(id);
			yield tracked(`${progress.status}-${progress.valid + progress.infraErrors}`, progress);
			if (progress.status === "done" || progress.status === "failed" || progress.status === "cancelled") return;
		}
	});
