import type { z } from "zod";
import { planSuite, pointsOrNull, scorePoints } from "@/server/evaluation";
import type { RobustnessGap, RunSummary, VariantSuite } from "@/server/evaluation/contract";
import { SERVICE_ACTORS } from "@/server/workspace/contract";
import type { Session } from "../session";
import { findHarness, summaryDocument, waitForRun } from "./evaluate";
import { type CommandResult, progress } from "./output";
import type { EvaluateOptions } from "./read-options";

type Options = z.infer<typeof EvaluateOptions>;

/** The sources name these figures and do not spell them out: what we take them to mean. */
const READING = {
	acq: "answer quality: mean over cases of (Accuracy + Effectiveness) / 2",
	rc: "recovery: share of the episodes with an injected fault that still answered acceptably",
	tc: "tool correctness: mean tool rationality (expected tools called, none needlessly, no avoidable failure)",
	fi: "following instructions: share of replies that keep every countable limit in force in their variant",
	tco: "task completion: share of episodes that end in a reply that resolves the intent at least in part",
};

function figuresOf(suite: VariantSuite, summary: RunSummary) {
	const measured = summary.coverage > 0;
	const acq = { value: scorePoints(summary, measured).avg, reading: READING.acq };
	if (suite === "t3-tool")
		return {
			acq,
			rc: { value: pointsOrNull(summary.recovery), reading: READING.rc },
			tc: { value: pointsOrNull(summary.toolRationality), reading: READING.tc },
		};
	if (suite === "t3-prompt")
		return {
			acq,
			fi: { value: pointsOrNull(summary.limitsKept ?? null), reading: READING.fi },
			tco: { value: pointsOrNull(measured ? (summary.completion ?? 0) : null), reading: READING.tco },
		};
	return { acq };
}

const gapDocument = ({ cases, ...gap }: RobustnessGap) => ({ cases, ...scorePoints(gap, cases > 0) });

/** `evaluate --suite t2|t3-tool|t3-prompt`: T1 (taken over where it is known), the suite's rows, and what each loses against T1. */
export async function evaluateVariants(session: Session, suite: VariantSuite, options: Options): Promise<CommandResult> {
	const workspace = await session.workspace(options.workspace);
	const { evaluation, policies, judges, envelopes, rewriter } = session.services;
	const cases = await evaluation.requireSuite(workspace.id, "t1");
	const [harness, policy, judge, envelope, model] = await Promise.all([
		findHarness(session, workspace.id, options.harness),
		policies.find(workspace.id, options.policy),
		judges.current(workspace.id),
		envelopes.current(workspace.id),
		rewriter.describe(workspace.id),
	]);
	const common = {
		workspaceId: workspace.id,
		suiteVersionId: cases.id,
		split: options.split,
		...harness,
		policyVersionId: policy.id,
		judgeVersionId: judge.id,
		seed: options.seed,
		useCache: options.cache,
		reason: "manual" as const,
	};
	const base = await evaluation.ensureRun({ ...common, trials: options.trials }, SERVICE_ACTORS.system);
	const rows = [];
	for (const { row, plan } of planSuite(suite, envelope.content, options.seed, model))
		rows.push({ row, run: await evaluation.ensureRun({ ...common, trials: options.variants, variants: plan }, SERVICE_ACTORS.system) });
	progress(`${[base, ...rows.map(({ run }) => run)].map((run) => `R-${run.number}`).join(", ")}: T1 and ${rows.length} under ${options.variants} variants`);
	const t1 = await waitForRun(session, workspace.id, base.id);
	const measured = [];
	for (const { row, run } of rows) {
		const summary = await waitForRun(session, workspace.id, run.id);
		const gap = await evaluation.gap(base.id, run.id);
		measured.push({ row, runId: run.id, number: run.number, figures: figuresOf(suite, summary), gap: gapDocument(gap), ...summaryDocument(summary) });
	}
	return {
		document: {
			suite,
			cases: `${cases.key} v${cases.version}`,
			harness: { commit: harness.commit, tree: harness.treeId },
			policy: policy.name,
			judge: judge.name,
			envelope: envelope.version,
			rewrittenBy: model === null ? "seeded paraphrase" : "the editing model",
			variants: options.variants,
			split: options.split,
			seed: options.seed,
			t1: { runId: base.id, number: base.number, ...summaryDocument(t1) },
			rows: measured,
		},
	};
}
