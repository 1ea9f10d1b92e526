import { z } from "zod";
import { BookNameSchema } from "@/server/augmentation/contract";
import { AppError } from "@/server/kernel/errors";

const SPLIT = z.enum(["dev", "test"], { error: "dev or test (the holdout is read by release gates only)" });
const integer = (low: number, high: number) => {
	const error = `a whole number from ${low} to ${high}`;
	return z.coerce.number({ error }).int(error).min(low, error).max(high, error);
};

export const EvaluateOptions = z.object({
	workspace: z.string().min(1),
	suite: z.string().min(1).default("t1"),
	split: SPLIT.default("dev"),
	harness: z.string().min(1).default("main"),
	policy: z.string().min(1).default("compact"),
	trials: integer(1, 20).default(1),
	/** Of the suites under variants: how many variants of the harness. */
	variants: integer(1, 20).default(5),
	seed: integer(0, 2 ** 31 - 1).default(1),
	cache: z.boolean().default(true),
	/** Compare with this run, and fail on a regression. */
	against: z.string().optional(),
	failOn: z.enum(["regressed"], { error: "regressed" }).optional(),
});

export const CompareOptions = z.object({
	workspace: z.string().min(1).optional(),
	failOn: z.enum(["regressed"], { error: "regressed" }).optional(),
});

export const AugmentOptions = z.object({
	workspace: z.string().min(1),
	harness: z.string().min(1).default("main"),
	seed: integer(0, 2 ** 31 - 1).default(1),
	words: BookNameSchema.default("transforms"),
	envelope: z.string().optional(),
	keep: z.string().optional(),
});

export const EnvelopeFitOptions = z.object({
	workspace: z.string().min(1),
	harness: z.string().min(1).default("main"),
	commits: integer(2, 500).default(100),
});

export const LoopOptions = z.object({
	workspace: z.string().min(1),
	rounds: integer(1, 10).default(3),
	seed: integer(0, 2 ** 31 - 1).default(1),
	policy: z.string().min(1).default("compact"),
	unattended: z.boolean().default(false),
	release: z.boolean().default(false),
	control: z.enum(["shuffled-findings"], { error: "shuffled-findings" }).optional(),
});

export const TrainOptions = z.object({
	workspace: z.string().min(1),
	recipe: z.enum(["hat", "fixed"], { error: "hat or fixed" }).default("hat"),
	seed: integer(0, 2_000_000).default(1),
	harness: z.string().min(1).default("main"),
});

export const ImportCheckpointOptions = z.object({ workspace: z.string().min(1), name: z.string().min(1) });

export const ExportCheckpointOptions = z.object({ workspace: z.string().min(1), policy: z.string().min(1), out: z.string().min(1).optional() });

export const RemoveCheckpointOptions = z.object({ workspace: z.string().min(1), policy: z.string().min(1), yes: z.boolean().default(false) });

export const AdviceOptions = z.object({ workspace: z.string().min(1) });

export const AblationOptions = z.object({
	workspace: z.string().min(1),
	seeds: integer(1, 10).default(3),
	harness: z.string().min(1).default("main"),
	split: z.enum(["dev", "test"]).default("test"),
	cases: integer(1, 100_000).optional(),
	jobs: integer(1, 16).optional(),
	/** Where finished parts are kept, so that a run that was stopped goes on. */
	keep: z.string().min(1).optional(),
	/** What one of several processes does: `0:untrained`, `1:hat`. */
	part: z
		.string()
		.regex(/^\d+:(?:untrained|fixed|hat|fixed-other|hat-other)$/u)
		.optional(),
});

export const EditTestOptions = z.object({
	workspace: z.string().min(1),
	before: z.string().min(1).default("main"),
	after: z.string().min(1).optional(),
	rounds: integer(1, 20).default(3),
	seeds: integer(1, 10).default(3),
	split: z.enum(["dev", "test"]).default("test"),
	cases: integer(1, 100_000).optional(),
});

export const RoadsOptions = EditTestOptions.extend({ seeds: integer(1, 10).default(1), edits: integer(1, 50).default(4) });

export const SimulateOptions = z.object({
	workspace: z.string().min(1),
	count: integer(1, 20_000).default(1000),
	seed: integer(0, 2 ** 31 - 1).default(1),
	model: z.boolean().default(true),
	dryRun: z.boolean().default(false),
});

export const TriggersOptions = z.object({
	workspace: z.string().min(1),
	/** Id, key or name; all unless given. */
	rule: z.string().min(1).optional(),
	days: integer(1, 90).default(30),
});

export const PretrainOptions = z.object({
	data: z.string().min(1),
	seed: integer(0, 2 ** 31 - 1).default(1),
	out: z.string().min(1).optional(),
});

/** Options as typed, validated; throws `bad-input` with one line for each. */
export function readOptions<T>(schema: z.ZodType<T>, options: unknown): T {
	const result = schema.safeParse(options);
	if (result.success) return result.data;
	const lines = result.error.issues.map((issue) => `--${issue.path.join(".").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${issue.message}`);
	throw new AppError("bad-input", lines.join("\n"), { reason: "bad-options", fix: "See --help of the command." });
}
