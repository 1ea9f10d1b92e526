import path from "node:path";
import { Command, type CommanderError } from "commander";
import { VariantSuiteSchema } from "@/server/evaluation/contract";
import { env, setEnvironment } from "@/server/kernel/env";
import { AppError } from "@/server/kernel/errors";
import type { CommandResult } from "./ops/commands/output";
import { EXIT, printDocument, printError } from "./ops/commands/output";
import {
	AblationOptions,
	AdviceOptions,
	AugmentOptions,
	CompareOptions,
	EditTestOptions,
	EnvelopeFitOptions,
	EvaluateOptions,
	ExportCheckpointOptions,
	ImportCheckpointOptions,
	LoopOptions,
	PretrainOptions,
	RemoveCheckpointOptions,
	RoadsOptions,
	readOptions,
	SimulateOptions,
	TrainOptions,
	TriggersOptions,
} from "./ops/commands/read-options";

/*
 * `npm run -s studio -- <command>`: one JSON document on stdout, progress on stderr; exit code 0 done, 1 a check failed,
 * 2 bad use. Commands are loaded when they are called: `--help` starts nothing.
 */

setEnvironment({ STUDIO_LOG_LEVEL: process.argv.includes("--verbose") ? "info" : "error" });

const json = process.argv.includes("--json");
const program = new Command("studio")
	.description("Harness Evolution Studio from the command line")
	.exitOverride()
	// A bad use is said once, below, in the same form as any other error.
	.configureOutput({ outputError: () => undefined });

const WHO_ACTS = "compact (the embedded policy without a checkpoint), current (the policy in force), an endpoint's name, or a policy version";

type Options = Record<string, string | boolean | undefined>;

/** Adds the options that every command has, and prints what it returns. */
function command(usage: string, description: string) {
	return program
		.command(usage)
		.description(description)
		.option("--json", "print one JSON document, nothing else, on stdout")
		.option("--verbose", "log more on stderr");
}

async function finish(work: Promise<CommandResult>): Promise<never> {
	try {
		const { document, failed, unconfirmed } = await work;
		printDocument(document, json);
		return process.exit(unconfirmed ? EXIT.badUse : failed ? EXIT.failed : EXIT.done);
	} catch (error) {
		return process.exit(printError(error, json));
	}
}

const session = async () => (await import("./ops/session")).withSession;

command("doctor", "what this machine has, and how to mend what it lacks").action(() => finish(import("./ops/commands/doctor").then(({ doctor }) => doctor())));

command("validate <dir>", "all problems of a harness folder").action((dir: string) =>
	finish(import("./ops/commands/validate").then(({ validate }) => validate(dir))),
);

command("create-workspace <name>", "make a workspace from a folder or from a table of requests with replies")
	.option("--from-folder <dir>", "a folder as docs/workspace-format.md describes it")
	.option("--from-csv <file>", "a CSV or JSONL of requests; its categories become the workspace's")
	.option("--starter <dir>", "harness to start from with --from-csv")
	.option("--map <pairs>", "columns, e.g. message=instruction,category=intent,reference=response")
	.option("--draft-skills", "write one skill for each value of the skills column, one rule for each of its categories", false)
	.option("--training-share <share>", "of the table's groups: kept apart from dev, test and holdout as messages to train on", "0")
	.action((name: string, options: Options) =>
		finish(
			(async () => {
				const { createWorkspace } = await import("./ops/commands/import");
				return (await session())({}, (open) => createWorkspace(open, name, options as Parameters<typeof createWorkspace>[2]));
			})(),
		),
	);

command("delete-workspace <name>", "delete a workspace, its repositories and uploads for ever; without --yes only say what would go (exit code 2)")
	.option("--yes", "delete it: there is no way back but a backup", false)
	.option("--cancel", "first cancel what is under way (runs, trainings, ablations, diagnoses and edits, tries), and wait until it is over", false)
	.action((name: string, options: { yes: boolean; cancel: boolean }) =>
		finish(
			(async () => {
				const { deleteWorkspace } = await import("./ops/commands/delete-workspace");
				return (await session())({ endsItself: true }, (open) => deleteWorkspace(open, name, options));
			})(),
		),
	);

command("import-cases <file>", "import cases from CSV or JSONL; each bad row is listed with its reason")
	.requiredOption("--workspace <slug>", "the workspace")
	.option("--suite <key>", "the suite", "t1")
	.option("--map <pairs>", "columns, e.g. message=question,category=intent,reference=answer")
	.option("--encoding <name>", "encoding of the file", "auto")
	.option("--dry-run", "only say what would happen", false)
	.action((file: string, options: Options) =>
		finish(
			(async () => {
				const { importCases } = await import("./ops/commands/import");
				return (await session())({}, (open) => importCases(open, file, options as Parameters<typeof importCases>[2]));
			})(),
		),
	);

command("import-skills <source>", "check Agent Skills in a folder or zip, and with --into write them into a harness folder")
	.option("--into <dir>", "harness folder")
	.option("--strict", "reject what breaks a rule of the specification", false)
	.action((source: string, options: { into?: string; strict: boolean }) =>
		finish(import("./ops/commands/import").then(({ importSkillsFrom }) => importSkillsFrom(source, options))),
	);

command("import-tools <file>", "check an MCP tools/list result, and with --into write its tools into a harness folder")
	.option("--into <dir>", "harness folder")
	.option("--connection <name>", "the registered connection that the tools call", "mcp")
	.option("--strict", "reject what breaks a rule of the specification", false)
	.action((file: string, options: { into?: string; strict: boolean; connection: string }) =>
		finish(import("./ops/commands/import").then(({ importToolsFrom }) => importToolsFrom(file, options))),
	);

command("evaluate", "evaluate a harness: a ref, a commit, or a folder")
	.requiredOption("--workspace <slug>", "the workspace")
	.option("--suite <key>", "the suite; t2, t3-tool and t3-prompt run t1's cases under variants of the harness", "t1")
	.option("--variants <n>", "variants of the harness (t2, t3-tool, t3-prompt)", "5")
	.option("--split <split>", "dev or test", "dev")
	.option("--harness <what>", "ref, commit or folder", "main")
	.option("--policy <name>", WHO_ACTS, "compact")
	.option("--trials <n>", "repetitions of each case", "1")
	.option("--seed <n>", "seed", "1")
	.option("--no-cache", "ask the model again even where its answer is known")
	.option("--against <run>", "compare with this run")
	.option("--fail-on <what>", "regressed: exit with 1 when a dimension regressed against --against")
	.action((options: Options) =>
		finish(
			(async () => {
				const parsed = readOptions(EvaluateOptions, options);
				const suite = VariantSuiteSchema.safeParse(parsed.suite);
				const { evaluate } = await import("./ops/commands/evaluate");
				const { evaluateVariants } = await import("./ops/commands/evaluate-variants");
				return (await session())({ worker: "episodes" }, (open) => (suite.success ? evaluateVariants(open, suite.data, parsed) : evaluate(open, parsed)));
			})(),
		),
	);

command("augment", "a variant of a harness in which the same tasks can be done: its files, the mapping back, and what was done")
	.requiredOption("--workspace <slug>", "the workspace")
	.option("--harness <what>", "ref, commit or folder", "main")
	.option("--seed <n>", "seed", "1")
	.option("--words <book>", "transforms, or held-out: the paraphrases that no training sees", "transforms")
	.option("--envelope <file>", "an envelope as JSON; the workspace's own unless given")
	.option("--keep <file>", "what must survive, as JSON {skills, rules, tools}; everything unless given")
	.action((options: Options) =>
		finish(
			(async () => {
				const parsed = readOptions(AugmentOptions, options);
				const { augmentHarness } = await import("./ops/commands/augment");
				return (await session())({}, (open) => augmentHarness(open, parsed));
			})(),
		),
	);

command("fit-envelope", "the envelope of the edits that a branch's own commits made")
	.requiredOption("--workspace <slug>", "the workspace")
	.option("--harness <ref>", "branch, tag or commit", "main")
	.option("--commits <n>", "commits to look back, first parents only", "100")
	.action((options: Options) =>
		finish(
			(async () => {
				const parsed = readOptions(EnvelopeFitOptions, options);
				const { fitToHistory } = await import("./ops/commands/augment");
				return (await session())({}, (open) => fitToHistory(open, parsed));
			})(),
		),
	);

command("compare <base> <run>", "compare two runs, paired by case")
	.option("--workspace <slug>", "to name runs by number (R-12)")
	.option("--fail-on <what>", "regressed: exit with 1 when a dimension regressed")
	.action((base: string, run: string, options: Options) =>
		finish(
			(async () => {
				const parsed = readOptions(CompareOptions, options);
				const { compare } = await import("./ops/commands/evaluate");
				return (await session())({}, (open) => compare(open, base, run, parsed));
			})(),
		),
	);

command("loop", "run the whole loop without a person")
	.requiredOption("--workspace <slug>", "the workspace")
	.option("--rounds <n>", "rounds at most", "3")
	.option("--seed <n>", "seed", "1")
	.option("--policy <name>", WHO_ACTS, "compact")
	.option("--unattended", "say that nobody looks at what lands", false)
	.option("--release", "release what the rule recommends, if its gate passes", false)
	.option("--control <what>", "shuffled-findings: the control experiment")
	.action((options: Options) =>
		finish(
			(async () => {
				const parsed = readOptions(LoopOptions, options);
				const { loop } = await import("./ops/commands/loop");
				return (await session())({ worker: "everything", endsItself: true }, (open) => loop(open, parsed));
			})(),
		),
	);

command("advantages", "GDPO advantages of rewarded samples: per dimension, summed, batch-normalised, and what is dropped")
	.requiredOption("--file <rows>", "JSON list of {group, rewards: {accuracy, effectiveness, skill, tool}}")
	.action((options: { file: string }) => finish(import("./ops/commands/advantages").then(async ({ advantages }) => advantages(options.file))));

command("train", "train the compact policy on a workspace's dev cases; the checkpoint becomes a policy version")
	.requiredOption("--workspace <slug>", "the workspace")
	.option("--recipe <name>", "hat: under variants of the harness; fixed: under the harness alone", "hat")
	.option("--seed <n>", "seed", "1")
	.option("--harness <what>", "ref or commit", "main")
	.action((options: Options) =>
		finish(
			(async () => {
				const parsed = readOptions(TrainOptions, options);
				const { train } = await import("./ops/commands/train");
				return (await session())({ worker: "everything" }, (open) => train(open, parsed));
			})(),
		),
	);

command("import-checkpoint <file>", "take a checkpoint that was made elsewhere; it becomes a policy version")
	.requiredOption("--workspace <slug>", "the workspace")
	.option("--name <name>", "of the policy version; the file's own unless given")
	.action((file: string, options: Options) =>
		finish(
			(async () => {
				const parsed = readOptions(ImportCheckpointOptions, { name: path.parse(file).name, ...options });
				const { importCheckpoint } = await import("./ops/commands/checkpoint");
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
				const { exportCheckpoint } = await import("./ops/commands/checkpoint");
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
				const { removeCheckpoint } = await import("./ops/commands/checkpoint");
				return (await session())({}, (open) => removeCheckpoint(open, parsed));
			})(),
		),
	);

command("retrain-advice", "edit or retrain? the advice with its evidence, what would change it, and what became of earlier advice")
	.requiredOption("--workspace <slug>", "the workspace")
	.action((options: Options) =>
		finish(
			(async () => {
				const parsed = readOptions(AdviceOptions, options);
				const { retrainAdvice } = await import("./ops/commands/retrain-advice");
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
				const { hatAblation } = await import("./ops/commands/hat-ablation");
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
				const { harnessEditTest } = await import("./ops/commands/harness-edit-test");
				return (await session())(parsed.after === undefined ? { worker: "everything" } : {}, (open) => harnessEditTest(open, parsed));
			})(),
		),
	);

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
				const { hatRoads } = await import("./ops/commands/hat-roads");
				return (await session())(parsed.after === undefined ? { worker: "everything" } : {}, (open) => hatRoads(open, parsed));
			})(),
		),
	);

command("hat-report <file>", "print measured figures into a page, from the JSON files that it names")
	.option("--check", "write nothing; fail when the page says something else than its files", false)
	.action((file: string, options: { check: boolean }) =>
		finish(import("./ops/commands/hat-report").then(async ({ hatReport }) => hatReport(file, options.check))),
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
				const { simulate } = await import("./ops/commands/simulate-viewers");
				return (await session())({}, (open) => simulate(open, parsed));
			})(),
		),
	);

command("triggers <act>", "dry-run: for each event of the last days, what each rule would have done, and why; nothing is done")
	.requiredOption("--workspace <slug>", "the workspace")
	.option("--rule <rule>", "one rule by its key, name or id; all unless given")
	.option("--days <n>", "days to look back, 1 to 90", "30")
	.action((act: string, options: Options) =>
		finish(
			(async () => {
				if (act !== "dry-run") throw new AppError("bad-input", `There is no act “${act}”.`, { reason: "bad-options", fix: "Use: triggers dry-run." });
				const parsed = readOptions(TriggersOptions, options);
				const { dryRunTriggers } = await import("./ops/commands/triggers");
				return (await session())({}, (open) => dryRunTriggers(open, parsed));
			})(),
		),
	);

command("pretrain", "reproduce the compact policy's base checkpoint from a seed and a folder of general data")
	.option("--data <dir>", "folder with bfcl, agent-skills and mcp-tools; STUDIO_TEST_DATA unless given")
	.option("--seed <n>", "seed", "1")
	.option("--out <file>", "where to write the checkpoint; only measured where left out")
	.action((options: Options) =>
		finish(
			import("./ops/commands/pretrain").then(async ({ pretrainBase }) =>
				pretrainBase(readOptions(PretrainOptions, { data: env().STUDIO_TEST_DATA, ...options })),
			),
		),
	);

command("replay-published", "the published series through the same rules").action(() => finish(import("./ops/commands/loop").then(({ replay }) => replay())));

command("create-admin <email>", "make the first admin of every workspace; prints a one-time password")
	.option("--name <name>", "the person's name", "Admin")
	.option("--reset", "a new one-time password for a person who exists already", false)
	.action((email: string, options: { name: string; reset: boolean }) =>
		finish(
			(async () => {
				const { createAdmin } = await import("./ops/commands/create-admin");
				return (await session())({}, (open) => createAdmin(open, email, options));
			})(),
		),
	);

try {
	await program.parseAsync();
} catch (error) {
	const { exitCode, code, message } = error as CommanderError;
	if (exitCode === 0) process.exit(EXIT.done); // help was asked for
	const said = code === "commander.help" ? "Which command?" : message.replace(/^error: /, "");
	process.exit(printError(new AppError("bad-input", said, { reason: "bad-options", fix: "See --help." }), json));
}
