import { chooseBySampling, type TakenDecision } from "@/server/compact";
import { createRandom } from "@/server/kernel/random";
import type { REWARD_DIMENSIONS, Rewards, TrainingRecord } from "../contract";
import { computeAdvantages, moments } from "../maths/advantages";
import { cotPenalty } from "../maths/cot-penalty";
import { gspoLoss } from "../maths/gspo";
import { type Arena, injectFault, type Prompt } from "../rollouts/arena";
import type { Rollout } from "../rollouts/episode-tree";
import { playEach } from "../rollouts/play-each";
import type { Stage, TrainingCase } from "../rollouts/playground";
import { emptyRecord, mean } from "./records";
import type { TrainingSettings } from "./settings";
import type { Trainer } from "./trainer";

type Segment = "tool" | "reply";

/** Which segments a decision belongs to: what is opened and called, or what is said. Reading on is both: it costs skill selection, and may be what the answer is in. */
const REPLY_KINDS: readonly string[] = ["rule", "more-rules", "fact"];
const segmentsOf = ({ input: { kind } }: TakenDecision): readonly Segment[] =>
	REPLY_KINDS.includes(kind) ? ["reply"] : kind === "more-skills" ? ["tool", "reply"] : ["tool"];

/** One segment of one trajectory: a sample of its own group. */
interface Sample {
	group: string;
	segment: Segment;
	decisions: TakenDecision[];
	rewards: Rewards;
}

function rewardsOf(verdict: Rollout["verdict"], segment: Segment, penalty: number): Rewards {
	const less = (value: number | null) => (value === null ? null : value + penalty);
	return segment === "tool"
		? { skill: less(verdict.skillSelection), tool: less(verdict.toolRationality) }
		: { accuracy: less(verdict.accuracy), effectiveness: less(verdict.effectiveness) };
}

/** A trajectory cut into its tool and its reply segment, each with its own rewards and CoT penalty (added to each of them). */
export function cutRollout(group: string, { verdict, decisions, reasoningTokens }: Rollout): Sample[] {
	return (["tool", "reply"] as const).flatMap((segment) => {
		const own = decisions.filter((taken) => segmentsOf(taken).includes(segment));
		const rewards = rewardsOf(verdict, segment, cotPenalty(reasoningTokens[segment]));
		return own.length === 0 ? [] : [{ group: `${group}/${segment}`, segment, decisions: own, rewards }];
	});
}

interface RlContext {
	arena: Arena;
	cases: readonly TrainingCase[];
	settings: TrainingSettings;
	seed: string;
}

async function sampleGroups({ arena, cases, settings, seed }: RlContext, trainer: Trainer, step: number) {
	const random = createRandom(`${seed}/rl/${step}`);
	const [original, ...variants] = arena.stages;
	const prompts = Array.from({ length: settings.rl.prompts }, (): Prompt => {
		const one = random.pick(cases);
		const stage = variants.length > 0 && random.next() < settings.augmentedShare ? random.pick(variants) : (original as Stage);
		return { one, stage, faults: random.next() < settings.faults ? injectFault(one, random) : one.content.faults };
	});
	const here = arena.afresh();
	// Each group draws from numbers of its own: what it samples does not depend on which is played first.
	const groups = await playEach(prompts, async (prompt, p) => {
		const own = createRandom(`${seed}/rl/${step}/${p}`);
		const rollouts: Rollout[] = [];
		for (let g = 0; g < settings.rl.group; g++) rollouts.push(await here.rollout(prompt, trainer, chooseBySampling(own.next)));
		return rollouts;
	});
	return { rollouts: groups.flat(), samples: groups.flatMap((rollouts, p) => rollouts.flatMap((rollout) => cutRollout(`${p}`, rollout))) };
}

/** One update on samples: the GSPO loss over the segments' decisions. */
function update(trainer: Trainer, samples: readonly (Sample & { advantage: number })[], settings: TrainingSettings) {
	const { rate, encoder, scalars, clip } = settings.rl;
	const result = gspoLoss(
		samples.map(({ decisions, advantage }) => ({
			logProbabilities: decisions.map(({ input, chosen }) => trainer.logProbability(input, chosen)),
			oldLogProbabilities: decisions.map(({ logProbability }) => logProbability),
			advantages: advantage,
		})),
		clip,
	);
	samples.forEach(({ decisions }, i) => {
		const slopes = result.sequences[i]?.gradient ?? [];
		decisions.forEach(({ input, chosen }, d) => {
			const slope = slopes[d] as number;
			if (slope !== 0) trainer.addLogProbability(input, chosen, slope);
		});
	});
	const gradientNorm = trainer.step({ rate, encoder, scalars });
	return { loss: result.loss, clipShare: result.clipShare, gradientNorm };
}

/** One iteration of HSA-RL: groups of episodes, rewards, advantages, and updates on what has one. */
export async function stepRl(context: RlContext, trainer: Trainer, step: number): Promise<TrainingRecord> {
	const { rollouts, samples } = await sampleGroups(context, trainer, step);
	const advantages = computeAdvantages(samples);
	const kept = samples.flatMap((sample, i) => (advantages[i]?.dropped ? [] : [{ ...sample, advantage: advantages[i]?.value ?? 0 }]));
	const updates = kept.length === 0 ? [] : Array.from({ length: context.settings.rl.updates }, () => update(trainer, kept, context.settings));
	const { mean: advantageMean, std } = moments(advantages.map(({ value }) => value));
	const rewardOf = (dimension: (typeof REWARD_DIMENSIONS)[number]) => {
		const values = samples.flatMap(({ rewards }) => rewards[dimension] ?? []);
		return values.length === 0 ? null : mean(values);
	};
	return {
		...emptyRecord("rl", step),
		loss: mean(updates.map(({ loss }) => loss)),
		gradientNorm: mean(updates.map(({ gradientNorm }) => gradientNorm)),
		rewards: { accuracy: rewardOf("accuracy"), effectiveness: rewardOf("effectiveness"), skill: rewardOf("skill"), tool: rewardOf("tool") },
		advantage: { mean: advantageMean, std },
		droppedShare: samples.length === 0 ? 1 : 1 - kept.length / samples.length,
		clipShare: mean(updates.map(({ clipShare }) => clipShare)),
		reasoningTokens: {
			tool: mean(rollouts.map(({ reasoningTokens }) => reasoningTokens.tool)),
			reply: mean(rollouts.map(({ reasoningTokens }) => reasoningTokens.reply)),
		},
	};
}
