import { type Choose, chooseBest, type DecisionInput } from "@/server/compact";
import type { Stage, TrainingCase } from "../rollouts/playground";

/** Rules that the oracle tries for one case before it gives up: of ours. */
export const ORACLE_ATTEMPTS = 6;

function planned(input: DecisionInput, logits: Float64Array): number {
	const at = input.candidates.findIndex((candidate) => candidate.plan === 1);
	return at >= 0 ? at : chooseBest(input, logits);
}

/**
 * The teacher without an endpoint: it reads what a case expects (skills by name or tag, no tool), which no policy may, and
 * tries the rules in the order of their overlap, one more with each attempt; the one that is `proven`, if any, before all
 * others. Used only to make training data; what it makes is kept only where the reward judge is satisfied.
 */
export function oracleFor(stage: Stage, one: TrainingCase, attempt: number, proven: string | null = null): Choose {
	const { skills: wanted = [], noTool } = one.content.expect;
	const fits = new Set(
		stage.harness.skills
			.filter((skill) => [skill.name, stage.original[skill.name] ?? skill.name, ...skill.tags].some((name) => wanted.includes(name)))
			.map((skill) => skill.name),
	);
	return (input, logits) => {
		const { kind, candidates } = input;
		if (kind === "skill") {
			const at = candidates.findIndex((candidate) => fits.has(candidate.id));
			return at >= 0 ? at : chooseBest(input, logits);
		}
		if (kind === "rule") {
			const ranked = candidates.map((candidate, i) => ({ i, candidate })).filter(({ candidate }) => candidate.none === 0);
			const first = ({ id }: { id: string }) => (id === proven ? 1 : 0);
			ranked.sort((a, b) => first(b.candidate) - first(a.candidate) || b.candidate.lexical - a.candidate.lexical);
			return ranked[attempt]?.i ?? candidates.length - 1;
		}
		if (kind === "tool" && noTool) return candidates.findIndex((candidate) => candidate.none === 1);
		// Whether it reads on is the student's own: a teacher that knows the skill would teach it never to look twice.
		return kind === "more-skills" || kind === "more-rules" || kind === "fact" ? chooseBest(input, logits) : planned(input, logits);
	};
}
