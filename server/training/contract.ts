import * as z from "zod";
import { EnvelopeDistanceSchema, EnvelopeSchema } from "@/server/augmentation/contract";
import { IntervalSchema } from "@/server/evaluation/contract";
import { ADVICE_RANGES, type AdviceRule } from "./advice-rule.contract";
import { ADVICE_SIGNS } from "./advice-signs.contract";

export {
	type AblationDocument,
	AblationDocumentSchema,
	AblationRowSchema,
	type AblationRowView,
	AblationSettingsSchema,
	type AblationView,
	AblationViewSchema,
	type Claim,
	ClaimSchema,
	type Estimate,
	EstimateSchema,
} from "./ablation.contract";

/** The reward dimensions of a trajectory: reply segment (accuracy, effectiveness) and tool segment (skill selection, tool rationality). */
export const RewardDimensionSchema = z.enum(["accuracy", "effectiveness", "skill", "tool"]);
export type RewardDimension = z.infer<typeof RewardDimensionSchema>;
export const REWARD_DIMENSIONS = RewardDimensionSchema.options;

/** One value for each dimension that has one; a missing or null value says that the dimension does not apply to the sample. */
export type Rewards = Partial<Record<RewardDimension, number | null>>;

const MOST_REWARD = 1_000_000;
const written = (value: unknown) => (JSON.stringify(value) ?? "nothing").slice(0, 60);
const rewardError = ({ input }: { input?: unknown }) =>
	`a number from −${MOST_REWARD} to ${MOST_REWARD}, or null where the dimension does not apply; not ${written(input)}`;
const reward = z.number({ error: rewardError }).min(-MOST_REWARD, { error: rewardError }).max(MOST_REWARD, { error: rewardError }).nullish();
const dimensionsError = ({ code, keys }: { code?: string; keys?: string[] }) =>
	code === "unrecognized_keys"
		? `there is no dimension ${(keys ?? []).slice(0, 5).join(", ")}; there are ${REWARD_DIMENSIONS.join(", ")}`
		: `an object with the dimensions ${REWARD_DIMENSIONS.join(", ")}, each of which may be left out`;

/** A sample as `advantages` reads it: the prompt's group and its rewards. */
export const RewardRowSchema = z.strictObject({
	group: z.union([z.string().min(1).max(200), z.number()], { error: "a text of 1 to 200 characters or a number that names the prompt" }).transform(String),
	rewards: z.strictObject({ accuracy: reward, effectiveness: reward, skill: reward, tool: reward }, { error: dimensionsError }),
});
const MOST_ROWS = 100_000;
const rowsError = `a list of 1 to ${MOST_ROWS} rows`;
export const RewardRowsSchema = z.array(RewardRowSchema, { error: rowsError }).min(1, { error: rowsError }).max(MOST_ROWS, { error: rowsError });
export type RewardRow = z.infer<typeof RewardRowSchema>;

// ---- a training ----

export const RecipeSchema = z.enum(["hat", "fixed"]);
/** `hat` trains under variants of the harness, `fixed` under the original alone. */
export type Recipe = z.infer<typeof RecipeSchema>;

export const StageNameSchema = z.enum(["sft", "opd", "rl"]);
export type StageName = z.infer<typeof StageNameSchema>;

const bySegment = z.object({ tool: z.number(), reply: z.number() });

/** One point of the curves. Null where a stage does not measure it. */
export const TrainingRecordSchema = z.object({
	stage: StageNameSchema,
	step: z.number().int(),
	loss: z.number(),
	gradientNorm: z.number(),
	/** Mean reverse KL to the base. */
	kl: z.number().nullable(),
	rewards: z.record(RewardDimensionSchema, z.number().nullable()).nullable(),
	advantage: z.object({ mean: z.number(), std: z.number() }).nullable(),
	/** Share of samples without an advantage. */
	droppedShare: z.number().nullable(),
	clipShare: z.number().nullable(),
	/** Mean reasoning tokens; the compact policy has none. */
	reasoningTokens: bySegment.nullable(),
	/** Mean of accuracy and effectiveness on the dev sample, as the reward judge scores: under the original and under variants. */
	sample: z.object({ t1: z.number(), t2: z.number().nullable() }).nullable(),
});
export type TrainingRecord = z.infer<typeof TrainingRecordSchema>;

export const TrainingStatusSchema = z.enum(["queued", "running", "done", "failed", "cancelled"]);
export type TrainingStatus = z.infer<typeof TrainingStatusSchema>;

/** What a training trains on, fixed when it is asked for. */
export const TrainingSourceSchema = z.object({
	treeId: z.string(),
	commit: z.string().nullable(),
	suiteVersionId: z.string(),
	bundleId: z.string().nullable(),
	/** Weights that it starts from. */
	baseDigest: z.string(),
	/** How far its variants may go. */
	envelope: z.object({ version: z.number().int(), content: EnvelopeSchema }),
	/** Folder of general data for OPD; null leaves the stage out, and the card says so. */
	generalData: z.string().nullable(),
});

/** What a set of training data is and how it came about. */
export const DataCardSchema = z.object({
	cases: z.object({ sft: z.number().int(), rl: z.number().int(), sample: z.number().int() }),
	/** Harness and the variants that were acted under. */
	treeId: z.string(),
	commit: z.string().nullable(),
	variants: z.number().int(),
	/** Version of the envelope; null without variants. */
	envelope: z.number().int().nullable(),
	rewardJudge: z.string(),
	evaluationJudge: z.string(),
	teacher: z.string(),
	general: z.boolean(),
	examples: z.number().int(),
	decisions: z.number().int(),
	duplicates: z.number().int(),
	/** Cases that no attempt of the teacher answered. */
	hopeless: z.number().int(),
	rejected: z.record(z.string(), z.number().int()),
	retries: z.object({ removed: z.number().int(), kept: z.number().int() }),
	disagreement: z.record(z.string(), z.object({ decisions: z.number().int(), differing: z.number().int() })),
});
export type DataCard = z.infer<typeof DataCardSchema>;

/** What the file of a checkpoint says of where it comes from; null for what it does not say. */
export const CheckpointOriginSchema = z.object({
	recipe: RecipeSchema.nullable().catch(null),
	seed: z.number().int().nullable().catch(null),
	card: DataCardSchema.nullable().catch(null),
	/** Harness and envelope that it was trained on. */
	source: TrainingSourceSchema.pick({ treeId: true, commit: true, envelope: true }).nullable().catch(null),
});
export type CheckpointOrigin = z.infer<typeof CheckpointOriginSchema>;

/** A checkpoint in the list, with what is measured of it on test under the conditions of now: harness that is live, suite version and judge in force. */
export const CheckpointRowSchema = z.object({
	/** Of the policy version. */
	id: z.string(),
	name: z.string(),
	createdAt: z.date(),
	inForce: z.boolean(),
	/** The training of this workspace that made it; null for one that came with the workspace or from a file. */
	training: z.object({ id: z.string(), number: z.number().int() }).nullable(),
	/** The newest comparable T1; null where it was not run. */
	t1: z.object({ runId: z.string(), number: z.number().int(), cases: z.number().int(), avg: IntervalSchema }).nullable(),
	/** T1 − T2 inside the envelope in AVG, paired by case with that T1; null where T2 was not run beside it. */
	gap: IntervalSchema.extend({ cases: z.number().int(), runId: z.string(), baseRunId: z.string() }).nullable(),
	/** Comparable runs that are queued or under way. */
	running: z.array(z.string()),
});
export type CheckpointRow = z.infer<typeof CheckpointRowSchema>;

/** What a person may set of a training; what is left out is as `settings.ts` has it. Fewer steps train less, and sooner. */
export const TrainingOptionsSchema = z.strictObject({
	/** Variants of the harness that it acts under (recipe `hat`). */
	variants: z.number().int().min(1).max(400).optional(),
	/** How often HSA-SFT sees every case. */
	sftEpochs: z.number().int().min(1).max(200).optional(),
	/** Steps of General OPD; 0 leaves it out. */
	opdSteps: z.number().int().min(0).max(2000).optional(),
	/** Iterations of HSA-RL; 0 leaves it out. */
	rlIterations: z.number().int().min(0).max(1000).optional(),
});
export type TrainingOptions = z.infer<typeof TrainingOptionsSchema>;

/** How far it is: making its data (cases taught of all), or in its stages, whose steps are planned then. */
export const TrainingProgressSchema = z.object({
	/** What the start scores on the dev sample; null before it is measured. */
	start: z.object({ t1: z.number(), t2: z.number().nullable() }).nullable().default(null),
	cases: z.object({ done: z.number().int(), total: z.number().int() }),
	stages: z.array(z.object({ stage: StageNameSchema, steps: z.number().int() })),
});
export type TrainingProgress = z.infer<typeof TrainingProgressSchema>;

export const TrainingSchema = z.object({
	id: z.string(),
	/** As people name it: training T-3. */
	number: z.number().int(),
	workspaceId: z.string(),
	recipe: RecipeSchema,
	seed: z.number().int(),
	options: TrainingOptionsSchema,
	status: TrainingStatusSchema,
	source: TrainingSourceSchema,
	progress: TrainingProgressSchema.nullable(),
	card: DataCardSchema.nullable(),
	error: z.object({ reason: z.string(), message: z.string() }).nullable(),
	checkpointId: z.string().nullable(),
	/** The checkpoint as a policy version. */
	policyVersionId: z.string().nullable(),
	requestedById: z.string(),
	createdAt: z.date(),
	startedAt: z.date().nullable(),
	finishedAt: z.date().nullable(),
});
export type Training = z.infer<typeof TrainingSchema>;

/** A training with the names that people read. The folder of general data is a matter of the server. */
export const TrainingViewSchema = TrainingSchema.extend({
	source: TrainingSourceSchema.omit({ generalData: true }).extend({ general: z.boolean() }),
	requestedBy: z.string(),
	/** Name of the policy version that it made. */
	policyName: z.string().nullable(),
});
export type TrainingView = z.infer<typeof TrainingViewSchema>;

// ---- edit or retrain? ----

const threshold = (name: keyof AdviceRule) => {
	const { least, most, whole } = ADVICE_RANGES[name];
	return (whole ? z.number().int() : z.number()).min(least).max(most);
};

/** From where on a sign counts: `advice-rule.contract.ts` says what each is, its default and its range. */
export const AdviceRuleSchema = z.object({
	gapPoints: threshold("gapPoints"),
	gainPoints: threshold("gainPoints"),
	rounds: threshold("rounds"),
	stuckShare: threshold("stuckShare"),
	attempts: threshold("attempts"),
	leastFailures: threshold("leastFailures"),
	ageDays: threshold("ageDays"),
});
export type { AdviceRule };

/** A version of the thresholds; 0 are the defaults, before an admin set any. */
export const AdviceRuleViewSchema = z.object({
	version: z.number().int(),
	content: AdviceRuleSchema,
	reason: z.string(),
	createdBy: z.string().nullable(),
	createdAt: z.date().nullable(),
});
export type AdviceRuleView = z.infer<typeof AdviceRuleViewSchema>;

export const AdviceStateSchema = z.enum(["keep-editing", "retrain-advised", "retrain-due"]);
export type AdviceState = z.infer<typeof AdviceStateSchema>;

/** outside, gap: the policy no longer fits the harness. stopped, unpaid, stuck: editing no longer pays. old: for what it is worth. */
export const AdviceSignSchema = z.enum(ADVICE_SIGNS);
export type AdviceSign = z.infer<typeof AdviceSignSchema>;

export const AdviceEvidenceSchema = z.object({
	/** The policy in force. */
	policy: z.object({ id: z.string(), name: z.string(), kind: z.string() }),
	/** What it was trained on; null where no training of this workspace made it. */
	checkpoint: z.object({ training: z.number().int(), trainingId: z.string(), commit: z.string().nullable(), ageDays: z.number() }).nullable(),
	/** Harness that is judged: the head of the newest evolution, else what is released. */
	harness: z.object({ commit: z.string().nullable(), treeId: z.string() }),
	/** From the snapshot that the policy was trained on, by its envelope; null where neither a training here nor its file says so, or the snapshot is not kept. */
	distance: EnvelopeDistanceSchema.nullable(),
	gap: IntervalSchema.extend({ cases: z.number().int(), runId: z.string(), baseRunId: z.string() }).nullable(),
	earlyStop: z.object({ strikes: z.number().int(), stale: z.number().int(), patience: z.number().int(), stopped: z.boolean() }).nullable(),
	edits: z.object({ rounds: z.number().int(), landings: z.number().int(), gain: IntervalSchema, episodes: z.number().int(), wallMs: z.number() }).nullable(),
	stuck: z.object({ failures: z.number().int(), stuck: z.number().int(), attempts: z.number().int() }).nullable(),
	/** Closed rounds of the newest evolution. */
	rounds: z.number().int(),
});
export type AdviceEvidence = z.infer<typeof AdviceEvidenceSchema>;

/** What would change the advice: a sign that would have to come, or to go. */
export const AdviceChangeSchema = z.object({ sign: AdviceSignSchema, direction: z.enum(["comes", "goes"]), to: AdviceStateSchema });
export type AdviceChange = z.infer<typeof AdviceChangeSchema>;

export const AdviceSchema = z.object({
	state: AdviceStateSchema,
	/** Signs that are there, the weightiest first. */
	signs: z.array(AdviceSignSchema),
	/** Signs that nothing is known about yet. */
	unknown: z.array(AdviceSignSchema),
	changes: z.array(AdviceChangeSchema),
	evidence: AdviceEvidenceSchema,
	rule: AdviceRuleSchema,
});
export type Advice = z.infer<typeof AdviceSchema>;

/** What happened after an advice, until the next one or now; `held`: whether it speaks for the advice. */
export const AdviceFollowUpSchema = z.object({
	rounds: z.number().int(),
	/** Gain of those rounds in AVG on test; null where none was closed. */
	gain: z.number().nullable(),
	training: z.object({ id: z.string(), number: z.number().int(), status: TrainingStatusSchema }).nullable(),
	/** The release that put a trained policy in force. */
	released: z.string().nullable(),
	held: z.enum(["yes", "no", "open"]),
});
export type AdviceFollowUp = z.infer<typeof AdviceFollowUpSchema>;

export const AdviceEntrySchema = z.object({ id: z.string(), at: z.date(), advice: AdviceSchema, followUp: AdviceFollowUpSchema });
export type AdviceEntry = z.infer<typeof AdviceEntrySchema>;
