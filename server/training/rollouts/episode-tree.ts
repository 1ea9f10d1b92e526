import type { Policy } from "@/server/agent/contract";
import { type Choose, createCompactPolicy, type DecisionInput, type Parameters, type Scorer, type TakenDecision } from "@/server/compact";
import { logSoftmax } from "@/server/kernel/softmax";
import type { Episode } from "./playground";

/** An episode with the decisions that led to it, scored by the parameters that took them. */
export interface Rollout extends Episode {
	decisions: TakenDecision[];
}

interface Node {
	input: DecisionInput;
	step: number;
	children: Map<number, Node | Episode>;
	/** Logits under the parameters of this version; a group of samples asks for them again and again. */
	scored: { scorer: Scorer; version: number; logits: Float64Array; log: number[] } | null;
}

function scoreNode(node: Node, scorer: Scorer): { logits: Float64Array; log: number[] } {
	const { version } = scorer.parameters;
	if (node.scored?.scorer === scorer && node.scored.version === version) return node.scored;
	const logits = scorer.score(node.input);
	node.scored = { scorer, version, logits, log: logSoftmax(logits) };
	return node.scored;
}

const isNode = (value: Node | Episode): value is Node => "input" in value;

/**
 * All episodes of one case under one harness, by their decisions. An episode is a function of its decisions (the seed is
 * fixed, every other part deterministic), so one that was played before need not be played again: drawing from the tree is
 * drawing from the policy, exactly.
 */
export class EpisodeTree {
	private root: Node | Episode | null = null;

	constructor(private readonly play: (policy: Policy) => Promise<Episode>) {}

	/** One episode under `parameters`, each decision picked by `choose`. */
	async rollout(parameters: Parameters, scorer: Scorer, choose: Choose): Promise<Rollout> {
		const decisions: TakenDecision[] = [];
		const path: number[] = [];
		let at = this.root;
		while (at && isNode(at)) {
			const { logits, log } = scoreNode(at, scorer);
			const chosen = choose(at.input, logits);
			decisions.push({ input: at.input, chosen, logProbability: log[chosen] as number, step: at.step });
			path.push(chosen);
			at = at.children.get(chosen) ?? null;
		}
		if (at) return { ...at, decisions };
		return this.playOn(parameters, scorer, path, choose);
	}

	/** Plays an episode that begins with `path`, and remembers it. */
	private async playOn(parameters: Parameters, scorer: Scorer, path: readonly number[], choose: Choose): Promise<Rollout> {
		const decisions: TakenDecision[] = [];
		let count = 0;
		const policy = createCompactPolicy({
			checkpoint: { parameters, digest: "training" },
			scorer,
			choose: (input, logits) => path[count++] ?? choose(input, logits),
			onDecision: (taken) => decisions.push(taken),
		});
		const episode = await this.play(policy);
		this.remember(decisions, episode);
		return { ...episode, decisions };
	}

	private remember(decisions: readonly TakenDecision[], episode: Episode): void {
		let below: Node | Episode = episode;
		let joint: Node | null = null;
		let from = 0;
		// Down to where the known part ends.
		let at: Node | Episode | null | undefined = this.root;
		while (at && isNode(at) && from < decisions.length) {
			joint = at;
			at = at.children.get((decisions[from] as TakenDecision).chosen);
			from += 1;
		}
		for (let i = decisions.length - 1; i >= from; i--) {
			const { input, step, chosen } = decisions[i] as TakenDecision;
			below = { input, step, children: new Map([[chosen, below]]), scored: null };
		}
		if (joint) joint.children.set((decisions[from - 1] as TakenDecision).chosen, below);
		else this.root = below;
	}
}
