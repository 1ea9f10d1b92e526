import { z } from "zod";

// Messages of these schemas are ids of ./problem-texts.

/** Letters first, because hooks write `constraints.name` and templates `{{ constraints.name }}`. */
/** Also no name that every object of JavaScript has (`constructor`): hooks read `constraints.<name>`. */
const ConstraintNameSchema = z
	.string()
	.regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, "schema-constraint-name")
	.refine((name) => !(name in Object.prototype) && name !== "prototype", "schema-constraint-reserved");

const PipelineItemSchema = z.union([z.string().min(1), z.strictObject({ skills: z.literal("index") }), z.strictObject({ tools: z.literal("notes") })], {
	error: "schema-pipeline-item",
});

/** harness.yaml as written. */
export const ManifestFileSchema = z.strictObject({
	apiVersion: z.literal("harness/v1", { error: "schema-api-version" }),
	kind: z.enum(["agent", "judge"]),
	name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, "schema-name"),
	limits: z
		.strictObject({
			maxSteps: z.number().int().min(1).max(30).default(6),
			maxHookRetries: z.number().int().min(0).max(10).default(2),
			deadlineMs: z.number().int().min(100).max(600_000).default(15_000),
			targetP50Ms: z.number().int().min(1).max(600_000).default(4_000),
		})
		.prefault({}),
	constraints: z
		.record(
			ConstraintNameSchema,
			z.strictObject({ value: z.number(), min: z.number(), max: z.number(), unit: z.string().max(40).optional(), description: z.string().max(400).optional() }),
		)
		.default({}),
	pipeline: z.array(PipelineItemSchema).min(1, "schema-pipeline-empty"),
	skills: z.strictObject({ requireReplySkill: z.boolean().default(true) }).prefault({}),
});

/** Front matter of prompts/<id>.md. */
export const PromptFrontMatterSchema = z.strictObject({ title: z.string().min(1).max(200), when: z.string().min(1).max(500).optional() });

/** Our part of a skill's metadata; other keys are the author's own. */
export const SkillMetadataSchema = z.looseObject({
	type: z.enum(["reply", "strategy"]).default("reply"),
	tags: z.union([z.array(z.string()), z.string().transform((text) => text.split(",").map((tag) => tag.trim()))]).default([]),
});

const SchemaObject = z.record(z.string(), z.unknown());

/** tools/<name>.yaml as written. The tool object is MCP's and may carry more of MCP's fields. */
export const ToolFileSchema = z.strictObject({
	tool: z.looseObject({
		name: z.string().regex(/^[A-Za-z0-9_.-]{1,128}$/, "schema-tool-name"),
		title: z.string().max(200).optional(),
		description: z.string().min(1, "schema-tool-description").max(8000),
		inputSchema: SchemaObject,
		outputSchema: SchemaObject.optional(),
		annotations: SchemaObject.optional(),
	}),
	binding: z.discriminatedUnion(
		"kind",
		[
			z.strictObject({ kind: z.literal("simulator"), handler: z.string().min(1) }),
			z.strictObject({
				kind: z.literal("http"),
				connection: z.string().min(1),
				tool: z.string().min(1),
				method: z.enum(["GET", "POST"]).optional(),
				path: z
					.string()
					.regex(/^\/(?!\/)/, "schema-http-path")
					.max(500)
					.optional(),
			}),
			z.strictObject({ kind: z.literal("mcp"), connection: z.string().min(1), tool: z.string().min(1) }),
		],
		{ error: "schema-binding-kind" },
	),
	/** The tool's name of an argument → the binding's own, where the two differ. */
	arguments: z.record(z.string().min(1).max(128), z.string().min(1).max(128)).default({}),
	timeoutMs: z.number().int().min(10).max(120_000).default(5_000),
	/** Further tries after the first. */
	retry: z.strictObject({ attempts: z.number().int().min(0).max(5).default(0) }).prefault({}),
});

/** JSON Schemas (2020-12) of the YAML files, for editors. */
export function formatJsonSchemas(): { manifest: unknown; tool: unknown } {
	return {
		manifest: z.toJSONSchema(ManifestFileSchema, { io: "input", unrepresentable: "any" }),
		tool: z.toJSONSchema(ToolFileSchema, { io: "input", unrepresentable: "any" }),
	};
}
