import { augment } from "@/server/augmentation";
import type { BookName, Envelope } from "@/server/augmentation/contract";
import type { TrainingPorts } from "../ports";
import type { Stage } from "./playground";

/** Seeds of a training's variants are its own; suites and measurements count from other numbers. */
const SEEDS_PER_TRAINING = 1000;

interface Wanted {
	treeId: string;
	envelope: Envelope;
	seed: number;
	variants: number;
	book?: BookName;
}

/** A harness and its variants, the original first. The same request opens the same ones. */
export async function openStages(
	ports: Pick<TrainingPorts, "loadFiles" | "openHarness">,
	{ treeId, envelope, seed, variants, book = "transforms" }: Wanted,
): Promise<Stage[]> {
	const files = await ports.loadFiles(treeId);
	const stages: Stage[] = [{ id: "original", harness: await ports.openHarness(files), original: {} }];
	for (let i = 0; i < variants; i++) {
		const variant = augment({ files, treeId, envelope, seed: seed * SEEDS_PER_TRAINING + i, keep: "everything", book });
		const original = Object.fromEntries(Object.entries(variant.mapping.skills).map(([from, to]) => [to, from]));
		const { rules, constraints } = variant.mapping;
		stages.push({ id: `variant-${i}`, harness: await ports.openHarness(variant.files), original, rules, limits: Object.values(constraints) });
	}
	return stages;
}
