import { z } from "zod";
import { toOpenAiRecord, toOtlp } from "@/server/agent";
import { AppError } from "@/server/kernel/errors";
import { workspaceProcedure } from "../../init";

/** The trajectory of a run's episode as OpenTelemetry GenAI spans (OTLP JSON) or as an OpenAI chat record; JSON text. Holdout episodes are refused. */
export const episodeExport = workspaceProcedure("workspace.read")
	.input(z.object({ episodeId: z.string(), format: z.enum(["otel", "openai"]) }))
	.output(z.object({ fileName: z.string(), text: z.string() }))
	.query(async ({ ctx, input: { episodeId, format } }) => {
		const { harness: harnesses, evaluation } = ctx.services;
		const { trajectory, runId, row } = await evaluation.episode(ctx.workspace.id, episodeId);
		if (!trajectory) throw new AppError("precondition", "This result has no trajectory.", { reason: "episode-without-trajectory" });
		const run = await evaluation.get(ctx.workspace.id, runId);
		const harness = await harnesses.loadHarness(trajectory.treeId);
		const shared = {
			tools: harness.tools.map((tool) => tool.tool),
			skillBody: (name: string) => harness.skills.find((skill) => skill.name === name)?.body ?? null,
		};
		const value =
			format === "openai"
				? toOpenAiRecord(trajectory, shared)
				: toOtlp(trajectory, { ...shared, startedAt: run.startedAt ?? run.createdAt, episodeId, agentName: harness.name });
		return { fileName: `${row.caseKey}.${format}.json`, text: `${JSON.stringify(value)}\n` };
	});
