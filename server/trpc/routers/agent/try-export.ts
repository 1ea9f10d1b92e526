import { z } from "zod";
import { toOpenAiRecord, toOtlp } from "@/server/agent";
import { AppError } from "@/server/kernel/errors";
import { workspaceProcedure } from "../../init";

/** The trajectory of a finished try as OpenTelemetry GenAI spans (OTLP JSON) or as an OpenAI chat record; JSON text. */
export const tryExport = workspaceProcedure("harness.try")
	.input(z.object({ id: z.string(), format: z.enum(["otel", "openai"]) }))
	.output(z.object({ fileName: z.string(), text: z.string() }))
	.query(async ({ ctx, input }) => {
		const found = await ctx.services.tries.get({ workspaceId: ctx.workspace.id, userId: ctx.user.id }, input.id);
		const { trajectory, createdAt, treeId } = found;
		if (!trajectory) throw new AppError("precondition", "The try has no trajectory yet.", { reason: "try-not-over" });
		const harness = await ctx.services.harness.loadHarness(treeId);
		const skillBody = (name: string) => harness.skills.find((skill) => skill.name === name)?.body ?? null;
		const value =
			input.format === "openai"
				? toOpenAiRecord(trajectory, { tools: harness.tools.map((tool) => tool.tool), skillBody })
				: toOtlp(trajectory, { startedAt: createdAt, episodeId: input.id, agentName: harness.name, skillBody });
		return { fileName: `${input.id}.${input.format}.json`, text: `${JSON.stringify(value)}\n` };
	});
