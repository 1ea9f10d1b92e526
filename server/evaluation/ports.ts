import type { Trajectory } from "@/server/agent/contract";
import type { JudgeCase, Verdict } from "@/server/judge/contract";
import type { CaseInput } from "@/server/simulator/contract";
import type { Measure } from "@/server/workspace/contract";
import type { VariantPlan } from "./contract";

/** What a run binds: everything that an episode's result depends on, besides its case and seed. */
export interface RunConfig {
	workspaceId: string;
	treeId: string;
	policyVersionId: string;
	judgeVersionId: string;
	bundleId: string | null;
	useCache: boolean;
	/** Each trial under another variant of the harness; null for the harness itself. */
	variants: VariantPlan | null;
}

/** How an episode reads under the names of the run's own harness, and whether its reply kept the limits in force. */
export interface FoldedEpisode {
	trajectory: Trajectory;
	limitsKept: boolean | null;
}

/** A run's harness, policy, judge and world, loaded once by a worker and used for all its episodes. */
export interface PreparedRun {
	/** Episodes of this run that a worker should have in flight: many where a policy waits, few where it computes, so that a deadline measures the agent and not the queue. */
	parallel: number;
	/** One episode. Infrastructure faults come back as the outcome `infra-error`; throws `cancelled` on abort. */
	runEpisode(input: { case: CaseInput; trial: number; seed: number; signal: AbortSignal }): Promise<Trajectory>;
	/** An episode under a variant, with skills and tools under their own names; the same episode where there are no variants. */
	fold(trajectory: Trajectory, trial: number): Promise<FoldedEpisode>;
	/** Throws AppError `upstream`, `rate-limited`, `timeout` or `unavailable` for infrastructure faults of the judge. */
	judge(input: { case: Omit<JudgeCase, "room" | "world">; input: CaseInput; trajectory: Trajectory; trial: number; signal: AbortSignal }): Promise<Verdict>;
}

/** Loads what a run binds; `composition.ts` wires it. Throws AppError when the run cannot be executed as it stands (the run then fails with its message). */
export type PrepareRun = (config: RunConfig) => Promise<PreparedRun>;

/** How the measure of a workspace and its price are known. */
export interface WorkspaceFacts {
	measure: Measure;
	pricePerMillionTokens: number;
	bundleId: string | null;
	/** Ids of its categories. */
	categories: string[];
}

export interface CaseScene {
	world: Record<string, unknown>;
	/** Why no room can be made of it; null when one can. */
	roomProblem(reference: CaseInput["room"]): string | null;
}

export interface EvaluationPorts {
	prepareRun: PrepareRun;
	workspaceFacts(workspaceId: string): Promise<WorkspaceFacts>;
	/** What cases name: the world (facts of rubrics, by path; empty where there is none), and whether a room can be made of a reference. */
	scene(workspaceId: string): Promise<CaseScene>;
	/** Characters of a kept harness as the policy would see it; throws `not-found` when the tree was not kept. */
	harnessSize(treeId: string): Promise<number>;
	/** Names of policy and judge versions for people, by id. */
	versionNames(ids: { policies: readonly string[]; judges: readonly string[] }): Promise<{ policies: Map<string, string>; judges: Map<string, string> }>;
	/** Names of people and service identities, by id. */
	personNames(ids: readonly string[]): Promise<Map<string, string>>;
	/** Says that what this key names has changed. */
	publish(key: string): Promise<void>;
}
