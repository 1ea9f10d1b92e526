import * as z from "zod";
import { ExpectationSchema, RubricSchema } from "@/server/judge/contract";
import { PhraseSchema } from "@/server/kernel/phrase.contract";
import { CaseInputSchema } from "@/server/simulator/contract";
import { SPLITS } from "./values.contract";

export const SplitSchema = z.enum(SPLITS);
export type Split = z.infer<typeof SplitSchema>;

/** A case as a person writes or imports it. */
export const CaseSchema = CaseInputSchema.extend({
	id: z.string().min(1).max(120),
	category: z.string().min(1).max(80),
	split: SplitSchema,
	group: z.string().max(120).optional(),
	expect: ExpectationSchema.default({}),
	rubric: RubricSchema.default([]),
	reference: z.string().max(8000).optional(),
	probes: z.object({ pass: z.array(z.string()), fail: z.array(z.string()) }).optional(),
	tags: z.array(z.string()).default([]),
});
export type CaseFile = z.infer<typeof CaseSchema>;

/** What a row of `Case` keeps in its content: the case without what the columns hold. */
export const CaseContentSchema = CaseSchema.omit({ id: true, category: true, split: true, group: true });
export type CaseContent = z.infer<typeof CaseContentSchema>;

/** Which column (or promptfoo variable) of an imported table means what. */
export const CaseMappingSchema = z.object({
	message: z.string().min(1),
	id: z.string().optional(),
	category: z.string().optional(),
	split: z.string().optional(),
	group: z.string().optional(),
	reference: z.string().optional(),
	tags: z.string().optional(),
	/** Expected skill names, separated by commas. */
	skills: z.string().optional(),
	/** Expected tool handlers, separated by commas. */
	tools: z.string().optional(),
	/** Texts of which one must occur in the reply, separated by `|`. */
	contains: z.string().optional(),
});
export type CaseMapping = z.infer<typeof CaseMappingSchema>;

export const SplitSharesSchema = z
	.object({ dev: z.number().min(0).max(1), test: z.number().min(0).max(1), holdout: z.number().min(0).max(1) })
	.refine((shares) => Math.abs(shares.dev + shares.test + shares.holdout - 1) < 1e-6, "The shares of dev, test and holdout must add up to 1.");
export type SplitShares = z.infer<typeof SplitSharesSchema>;
export const DEFAULT_SHARES: SplitShares = { dev: 0.3, test: 0.5, holdout: 0.2 };

/** Key of the suite of messages that are there for training alone. All its cases are `dev`; it is never a suite of gates. */
export const TRAINING_SUITE = "training";

export const ImportOptionsSchema = z.object({
	format: z.enum(["auto", "csv", "jsonl"]).default("auto"),
	/** Name of the encoding; `auto` detects it. */
	encoding: z.string().max(40).default("auto"),
	mapping: CaseMappingSchema.optional(),
	/** Category of rows that have none. */
	defaultCategory: z.string().min(1).max(80).optional(),
	shares: SplitSharesSchema.default(DEFAULT_SHARES),
	/** Of a table that is imported twice: the share of its groups that the training suite takes. Any other suite takes the rest. */
	trainingShare: z.number().min(0).max(0.9).default(0),
	/** append: the suite's cases stay, equal ids are replaced; replace: the new version holds these rows only. */
	mode: z.enum(["append", "replace"]).default("append"),
});
export type ImportOptions = z.infer<typeof ImportOptionsSchema>;
export type ImportOptionsInput = z.input<typeof ImportOptionsSchema>;

/** `phrase` is the reason for a screen in another language. */
const RowReasonSchema = z.object({ line: z.number().int(), at: z.string(), reason: z.string(), phrase: PhraseSchema.optional() });

/** What an import will do, or did. Counts are complete; the list of rejected rows is cut at 1,000. */
export const CaseImportReportSchema = z.object({
	format: z.enum(["csv", "jsonl"]),
	/** `case`, `table`, `promptfoo`, `openai-evals` or `openai-chat`: how rows were read. */
	dialect: z.string(),
	encoding: z.string(),
	columns: z.array(z.string()),
	mapping: CaseMappingSchema.nullable(),
	rows: z.number().int(),
	accepted: z.number().int(),
	/** Of the accepted: not in the workspace yet, another text under a known id, already there. */
	added: z.number().int(),
	updated: z.number().int(),
	unchanged: z.number().int(),
	rejected: z.array(RowReasonSchema),
	rejectedTotal: z.number().int(),
	warnings: z.array(RowReasonSchema),
	splits: z.object({ dev: z.number().int(), test: z.number().int(), holdout: z.number().int() }),
	categories: z.array(z.object({ category: z.string(), cases: z.number().int() })),
	/** Groups of near-duplicates with more than one member. */
	nearDuplicateGroups: z.number().int(),
	/** The first rows as they will be stored; never one of the holdout. */
	sample: z.array(
		z.object({ id: z.string(), category: z.string(), split: SplitSchema, group: z.string(), message: z.string(), reference: z.string().nullable() }),
	),
});
export type CaseImportReport = z.infer<typeof CaseImportReportSchema>;

export const SuiteInfoSchema = z.object({
	id: z.string(),
	key: z.string(),
	title: z.object({ en: z.string(), zh: z.string() }),
	standing: z.enum(["critical", "supporting", "informational"]),
	versions: z.array(
		z.object({
			id: z.string(),
			version: z.number().int(),
			hash: z.string(),
			note: z.string().nullable(),
			createdAt: z.date(),
			splits: z.object({ dev: z.number().int(), test: z.number().int(), holdout: z.number().int() }),
		}),
	),
});
export type SuiteInfo = z.infer<typeof SuiteInfoSchema>;

/** A case in a list. Never one of the holdout. */
export const CaseRowSchema = z.object({
	id: z.string(),
	key: z.string(),
	category: z.string(),
	split: z.enum(["dev", "test"]),
	groupKey: z.string(),
	message: z.string(),
	historyTurns: z.number().int(),
	room: z.string().nullable(),
	faults: z.array(z.string()),
	tags: z.array(z.string()),
	hasReference: z.boolean(),
	rubricItems: z.number().int(),
	createdAt: z.date(),
});
export type CaseRow = z.infer<typeof CaseRowSchema>;
