import { chooseBest, type DecisionInput, type Parameters, Scorer, type TakenDecision } from "@/server/compact";
import { sha256 } from "@/server/kernel/hash";
import { createRandom } from "@/server/kernel/random";
import { normalizeText } from "@/server/kernel/text";
import type { Forest } from "../rollouts/arena";
import type { Rollout } from "../rollouts/episode-tree";
import { playEach } from "../rollouts/play-each";
import type { Stage, TrainingCase } from "../rollouts/playground";
import { ORACLE_ATTEMPTS, oracleFor } from "./oracle";

/** Share of trajectories with hook retries that keep their failed turns in the record: of ours. The turns are never in the loss. */
const KEPT_WHOLE = 0.1;

export interface SftDecision {
	input: DecisionInput;
	chosen: number;
	/** 0 for the turn that a hook sent back. */
	weight: number;
}

export interface SftExample {
	caseKey: string;
	stage: string;
	decisions: SftDecision[];
	/** Whether a hook's retry was cut out of it, or is kept with weight 0. */
	retries: "none" | "removed" | "kept";
}

/** Counts of how a data set came about. */
export interface SftCounts {
	cases: number;
	stages: number;
	examples: number;
	decisions: number;
	duplicates: number;
	/** Trajectories that were turned down, by the failure that the reward judge named. */
	rejected: Record<string, number>;
	/** Cases of which no attempt passed, under the original. */
	hopeless: number;
	retries: { removed: number; kept: number };
	/** Share of the teacher's decisions that the student would have taken otherwise, by kind. */
	disagreement: Record<string, { decisions: number; differing: number }>;
}

export interface SftSet {
	examples: SftExample[];
	counts: SftCounts;
}

/** A passing trajectory as training data: the failed middle removed, or kept with weight 0. */
export function toExample(caseKey: string, stage: string, { failedSteps: failed, decisions }: Rollout, keepWhole: boolean): SftExample {
	const touched = decisions.some(({ step }) => failed.has(step));
	const weigh = (taken: TakenDecision): SftDecision => ({ input: taken.input, chosen: taken.chosen, weight: failed.has(taken.step) ? 0 : 1 });
	const weighed = decisions.map(weigh);
	return {
		caseKey,
		stage,
		decisions: keepWhole ? weighed : weighed.filter(({ weight }) => weight > 0),
		retries: !touched ? "none" : keepWhole ? "kept" : "removed",
	};
}

/** The original, and the variants under which the teacher shows a case. */
function stagesFor(one: TrainingCase, { stages: [original, ...variants], seed, perCase = variants.length }: BuildInput): Stage[] {
	const drawn = createRandom(`${seed}/${one.key}/stages`).shuffle(variants).slice(0, perCase);
	return original ? [original, ...drawn] : drawn;
}

interface BuildInput {
	forest: Forest;
	cases: readonly TrainingCase[];
	/** The original first. */
	stages: readonly Stage[];
	/** Variants under which each case is shown; all unless given. */
	perCase?: number;
	student: Parameters;
	seed: number;
	signal: AbortSignal;
	/** Called as each case begins, with the cases that are done. */
	onCase?: ((done: number) => Promise<void> | void) | undefined;
}

/** What the teacher came to under one harness: the trajectory that passed, and why those before it did not. */
interface Lesson {
	stage: Stage;
	rollout: Rollout | null;
	rejected: string[];
}

/** The rule that a rollout answered with; null where it needed none. */
function ruleOf({ decisions }: Rollout): string | null {
	const taken = decisions.findLast(({ input }) => input.kind === "rule");
	return taken?.input.candidates[taken.chosen]?.id ?? null;
}

/** Lets the teacher act on one case until the reward judge is satisfied (Accuracy 1 and Effectiveness 1), or its attempts are used up. */
async function teach({ forest, student }: BuildInput, scorer: Scorer, stage: Stage, one: TrainingCase, proven: string | null): Promise<Lesson> {
	const tree = forest.treeOf({ one, stage, faults: one.content.faults });
	const tried = new Set<string>();
	const rejected: string[] = [];
	for (let attempt = 0; attempt < ORACLE_ATTEMPTS; attempt++) {
		const rollout = await tree.rollout(student, scorer, oracleFor(stage, one, attempt, proven));
		const way = rollout.decisions.map(({ chosen }) => chosen).join();
		if (tried.has(way)) continue;
		tried.add(way);
		const { accuracy, effectiveness, failureType } = rollout.verdict;
		if (accuracy === 1 && effectiveness === 1) return { stage, rollout, rejected };
		rejected.push(failureType ?? "half-effective");
	}
	return { stage, rollout: null, rejected };
}

/**
 * One case under the original, and under variants where the original can be answered: there the rule that passed is tried
 * first, under the name that it has now, since it says the same.
 */
async function teachCase(input: BuildInput, scorer: Scorer, one: TrainingCase): Promise<Lesson[]> {
	const lessons: Lesson[] = [];
	let passed: string | null = null;
	for (const stage of stagesFor(one, input)) {
		input.signal.throwIfAborted();
		const lesson = await teach(input, scorer, stage, one, passed && (stage.rules?.[passed] ?? passed));
		lessons.push(lesson);
		if (stage === input.stages[0] && lesson.rollout) passed = ruleOf(lesson.rollout);
		if (!lesson.rollout && stage === input.stages[0]) break;
	}
	return lessons;
}

function noteDisagreement(counts: SftCounts, student: Scorer, example: SftExample): void {
	for (const { input, chosen, weight } of example.decisions) {
		if (weight === 0) continue;
		const own = counts.disagreement[input.kind] ?? { decisions: 0, differing: 0 };
		counts.disagreement[input.kind] = own;
		own.decisions += 1;
		if (chooseBest(input, student.score(input)) !== chosen) own.differing += 1;
	}
}

/**
 * The data of HSA-SFT: the teacher acts on every case under the original and the augmented harnesses, the reward judge
 * rejects, retries are trimmed, equal examples are taken once. A case that nobody can answer under the original is not
 * tried under variants. The same input gives the same set.
 */
export async function buildSftSet(input: BuildInput): Promise<SftSet> {
	const { cases, stages, seed, student } = input;
	const empty = { examples: 0, decisions: 0, duplicates: 0, hopeless: 0, rejected: {}, retries: { removed: 0, kept: 0 }, disagreement: {} };
	const counts: SftCounts = { cases: cases.length, stages: stages.length, ...empty };
	const examples: SftExample[] = [];
	const seen = new Set<string>();
	const scorer = new Scorer(student);
	let done = 0;
	const lessons = await playEach(cases, async (one) => {
		await input.onCase?.(done);
		const own = await teachCase(input, scorer, one);
		done += 1;
		return own;
	});
	for (const [i, one] of cases.entries()) {
		for (const { stage, rollout, rejected } of lessons[i] ?? []) {
			for (const reason of rejected) counts.rejected[reason] = (counts.rejected[reason] ?? 0) + 1;
			if (!rollout) {
				if (stage === stages[0]) counts.hopeless += 1;
				continue;
			}
			const example = toExample(one.key, stage.id, rollout, createRandom(`${seed}/${one.key}/${stage.id}`).next() < KEPT_WHOLE);
			const print = sha256(
				JSON.stringify([normalizeText(one.content.message), stage.id, example.decisions.map(({ input: own, chosen }) => own.candidates[chosen]?.id)]),
			);
			if (seen.has(print)) {
				counts.duplicates += 1;
				continue;
			}
			seen.add(print);
			examples.push(example);
			noteDisagreement(counts, scorer, example);
			counts.decisions += example.decisions.length;
			if (example.retries !== "none") counts.retries[example.retries] += 1;
		}
	}
	counts.examples = examples.length;
	return { examples, counts };
}
