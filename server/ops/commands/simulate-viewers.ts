import type { z } from "zod";
import { bufferSource } from "@/server/evaluation";
import { TRAINING_SUITE } from "@/server/evaluation/contract";
import { AppError } from "@/server/kernel/errors";
import { askByModel, countWays, simulateViewers } from "@/server/simulator";
import { SERVICE_ACTORS } from "@/server/workspace/contract";
import type { Session } from "../session";
import { type CommandResult, progress } from "./output";
import type { SimulateOptions } from "./read-options";

const SAMPLE = 20;

/** `simulate-viewers`: messages of simulated viewers, checked as any case and kept in the training suite alone. Fails where one was rejected for another reason than being near a case of test or holdout. */
export async function simulate(session: Session, { workspace, count, seed, model, dryRun }: z.infer<typeof SimulateOptions>): Promise<CommandResult> {
	const { services } = session;
	const { id: workspaceId, bundleId } = await session.workspace(workspace);
	const { viewers: own } = await services.simulator.loadBundle(bundleId);
	if (!own)
		throw new AppError("precondition", `The workspace ${workspace} says nothing of its viewers.`, {
			reason: "viewers-missing",
			fix: "Add the folder viewers as docs/workspace-format.md describes it, and import the workspace again.",
		});
	const writer = model ? await services.models.provider.forRole(workspaceId, "editing") : null;
	const viewers = writer ? await askByModel(own, writer, session.signal, (done) => progress(`ways to ask: ${done}/${own.goals.length} goals`)) : own;
	const cases = simulateViewers(viewers, count, seed);
	const source = bufferSource(cases.map((one) => JSON.stringify(one)).join("\n"), `viewers-${seed}.jsonl`);
	const target = { workspaceId, suiteKey: TRAINING_SUITE, suiteTitle: { en: "Training messages", zh: "训练消息" } };
	const options = { format: "jsonl" as const, encoding: "utf-8" };
	const report = dryRun
		? await services.evaluation.dryRunImport(target, source, options)
		: await services.evaluation.importCases(target, source, SERVICE_ACTORS.system, options);
	const near = report.rejected.filter((row) => row.phrase?.id === "near-duplicate-elsewhere").length;
	const byGoal = new Map<string, number>();
	for (const one of cases) for (const tag of one.tags) if (tag.startsWith("goal:")) byGoal.set(tag, (byGoal.get(tag) ?? 0) + 1);
	return {
		document: {
			simulated: cases.length,
			/** Which model wrote further ways to ask, and how many could be used; null where the workspace's own are all. */
			writtenBy: writer && { model: writer.describe().name, ways: countWays(viewers) - countWays(own) },
			accepted: report.accepted,
			/** Left out since test or holdout has something like it. */
			nearTest: near,
			rejected: report.rejected.filter((row) => row.phrase?.id !== "near-duplicate-elsewhere").slice(0, SAMPLE),
			splits: report.splits,
			categories: report.categories,
			fewestOfAGoal: Math.min(...byGoal.values()),
			sample: cases.slice(0, SAMPLE).map(({ message, history, tags }) => ({ message, turns: history.length, tags })),
		},
		failed: report.rejectedTotal > near,
	};
}
