import * as z from "zod";
import { RecipeSchema, TrainingOptionsSchema } from "@/server/training/contract";
import { ConditionSchema, EVENT_FACTS, EventTypeSchema, FactSchema, FactsSchema, OperatorSchema } from "./facts.contract";

export * from "./facts.contract";

// ---- what a trigger is ----

export const ScheduleSchema = z.object({
	/** Five fields: minute, hour, day of the month, month, day of the week. */
	cron: z.string().trim().min(1).max(100),
	timeZone: z.string().trim().min(1).max(60),
});
export type Schedule = z.infer<typeof ScheduleSchema>;

const RetrainingSchema = z.object({
	recipe: RecipeSchema.default("hat"),
	seed: z.number().int().min(0).max(2_000_000).default(1),
	/** Fewer steps than usual, where given. */
	options: TrainingOptionsSchema.default({}),
});

export const ActionSchema = z.discriminatedUnion("type", [
	/** What the loop needs of the event: after a landing dev, after a closing dev, test and the regression suites. */
	z.object({ type: z.literal("run-loop-suites") }),
	/** Suites on the harness that the event is about; on `main` where it is about none. */
	z.object({
		type: z.literal("run-suites"),
		suites: z.array(z.string().trim().min(1).max(80)).min(1).max(8),
		split: z.enum(["dev", "test"]).default("dev"),
		/** Of the suites under variants. */
		variants: z.number().int().min(1).max(20).default(5),
	}),
	RetrainingSchema.extend({ type: z.literal("propose-retraining") }),
	RetrainingSchema.extend({ type: z.literal("start-retraining") }),
	z.object({ type: z.literal("open-finding"), title: z.string().trim().min(1).max(200), hypothesis: z.string().trim().min(1).max(2_000) }),
	z.object({
		type: z.literal("call-webhook"),
		url: z
			.url({ protocol: /^https?$/ })
			.max(2_000)
			.refine((text) => !/^[^/]*\/\/[^/?#]*@/u.test(text), "An address without user and password: whoever sees the trigger would see them."),
		/** The server may stand on a private network. */
		allowPrivate: z.boolean().default(false),
	}),
]);
export type Action = z.infer<typeof ActionSchema>;
export const ACTION_TYPES = ActionSchema.options.map((option) => option.shape.type.value);

/** Thirty days. Bounds and defaults of this file are numbers of ours. */
const MOST_COOL_DOWN_MINUTES = 43_200;
export const DEFAULT_COOL_DOWN_MINUTES = 60;
export const DEFAULT_BUDGET = 10;

export const TriggerContentSchema = z
	.object({
		event: EventTypeSchema,
		schedule: ScheduleSchema.nullable().default(null),
		/** All must hold. */
		conditions: z.array(ConditionSchema).max(8).default([]),
		action: ActionSchema,
		/** After a firing it rests for so long. */
		coolDownMinutes: z.number().int().min(0).max(MOST_COOL_DOWN_MINUTES).default(DEFAULT_COOL_DOWN_MINUTES),
		/** Firings in 24 hours at most; null, without a limit, is for the two rules of the loop. */
		budgetPerDay: z.number().int().min(1).max(1_000).nullable().default(DEFAULT_BUDGET),
	})
	.superRefine((content, context) => {
		const problem = (path: PropertyKey[], message: string) => context.addIssue({ code: "custom", path, message });
		if ((content.event === "schedule") !== (content.schedule !== null)) problem(["schedule"], "A schedule has its times, and nothing else has.");
		for (const [index, { fact }] of content.conditions.entries())
			if (!EVENT_FACTS[content.event].includes(fact)) problem(["conditions", index, "fact"], `${content.event} has no ${fact}.`);
	});
export type TriggerContent = z.infer<typeof TriggerContentSchema>;

/** The two rules of the loop, which every workspace starts with. They are switched, and never changed or deleted. */
export const BUILT_IN = {
	"landing-dev": { event: "proposal-landed", action: { type: "run-loop-suites" } },
	"closing-regression": { event: "round-closed", action: { type: "run-loop-suites" } },
} as const satisfies Record<string, { event: string; action: Action }>;
export const BuiltInKeySchema = z.enum(["landing-dev", "closing-regression"]);
export type BuiltInKey = z.infer<typeof BuiltInKeySchema>;

/** What a person sends to keep a secret, or to set one. It is never sent back. */
export const SecretInputSchema = z.discriminatedUnion("kind", [
	z.object({ kind: z.literal("keep") }),
	z.object({ kind: z.literal("set"), value: z.string().min(16).max(200) }),
]);

export const SaveTriggerSchema = z.object({
	/** Null makes a new one. */
	id: z.string().nullable().default(null),
	/** The version that the person saw; 0 for a new one. */
	version: z.number().int().min(0).default(0),
	name: z.string().trim().min(1).max(120),
	enabled: z.boolean().default(true),
	content: TriggerContentSchema,
	secret: SecretInputSchema.default({ kind: "keep" }),
	reason: z.string().trim().max(500).optional(),
});
export type SaveTrigger = z.input<typeof SaveTriggerSchema>;

// ---- what it decided ----

export const DecisionSchema = z.enum(["fired", "condition-not-met", "cooling-down", "over-budget", "duplicate", "own-chain"]);
export type Decision = z.infer<typeof DecisionSchema>;

/** Why it decided so, for a screen and for the command line. */
export const WhySchema = z.discriminatedUnion("kind", [
	z.object({ kind: z.literal("all-met"), conditions: z.number().int() }),
	z.object({
		kind: z.literal("condition"),
		fact: FactSchema,
		operator: OperatorSchema,
		value: z.union([z.number(), z.string()]),
		actual: z.union([z.number(), z.string()]).nullable(),
	}),
	z.object({ kind: z.literal("cool-down"), minutes: z.number().int(), until: z.string() }),
	z.object({ kind: z.literal("budget"), budget: z.number().int() }),
	z.object({ kind: z.literal("duplicate") }),
	/** The event comes from what this trigger did itself. */
	z.object({ kind: z.literal("own-chain") }),
	/** The event stands at the end of a chain of triggers that is too long. */
	z.object({ kind: z.literal("depth"), depth: z.number().int(), most: z.number().int() }),
]);
export type Why = z.infer<typeof WhySchema>;

/** What an event is about: enough to act on it, and to link to it. */
export const SubjectSchema = z.object({
	label: z.string().nullable().default(null),
	commit: z.string().nullable().default(null),
	treeId: z.string().nullable().default(null),
	evolutionId: z.string().nullable().default(null),
	roundId: z.string().nullable().default(null),
	runId: z.string().nullable().default(null),
	policyVersionId: z.string().nullable().default(null),
	judgeVersionId: z.string().nullable().default(null),
	/** What a machine sent with its call. */
	payload: z.record(z.string(), z.unknown()).nullable().default(null),
});
export type Subject = z.infer<typeof SubjectSchema>;

export const OutcomeSchema = z.object({
	runs: z.array(z.object({ id: z.string(), number: z.number().int() })).optional(),
	/** `already`: one waits, and no second is made. */
	retraining: z.object({ id: z.string(), already: z.boolean() }).optional(),
	trainingId: z.string().optional(),
	finding: z.object({ id: z.string(), number: z.number().int() }).optional(),
	deliveryId: z.string().optional(),
	error: z.object({ reason: z.string(), message: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) }).optional(),
});
export type Outcome = z.infer<typeof OutcomeSchema>;

export const DeliverySchema = z.object({
	id: z.string(),
	status: z.enum(["queued", "delivered", "failed"]),
	attempts: z.number().int(),
	/** HTTP status of the last answer. */
	answered: z.number().int().nullable(),
	error: z.object({ reason: z.string(), message: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) }).nullable(),
	nextAt: z.date().nullable(),
});
export type Delivery = z.infer<typeof DeliverySchema>;

export const FiringSchema = z.object({
	id: z.string(),
	trigger: z.object({ id: z.string(), name: z.string(), key: BuiltInKeySchema.nullable() }),
	version: z.number().int(),
	event: EventTypeSchema,
	eventAt: z.date(),
	decision: DecisionSchema,
	why: WhySchema,
	inputs: FactsSchema,
	subject: SubjectSchema,
	/** How many triggers led to the event. */
	depth: z.number().int(),
	outcome: z.enum(["none", "pending", "done", "failed"]),
	result: OutcomeSchema.nullable(),
	delivery: DeliverySchema.nullable(),
	repeats: z.number().int(),
	createdAt: z.date(),
	finishedAt: z.date().nullable(),
});
export type Firing = z.infer<typeof FiringSchema>;

export const FiringFilterSchema = z.object({
	triggerId: z.string().max(60).optional(),
	decision: DecisionSchema.optional(),
	event: EventTypeSchema.optional(),
});
export type FiringFilter = z.infer<typeof FiringFilterSchema>;

export const TriggerSchema = z.object({
	id: z.string(),
	key: BuiltInKeySchema.nullable(),
	name: z.string(),
	enabled: z.boolean(),
	version: z.number().int(),
	content: TriggerContentSchema,
	hasSecret: z.boolean(),
	/** Of a schedule that is on. */
	dueAt: z.date().nullable(),
	updatedAt: z.date(),
	updatedBy: z.string().nullable(),
	/** The last event at which it fired, and how often in the last 24 hours. */
	lastFiredAt: z.date().nullable(),
	firedToday: z.number().int(),
});
export type Trigger = z.infer<typeof TriggerSchema>;

export const TriggerVersionSchema = z.object({
	version: z.number().int(),
	name: z.string(),
	enabled: z.boolean(),
	content: TriggerContentSchema,
	byName: z.string(),
	reason: z.string().nullable(),
	createdAt: z.date(),
});
export type TriggerVersion = z.infer<typeof TriggerVersionSchema>;

// ---- dry run ----

export const DryRunSchema = z.object({
	trigger: z.object({ id: z.string().nullable(), name: z.string(), key: BuiltInKeySchema.nullable() }),
	from: z.date(),
	to: z.date(),
	counts: z.record(DecisionSchema, z.number().int()),
	/** Older events than these were left out. */
	truncated: z.boolean(),
	/** Newest first. */
	entries: z.array(
		z.object({ at: z.date(), event: EventTypeSchema, label: z.string().nullable(), decision: DecisionSchema, why: WhySchema, inputs: FactsSchema }),
	),
});
export type DryRun = z.infer<typeof DryRunSchema>;

// ---- retraining that waits for a person ----

export const RetrainingProposalSchema = z.object({
	id: z.string(),
	trigger: z.object({ id: z.string(), name: z.string() }),
	firingId: z.string(),
	recipe: RecipeSchema,
	seed: z.number().int(),
	options: TrainingOptionsSchema,
	event: EventTypeSchema,
	eventAt: z.date(),
	/** What the trigger decided on. */
	facts: FactsSchema,
	status: z.enum(["pending", "confirmed", "rejected"]),
	note: z.string().nullable(),
	decidedBy: z.string().nullable(),
	decidedAt: z.date().nullable(),
	/** The training that the confirmation started. */
	trainingId: z.string().nullable(),
	createdAt: z.date(),
});
export type RetrainingProposal = z.infer<typeof RetrainingProposalSchema>;
