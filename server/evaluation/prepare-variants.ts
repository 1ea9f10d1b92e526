import type { Fault } from "@/server/agent/contract";
import { augment, foldTrajectory, keepsLimits, type Rewritings, type Variant } from "@/server/augmentation";
import { validateHarness } from "@/server/harness";
import type { Harness, HarnessFiles } from "@/server/harness/contract";
import type { JudgedHarness, RubricItem } from "@/server/judge/contract";
import { AppError } from "@/server/kernel/errors";
import type { VariantPlan } from "./contract";
import type { FoldedEpisode } from "./ports";

export interface PreparedVariant {
	harness: Harness;
	mapping: Variant["mapping"];
}

/** The variants of a run, one for each trial, made when the first episode asks for it and kept as snapshots. */
export function createVariants(
	plan: VariantPlan,
	original: Harness,
	keepFiles: (files: HarnessFiles) => Promise<unknown>,
	loadRewritings: () => Promise<Rewritings>,
) {
	const made = new Map<number, Promise<PreparedVariant>>();
	let rewritings: Promise<Rewritings> | null = null;

	function waysOnce(): Promise<Rewritings> {
		rewritings ??= loadRewritings();
		// A model that was away is asked again by the next episode.
		rewritings.catch(() => {
			rewritings = null;
		});
		return rewritings;
	}

	async function make(trial: number): Promise<PreparedVariant> {
		const { envelope, seed, book } = plan;
		const { files, mapping } = augment({
			files: original.files,
			treeId: original.treeId,
			envelope,
			seed: seed + trial,
			keep: "everything",
			book,
			rewritings: await waysOnce(),
		});
		const { harness, problems } = validateHarness(files);
		if (!harness)
			throw new AppError("internal", `Variant ${seed + trial} of the harness does not validate: ${problems[0]?.file} ${problems[0]?.message}`, {
				reason: "variant-invalid",
			});
		// Whoever opens an episode can read the harness that it acted under.
		await keepFiles(files);
		return { harness, mapping };
	}

	return {
		of(trial: number): Promise<PreparedVariant> {
			const known = made.get(trial);
			if (known) return known;
			const making = make(trial);
			made.set(trial, making);
			making.catch(() => made.delete(trial));
			return making;
		},
		/** Faults of an episode: the case's own, else one of the plan's kind on the first call of every tool. */
		faultsOf(trial: number, own: readonly Fault[]): readonly Fault[] {
			const kind = plan.faults[trial % plan.faults.length];
			if (own.length > 0 || kind === undefined) return own;
			const handlers = original.tools.map(({ binding }) => (binding.kind === "simulator" ? binding.handler : `${binding.connection}/${binding.tool}`));
			return [...new Set(handlers)].map((handler) => ({ handler, kind, times: 1 }));
		},
	};
}

export function foldEpisode({ harness, mapping }: PreparedVariant, trajectory: Parameters<typeof foldTrajectory>[0]): FoldedEpisode {
	return { trajectory: foldTrajectory(trajectory, mapping), limitsKept: keepsLimits(trajectory.reply, harness.constraints) };
}

/** What the judge knows of a variant's harness under the original's names: its own skills and those that the variant added. */
export function judgedVariant(judged: JudgedHarness, { harness, mapping }: PreparedVariant): JudgedHarness {
	const added = harness.skills.filter((skill) => mapping.added.skills.includes(skill.name)).map(({ name, tags, type }) => ({ name, tags, type }));
	return { ...judged, skills: [...judged.skills.filter((skill) => mapping.skills[skill.name] !== undefined), ...added] };
}

/** A rubric that repeats a limit of the original follows it to the limit in force. */
export function rubricInForce(rubric: readonly RubricItem[], { mapping }: PreparedVariant): RubricItem[] {
	return rubric.map((item) => {
		if (item.kind !== "max-chars") return item;
		const limit = Object.values(mapping.constraints).find(({ from }) => from === item.value);
		return limit ? { ...item, value: limit.to } : item;
	});
}
