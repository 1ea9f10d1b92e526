import { narrowEnvelope } from "@/server/augmentation";
import type { BookName, Envelope } from "@/server/augmentation/contract";
import type { TrainingPorts } from "../ports";
import { openStages } from "../rollouts/open-stages";
import type { Stage } from "../rollouts/playground";

/** What a policy is measured under: the harness itself, or variants of it. */
export const ROWS = ["t1", "t2", "heldOut", "renamed", "rewritten", "distractors", "t3Tool", "t3Prompt"] as const;
export type RowName = (typeof ROWS)[number];
export type Rows = Record<RowName, readonly Stage[]>;

/** Variants that a row is spread over, and the seed from which they count: of ours, apart from every training's. */
const VARIANTS = 10;
const MEASURE_SEED = 2_000_001;

interface RowPlan {
	/** Transforms that happen always, the rest never; null: all as the envelope draws them. */
	only: readonly string[] | null;
	book: BookName;
	/** To the strongest that a transform knows, instead of what the envelope says. */
	full?: boolean;
}

/** `renamed` gives every name up, in words that no training saw: what is left of a policy that leans on names. */
const PLANS: Record<Exclude<RowName, "t1">, RowPlan> = {
	t2: { only: null, book: "transforms" },
	heldOut: { only: null, book: "held-out" },
	renamed: { only: ["skillIdentity.rename", "tools.rename", "tools.arguments"], book: "held-out", full: true },
	rewritten: { only: ["skillIdentity.rewrite", "skillContent.rewrite", "tools.rewrite", "prompts.rewrite"], book: "held-out", full: true },
	distractors: { only: ["skillIdentity.distractors", "skillIdentity.noise"], book: "held-out", full: true },
	t3Tool: { only: ["tools"], book: "transforms" },
	t3Prompt: { only: ["prompts"], book: "transforms" },
};

/** The harness and its variants for every row, or for some. */
export async function openRows<Name extends RowName = RowName>(
	ports: Pick<TrainingPorts, "loadFiles" | "openHarness">,
	treeId: string,
	envelope: Envelope,
	names: readonly Name[] = ROWS as readonly RowName[] as readonly Name[],
): Promise<Record<Name, readonly Stage[]>> {
	const rows = {} as Record<Name, readonly Stage[]>;
	for (const name of names) {
		const { only = null, book = "transforms", full } = name === "t1" ? {} : PLANS[name as Exclude<Name, "t1">];
		const narrowed = only ? narrowEnvelope(envelope, only, full) : envelope;
		const [original, ...variants] = await openStages(ports, { treeId, envelope: narrowed, seed: MEASURE_SEED, variants: name === "t1" ? 0 : VARIANTS, book });
		rows[name] = name === "t1" && original ? [original] : variants;
	}
	return rows;
}
