import type { Policy } from "@/server/agent/contract";
import {
	copyParameters,
	createCompactPolicy,
	type DecisionInput,
	dropFeatures,
	encodeText,
	type Parameters,
	parseSkillBody,
	toCandidate,
	toFeatures,
} from "@/server/compact";
import type { Harness } from "@/server/harness/contract";
import { createRandom } from "@/server/kernel/random";
import { logSoftmax } from "@/server/kernel/softmax";
import { Trainer } from "../stages/trainer";

/**
 * Two readings, ours, of “adapting at test time”: the report gives none. Both see the message and the harness, never a label.
 * `entropy`: before each step the policy makes its own decisions surer (Tent, arXiv 2006.10726).
 * `harness`: before the first step it learns from the texts of the harness in force: a condition leads to its skill and to its
 * rule (self-supervision at test time, arXiv 1909.13231; on those nearest to the message, arXiv 2305.18466).
 */
export type Adaptation = "entropy" | "harness";

interface AdaptationSettings {
	/** Steps of learning each time. */
	steps: number;
	rate: number;
	encoder: number;
	scalars: number;
	/** Conditions that are learned from, and the share of a condition's words left out. */
	neighbours: number;
	dropout: number;
}

/** All of ours: what came out best for each on dev, since a road that is rejected has to have had its chance (`docs/decisions/0048`). */
const ADAPTATION: Record<Adaptation, AdaptationSettings> = {
	entropy: { steps: 3, rate: 0.006, encoder: 0.4, scalars: 1, neighbours: 0, dropout: 0 },
	harness: { steps: 10, rate: 0.02, encoder: 0.1, scalars: 1, neighbours: 32, dropout: 0.3 },
};

/** A text of the harness with what it must lead to: the example teaches itself. */
interface Lesson {
	situation: DecisionInput["situation"];
	decisions: { input: DecisionInput; chosen: number }[];
}

/** What a harness's own texts teach. Overlap of words is left out, since a condition overlaps with itself alone. */
export function lessonsOf({ skills }: Harness): Lesson[] {
	const replies = skills.filter((skill) => skill.type === "reply");
	const offered = replies.map(({ name, description }) => toCandidate("skill", { id: name, text: `${name.replace(/[-_]/gu, " ")} ${description}` }));
	return replies.flatMap(({ name, body }, skill) => {
		const { rules } = parseSkillBody(body);
		const candidates = rules.map(({ condition, index }) => toCandidate("rule", { id: `${name}#${index}`, text: condition }));
		return rules.flatMap(({ alternatives }, rule) =>
			alternatives.map((text): Lesson => {
				const situation = toFeatures(encodeText(text));
				const toSkill = { input: { kind: "skill" as const, situation, candidates: offered }, chosen: skill };
				return { situation, decisions: [toSkill, { input: { kind: "rule" as const, situation, candidates }, chosen: rule }] };
			}),
		);
	});
}

/** d H(π) / d logits: −p (log p + H). */
export function entropySlopes(logits: Float64Array): number[] {
	const log = logSoftmax(logits);
	const entropy = -log.reduce((sum, value) => sum + Math.exp(value) * value, 0);
	return log.map((value) => -Math.exp(value) * (value + entropy));
}

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);

/**
 * A checkpoint that takes some steps of learning at every message, and forgets them before the next: what it says does not
 * depend on the messages before.
 */
export class Adapter {
	private readonly trainer: Trainer;
	private readonly touched = { embedding: new Set<number>(), identity: new Set<number>() };
	private readonly lessons = new WeakMap<Harness, Lesson[]>();
	private readonly width: number;

	constructor(
		private readonly original: Parameters,
		private readonly how: Adaptation,
		private readonly settings = ADAPTATION[how],
	) {
		this.trainer = new Trainer(copyParameters(original));
		this.width = this.trainer.scorer.encode(toFeatures(encodeText("width"))).length;
	}

	/** The policy for one message. Policies of one adapter do not act at the same time. */
	open(harness: Harness): Policy {
		const { trainer } = this;
		const checkpoint = { parameters: trainer.parameters, digest: "adapting" };
		const met: DecisionInput[] = [];
		const looking = createCompactPolicy({ checkpoint, scorer: trainer.scorer, onDecision: ({ input }) => met.push(input) });
		const acting = createCompactPolicy({ checkpoint, scorer: trainer.scorer });
		let first = true;
		return {
			describe: () => acting.describe(),
			act: async (request, signal) => {
				if (first) this.forget();
				if (first || this.how === "entropy") {
					met.length = 0;
					// What it would decide without: nothing is called, a step only says what it wants.
					await looking.act(request, signal);
					this.learn(met, harness);
				}
				first = false;
				return acting.act(request, signal);
			},
		};
	}

	private learn(met: readonly DecisionInput[], harness: Harness): void {
		const situation = met[0]?.situation;
		if (!situation) return;
		const nearest = this.how === "harness" ? this.nearest(situation, harness) : [];
		for (let step = 0; step < this.settings.steps; step++) {
			if (this.how === "harness") this.teach(nearest, step);
			else this.sharpen(met);
			this.step();
		}
	}

	private sharpen(met: readonly DecisionInput[]): void {
		const { scorer, gradient } = this.trainer;
		for (const input of met) {
			const slopes = entropySlopes(scorer.score(input)).map((slope) => slope / met.length);
			scorer.backward(input, slopes, gradient);
		}
	}

	private teach(lessons: readonly Lesson[], step: number): void {
		const random = createRandom(`adapt/${step}`);
		for (const { situation, decisions } of lessons) {
			const seen = dropFeatures(situation, this.settings.dropout, random.next);
			for (const { input, chosen } of decisions) this.trainer.addCrossEntropy({ ...input, situation: seen }, chosen, 1 / (2 * lessons.length));
		}
	}

	private nearest(situation: DecisionInput["situation"], harness: Harness): Lesson[] {
		const known = this.lessons.get(harness) ?? lessonsOf(harness);
		this.lessons.set(harness, known);
		const { scorer } = this.trainer;
		const message = scorer.encode(situation).slice();
		const near = known.map((lesson) => ({ lesson, score: dot(message, scorer.encode(lesson.situation)) }));
		return near
			.sort((a, b) => b.score - a.score)
			.slice(0, this.settings.neighbours)
			.map(({ lesson }) => lesson);
	}

	private step(): void {
		const { gradient } = this.trainer;
		gradient.flush();
		for (const table of ["embedding", "identity"] as const) for (const row of gradient[table].rows) this.touched[table].add(row);
		this.trainer.step(this.settings);
	}

	/** Takes back what was learned: only rows that were touched, since copying a checkpoint costs more than the steps. */
	private forget(): void {
		const { parameters, optimiser } = this.trainer;
		for (const table of ["embedding", "identity"] as const) {
			for (const row of this.touched[table]) {
				const [from, to] = [row * this.width, (row + 1) * this.width];
				parameters[table].set(this.original[table].subarray(from, to), from);
				optimiser[table].first.fill(0, from, to);
				optimiser[table].second.fill(0, from, to);
			}
			this.touched[table].clear();
		}
		parameters.scalars.set(this.original.scalars);
		optimiser.scalars.first.fill(0);
		optimiser.scalars.second.fill(0);
		optimiser.steps = 0;
		parameters.version += 1;
	}
}
