import * as z from "zod";

export const PolicyKindSchema = z.enum(["compact", "endpoint", "checkpoint"]);

/** What a person may call a version. */
export const PolicyNameSchema = z
	.string()
	.trim()
	.min(1)
	.max(60)
	.regex(/^[\p{L}\p{N}][\p{L}\p{N} ()._-]*$/u, "letters, digits, spaces, dots, hyphens, underscores and brackets")
	// What these words mean wherever a policy is named.
	.refine((name) => name !== "compact" && name !== "current", "a name other than compact and current");

/** What a version fixes beyond the model itself. */
export const PolicyConfigSchema = z.object({
	/** 0 is deterministic. */
	temperature: z.number().min(0).max(2).optional(),
	maxTokens: z.number().int().min(16).max(200_000).optional(),
	/** Endpoint only: what the version was made of, for people to read. */
	baseUrl: z.string().optional(),
	model: z.string().optional(),
	extraBody: z.record(z.string(), z.json()).optional(),
	/** Checkpoint only: its weights. */
	checkpointId: z.string().optional(),
	/** It came with the workspace: it acts until a release binds a policy. */
	initial: z.boolean().optional(),
});
export type PolicyConfig = z.infer<typeof PolicyConfigSchema>;

export const PolicyVersionSchema = z.object({
	id: z.string(),
	workspaceId: z.string(),
	/** Unique in a workspace: `compact`, `compact v2`, `qwen-max`, `qwen-max v2`. */
	name: z.string(),
	kind: PolicyKindSchema,
	endpointId: z.string().nullable(),
	config: PolicyConfigSchema,
	/** Changes when anything that can change the answers changes. */
	fingerprint: z.string(),
	createdAt: z.date(),
});
export type PolicyVersion = z.infer<typeof PolicyVersionSchema>;
