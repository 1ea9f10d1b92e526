import path from "node:path";
import { env } from "@/server/kernel/env";
import {
	AblationOptions,
	AdviceOptions,
	EditTestOptions,
	ExportCheckpointOptions,
	ImportCheckpointOptions,
	PretrainOptions,
	RemoveCheckpointOptions,
	RoadsOptions,
	readOptions,
	SimulateOptions,
	TrainOptions,
} from "../commands/read-options";
import type { CommandLine, Options } from "./command-line";

/* Commands about the compact policy: training, checkpoints, and what they are worth. */

/** Training, and what its rewards come to. */
export function registerTraining({ command, finish, session }: CommandLine): void {
	command("advantages", "GDPO advantages of rewarded samples: per dimension, summed, batch-normalised, and what is dropped")
		.requiredOption("--file <rows>", "JSON list of {group, rewards: {accuracy, effectiveness, skill, tool}}")
		.action((options: { file: string }) => finish(import("../commands/advantages").then(async ({ advantages }) => advantages(options.file))));

	command("train", "train the compact policy on a workspace's dev cases; the checkpoint becomes a policy version")
		.requiredOption("--workspace <slug>", "the workspace")
		.option("--recipe <name>", "hat: under variants of the harness; fixed: under the harness alone", "hat")
		.option("--seed <n>", "seed", "1")
		.option("--harness <what>", "ref or commit", "main")
		.action((options: Options) =>
			finish(
				(async () => {
					const parsed = readOptions(TrainOptions, options);
					const { train } = await import("../commands/train");
					return (await session())({ worker: "everything" }, (open) => train(open, parsed));
				})(),
			),
		);
}

/** Checkpoints in, out and away. */
export function registerCheckpoints({ command, finish, session }: CommandLine): void {
	command("import-checkpoint <file>", "take a checkpoint that was made elsewhere; it becomes a policy version")
		.requiredOption("--workspace <slug>", "the workspace")
		.option("--name <name>", "of the policy version; the file's own unless given")
		.action((file: string, options: Options) =>
			finish(
				(async () => {
					const parsed = readOptions(ImportCheckpointOptions, { name: path.parse(file).name, ...options });
					const { importCheckpoint } = await import("../commands/checkpoint");
					return (await session())({}, (open) => importCheckpoint(open, file, parsed));
				})(),
			),
		);

	command("export-checkpoint", "write the checkpoint of a policy version to a file")
		.requiredOption("--workspace <slug>", "the workspace")
		.requiredOption("--policy <name>", "the policy version")
		.option("--out <file>", "where to; named as the version unless given")
		.action((options: Options) =>
			finish(
				(async () => {
					const parsed = readOptions(ExportCheckpointOptions, options);
					const { exportCheckpoint } = await import("../commands/checkpoint");
					return (await session())({}, (open) => exportCheckpoint(open, parsed));
				})(),
			),
		);

	command(
		"remove-checkpoint",
		"remove an imported checkpoint that no run, release, evolution or training refers to; without --yes only say whether it can go (exit code 2)",
	)
		.requiredOption("--workspace <slug>", "the workspace")
		.requiredOption("--policy <name>", "the policy version")
		.option("--yes", "remove it: there is no way back but the file", false)
		.action((options: Options) =>
			finish(
				(async () => {
					const parsed = readOptions(RemoveCheckpointOptions, options);
					const { removeCheckpoint } = await import("../commands/checkpoint");
					return (await session())({}, (open) => removeCheckpoint(open, parsed));
				})(),
			),
		);
}

/** What training is worth, and when it is due. */
export function registerStudies({ command, finish, session }: CommandLine): void {
	command("retrain-advice", "edit or retrain? the advice with its evidence, what would change it, and what became of earlier advice")
		.requiredOption("--workspace <slug>", "the workspace")
		.action((options: Options) =>
			finish(
				(async () => {
					const parsed = readOptions(AdviceOptions, options);
					const { retrainAdvice } = await import("../commands/retrain-advice");
					return (await session())({}, (open) => retrainAdvice(open, parsed));
				})(),
			),
		);

	command("hat-ablation", "train and measure every recipe and stage on the test cases, and say which claims of the report appear")
		.requiredOption("--workspace <slug>", "the workspace")
		.option("--seeds <n>", "seeds", "3")
		.option("--harness <what>", "ref or commit", "main")
		.option("--split <split>", "measured on: test, or dev to try settings out", "test")
		.option("--cases <n>", "at most so many cases")
		.option("--jobs <n>", "processes; one for each processor unless given")
		.option("--keep <dir>", "keep finished parts there, and go on from those that are there")
		.option("--part <part>", "only this part, as rows (what each of the processes does), e.g. 1:hat")
		.action((options: Options) =>
			finish(
				(async () => {
					const parsed = readOptions(AblationOptions, options);
					const { hatAblation } = await import("../commands/hat-ablation");
					return (await session())({}, (open) => hatAblation(open, parsed));
				})(),
			),
		);

	command("harness-edit-test", "how many errors each policy loses under an edited harness that no training saw")
		.requiredOption("--workspace <slug>", "the workspace")
		.option("--before <what>", "the harness that policies are trained under: ref or commit", "main")
		.option("--after <what>", "what it became; evolved on dev by the loop unless given (the workspace must allow unattended loops)")
		.option("--rounds <n>", "rounds of the loop at most", "3")
		.option("--seeds <n>", "seeds", "3")
		.option("--split <split>", "measured on: test, or dev to try settings out", "test")
		.option("--cases <n>", "at most so many cases")
		.action((options: Options) =>
			finish(
				(async () => {
					const parsed = readOptions(EditTestOptions, options);
					const { harnessEditTest } = await import("../commands/harness-edit-test");
					return (await session())(parsed.after === undefined ? { worker: "everything" } : {}, (open) => harnessEditTest(open, parsed));
				})(),
			),
		);
}

/** One training beside the other roads, and the page of figures. */
export function registerReports({ command, finish, session }: CommandLine): void {
	command("hat-roads", "one HAT training used unchanged, beside retraining after every edit and adapting at test time: quality, latency, cost")
		.requiredOption("--workspace <slug>", "the workspace")
		.option("--before <what>", "the harness that the history begins with: ref or commit", "main")
		.option("--after <what>", "what it became; evolved on dev by the loop unless given (the workspace must allow unattended loops)")
		.option("--rounds <n>", "rounds of the loop at most", "3")
		.option("--edits <n>", "edits measured, evenly apart where there are more; each is a training", "4")
		.option("--seeds <n>", "seeds", "1")
		.option("--split <split>", "measured on: test, or dev to try settings out", "test")
		.option("--cases <n>", "at most so many cases")
		.action((options: Options) =>
			finish(
				(async () => {
					const parsed = readOptions(RoadsOptions, options);
					const { hatRoads } = await import("../commands/hat-roads");
					return (await session())(parsed.after === undefined ? { worker: "everything" } : {}, (open) => hatRoads(open, parsed));
				})(),
			),
		);

	command("hat-report <file>", "print measured figures into a page, from the JSON files that it names")
		.option("--check", "write nothing; fail when the page says something else than its files", false)
		.action((file: string, options: { check: boolean }) =>
			finish(import("../commands/hat-report").then(async ({ hatReport }) => hatReport(file, options.check))),
		);

	command("simulate-viewers", "messages of simulated viewers, for training alone: they never enter dev, test or holdout of a suite that measures")
		.requiredOption("--workspace <slug>", "the workspace")
		.option("--count <n>", "messages", "1000")
		.option("--seed <n>", "seed", "1")
		.option("--no-model", "only the workspace's own ways to ask, also where an editing endpoint could write more")
		.option("--dry-run", "only say what would be stored", false)
		.action((options: Options) =>
			finish(
				(async () => {
					const parsed = readOptions(SimulateOptions, options);
					const { simulate } = await import("../commands/simulate-viewers");
					return (await session())({}, (open) => simulate(open, parsed));
				})(),
			),
		);
}

/** The base checkpoint. */
export function registerPretraining({ command, finish }: CommandLine): void {
	command("pretrain", "reproduce the compact policy's base checkpoint from a seed and a folder of general data")
		.option("--data <dir>", "folder with bfcl, agent-skills and mcp-tools; STUDIO_TEST_DATA unless given")
		.option("--seed <n>", "seed", "1")
		.option("--out <file>", "where to write the checkpoint; only measured where left out")
		.action((options: Options) =>
			finish(
				import("../commands/pretrain").then(async ({ pretrainBase }) =>
					pretrainBase(readOptions(PretrainOptions, { data: env().STUDIO_TEST_DATA, ...options })),
				),
			),
		);
}
