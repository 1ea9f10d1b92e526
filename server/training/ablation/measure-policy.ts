import type { Fault, Policy } from "@/server/agent/contract";
import { type Choose, chooseBest, type Parameters, type ScoreOptions, Scorer } from "@/server/compact";
import { createRandom } from "@/server/kernel/random";
import { type Forest, injectFault, type Prompt } from "../rollouts/arena";
import { playEach } from "../rollouts/play-each";
import { type Episode, type Playground, playEpisode, type Stage, type TrainingCase } from "../rollouts/playground";
import { ROWS, type RowName, type Rows } from "./open-rows";

/** What is measured, case by case: mean of accuracy and effectiveness in every row, and behaviour on the original (null where a case asks for none). */
export interface Measured {
	rows: Record<RowName, number[]>;
	skill: (number | null)[];
	tool: (number | null)[];
}

/** Whoever can be measured: plays one prompt. */
export type Contestant = (prompt: Prompt) => Promise<Pick<Episode, "verdict">>;

/** A policy with weights. Its episodes come from the forest, where others may have played them already. */
export function learnedContestant(forest: Forest, parameters: Parameters, score: ScoreOptions = {}, choose: Choose = chooseBest): Contestant {
	const scorer = new Scorer(parameters, score);
	return (prompt) => forest.treeOf(prompt).rollout(parameters, scorer, choose);
}

/** Any policy at all. */
export function playingContestant(playground: Playground, policy: Policy, signal: AbortSignal): Contestant {
	return ({ one, stage, faults }) => playEpisode(playground, stage, one, faults, policy, signal);
}

interface ScoringOptions {
	faultsOf?: (one: TrainingCase) => readonly Fault[];
	/** Hears the verdicts in the order of the cases. */
	onVerdict?: (verdict: Episode["verdict"]) => void;
	/** One case after the other: for contestants that learn from each, or whose time is taken. */
	inTurn?: boolean;
}

/** Means of accuracy and effectiveness, case by case; each case meets one of the stages. */
export async function scoreCases(
	contestant: Contestant,
	cases: readonly TrainingCase[],
	stages: readonly Stage[],
	{ faultsOf, onVerdict, inTurn = false }: ScoringOptions = {},
): Promise<number[]> {
	if (stages.length === 0) return [];
	const play = (one: TrainingCase, i: number) => contestant({ one, stage: stages[i % stages.length] as Stage, faults: faultsOf?.(one) ?? one.content.faults });
	const verdicts: Episode["verdict"][] = [];
	if (inTurn) for (const [i, one] of cases.entries()) verdicts.push((await play(one, i)).verdict);
	else verdicts.push(...(await playEach(cases, play)).map(({ verdict }) => verdict));
	for (const verdict of verdicts) onVerdict?.(verdict);
	return verdicts.map(({ accuracy, effectiveness }) => (accuracy + effectiveness) / 2);
}

/** A contestant on every row. The same contestant and cases give the same numbers. */
export async function measurePolicy(contestant: Contestant, cases: readonly TrainingCase[], rows: Rows): Promise<Measured> {
	const measured: Measured = { rows: {} as Measured["rows"], skill: [], tool: [] };
	const faulty = { faultsOf: (one: TrainingCase) => injectFault(one, createRandom(`ablation/${one.key}`)) };
	const behaviour = {
		onVerdict: ({ skillSelection, toolRationality }: Episode["verdict"]) => {
			measured.skill.push(skillSelection);
			measured.tool.push(toolRationality);
		},
	};
	for (const name of ROWS) measured.rows[name] = await scoreCases(contestant, cases, rows[name], name === "t1" ? behaviour : name === "t3Tool" ? faulty : {});
	return measured;
}
