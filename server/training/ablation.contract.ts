import * as z from "zod";

/** A value in proportions with its 95 % interval. */
export const EstimateSchema = z.object({ value: z.number(), low: z.number(), high: z.number() });
export type Estimate = z.infer<typeof EstimateSchema>;

const name = z.string().min(1).max(200);
const count = z.number().int().nonnegative();

export const ClaimSchema = z.object({
	/** Names the claim in every language; absent in files that are older than it. */
	id: name.optional(),
	claim: z.string().min(1).max(500),
	/** The number that decides, and what it must reach; the bound is ours. */
	estimate: EstimateSchema.nullable(),
	needed: z.number(),
	holds: z.enum(["appears", "does not appear", "not measured"]),
	/** Whether the whole interval is on that side of the bound. */
	certain: z.boolean(),
});
/** A claim as a number that must reach a bound. */
export type Claim = z.infer<typeof ClaimSchema>;

/** What `hat-ablation --json` writes: what was measured on what, the table, and the claims with the numbers that decide. */
export const AblationDocumentSchema = z.object({
	/** Slug. */
	workspace: name,
	harness: z.object({ treeId: name, commit: name.nullable() }),
	envelope: z.number().int(),
	baseDigest: z.string().max(200),
	/** Whether the general data was there; without it there is no OPD. */
	general: z.boolean(),
	/** Cases trained on for SFT and RL (and how many of them were simulated), those of dev, and those measured on. */
	cases: z.object({ sft: count, rl: count, simulated: count, dev: count, measured: count }),
	split: z.enum(["dev", "test"]),
	seeds: z.number().int().min(1).max(10),
	seconds: z.object({ wall: z.number().nonnegative(), cpu: z.number().nonnegative() }),
	table: z
		.array(z.object({ policy: name, cells: z.record(z.string().max(60), EstimateSchema.nullable()), gap: EstimateSchema.nullable() }))
		.min(1)
		.max(200),
	claims: z.array(ClaimSchema).max(100),
});
export type AblationDocument = z.infer<typeof AblationDocumentSchema>;

export const AblationSettingsSchema = z.strictObject({
	seeds: z.number().int().min(1).max(10),
	split: z.enum(["dev", "test"]),
	/** At most so many cases; all unless given. */
	cases: z.number().int().min(1).max(100_000).optional(),
	/** Ref or commit. */
	harness: z.string().trim().min(1).max(200),
});
export type AblationSettings = z.infer<typeof AblationSettingsSchema>;

export const AblationStatusSchema = z.enum(["queued", "running", "done", "failed", "cancelled"]);

export const AblationSchema = z.object({
	id: z.string(),
	/** As people name it: ablation A-2. */
	number: z.number().int(),
	workspaceId: z.string(),
	/** Started on the page, stored by the command, or loaded from a file. */
	origin: z.enum(["page", "command", "file"]),
	status: AblationStatusSchema,
	settings: AblationSettingsSchema,
	/** Parts that are done, of all. */
	done: z.number().int(),
	total: z.number().int(),
	result: AblationDocumentSchema.nullable(),
	error: z.object({ reason: z.string(), message: z.string() }).nullable(),
	requestedById: z.string(),
	createdAt: z.date(),
	finishedAt: z.date().nullable(),
});
export type Ablation = z.infer<typeof AblationSchema>;

/** An ablation in a list: with the names that people read, without its table. */
export const AblationRowSchema = AblationSchema.omit({ result: true }).extend({ requestedBy: z.string() });
export type AblationRowView = z.infer<typeof AblationRowSchema>;
export const AblationViewSchema = AblationSchema.extend({ requestedBy: z.string() });
export type AblationView = z.infer<typeof AblationViewSchema>;
