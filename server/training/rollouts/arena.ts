import { setMaxListeners } from "node:events";
import type { Fault } from "@/server/agent/contract";
import { type Choose, chooseBest } from "@/server/compact";
import { hash32, type Random } from "@/server/kernel/random";
import type { Trainer } from "../stages/trainer";
import { EpisodeTree, type Rollout } from "./episode-tree";
import { playEach } from "./play-each";
import { type Playground, playEpisode, type Stage, type TrainingCase } from "./playground";

/** What is prompted: a case under a harness, with injected faults. */
export interface Prompt {
	one: TrainingCase;
	stage: Stage;
	faults: readonly Fault[];
}

const KINDS = ["timeout", "permission-denied", "empty"] as const;

/** A fault on one of the tools that the case needs; its own ones where it needs none. */
export function injectFault({ content }: TrainingCase, random: Random): readonly Fault[] {
	const tools = content.expect.tools ?? [];
	if (tools.length === 0 || content.faults.length > 0) return content.faults;
	return [{ handler: random.pick(tools), kind: random.pick(KINDS), times: 1 }];
}

/**
 * All episodes that were played in one playground, by case, harness and faults: whoever trains or is measured there next
 * plays only what is new. Results are the same with a fresh one.
 */
export class Forest {
	private readonly trees = new Map<string, EpisodeTree>();

	constructor(
		private readonly playground: Playground,
		private readonly signal: AbortSignal,
	) {
		setMaxListeners(0, signal); // every episode under way listens to it
	}

	/** The same playground with nothing played yet. */
	afresh(): Forest {
		return new Forest(this.playground, this.signal);
	}

	treeOf({ one, stage, faults }: Prompt): EpisodeTree {
		const key = `${one.key}|${stage.harness.treeId}|${JSON.stringify(faults)}`;
		const known = this.trees.get(key);
		if (known) return known;
		const tree = new EpisodeTree((policy) => playEpisode(this.playground, stage, one, faults, policy, this.signal));
		this.trees.set(key, tree);
		return tree;
	}
}

/** Where a training plays: its harnesses, and the episodes so far. */
export class Arena {
	constructor(
		private readonly forest: Forest,
		readonly stages: readonly Stage[],
	) {}

	/** The same harnesses with nothing played yet: for prompts that hardly come again, whose episodes would only fill the memory. */
	afresh(): Arena {
		return new Arena(this.forest.afresh(), this.stages);
	}

	/** One episode of a prompt under the trainer's parameters. */
	rollout(prompt: Prompt, trainer: Trainer, choose: Choose): Promise<Rollout> {
		return this.forest.treeOf(prompt).rollout(trainer.parameters, trainer.scorer, choose);
	}

	/** Mean of accuracy and effectiveness of the best decisions on cases: under the original, and each under one of the variants. */
	async measure(trainer: Trainer, cases: readonly TrainingCase[]): Promise<{ t1: number; t2: number | null }> {
		const scoreUnder = async (stageOf: (one: TrainingCase) => Stage) => {
			const played = await playEach(cases, (one) => this.rollout({ one, stage: stageOf(one), faults: one.content.faults }, trainer, chooseBest));
			const sum = played.reduce((before, { verdict }) => before + (verdict.accuracy + verdict.effectiveness) / 2, 0);
			return cases.length === 0 ? 0 : sum / cases.length;
		};
		const [original, ...variants] = this.stages;
		const t1 = await scoreUnder(() => original as Stage);
		const t2 = variants.length === 0 ? null : await scoreUnder((one) => variants[hash32(one.key) % variants.length] as Stage);
		return { t1, t2 };
	}
}
