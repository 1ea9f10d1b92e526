import limited from "p-limit";
import { type AgentDependencies, runEpisode } from "@/server/agent";
import type { Policy, ToolExecutor } from "@/server/agent/contract";
import type { Rewriter } from "@/server/augmentation";
import type { Harness, HarnessFiles, Room } from "@/server/harness/contract";
import type { Judge } from "@/server/judge/contract";
import type { Sandbox } from "@/server/sandbox/contract";
import type { RoomReference, WorkspaceBundle } from "@/server/simulator/contract";
import type { PrepareRun } from "./ports";
import { createVariants, foldEpisode, judgedVariant, rubricInForce } from "./prepare-variants";

export interface PrepareRunDeps {
	sandbox: Sandbox;
	/** By tree id, from the database: a worker needs no repository. Throws `precondition` when it is not valid. */
	loadHarness(treeId: string): Promise<Harness>;
	/** Keeps the files of a variant by their tree id. */
	keepFiles(files: HarnessFiles): Promise<unknown>;
	/** Other words that a model found for the texts of a harness; none for a null fingerprint. */
	rewritingsFor: Rewriter["rewritingsFor"];
	resolvePolicy(policyVersionId: string, options: { useCache: boolean }): Promise<Policy>;
	/** `agent`: what the judge's own harness acts with. */
	resolveJudge(judgeVersionId: string, agent: AgentDependencies): Promise<Judge>;
	simulator: {
		loadBundle(bundleId: string | null): Promise<WorkspaceBundle>;
		resolveRoom(bundle: WorkspaceBundle, reference?: RoomReference): Room;
		executors(workspaceId: string, bundle: WorkspaceBundle): Record<string, ToolExecutor>;
	};
}

/** In flight at once where the policy is an endpoint elsewhere (never more than it takes at once), and where it computes in this process. */
const WAITING = 50;
const COMPUTING = 4;

/** How a run becomes something that acts and scores: harness, policy, judge, world and tools, wired once for all its episodes. */
export function createPrepareRun(deps: PrepareRunDeps): PrepareRun {
	return async (config) => {
		const bundle = await deps.simulator.loadBundle(config.bundleId);
		const agent: AgentDependencies = { sandbox: deps.sandbox, tools: deps.simulator.executors(config.workspaceId, bundle) };
		const [harness, policy, judge] = await Promise.all([
			deps.loadHarness(config.treeId),
			deps.resolvePolicy(config.policyVersionId, { useCache: config.useCache }),
			deps.resolveJudge(config.judgeVersionId, agent),
		]);
		const { kind, concurrency = WAITING } = policy.describe();
		const judges = judge.describe().concurrency ?? 0;
		const computing = limited(COMPUTING);
		const judged = {
			skills: harness.skills.map(({ name, tags, type }) => ({ name, tags, type })),
			tools: harness.tools.map(({ tool, binding }) => ({ name: tool.name, handler: binding.kind === "simulator" ? binding.handler : binding.tool })),
		};
		const variants = config.variants
			? createVariants(config.variants, harness, deps.keepFiles, () =>
					deps.rewritingsFor(config.workspaceId, harness, config.variants?.rewriter ?? null, new AbortController().signal),
				)
			: null;
		return {
			// An endpoint that judges waits too: a policy that computes must not stand still meanwhile.
			parallel: Math.min(WAITING, kind === "endpoint" ? concurrency : COMPUTING + judges),
			runEpisode: async ({ case: input, trial, seed, signal }) => {
				const acting = variants ? (await variants.of(trial)).harness : harness;
				const act = () =>
					runEpisode(agent, {
						harness: acting,
						policy,
						room: deps.simulator.resolveRoom(bundle, input.room),
						message: input.message,
						history: input.history,
						faults: variants ? variants.faultsOf(trial, input.faults) : input.faults,
						seed,
						signal,
					});
				return kind === "endpoint" ? act() : computing(act);
			},
			fold: async (trajectory, trial) => (variants ? foldEpisode(await variants.of(trial), trajectory) : { trajectory, limitsKept: null }),
			async judge({ case: judgeCase, input, trajectory, trial, signal }) {
				const variant = variants ? await variants.of(trial) : null;
				const rubric = variant ? rubricInForce(judgeCase.rubric, variant) : judgeCase.rubric;
				const known = { ...judgeCase, rubric, room: deps.simulator.resolveRoom(bundle, input.room), world: bundle.world };
				return judge.judge({ case: known, trajectory, harness: variant ? judgedVariant(judged, variant) : judged }, signal);
			},
		};
	};
}
