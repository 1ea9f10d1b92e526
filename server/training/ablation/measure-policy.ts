import type { Policy } from "@/server/agent/contract";
import { createRandom } from "@/server/kernel/random";
import { injectFault } from "../rollouts/arena";
import { type Playground, playEpisode, type Stage, type TrainingCase } from "../rollouts/playground";

/** Harnesses that a policy is measured under. Each case meets one of a row's variants. */
export interface Rows {
	original: Stage;
	/** Inside the envelope, with seeds that no training used. */
	t2: readonly Stage[];
	/** With words that no training saw. */
	heldOut: readonly Stage[];
	/** Tools varied alone; with injected faults. */
	tool: readonly Stage[];
	/** Prompts varied alone. */
	prompt: readonly Stage[];
}

/** What is measured, in proportions: mean of accuracy and effectiveness by row, and behaviour on the original. */
export interface Measured {
	t1: number;
	t2: number;
	heldOut: number;
	t3Tool: number;
	t3Prompt: number;
	skill: number;
	tool: number;
}

interface Scores {
	score: number;
	skill: number;
	tool: number;
}

async function scoreUnder(
	playground: Playground,
	cases: readonly TrainingCase[],
	stages: readonly Stage[],
	policy: Policy,
	faulty: boolean,
	signal: AbortSignal,
): Promise<Scores> {
	const totals = { score: 0, skill: [0, 0], tool: [0, 0] };
	const add = (pair: number[], value: number | null) => {
		if (value === null) return;
		pair[0] = (pair[0] as number) + value;
		pair[1] = (pair[1] as number) + 1;
	};
	for (const [i, one] of cases.entries()) {
		const faults = faulty ? injectFault(one, createRandom(`ablation/${one.key}`)) : one.content.faults;
		const { verdict } = await playEpisode(playground, stages[i % stages.length] as Stage, one, faults, policy, signal);
		totals.score += (verdict.accuracy + verdict.effectiveness) / 2;
		add(totals.skill, verdict.skillSelection);
		add(totals.tool, verdict.toolRationality);
	}
	const share = ([sum = 0, count = 0]: number[]) => (count === 0 ? 0 : sum / count);
	return { score: totals.score / Math.max(1, cases.length), skill: share(totals.skill), tool: share(totals.tool) };
}

/** A policy on every row. The same policy and cases give the same numbers. */
export async function measurePolicy(
	playground: Playground,
	cases: readonly TrainingCase[],
	rows: Rows,
	policy: Policy,
	signal: AbortSignal,
): Promise<Measured> {
	const under = (stages: readonly Stage[], faulty = false) => scoreUnder(playground, cases, stages, policy, faulty, signal);
	const t1 = await under([rows.original]);
	return {
		t1: t1.score,
		t2: (await under(rows.t2)).score,
		heldOut: (await under(rows.heldOut)).score,
		t3Tool: (await under(rows.tool, true)).score,
		t3Prompt: (await under(rows.prompt)).score,
		skill: t1.skill,
		tool: t1.tool,
	};
}
