import { AppError } from "@/server/kernel/errors";
import type { Random } from "@/server/kernel/random";
import { DIMENSIONS, type Envelope, type EnvelopeProblem, EnvelopeSchema, isCount, MAX_COUNT, TRANSFORMS, type Transform } from "./contract";

const on = (likelihood: number, min: number, max: number): Transform => ({ allowed: true, likelihood, strength: { min, max } });

/** What a workspace starts with. All numbers are of ours: the documents name the dimensions, no amounts. */
export const DEFAULT_ENVELOPE: Envelope = {
	version: 1,
	skillIdentity: { distractors: on(0.7, 1, 3), noise: on(0.4, 1, 2), mask: on(0.6, 0.2, 0.8), rename: on(0.7, 0.3, 1), rewrite: on(0.7, 0.3, 1) },
	skillContent: { rewrite: on(0.7, 0.3, 1), mask: on(0.4, 0.2, 0.6), shuffle: on(0.6, 0.5, 1) },
	tools: { rename: on(0.6, 0.3, 1), arguments: on(0.5, 0.3, 1), rewrite: on(0.6, 0.3, 1) },
	prompts: { reorderBlocks: on(0.5, 0.3, 1), reorderItems: on(0.6, 0.5, 1), rewrite: on(0.5, 0.3, 1), perturb: on(0.5, 0.3, 1) },
	hooks: { retries: on(0.4, 1, 2), messages: on(0.6, 0.3, 1) },
};

/**
 * What a suite varies, with the rest off: dimensions (`tools`) or single transforms (`tools.rename`). What stays and is allowed
 * happens always; with `full` as strongly as the envelope's upper end allows.
 */
export function narrowEnvelope(envelope: Envelope, parts: readonly string[], full = false): Envelope {
	const narrowed = structuredClone(envelope);
	for (const dimension of DIMENSIONS)
		for (const [name, transform] of Object.entries(narrowed[dimension]) as [string, Transform][]) {
			if (!parts.includes(dimension) && !parts.includes(`${dimension}.${name}`)) transform.allowed = false;
			else if (transform.allowed) {
				transform.likelihood = 1;
				if (full) transform.strength.min = transform.strength.max;
			}
		}
	return narrowed;
}

/** How strongly a transform happens in this variant; 0 when it does not. */
export function drawStrength(transform: Transform, random: Random): number {
	const happens = random.next() < transform.likelihood;
	const { min, max } = transform.strength;
	const strength = min + random.next() * (max - min);
	return transform.allowed && happens ? strength : 0;
}

type Finding = Omit<EnvelopeProblem, "dimension" | "transform">;

function problemsOf(transform: Transform, count: boolean): Finding[] {
	const { allowed, likelihood, strength } = transform;
	const found: Finding[] = [];
	const most = count ? MAX_COUNT : 1;
	if (!(likelihood >= 0 && likelihood <= 1)) found.push({ rule: "likelihood-range", message: "The likelihood is between 0 and 1." });
	if (!(strength.min >= 0 && strength.max <= most))
		found.push({ rule: "strength-range", message: count ? `The number is between 0 and ${MAX_COUNT}.` : "The strength is between 0 and 1." });
	if (strength.min > strength.max) found.push({ rule: "strength-order", message: "The smallest strength is larger than the largest." });
	if (count && !(Number.isInteger(strength.min) && Number.isInteger(strength.max)))
		found.push({ rule: "strength-whole", message: "A number of skills or retries is a whole number." });
	if (allowed && likelihood === 0) found.push({ rule: "likelihood-zero", message: "It is allowed and never happens: forbid it, or give it a likelihood." });
	if (allowed && strength.max === 0) found.push({ rule: "strength-zero", message: "It is allowed with no strength: forbid it, or give it some." });
	return found;
}

/** Every impossible range of an envelope, each with its place; empty when it can be used. */
export function envelopeProblems(envelope: Envelope): EnvelopeProblem[] {
	return DIMENSIONS.flatMap((dimension) =>
		TRANSFORMS[dimension].flatMap((transform) =>
			problemsOf((envelope[dimension] as Record<string, Transform>)[transform] as Transform, isCount(dimension, transform)).map((finding) => ({
				dimension,
				transform,
				...finding,
			})),
		),
	);
}

/** Reads an envelope from outside. Throws `bad-input` with all its problems. */
export function checkEnvelope(value: unknown): Envelope {
	const parsed = EnvelopeSchema.safeParse(value);
	if (!parsed.success)
		throw new AppError(
			"bad-input",
			`This is no envelope: ${parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`).join("; ")}`.slice(0, 1000),
			{
				reason: "envelope-shape",
			},
		);
	const problems = envelopeProblems(parsed.data);
	if (problems.length > 0)
		throw new AppError(
			"bad-input",
			`The envelope has impossible ranges: ${problems.map(({ dimension, transform, message }) => `${dimension}.${transform}: ${message}`).join(" ")}`,
			{
				reason: "envelope-impossible",
				params: { count: problems.length },
				data: problems,
			},
		);
	return parsed.data;
}
