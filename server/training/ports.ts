import type { Envelope } from "@/server/augmentation/contract";
import type { Parameters } from "@/server/compact";
import type { Database, DatabaseOrTransaction } from "@/server/db/client";
import type { Harness, HarnessFiles } from "@/server/harness/contract";
import type { JobQueue } from "@/server/jobs/contract";
import type { Judge } from "@/server/judge/contract";
import type { PolicyVersion } from "@/server/policies/contract";
import type { Playground, TrainingCase } from "./rollouts/playground";

/** What a training needs of the rest of the studio; `composition.ts` wires it. */
export interface TrainingPorts {
	db: Database;
	queue: Pick<JobQueue, "send" | "work">;
	publish(key: string): Promise<void>;
	/** Dev cases, and messages that are there for training alone; none shares a group with a case of test or holdout. Nothing else is ever trained on. */
	readTrainingCases(suiteVersionId: string): Promise<{ dev: TrainingCase[]; pool: TrainingCase[] }>;
	/** Cases of `test`: only ever measured on. */
	readMeasuredCases(suiteVersionId: string): Promise<TrainingCase[]>;
	/** The suite's version in force. Throws `not-found`. */
	currentSuiteVersion(workspaceId: string): Promise<string>;
	currentEnvelope(workspaceId: string): Promise<{ version: number; content: Envelope }>;
	listEnvelopes(workspaceId: string): Promise<{ version: number; content: Envelope }[]>;
	/** Names of people and service identities, for the audit log. */
	personNames(ids: readonly string[]): Promise<Map<string, string>>;
	/** As its address has it. */
	workspaceSlug(workspaceId: string): Promise<string>;
	currentBundle(workspaceId: string): Promise<string | null>;
	/** A harness by ref, commit or tree. */
	resolveHarness(workspaceId: string, what: string): Promise<{ treeId: string; commit: string | null }>;
	loadFiles(treeId: string): Promise<HarnessFiles>;
	/** Files as a harness. Throws `precondition` when they do not validate. */
	openHarness(files: HarnessFiles): Promise<Harness>;
	openScene(workspaceId: string, bundleId: string | null, suiteVersionId: string): Promise<Omit<Playground, "rewardJudge">>;
	/** Judge of evaluations as it is now, and the rubric's checkers that the reward judge stands on. */
	judges(workspaceId: string): Promise<{ evaluation: { name: string; fingerprint: string }; rubric: Judge }>;
	/** Registers the checkpoint as a policy version of the workspace. */
	registerCheckpoint(input: {
		workspaceId: string;
		/** What the version is called, with a number where that is taken. */
		name: string;
		checkpointId: string;
		digest: string;
		parameters: Parameters;
		/** It came with the workspace: it acts until a release binds a policy. */
		initial?: boolean;
	}): Promise<{ id: string; name: string }>;
	/** A policy version by its name or id. Throws `not-found`. */
	findPolicy(workspaceId: string, reference: string): Promise<PolicyVersion>;
	/** Names of the releases, evolutions and runs that refer to a policy version. */
	policyReferences(workspaceId: string, policyVersionId: string): Promise<string[]>;
	removePolicy(db: DatabaseOrTransaction, policyVersionId: string): Promise<void>;
	/** Folder of general data where there is one. */
	generalData(): string | null;
}
