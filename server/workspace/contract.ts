import { z } from "zod";

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
export type WorkspaceSettings = z.infer<typeof WorkspaceSettingsSchema>;

/** workspace.yaml of a workspace folder. */
export const WorkspaceManifestSchema = z.object({
	apiVersion: z.literal("workspace/v1"),
	slug: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/),
	title: LocalizedTextSchema,
	language: z.string().default("en"),
	measure: MeasureSchema.default("rubric"),
	suite: z.object({ id: z.string(), title: LocalizedTextSchema }).default({ id: "t1", title: { en: "Live QA", zh: "直播问答" } }),
	categories: z.array(CategorySchema).default([]),
	settings: WorkspaceSettingsSchema.partial().default({}),
});
export type WorkspaceManifest = z.infer<typeof WorkspaceManifestSchema>;

export interface Actor {
	id: string;
	name: string;
}

/** Service identities: who acts when no person does. */
export const SERVICE_ACTORS = {
	system: { id: "service:system", name: "Studio" },
	loopEditor: { id: "service:loop-editor", name: "Unattended loop (editor)" },
	loopReviewer: { id: "service:loop-reviewer", name: "Unattended loop (reviewer)" },
} as const satisfies Record<string, Actor>;

/** Events of the outbox: written in the transaction that causes them. */
export const StudioEventSchema = z.discriminatedUnion("type", [
	z.object({ type: z.literal("proposal.submitted"), proposalId: z.string() }),
	z.object({ type: z.literal("proposal.landed"), proposalId: z.string(), evolutionId: z.string(), commit: z.string() }),
	z.object({ type: z.literal("round.closed"), roundId: z.string(), evolutionId: z.string(), commit: z.string() }),
	z.object({ type: z.literal("run.finished"), runId: z.string(), status: z.string() }),
	z.object({ type: z.literal("evolution.stopped"), evolutionId: z.string() }),
	z.object({ type: z.literal("release.made"), releaseId: z.string() }),
]);
export type StudioEvent = z.infer<typeof StudioEventSchema>;
