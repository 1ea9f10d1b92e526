import * as z from "zod";

/** The reward dimensions of a trajectory: reply segment (accuracy, effectiveness) and tool segment (skill selection, tool rationality). */
export const RewardDimensionSchema = z.enum(["accuracy", "effectiveness", "skill", "tool"]);
export type RewardDimension = z.infer<typeof RewardDimensionSchema>;
export const REWARD_DIMENSIONS = RewardDimensionSchema.options;

/** One value for each dimension that has one; a missing or null value says that the dimension does not apply to the sample. */
export type Rewards = Partial<Record<RewardDimension, number | null>>;

const reward = z.number().min(-1_000_000).max(1_000_000).nullish();

/** A sample as `advantages` reads it: the prompt's group and its rewards. */
export const RewardRowSchema = z.strictObject({
	group: z.union([z.string().min(1).max(200), z.number()]).transform(String),
	rewards: z.strictObject({ accuracy: reward, effectiveness: reward, skill: reward, tool: reward }),
});
export const RewardRowsSchema = z.array(RewardRowSchema).min(1).max(100_000);
export type RewardRow = z.infer<typeof RewardRowSchema>;
