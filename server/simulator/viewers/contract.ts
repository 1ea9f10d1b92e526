import * as z from "zod";

const id = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/u);
const texts = z.array(z.string().min(1).max(300)).min(1).max(200);

/** How somebody types: what is replaced, what is put behind, and whether punctuation is left out; each with its probability. */
export const HabitSchema = z.strictObject({
	id,
	replace: z.record(z.string().min(1), z.array(z.string().max(60)).min(1)).default({}),
	replaceShare: z.number().min(0).max(1).default(0.5),
	endings: z.array(z.string().max(20)).default([]),
	dropsPunctuation: z.number().min(0).max(1).default(0),
	/** Swaps two neighbouring letters, or leaves one out. */
	slips: z.number().min(0).max(1).default(0),
});

/** Who asks: how often, what they begin and end with, and how they type. */
export const PersonaSchema = z.strictObject({
	id,
	weight: z.number().positive().max(100).default(1),
	opens: z.array(z.string().max(60)).default([""]),
	closes: z.array(z.string().max(60)).default([""]),
	habits: z.array(id).min(1),
});

/** What surrounds the message: earlier turns, another viewer in between, a question that comes in two pieces. */
export const SessionSchema = z.strictObject({
	smallTalk: z.array(z.strictObject({ viewer: z.string().min(1), agent: z.string().min(1) })).default([]),
	others: z.array(z.strictObject({ viewer: z.string().min(1), agent: z.string().min(1) })).default([]),
	interruptions: z.array(z.string().min(1)).default([]),
	/** Shares of sessions with each of them. */
	shares: z.strictObject({
		smallTalk: z.number().min(0).max(1),
		others: z.number().min(0).max(1),
		interruptions: z.number().min(0).max(1),
		followUps: z.number().min(0).max(1),
	}),
});

/** One value of a slot: the ways to say it, and what else it stands for (`{slot.key}` in rubric, room and expectation). */
const SlotValueSchema = z.strictObject({ say: texts, is: z.record(z.string(), z.string()).default({}) });

/** What a viewer wants, with the ways to ask, and what a good answer is: as in a case, with `{slot}` and `{slot.key}` filled in. */
export const GoalSchema = z.strictObject({
	id,
	category: z.string().min(1).max(80),
	ask: texts,
	/** Ways to ask after the agent's last answer, which is given. */
	followUp: z.strictObject({ before: z.strictObject({ viewer: z.string(), agent: z.string() }), ask: texts }).optional(),
	slots: z.record(z.string().regex(/^[a-z]+$/u), z.array(SlotValueSchema).min(1)).default({}),
	/** Names of rooms; `{slot.key}` too. */
	rooms: z.array(z.string().min(1)).default([]),
	expect: z.record(z.string(), z.unknown()).default({}),
	rubric: z.array(z.record(z.string(), z.unknown())).default([]),
	reference: z.string().optional(),
});
export type Goal = z.infer<typeof GoalSchema>;

/** All that simulated viewers are made of: the files of a workspace's folder `viewers`. */
export const ViewersSchema = z.strictObject({
	personas: z.array(PersonaSchema).min(1),
	habits: z.array(HabitSchema).min(1),
	session: SessionSchema,
	goals: z.array(GoalSchema).min(1),
});
export type Viewers = z.infer<typeof ViewersSchema>;
export type Habit = z.infer<typeof HabitSchema>;
export type Persona = z.infer<typeof PersonaSchema>;

/** A case before it is checked like any other. */
export interface SimulatedCase {
	id: string;
	category: string;
	message: string;
	history: { role: "viewer" | "agent"; text: string }[];
	room?: { base: string };
	expect: Record<string, unknown>;
	rubric: Record<string, unknown>[];
	reference?: string;
	tags: string[];
}
