import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runEpisode } from "@/server/agent";
import type { Policy } from "@/server/agent/contract";
import { augment } from "@/server/augmentation";
import { planSuite } from "@/server/evaluation";
import { SERVICE_ACTORS } from "@/server/workspace/contract";
import { createWorkspaceFromFolder } from "../create-workspace";
import { pssMbOf, type StudioUnderTest } from "./studio-under-test";

const VARIANTS = 100;
const T2_VARIANTS = 5;
const RETRAININGS = 10;
/** Lengths of ours for the retrainings that memory is watched over. */
const SHORT = { variants: 4, sftEpochs: 2, opdSteps: 20, rlIterations: 4 };

const round = (value: number, digits = 1) => Math.round(value * 10 ** digits) / 10 ** digits;

/** The sample workspace with what a run in it is bound to. */
async function openSample({ services }: StudioUnderTest) {
	const { workspace } = await createWorkspaceFromFolder(services, path.resolve("examples/live-avatar"));
	const suite = await services.evaluation.requireSuite(workspace.id, "t1");
	const { treeId, commit } = await services.harness.resolveHarness(workspace.id, "main");
	const judge = await services.judges.current(workspace.id);
	return { workspaceId: workspace.id, suiteVersionId: suite.id, treeId, commit, judgeVersionId: judge.id };
}
type Sample = Awaited<ReturnType<typeof openSample>>;

/** Milliseconds of making one variant of the sample's harness, in this process: the middle one of many. */
async function measureVariant({ services }: StudioUnderTest, { workspaceId, treeId }: Sample): Promise<number> {
	const [files, { content: envelope }] = await Promise.all([services.harness.loadSnapshot(treeId), services.envelopes.current(workspaceId)]);
	const times: number[] = [];
	for (let seed = 0; seed < VARIANTS; seed++) {
		const startedAt = performance.now();
		augment({ files, treeId, envelope, seed, keep: "everything" });
		times.push(performance.now() - startedAt);
	}
	return round(times.sort((a, b) => a - b)[VARIANTS / 2] as number);
}

/** T2 with the 240 cases of `test`, each under every variant, by the worker. Only its time is read. */
async function measureT2(studio: StudioUnderTest, sample: Sample) {
	const { services } = studio;
	const [policy, envelope] = [await services.policies.ensureCompact(sample.workspaceId), await services.envelopes.current(sample.workspaceId)];
	const plan = planSuite("t2", envelope.content, 1, null)[0]?.plan ?? null;
	const bound = { ...sample, policyVersionId: policy.id, split: "test", trials: T2_VARIANTS, seed: 1, reason: "manual", useCache: false } as const;
	const { run, wallMs } = await studio.measure({ ...bound, variants: plan });
	return { episodes: run.planned, seconds: round(wallMs / 1000) };
}

/** One retraining by the worker: seconds from the request to the first point of the curves, and to the checkpoint. */
async function retrain({ services }: StudioUnderTest, { workspaceId }: Sample, seed: number, options = {}) {
	const startedAt = performance.now();
	const since = () => round((performance.now() - startedAt) / 1000);
	const id = await services.training.start({ workspaceId, recipe: "hat", seed, options, requestedById: SERVICE_ACTORS.system.id });
	let firstPoint: number | null = null;
	for (;;) {
		const { status, progress, policyVersionId, error } = await services.training.get(id);
		if (progress?.start) firstPoint ??= since();
		if (status === "failed" || status === "cancelled") throw new Error(`the retraining ended as ${status}: ${error?.message}`);
		if (status === "done") return { policyVersionId: policyVersionId ?? "", seconds: since(), firstPointSeconds: firstPoint };
		await sleep(50);
	}
}

/** Decisions of a checkpoint's policy for each second that it takes, on one core, over the dev cases; hooks and tools run beside it and are not counted. */
async function measureActing({ services }: StudioUnderTest, sample: Sample, policyVersionId: string): Promise<number> {
	const harness = await services.harness.loadHarness(sample.treeId);
	const bundle = await services.simulator.loadBundle((await services.workspace.getById(sample.workspaceId)).bundleId);
	const dependencies = { sandbox: services.sandbox, tools: services.simulator.executors(sample.workspaceId, bundle) };
	const { dev } = await services.evaluation.readTrainingCases(sample.suiteVersionId);
	const policy = await services.loadPolicy(policyVersionId);
	let [decisions, ms] = [0, 0];
	const timed: Policy = {
		describe: policy.describe,
		async act(request, signal) {
			const startedAt = performance.now();
			const step = await policy.act(request, signal);
			ms += performance.now() - startedAt;
			decisions += step.decisions?.length ?? 0;
			return step;
		},
	};
	// The first round warms up, as any worker is after some cases.
	for (const counted of [false, true]) {
		if (counted) [decisions, ms] = [0, 0];
		for (const { content } of dev) {
			const room = services.simulator.resolveRoom(bundle, content.room);
			await runEpisode(dependencies, { harness, policy: timed, room, message: content.message, history: content.history, faults: content.faults, seed: 1 });
		}
	}
	return Math.round(decisions / (ms / 1000));
}

/** What training and acting of the compact policy cost, beside what they may cost. Minutes. */
export async function measureTraining(studio: StudioUnderTest, say: (text: string) => void) {
	const sample = await openSample(studio);
	const variantMs = { target: 5, measured: await measureVariant(studio, sample) };
	say(`a variant of the sample harness: ${variantMs.measured} ms`);
	const { episodes, seconds } = await measureT2(studio, sample);
	const t2Seconds = { target: 30, measured: seconds, episodes };
	say(`T2 over ${episodes} episodes: ${seconds} s`);
	const first = await retrain(studio, sample, 1);
	const retrainingSeconds = { target: 60, measured: first.seconds };
	const firstPointSeconds = { target: 2, measured: first.firstPointSeconds };
	say(`one retraining: ${first.seconds} s, its first point after ${first.firstPointSeconds} s`);
	const decisionsPerSecond = { target: 5_000, measured: await measureActing(studio, sample, first.policyVersionId) };
	say(`decisions a second on one core: ${decisionsPerSecond.measured}`);
	const pssMb: number[] = [];
	for (let i = 0; i < RETRAININGS; i++) {
		await retrain(studio, sample, 10 + i, SHORT);
		pssMb.push(Math.round(pssMbOf(studio.workerPid)));
	}
	say(`the worker after each of ${RETRAININGS} short retrainings: ${pssMb.join(", ")} MiB`);
	return { variantMs, t2Seconds, retrainingSeconds, firstPointSeconds, decisionsPerSecond, workerPssMbAfterRetrainings: pssMb };
}
