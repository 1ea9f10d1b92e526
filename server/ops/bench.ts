import path from "node:path";
import { measureLargeRun } from "./bench/measure-screens";
import { measureTraining } from "./bench/measure-training";
import { measureWeb } from "./bench/measure-web";
import { makeWorkspace, oneStepHarness, skillHarness } from "./bench/sample-workspace";
import { pssMbOf, type RunCost, type StudioUnderTest, startStudio } from "./bench/studio-under-test";
import { createWorkspaceFromFolder } from "./create-workspace";

const EPISODES = 1_000;
const LATENCY_MS = 100;
const IDEAL_MS = (EPISODES / 50) * LATENCY_MS;
const SKILL_CASES = 200;
const round = (value: number, digits = 0) => Math.round(value * 10 ** digits) / 10 ** digits;
const say = (text: string) => process.stderr.write(`${text}\n`);

const cost = (measured: RunCost) => ({
	wallMs: round(measured.wallMs),
	startMs: round(measured.startMs),
	cpuMsPerEpisode: round(measured.cpuMs / measured.run.planned, 2),
	requests: measured.requests,
});

/** 1,000 one-step episodes, 50 at once, cache off; the first is by a worker that has done nothing before. */
async function throughput(studio: StudioUnderTest) {
	const binding = await makeWorkspace(studio, { slug: "bench-throughput", cases: EPISODES });
	const treeId = await studio.services.harness.saveSnapshot(oneStepHarness(false));
	const first = await studio.measure({ ...binding, treeId, useCache: false });
	say(`1,000 one-step episodes: ${JSON.stringify(cost(first))}`);
	const hooked = await studio.services.harness.saveSnapshot(oneStepHarness(true));
	const withHook = await studio.measure({ ...binding, treeId: hooked, useCache: false });
	say(`the same with a reply hook: ${JSON.stringify(cost(withHook))}`);
	return { binding, first, withHook };
}

/** An edit of one skill's body asks the model again only for the cases that load it. */
async function skillEdit(studio: StudioUnderTest) {
	const binding = await makeWorkspace(studio, { slug: "bench-skill-edit", cases: SKILL_CASES });
	const requests: number[] = [];
	for (const rule of ["say that it is free", "say that it is free after six"]) {
		const treeId = await studio.services.harness.saveSnapshot(skillHarness(rule));
		requests.push((await studio.measure({ ...binding, treeId })).requests);
	}
	const [before = 0, after = 0] = requests;
	say(`requests before and after the edit of one skill: ${before}, ${after}`);
	return { cases: SKILL_CASES, casesOfSkill: SKILL_CASES / 5, requestsBefore: before, requestsAfter: after };
}

/** The dev split of the sample workspace with the embedded policy. */
async function compact(studio: StudioUnderTest) {
	const { services } = studio;
	const { workspace } = await createWorkspaceFromFolder(services, path.resolve("examples/live-avatar"));
	const suite = await services.evaluation.currentSuiteVersion(workspace.id, "t1");
	if (!suite) throw new Error("the sample workspace has no suite t1");
	const { treeId, commit } = await services.harness.resolveHarness(workspace.id, "main");
	const [policy, judge] = [await services.policies.ensureCompact(workspace.id), await services.judges.current(workspace.id)];
	const bound = { workspaceId: workspace.id, suiteVersionId: suite.id, treeId, commit, policyVersionId: policy.id, judgeVersionId: judge.id };
	const measured = await studio.measure({ ...bound, split: "dev", trials: 1, seed: 1, reason: "manual", useCache: false });
	say(`dev with the compact policy: ${JSON.stringify(cost(measured))}`);
	return { episodes: measured.run.planned, ...cost(measured) };
}

const USAGE = [
	"usage: npm run -s bench [-- --json] [--training]",
	"Measures for some minutes; one JSON document on stdout, indented without --json; progress on stderr.",
	"With --training: what training and acting of the compact policy cost, instead of runs and screens.",
].join("\n");
const OPTIONS = ["--json", "--training", "--help"];

/** Runs, edits, screens and memory. */
async function measureLoop(studio: StudioUnderTest) {
	const { binding, first, withHook } = await throughput(studio);
	const { runId: largeRunId, ...largeRun } = await measureLargeRun(studio, binding.workspaceId, first.run.id);
	say(`a run of 10,000 results: ${JSON.stringify(largeRun)}`);
	const memory = await measureWeb(studio, binding.workspaceId, "bench-throughput", largeRunId);
	say(memory ? `with it, web and worker: ${JSON.stringify(memory)}` : "web not measured: there is no production build (npm run build)");
	return {
		episodes: EPISODES,
		...cost(first),
		idealMs: IDEAL_MS,
		withReplyHook: cost(withHook),
		skillEdit: await skillEdit(studio),
		compactDev: await compact(studio),
		largeRun,
		memory: memory ?? { workerPssMb: round(pssMbOf(studio.workerPid)) },
	};
}

/** `npm run -s bench -- --json`: one JSON document on stdout, progress on stderr. Speed is a figure here, never a test. */
async function main(): Promise<void> {
	const options = process.argv.slice(2);
	const unknown = options.filter((option) => !OPTIONS.includes(option));
	if (unknown.length > 0 || options.includes("--help")) {
		say(unknown.length > 0 ? `unknown option: ${unknown.join(" ")}\n${USAGE}` : USAGE);
		return process.exit(unknown.length > 0 ? 2 : 0);
	}
	const studio = await startStudio({ latencyMs: LATENCY_MS });
	for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void studio.close().then(() => process.exit(1)));
	try {
		const report = options.includes("--training") ? await measureTraining(studio, say) : await measureLoop(studio);
		process.stdout.write(`${JSON.stringify(report, null, process.argv.includes("--json") ? undefined : 2)}\n`);
	} finally {
		await studio.close();
	}
}

main().then(
	() => process.exit(0),
	(error: unknown) => {
		say(`the benchmark failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
		process.exit(1);
	},
);
