import * as z from "zod";
import { PhrasesSchema } from "@/server/kernel/phrase.contract";

export const LocalizedTextSchema = z.object({ en: z.string(), zh: z.string() });
export type LocalizedText = z.infer<typeof LocalizedTextSchema>;

export const CategorySchema = z.object({ id: z.string().min(1), title: LocalizedTextSchema });

/** How Effectiveness is measured: by each case's rubric, or by reference replies grouped by intent. */
export const MeasureSchema = z.enum(["rubric", "reference-intent"]);
export type Measure = z.infer<typeof MeasureSchema>;

export const WorkspaceSettingsSchema = z.object({
	/** An admin allows the unattended loop here. */
	allowUnattended: z.boolean().default(false),
	/** Cost per million tokens, for estimates; 0 = unknown. */
	pricePerMillionTokens: z.number().min(0).default(0),
});

/** A workspace's short name, as it stands in addresses. */
export const WorkspaceSlugSchema = z
	.string()
	.regex(/^[a-z0-9][a-z0-9-]{0,62}$/, "lower-case letters, digits and hyphens, beginning with a letter or digit, at most 63");

/** The key of a suite, as it stands in addresses and commands. */
const SuiteIdSchema = z
	.string()
	.regex(/^[a-z0-9][a-z0-9-]{0,31}$/, "lower-case letters, digits and hyphens, at most 32")
	.refine((id) => !/^(?:training|t[23](?:-.+)?)$/.test(id), "not one of the studio's own: training, t2, t3-tool, t3-prompt");

/** workspace.yaml of a workspace folder. */
export const WorkspaceManifestSchema = z.object({
	apiVersion: z.literal("workspace/v1"),
	slug: WorkspaceSlugSchema,
	title: LocalizedTextSchema,
	language: z.string().default("en"),
	measure: MeasureSchema.default("rubric"),
	suite: z.object({ id: SuiteIdSchema, title: LocalizedTextSchema }).default({ id: "t1", title: { en: "Live QA", zh: "直播问答" } }),
	/** More suites, of the cases in `suites/<id>/`. */
	suites: z
		.array(z.object({ id: SuiteIdSchema, title: LocalizedTextSchema }))
		.refine((suites) => new Set(suites.map(({ id }) => id)).size === suites.length, "two of them have one id")
		.optional(),
	categories: z.array(CategorySchema).default([]),
	/** The checkpoint of the folder's `policy/` that acts until a release binds a policy; without it the embedded policy acts. */
	policy: z.string().trim().min(1).optional(),
	settings: WorkspaceSettingsSchema.partial().default({}),
});
export type WorkspaceManifest = z.infer<typeof WorkspaceManifestSchema>;

export interface Actor {
	id: string;
	name: string;
}

export { AUDIT_ACTIONS, type AuditAction } from "./audit-actions.contract";
export { type AuditReader, type AuditWords, auditWords, hasAuditWords } from "./audit-words.contract";
export { SERVICE_ACTORS } from "./service-actors.contract";

/** Events of the outbox: written in the transaction that causes them. */
export const StudioEventSchema = z.discriminatedUnion("type", [
	z.object({ type: z.literal("proposal.submitted"), proposalId: z.string() }),
	z.object({ type: z.literal("proposal.landed"), proposalId: z.string(), evolutionId: z.string(), commit: z.string() }),
	z.object({ type: z.literal("round.closed"), roundId: z.string(), evolutionId: z.string(), commit: z.string() }),
	z.object({ type: z.literal("run.finished"), runId: z.string(), status: z.string() }),
	z.object({ type: z.literal("evolution.stopped"), evolutionId: z.string() }),
	z.object({ type: z.literal("release.made"), releaseId: z.string() }),
	/** A schedule of a trigger was due. */
	z.object({ type: z.literal("trigger.due"), triggerId: z.string(), dueAt: z.string() }),
	/** A machine called a trigger; the same call has the same id. */
	z.object({
		type: z.literal("trigger.called"),
		triggerId: z.string(),
		callId: z.string(),
		by: z.string(),
		payload: z.record(z.string(), z.unknown()).nullable(),
	}),
]);
export type StudioEvent = z.infer<typeof StudioEventSchema>;

export const WorkspaceSchema = z.object({
	id: z.string(),
	slug: z.string(),
	title: LocalizedTextSchema,
	/** BCP 47 language of the agent's replies. */
	language: z.string(),
	measure: MeasureSchema,
	categories: z.array(CategorySchema),
	settings: WorkspaceSettingsSchema,
	/** World, rooms and tool handlers in force; null before the first import. */
	bundleId: z.string().nullable(),
	createdAt: z.date(),
});
export type Workspace = z.infer<typeof WorkspaceSchema>;

export const UpdateWorkspaceSchema = z.object({
	title: LocalizedTextSchema.optional(),
	settings: WorkspaceSettingsSchema.partial().optional(),
	reason: z.string().trim().max(500).optional(),
});
export type UpdateWorkspace = z.infer<typeof UpdateWorkspaceSchema>;

/** PostgreSQL knows no year 0. */
const RecordedDate = z.date().min(new Date("1970-01-01")).max(new Date("9999-12-31"));

export const AuditFilterSchema = z.object({
	actor: z.string().max(200).optional(),
	/** Prefix of an action: `endpoint` finds `endpoint.update`. */
	action: z.string().max(80).optional(),
	/** Words as they are stored, or as the reader sees them. */
	search: z.string().max(200).optional(),
	from: RecordedDate.optional(),
	to: RecordedDate.optional(),
});
export type AuditFilter = z.infer<typeof AuditFilterSchema>;

export const AuditEntrySchema = z.object({
	id: z.string(),
	at: z.date(),
	actorId: z.string(),
	actorName: z.string(),
	action: z.string(),
	subject: z.string(),
	reason: z.string().nullable(),
	/** Of the reason, for a screen in another language, as far as no person wrote it. */
	phrases: PhrasesSchema,
	detail: z.record(z.string(), z.unknown()),
});
export type AuditEntryDto = z.infer<typeof AuditEntrySchema>;

/** An event on its way to its handler. */
export interface DeliveredEvent {
	/** Increases; the same event has the same id in every attempt. */
	id: string;
	workspaceId: string;
	event: StudioEvent;
	at: Date;
}

/** The frame around every page: where we are, as whom, what is live, and what waits for this person. */
export const ShellSchema = z.object({
	workspace: z.object({ id: z.string(), slug: z.string(), title: LocalizedTextSchema, categories: z.array(CategorySchema) }),
	/** All that the person belongs to, for the switcher. */
	workspaces: z.array(z.object({ slug: z.string(), title: LocalizedTextSchema })),
	person: z.object({ id: z.string(), name: z.string(), email: z.string(), demo: z.boolean() }),
	/** Of auth's RoleSchema. */
	roles: z.array(z.enum(["operator", "reviewer", "viewer", "admin"])),
	/** Names of auth's permission table that these roles hold: the screen shapes itself by them, without carrying the table. */
	permissions: z.array(z.string()),
	released: z.object({ id: z.string(), tag: z.string(), round: z.string().nullable() }).nullable(),
	/** Names as people read them: "compact 1", "judge-6 × 3"; null where none is chosen. */
	engines: z.object({ policy: z.string().nullable(), judge: z.string().nullable() }),
	/** What waits for this person: findings to confirm, proposals to review, proposed retrainings to confirm, runs under way (not a call to act). */
	counts: z.object({ findings: z.number().int(), reviews: z.number().int(), runs: z.number().int(), trainings: z.number().int() }),
});
export type Shell = z.infer<typeof ShellSchema>;
