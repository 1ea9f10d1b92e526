import { type AgentDependencies, runEpisode } from "@/server/agent";
import type { Fault, Policy, Trajectory } from "@/server/agent/contract";
import type { CaseContent } from "@/server/evaluation/contract";
import type { Harness, Room } from "@/server/harness/contract";
import type { Judge, JudgedHarness, Verdict } from "@/server/judge/contract";
import { hash32 } from "@/server/kernel/random";

/** A case that may be trained on: never one of `test` or `holdout`, nor of their groups. */
export interface TrainingCase {
	key: string;
	category: string;
	groupKey: string;
	content: CaseContent;
}

/** A harness to act under; `original` names the skills of a variant as the original has them. */
export interface Stage {
	/** `original`, or which variant. */
	id: string;
	harness: Harness;
	/** Skill of this harness → skill of the original; absent: its own name. */
	original: Readonly<Record<string, string>>;
	/** Rule of the original → rule of this harness, as `skill#index`; absent: its own. */
	rules?: Readonly<Record<string, string>>;
	/** Limits that a variant moved; a rubric that repeats one follows it. */
	limits?: readonly { from: number; to: number }[];
}

/** Simulator, world and judge of one workspace, opened for training or for measuring what was trained. */
export interface Playground {
	agent: AgentDependencies;
	world: Record<string, unknown>;
	resolveRoom(reference: CaseContent["room"]): Room;
	/** Of training the reward judge; of a measurement the evaluation's. */
	rewardJudge: Judge;
	/** Reference replies by category, where the workspace measures by them. */
	references: Readonly<Record<string, string[]>> | null;
}

const byCategory = new WeakMap<object, Map<string, { own: string[]; others: Record<string, string[]> }>>();

/** The references of a category and those of the others; the same object each time, so that the judge can remember by it. */
function referencesOf(references: Playground["references"], category: string): { own: string[]; others: Record<string, string[]> } | null {
	if (!references) return null;
	const known = byCategory.get(references) ?? new Map<string, { own: string[]; others: Record<string, string[]> }>();
	byCategory.set(references, known);
	const { [category]: own = [], ...others } = references;
	const found = known.get(category) ?? { own, others };
	known.set(category, found);
	return found;
}

/** A rubric that repeats a limit of the original asks for the limit in force. */
const rubricInForce = (rubric: CaseContent["rubric"], { limits = [] }: Stage): CaseContent["rubric"] =>
	rubric.map((item) => (item.kind === "max-chars" ? { ...item, value: limits.find(({ from }) => from === item.value)?.to ?? item.value } : item));

/** What training reads of an episode; thousands are kept, so no texts are. */
export interface Episode {
	verdict: Pick<Verdict, "accuracy" | "effectiveness" | "skillSelection" | "toolRationality" | "failureType">;
	reasoningTokens: { tool: number; reply: number };
	/** Steps of the model after which a hook sent something back. */
	failedSteps: ReadonlySet<number>;
}

function reasoningTokens({ steps }: Trajectory, segment: "tool" | "reply"): number {
	return steps.reduce((sum, step) => sum + (step.type === "model" && step.purpose === segment ? step.usage.reasoning : 0), 0);
}

function failedSteps({ steps }: Trajectory): Set<number> {
	const failed = new Set<number>();
	let model = -1;
	for (const step of steps) {
		if (step.type === "model") model += 1;
		else if (step.type === "hook" && step.outcome === "retry" && model >= 0) failed.add(model);
	}
	return failed;
}

/** What the judge knows of a stage: skills answer to the names that the original gave them too, tools to their handlers. */
function judgedOf({ harness, original }: Stage): JudgedHarness {
	return {
		skills: harness.skills.map(({ name, tags, type }) => ({ name, tags: [...tags, original[name] ?? name], type })),
		tools: harness.tools.map(({ tool, binding }) => ({ name: tool.name, handler: binding.kind === "simulator" ? binding.handler : binding.tool })),
	};
}

/** One episode of a case with its reward verdict. The seed depends on the case alone, so that equal decisions give equal episodes. */
export async function playEpisode(
	{ agent, world, resolveRoom, rewardJudge, references }: Playground,
	stage: Stage,
	one: TrainingCase,
	faults: readonly Fault[],
	policy: Policy,
	signal: AbortSignal,
): Promise<Episode> {
	const { message, history, rubric, expect, reference } = one.content;
	const room = resolveRoom(one.content.room);
	const seed = hash32(`training/${one.key}`);
	const trajectory = await runEpisode(agent, { harness: stage.harness, policy, room, message, history, faults, seed, signal });
	const judged = {
		category: one.category,
		rubric: rubricInForce(rubric, stage),
		expect,
		reference: reference ?? null,
		references: referencesOf(references, one.category),
		room,
		world,
	};
	const { accuracy, effectiveness, skillSelection, toolRationality, failureType } = await rewardJudge.judge(
		{ case: judged, trajectory, harness: judgedOf(stage) },
		signal,
	);
	return {
		verdict: { accuracy, effectiveness, skillSelection, toolRationality, failureType },
		reasoningTokens: { tool: reasoningTokens(trajectory, "tool"), reply: reasoningTokens(trajectory, "reply") },
		failedSteps: failedSteps(trajectory),
	};
}
