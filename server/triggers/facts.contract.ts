import * as z from "zod";

/** What a trigger may follow. `schedule` and `api-call` belong to one trigger each; the rest is the workspace's. */
export const EventTypeSchema = z.enum([
	"proposal-landed",
	"round-closed",
	"release-made",
	"evolution-stopped",
	"envelope-left",
	"gap-measured",
	"run-finished",
	"schedule",
	"api-call",
]);
export type EventType = z.infer<typeof EventTypeSchema>;
export const EVENT_TYPES = EventTypeSchema.options;

/**
 * What is known of an event when a trigger decides. Points are of 100; `distance` is a multiple of what the envelope allows;
 * a fact that is not known is null, and no condition on it holds.
 */
const FACT_KINDS = {
	/** How a run ended. */
	status: ["done", "failed", "cancelled"],
	/** Key of the run's suite; of a run under variants its own: t2, t3-tool, t3-prompt. */
	suite: "text",
	split: ["dev", "test", "holdout"],
	/** Why the run was started. */
	startedFor: ["manual", "baseline", "proposal", "landing", "round", "release", "holdout", "loop", "trigger"],
	accuracy: "number",
	effectiveness: "number",
	average: "number",
	/** Share of valid episodes, in percent. */
	coverage: "number",
	/** T1 − T2, mean of accuracy and effectiveness, in points. */
	gap: "number",
	/** Lower end of its 95 % interval. */
	gapLow: "number",
	/** Words of the variants: those that training speaks, or held-out paraphrases. */
	words: ["transforms", "held-out"],
	distance: "number",
	/** Dimensions outside the envelope, separated by spaces. */
	outside: "text",
	/** How many dimensions are outside. */
	dimensions: "number",
	strikes: "number",
	stale: "number",
	unattended: ["yes", "no"],
	/** Of the workspace's newest checkpoint. */
	daysSinceTraining: "number",
	landingsSinceTraining: "number",
} as const satisfies Record<string, "number" | "text" | readonly string[]>;

export type Fact = keyof typeof FACT_KINDS;
export const FACTS = Object.keys(FACT_KINDS) as Fact[];
export const FactSchema = z.enum(FACTS as [Fact, ...Fact[]]);
export const FactsSchema = z.partialRecord(FactSchema, z.union([z.string(), z.number()]).nullable());
export type Facts = z.infer<typeof FactsSchema>;

const AGE = ["daysSinceTraining", "landingsSinceTraining"] as const satisfies readonly Fact[];

/** Which facts each event has. */
export const EVENT_FACTS: Record<EventType, readonly Fact[]> = {
	"proposal-landed": ["unattended", ...AGE],
	"round-closed": ["unattended", ...AGE],
	"release-made": ["unattended", ...AGE],
	"evolution-stopped": ["strikes", "stale", ...AGE],
	"envelope-left": ["distance", "dimensions", "outside", ...AGE],
	"gap-measured": ["gap", "gapLow", "words", "split", ...AGE],
	"run-finished": ["status", "suite", "split", "startedFor", "accuracy", "effectiveness", "average", "coverage", ...AGE],
	schedule: [...AGE],
	"api-call": [...AGE],
};

export const OperatorSchema = z.enum(["above", "at-least", "below", "at-most", "is", "is-not", "contains"]);
export type Operator = z.infer<typeof OperatorSchema>;

/** Choices of a fact; null where it has none. */
export function choicesOf(fact: Fact): readonly string[] | null {
	const kind = FACT_KINDS[fact];
	return typeof kind === "string" ? null : kind;
}

export const isNumberFact = (fact: Fact): boolean => FACT_KINDS[fact] === "number";

/** How a fact can be compared. */
export function operatorsOf(fact: Fact): readonly Operator[] {
	if (isNumberFact(fact)) return ["above", "at-least", "below", "at-most"];
	return choicesOf(fact) ? ["is", "is-not"] : ["is", "is-not", "contains"];
}

export const ConditionSchema = z
	.object({ fact: FactSchema, operator: OperatorSchema, value: z.union([z.number(), z.string().trim().min(1).max(80)]) })
	.superRefine(({ fact, operator, value }, context) => {
		const problem = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
		if (!operatorsOf(fact).includes(operator)) problem("operator", `${fact} can't be compared by "${operator}".`);
		if (isNumberFact(fact) !== (typeof value === "number")) problem("value", isNumberFact(fact) ? "A number." : "A text.");
		const choices = choicesOf(fact);
		if (choices && !choices.includes(String(value))) problem("value", `One of ${choices.join(", ")}.`);
	});
export type Condition = z.infer<typeof ConditionSchema>;
