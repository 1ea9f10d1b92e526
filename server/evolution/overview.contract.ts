import * as z from "zod";
import { IntervalSchema, RunStatusSchema, VerdictWordSchema } from "@/server/evaluation/contract";
import { PhrasesSchema } from "@/server/kernel/phrase.contract";
import { GateResultSchema, RoundStandingSchema } from "./core.contract";

/**
 * What the Evolution page draws. Scores and deltas are proportions in [0, 1] (the screen multiplies by 100), times are
 * dates. Sentences are sent as a kind with parameters, so that the screen says them in its language.
 */
export const RoundScoresSchema = z.object({
	runId: z.string(),
	runNumber: z.number().int(),
	status: RunStatusSchema,
	/** Episodes recorded so far, of `planned`. */
	done: z.number().int(),
	planned: z.number().int(),
	/** The rest is null until the run is done. */
	cases: z.number().int().nullable(),
	coverage: z.number().nullable(),
	/** decisive | warning | indecisive */
	standing: z.enum(["decisive", "warning", "indecisive"]).nullable(),
	accuracy: IntervalSchema.nullable(),
	effectiveness: IntervalSchema.nullable(),
	avg: IntervalSchema.nullable(),
	/** Share of cases whose verdict flips between trials; null with one trial. */
	noise: z.number().nullable(),
});
export type RoundScores = z.infer<typeof RoundScoresSchema>;

export const PersonSchema = z.object({ id: z.string(), name: z.string() });

/**
 * The release that speaks for a round: the live one where it holds the round's files, else the last that was made of it. Its
 * gate is the one that was decided then, against what was live then.
 */
export const RoundReleaseSchema = z.object({
	tag: z.string(),
	/** A rollback restored the round's files. */
	kind: z.enum(["release", "rollback"]),
	at: z.date(),
	by: PersonSchema,
	unattended: z.boolean(),
	/** Tag of what is live now: its own, or another's. */
	live: z.string(),
	/** Tag of what was live then, or `base`. */
	against: z.string(),
	gate: GateResultSchema,
	override: z.object({ verdict: z.enum(["fail", "inconclusive"]), by: PersonSchema, reason: z.string() }).nullable(),
});
export type RoundRelease = z.infer<typeof RoundReleaseSchema>;

export const LandedProposalSchema = z.object({
	id: z.string(),
	number: z.number().int(),
	title: z.string(),
	phrases: PhrasesSchema,
	/** `person`, or the name of the engine that wrote it. */
	engine: z.string(),
	approvedBy: PersonSchema.nullable(),
	unattended: z.boolean(),
	landedAt: z.date().nullable(),
	commit: z.string().nullable(),
});

/** A comparison in digest: what a tooltip or the sentence on top needs. */
export const ComparisonDigestSchema = z.object({
	/** Name of the round compared with: `base`, `Evo.2`. */
	against: z.string(),
	baseRunId: z.string(),
	runId: z.string(),
	accuracy: z.object({ delta: z.number(), low: z.number(), high: z.number(), p: z.number(), verdict: VerdictWordSchema }),
	effectiveness: z.object({ delta: z.number(), low: z.number(), high: z.number(), p: z.number(), verdict: VerdictWordSchema }),
	avgDelta: z.number(),
	/** Its adjusted 95 % interval. */
	avgInterval: z.object({ low: z.number(), high: z.number() }).optional(),
	/** Cases that became better / worse in a dimension. */
	fixed: z.number().int(),
	broken: z.number().int(),
});
export type ComparisonDigest = z.infer<typeof ComparisonDigestSchema>;

/** One row of a comparison of two policies or harnesses: a suite in a split, with both runs as far as they are there. */
export const PairRowSchema = z.object({
	suite: z.enum(["t1", "t2", "t3-tool", "t3-prompt"]),
	/** Which row of the suite; null for T1. */
	row: z.string().nullable(),
	split: z.enum(["dev", "test"]),
	runId: z.string().nullable(),
	baseRunId: z.string().nullable(),
	state: z.enum(["none", "running", "done"]),
	/** Episodes of both runs. */
	done: z.number().int(),
	planned: z.number().int(),
	/** Why the two cannot be compared; null where they can. */
	invalid: z.string().nullable(),
	comparison: ComparisonDigestSchema.nullable(),
});
export type PairRow = z.infer<typeof PairRowSchema>;

/** A row of T2 or T3 on a round: its figures, and what it loses against the round's test run. */
export const RobustnessRowSchema = z.object({
	suite: z.enum(["t2", "t3-tool", "t3-prompt"]),
	/** inside-envelope | held-out-paraphrases | tools | prompts */
	row: z.string(),
	runId: z.string(),
	runNumber: z.number().int(),
	status: RunStatusSchema,
	/** Variants that each case was run under; null until the run is done, as are the figures. */
	variants: z.number().int().nullable(),
	avg: IntervalSchema.nullable(),
	/** Of the episodes with an injected fault, the share that still answered acceptably. */
	recovery: z.number().nullable(),
	toolRationality: z.number().nullable(),
	/** Share of replies that keep every countable limit in force. */
	limitsKept: z.number().nullable(),
	completion: z.number().nullable(),
	/** T1 − this row, paired by case, in AVG. */
	gap: IntervalSchema.nullable(),
});
export type RobustnessRow = z.infer<typeof RobustnessRowSchema>;

export const OverviewRoundSchema = z.object({
	id: z.string(),
	index: z.number().int(),
	/** `base` for round 0, else `Evo.n`. */
	name: z.string(),
	/** open: landings collect; closing: its runs are not all done; closed: it has a standing. */
	status: z.enum(["open", "closing", "closed"]),
	/** It is closing, and one of its runs failed or was cancelled: it goes on when a person evaluates it again. */
	stalled: z.boolean(),
	commit: z.string().nullable(),
	openedAt: z.date(),
	closedAt: z.date().nullable(),
	closedBy: PersonSchema.nullable(),
	unattended: z.boolean(),
	dev: RoundScoresSchema.nullable(),
	test: RoundScoresSchema.nullable(),
	/** T2 and T3, as far as they were run. */
	robustness: z.array(RobustnessRowSchema),
	standing: RoundStandingSchema.nullable(),
	eligible: z.boolean(),
	recommended: z.boolean(),
	/** It is the anchor now. */
	anchor: z.boolean(),
	/** Releases that hold it, oldest first: those made from it, and the live one where a rollback restored it. */
	released: z.array(z.object({ tag: z.string(), at: z.date(), current: z.boolean() })),
	/** The evolution stopped after this round. */
	stopped: z.boolean(),
	/** On `test`. */
	againstBaseline: ComparisonDigestSchema.nullable(),
	againstAnchor: ComparisonDigestSchema.nullable(),
	landed: z.array(LandedProposalSchema),
});
export type OverviewRound = z.infer<typeof OverviewRoundSchema>;

export const HeatCellSchema = z.object({
	/** Null: not evaluated. */
	value: z.number().nullable(),
	/** Change against that round's anchor; null for the baseline and where it was not evaluated. */
	delta: z.number().nullable(),
	verdict: VerdictWordSchema.nullable(),
	/** Significant (categories: after Holm). */
	significant: z.boolean(),
	fixed: z.number().int(),
	broken: z.number().int(),
	alarm: z.boolean(),
	/** A reviewer has acknowledged the alarm in writing. */
	acknowledged: z.boolean(),
});
export type HeatCell = z.infer<typeof HeatCellSchema>;

export const HeatRowSchema = z.object({
	/** Category id, or `null` for all cases. */
	category: z.string().nullable(),
	cases: z.number().int(),
	/** One per round, in the order of `rounds`. */
	accuracy: z.array(HeatCellSchema),
	effectiveness: z.array(HeatCellSchema),
});

/** The sentence on top of the page; the screen says it. */
export const HeadlineSchema = z.discriminatedUnion("kind", [
	/** No evolution yet: the three-step start. */
	z.object({ kind: z.literal("no-evolution") }),
	/** The baseline's runs are not done. */
	z.object({ kind: z.literal("evaluating-baseline") }),
	/** A baseline and nothing landed yet. */
	z.object({ kind: z.literal("baseline-only") }),
	/** A recommended round. */
	z.object({
		kind: z.literal("recommended"),
		round: z.string(),
		accuracy: z.object({ delta: z.number(), low: z.number(), high: z.number() }),
		effectiveness: z.object({ delta: z.number(), low: z.number(), high: z.number() }),
		/** not-released: ready or not by `gate`; released: its tag. */
		released: z.string().nullable(),
		gate: z.enum(["pass", "fail", "inconclusive"]).nullable(),
	}),
	/** Rounds were closed and none is eligible and better than the baseline. */
	z.object({ kind: z.literal("none-better"), rounds: z.number().int() }),
]);

export const WaitingSchema = z.object({
	kind: z.enum([
		"start-evolution",
		"diagnose",
		"confirm-findings",
		"propose-edits",
		"finish-draft",
		"review-proposal",
		"revise-proposal",
		"update-proposal",
		"close-round",
		"evaluate-again",
		"acknowledge-alarm",
		"reopen-or-close",
		"release",
	]),
	/** Who can: a role, or one person (an author). */
	role: z.enum(["operator", "reviewer", "admin"]).nullable(),
	person: PersonSchema.nullable(),
	/** It waits for the person who asks. */
	mine: z.boolean(),
	count: z.number().int(),
	/** Of findings to confirm: the changes that landed since they were diagnosed. Zero elsewhere. */
	landed: z.number().int(),
	/** What it is about: a proposal or round id, and a name to show. */
	subjectId: z.string().nullable(),
	subject: z.string().nullable(),
	since: z.date().nullable(),
});
export type Waiting = z.infer<typeof WaitingSchema>;

export const EarlyStopViewSchema = z.object({
	patience: z.number().int(),
	strikes: z.number().int(),
	stale: z.number().int(),
	stopped: z.boolean(),
	stoppedAt: z.date().nullable(),
	stoppedAfter: z.string().nullable(),
	/** Name of the anchor round. */
	anchor: z.string(),
	/** The rounds that count, with the words of the rule. */
	steps: z.array(
		z.object({
			round: z.string(),
			effect: z.enum(["anchor", "strike", "stale", "trade-off", "none"]),
			accuracy: z.object({ delta: z.number(), p: z.number(), verdict: VerdictWordSchema }),
			effectiveness: z.object({ delta: z.number(), p: z.number(), verdict: VerdictWordSchema }),
			against: z.string(),
		}),
	),
	/** "The remaining errors are sparse: `alone` of `failures` failures are alone in their category." Null where not so. */
	sparse: z.object({ alone: z.number().int(), failures: z.number().int() }).nullable(),
	reopened: z.array(z.object({ by: PersonSchema, reason: z.string(), at: z.date(), afterRound: z.string() })),
});

export const EvolutionRefSchema = z.object({
	id: z.string(),
	number: z.number().int(),
	slug: z.string(),
	title: z.string(),
	status: z.enum(["active", "stopped", "closed"]),
	createdAt: z.date(),
});

/** The newest T1−T2 gap of the evolution, inside the envelope: the robustness figure. */
export const GapViewSchema = z.object({
	round: z.string(),
	/** In AVG; positive means that variants cost points. */
	avg: IntervalSchema,
	cases: z.number().int().nullable(),
	variants: z.number().int().nullable(),
	runId: z.string(),
	baseRunId: z.string(),
	/** The same on paraphrases that no training saw; null where not measured. */
	heldOut: IntervalSchema.nullable(),
	/** A T2 run of a round is under way. */
	measuring: z.boolean(),
});
export type GapView = z.infer<typeof GapViewSchema>;

export const EvolutionOverviewSchema = z.object({
	/** All evolutions of the workspace, newest first, for the switcher. */
	evolutions: z.array(EvolutionRefSchema),
	evolution: EvolutionRefSchema.extend({
		branch: z.string(),
		baseCommit: z.string(),
		headCommit: z.string(),
		policy: z.object({ id: z.string(), name: z.string(), kind: z.string() }),
		judge: z.object({ id: z.string(), name: z.string(), engine: z.string() }),
		suite: z.object({ key: z.string(), version: z.number().int() }),
		trials: z.number().int(),
		seed: z.number().int(),
		createdBy: PersonSchema,
	}).nullable(),
	headline: HeadlineSchema,
	/** Null until a closed round has a T2 run. */
	gap: GapViewSchema.nullable(),
	rounds: z.array(OverviewRoundSchema),
	heatmap: z.object({
		/** Round names, as columns. */
		rounds: z.array(z.string()),
		rows: z.array(HeatRowSchema),
	}),
	earlyStop: EarlyStopViewSchema.nullable(),
	/**
	 * The gate of the recommended round (else of the last closed one) against the last release or the baseline. Once the round
	 * is released it is the gate that decided that release: with itself a round is never compared.
	 */
	gate: z.object({ candidate: z.string(), against: z.string(), result: GateResultSchema, release: RoundReleaseSchema.nullable() }).nullable(),
	waiting: z.array(WaitingSchema),
	/** Findings and proposals not yet decided, for the counts. */
	counts: z.object({
		findingsOpen: z.number().int(),
		findingsAccepted: z.number().int(),
		/** All of the evolution that a person rejected. */
		findingsRejected: z.number().int(),
		inReview: z.number().int(),
		drafts: z.number().int(),
	}),
	/** Work of an engine that is under way (diagnosis, editing). */
	tasks: z.array(z.object({ id: z.string(), kind: z.enum(["diagnose", "edit"]), status: z.enum(["queued", "running"]), startedAt: z.date() })),
});
export type EvolutionOverview = z.infer<typeof EvolutionOverviewSchema>;
