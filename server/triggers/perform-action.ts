import { planSuite } from "@/server/evaluation";
import { VariantSuiteSchema } from "@/server/evaluation/contract";
import { SERVICE_ACTORS } from "@/server/workspace/contract";
import type { Action, Outcome } from "./contract";
import { queueDelivery } from "./deliver-webhook";
import { errors } from "./errors";
import type { Fired } from "./fired";
import { recordEffects } from "./firing.repository";
import type { TriggerDeps } from "./ports";
import { ensureRetraining } from "./retraining.repository";

const ACTOR = SERVICE_ACTORS.trigger;
/** Seed and repetitions of the runs that a trigger starts: those of the command line. */
const SEED = 1;

type Started = { id: string; number: number };

/** Runs that were there before are nobody's doing: what follows their end is not a chain. */
async function noteRuns(deps: TriggerDeps, { firing }: Fired, runs: readonly Started[]): Promise<Outcome> {
	const found = await deps.evaluation.findRuns(runs.map((run) => run.id));
	const own = found.filter((run) => run.createdAt >= firing.createdAt).map((run) => run.id);
	await recordEffects(deps.db, firing.id, "run", own);
	return { runs: runs.map(({ id, number }) => ({ id, number })) };
}

async function runLoopSuites(deps: TriggerDeps, fired: Fired): Promise<Outcome> {
	const { trigger, firing } = fired;
	const { evolutionId, roundId } = firing.subject;
	if (roundId) {
		const { workspaceId } = trigger;
		await deps.evolution.evaluateRound({ workspaceId, roundId, actor: SERVICE_ACTORS.system });
		const round = await deps.evolution.findRound(workspaceId, roundId);
		const ids = [round?.devRunId, round?.testRunId, ...(round?.regressionRunIds ?? [])].flatMap((id) => id ?? []);
		return noteRuns(deps, fired, await deps.evaluation.findRuns(ids));
	}
	if (!evolutionId) return {};
	return noteRuns(deps, fired, [await deps.evolution.evaluateLanding({ evolutionId, actor: SERVICE_ACTORS.system })]);
}

async function runSuites(deps: TriggerDeps, fired: Fired, action: Extract<Action, { type: "run-suites" }>): Promise<Outcome> {
	const { evaluation } = deps;
	const { workspaceId } = fired.trigger;
	const { subject } = fired.firing;
	const [harness, policyVersionId, judgeVersionId] = await Promise.all([
		subject.treeId ? { treeId: subject.treeId, commit: subject.commit } : deps.harness.resolveHarness(workspaceId, subject.commit ?? "main"),
		subject.policyVersionId ?? deps.policies.current(workspaceId).then(({ id }) => id),
		subject.judgeVersionId ?? deps.judges.current(workspaceId).then(({ id }) => id),
	]);
	const common = {
		...{ workspaceId, split: action.split, treeId: harness.treeId, commit: harness.commit, policyVersionId, judgeVersionId },
		...{ seed: SEED, reason: "trigger" as const },
	};
	const started: Started[] = [];
	const start = async (suiteKey: string, rest: { trials: number; variants?: Parameters<typeof evaluation.ensureRun>[0]["variants"] }) => {
		const suite = await evaluation.currentSuiteVersion(workspaceId, suiteKey);
		if (!suite) throw errors.suiteUnknown(suiteKey);
		const run = await evaluation.ensureRun({ ...common, ...rest, suiteVersionId: suite.id }, ACTOR);
		if (!started.some((one) => one.id === run.id)) started.push(run);
	};
	for (const key of action.suites) {
		const under = VariantSuiteSchema.safeParse(key);
		// What runs under variants is read against T1 on the same harness.
		await start(under.success ? "t1" : key, { trials: 1 });
		if (!under.success) continue;
		const [envelope, rewriter] = await Promise.all([deps.envelopes.current(workspaceId), deps.rewriter.describe(workspaceId)]);
		for (const { plan } of planSuite(under.data, envelope.content, SEED, rewriter)) await start("t1", { trials: action.variants, variants: plan });
	}
	return noteRuns(deps, fired, started);
}

async function proposeRetraining(
	deps: TriggerDeps,
	{ trigger, firing, event }: Fired,
	action: Extract<Action, { type: "propose-retraining" }>,
): Promise<Outcome> {
	const { recipe, seed, options } = action;
	const { workspaceId, id, name } = trigger;
	const about = { firingId: firing.id, event, eventAt: firing.eventAt, facts: firing.inputs };
	return { retraining: await ensureRetraining(deps.db, { workspaceId, recipe, seed, options, ...about, trigger: { id, name } }) };
}

async function startRetraining(deps: TriggerDeps, { trigger, firing }: Fired, action: Extract<Action, { type: "start-retraining" }>): Promise<Outcome> {
	const { recipe, seed, options } = action;
	const { workspaceId } = trigger;
	// Started before a crash: events of a workspace come one after another, so it can only be this one's.
	const own = (await deps.training.list(workspaceId)).find((one) => one.requestedById === ACTOR.id && one.createdAt >= firing.createdAt);
	return { trainingId: own?.id ?? (await deps.training.start({ workspaceId, recipe, seed, options, requestedById: ACTOR.id })) };
}

async function openFinding(deps: TriggerDeps, { trigger, firing }: Fired, action: Extract<Action, { type: "open-finding" }>): Promise<Outcome> {
	const evolutionId = firing.subject.evolutionId ?? (await deps.evolution.current(trigger.workspaceId))?.id;
	if (!evolutionId) throw errors.noEvolution();
	const { title, hypothesis } = action;
	const finding = await deps.evolution.openFinding({
		...{ workspaceId: trigger.workspaceId, evolutionId, actor: ACTOR, title, hypothesis },
		...{ engine: `trigger: ${trigger.name}`, origin: firing.id, runId: firing.subject.runId },
	});
	return { finding };
}

/** Does what a trigger is there for. Safe to repeat for the same firing. Throws what the action throws. */
export async function performAction(deps: TriggerDeps, fired: Fired): Promise<Outcome> {
	const { action } = fired.trigger.content;
	switch (action.type) {
		case "run-loop-suites":
			return runLoopSuites(deps, fired);
		case "run-suites":
			return runSuites(deps, fired, action);
		case "propose-retraining":
			return proposeRetraining(deps, fired, action);
		case "start-retraining":
			return startRetraining(deps, fired, action);
		case "open-finding":
			return openFinding(deps, fired, action);
		case "call-webhook":
			return { deliveryId: await queueDelivery(deps, fired, action) };
	}
}
