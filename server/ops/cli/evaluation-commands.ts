import { VariantSuiteSchema } from "@/server/evaluation/contract";
import { AugmentOptions, CompareOptions, EnvelopeFitOptions, EvaluateOptions, LoopOptions, readOptions } from "../commands/read-options";
import { type CommandLine, type Options, WHO_ACTS } from "./command-line";

/* Commands that measure a harness, and the loop that betters it. */

/** Runs of a harness, and of its variants. */
export function registerEvaluation({ command, finish, session }: CommandLine): void {
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
					const { evaluate } = await import("../commands/evaluate");
					const { evaluateVariants } = await import("../commands/evaluate-variants");
					return (await session())({ worker: "episodes" }, (open) => (suite.success ? evaluateVariants(open, suite.data, parsed) : evaluate(open, parsed)));
				})(),
			),
		);
}

/** Variants of a harness, and how far they go. */
export function registerVariants({ command, finish, session }: CommandLine): void {
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
					const { augmentHarness } = await import("../commands/augment");
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
					const { fitToHistory } = await import("../commands/augment");
					return (await session())({}, (open) => fitToHistory(open, parsed));
				})(),
			),
		);
}

/** Comparison and the loop. */
export function registerLoop({ command, finish, session }: CommandLine): void {
	command("compare <base> <run>", "compare two runs, paired by case")
		.option("--workspace <slug>", "to name runs by number (R-12)")
		.option("--fail-on <what>", "regressed: exit with 1 when a dimension regressed")
		.action((base: string, run: string, options: Options) =>
			finish(
				(async () => {
					const parsed = readOptions(CompareOptions, options);
					const { compare } = await import("../commands/evaluate");
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
					const { loop } = await import("../commands/loop");
					return (await session())({ worker: "everything", endsItself: true }, (open) => loop(open, parsed));
				})(),
			),
		);
}

/** The published series. */
export function registerPublished({ command, finish }: CommandLine): void {
	command("replay-published", "the published series through the same rules").action(() => finish(import("../commands/loop").then(({ replay }) => replay())));
}
