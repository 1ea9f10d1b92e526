import type { Envelope } from "@/server/augmentation/contract";
import type { Checkpoint } from "@/server/compact";
import { readBaseCheckpoint } from "../checkpoints/read-base";
import { type CaseShares, divideCases } from "../datasets/split-cases";
import type { TrainingPorts } from "../ports";
import { type GeneralData, readGeneralData } from "../pretrain/read-general-data";
import type { Playground, TrainingCase } from "../rollouts/playground";
import { createRewardJudge } from "../rollouts/reward-judge";

/** What a measurement of trainings is made on. */
export interface MeasurementRequest {
	workspaceId: string;
	/** What is measured on: `test`, or `dev` for trying settings out without a look at test. */
	split: "dev" | "test";
	/** At most so many of them; all unless given. */
	cases?: number | undefined;
}

/** A workspace as it is now, opened to train in it and to measure what was trained. */
export interface Measurement {
	/** What is trained on, and what is measured on: apart. */
	shares: CaseShares;
	measured: TrainingCase[];
	/** Dev cases that there are. */
	dev: number;
	envelope: { version: number; content: Envelope };
	base: Pick<Checkpoint, "parameters" | "digest">;
	/** Null where the general data is not on the machine. */
	general: GeneralData | null;
	/** Judged by the reward judge, and by the judge of evaluations. */
	training: Playground;
	measuring: Playground;
}

/** Cases, scene and judges of a measurement, the same for all of them. */
export async function openMeasurement(ports: TrainingPorts, { workspaceId, split, cases }: MeasurementRequest): Promise<Measurement> {
	const [suiteVersionId, bundleId, envelope] = await Promise.all([
		ports.currentSuiteVersion(workspaceId),
		ports.currentBundle(workspaceId),
		ports.currentEnvelope(workspaceId),
	]);
	const [available, test, scene, judges] = await Promise.all([
		ports.readTrainingCases(suiteVersionId),
		ports.readMeasuredCases(suiteVersionId),
		ports.openScene(workspaceId, bundleId, suiteVersionId),
		ports.judges(workspaceId),
	]);
	const shares = divideCases(available);
	const folder = ports.generalData();
	return {
		shares,
		measured: (split === "test" ? test : shares.sample).slice(0, cases),
		dev: available.dev.length,
		envelope,
		base: readBaseCheckpoint(),
		general: folder === null ? null : readGeneralData(folder),
		training: { ...scene, rewardJudge: createRewardJudge(judges.rubric) },
		measuring: { ...scene, rewardJudge: judges.rubric },
	};
}
