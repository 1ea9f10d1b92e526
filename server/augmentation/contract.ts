import * as z from "zod";

/** The five dimensions in which a harness is varied, and their transforms. */
export const TRANSFORMS = {
	skillIdentity: ["distractors", "noise", "mask", "rename", "rewrite"],
	skillContent: ["rewrite", "mask", "shuffle"],
	tools: ["rename", "arguments", "rewrite"],
	prompts: ["reorderBlocks", "reorderItems", "rewrite", "perturb"],
	hooks: ["retries", "messages"],
} as const;

export type AugmentationDimension = keyof typeof TRANSFORMS;
export const DIMENSIONS = Object.keys(TRANSFORMS) as AugmentationDimension[];
/** Transforms whose strength is a count; every other strength is a share in [0, 1]. */
const COUNTS: readonly string[] = ["skillIdentity.distractors", "skillIdentity.noise", "hooks.retries"];
export const isCount = (dimension: AugmentationDimension, transform: string): boolean => COUNTS.includes(`${dimension}.${transform}`);
/** Most skills that a variant may add, and most retries that it may grant besides the harness's own. Numbers of ours. */
export const MAX_COUNT = 8;

/** One transform: whether it may happen, how likely in one variant, and how strong then (drawn evenly between the ends). */
export const TransformSchema = z.object({
	allowed: z.boolean(),
	likelihood: z.number(),
	strength: z.object({ min: z.number(), max: z.number() }),
});
export type Transform = z.infer<typeof TransformSchema>;

const dimension = <K extends AugmentationDimension>(key: K) =>
	z.strictObject(Object.fromEntries(TRANSFORMS[key].map((name) => [name, TransformSchema])) as Record<(typeof TRANSFORMS)[K][number], typeof TransformSchema>);

/** Word or phrase → other ways to say the same. */
export const SynonymsSchema = z
	.record(z.string().trim().min(2).max(60), z.array(z.string().trim().min(1).max(60)).min(1).max(8))
	.refine((table) => Object.keys(table).length <= 400, "at most 400 entries");
export type Synonyms = z.infer<typeof SynonymsSchema>;

/**
 * A workspace's own words for rewriting: those of the transforms, and those that no training sees. The two share no way to
 * say a thing. They also change the samples of what is asked, in a skill's description and in a rule's condition.
 */
export const WorkspaceWordsSchema = z.strictObject({ transforms: SynonymsSchema, "held-out": SynonymsSchema }).refine(
	(words) => {
		const own = new Set(Object.values(words.transforms).flatMap((ways) => ways.map((way) => way.toLowerCase())));
		return !Object.values(words["held-out"]).some((ways) => ways.some((way) => own.has(way.toLowerCase())));
	},
	{ message: "transforms and held-out share an entry" },
);

/** The shape alone; `envelopeProblems` says which ranges are impossible, so that a screen can show all of them. */
export const EnvelopeSchema = z.strictObject({
	version: z.literal(1),
	skillIdentity: dimension("skillIdentity"),
	skillContent: dimension("skillContent"),
	tools: dimension("tools"),
	prompts: dimension("prompts"),
	hooks: dimension("hooks"),
	/** The workspace's own words; without them rewriting has the studio's general ones only. */
	words: WorkspaceWordsSchema.optional(),
});
export type Envelope = z.infer<typeof EnvelopeSchema>;

export const EnvelopeProblemSchema = z.object({
	dimension: z.string(),
	transform: z.string(),
	/** Slug that a screen translates. */
	rule: z.enum(["likelihood-range", "likelihood-zero", "strength-order", "strength-range", "strength-whole", "strength-zero"]),
	message: z.string(),
});
export type EnvelopeProblem = z.infer<typeof EnvelopeProblemSchema>;

/** What must survive a variant: everything, or the skills, rules (`skill#index`, index among the skill's rules) and tools that a passing trajectory used. */
export const KeepSchema = z.union([z.literal("everything"), z.object({ skills: z.array(z.string()), rules: z.array(z.string()), tools: z.array(z.string()) })]);
export type Keep = z.infer<typeof KeepSchema>;

/** Where the identities of the original went; a bijection on what is kept. What was masked is in `removed`, what is new in `added`. */
export const VariantMappingSchema = z.object({
	skills: z.record(z.string(), z.string()),
	tools: z.record(z.string(), z.string()),
	/** Argument names, the same for every tool that takes them. */
	arguments: z.record(z.string(), z.string()),
	/** `skill#index` → `skill#index`, both by the names and orders of their own side. */
	rules: z.record(z.string(), z.string()),
	/** Value before and in force now. */
	constraints: z.record(z.string(), z.object({ from: z.number(), to: z.number() })),
	removed: z.object({ skills: z.array(z.string()), rules: z.array(z.string()) }),
	added: z.object({ skills: z.array(z.string()) }),
});
export type VariantMapping = z.infer<typeof VariantMappingSchema>;

export const VariantLogEntrySchema = z.object({
	dimension: z.string(),
	transform: z.string(),
	/** The component of the original, e.g. `skill:greeting`. */
	component: z.string(),
	before: z.string(),
	after: z.string(),
	/** Why the task is the same; a slug that a screen translates. */
	because: z.enum(["not-needed", "same-count", "same-identity", "same-meaning", "same-binding", "order-free", "inside-range", "more-tries", "left-alone"]),
});
export type VariantLogEntry = z.infer<typeof VariantLogEntrySchema>;

/** How far one harness is from another in one transform: a share in [0, 1], or a count. */
export type Change = { [K in AugmentationDimension]: Record<(typeof TRANSFORMS)[K][number], number> };

export const EnvelopeDistanceSchema = z.object({
	inside: z.boolean(),
	dimensions: z.array(
		z.object({
			dimension: z.string(),
			/** Largest amount over its transforms, as a multiple of what the envelope allows; null where something happened that it allows in no amount. */
			distance: z.number().nullable(),
			inside: z.boolean(),
			/** `amount` is null where a limit moved that had no room. */
			transforms: z.array(z.object({ transform: z.string(), amount: z.number().nullable(), most: z.number(), inside: z.boolean() })),
		}),
	),
});
export type EnvelopeDistance = z.infer<typeof EnvelopeDistanceSchema>;

/** Which words a variant speaks: those of the transforms, or the second set that no training sees. */
export const BookNameSchema = z.enum(["transforms", "held-out"]);
export type BookName = z.infer<typeof BookNameSchema>;

const SideSchema = z.object({ path: z.string(), text: z.string() }).nullable();

/** A file of the original beside the same file of a variant. */
export const FilePairSchema = z.object({ before: SideSchema, after: SideSchema });
export type FilePair = z.infer<typeof FilePairSchema>;

/** One variant, as a screen shows it; nothing of it where the envelope has impossible ranges. */
export const VariantPreviewSchema = z.object({
	problems: z.array(EnvelopeProblemSchema),
	variant: z.object({ log: z.array(VariantLogEntrySchema), files: z.array(FilePairSchema), distance: EnvelopeDistanceSchema, ms: z.number() }).nullable(),
});
export type VariantPreview = z.infer<typeof VariantPreviewSchema>;
