import type { Database } from "@/server/db/client";
import type { Comparison, RobustnessGap, RunStatus, RunSummary, Split, VariantPlan } from "@/server/evaluation/contract";
import type { CommitAuthor, FileChanges, FileDiff, HarnessFiles, MergeConflict, Problem } from "@/server/harness/contract";
import type { Clock } from "@/server/kernel/clock";
import type { DiagnosisCase, DiagnosisEngine, EditingEngine, GateResult } from "./contract";

/** What the studio writes at the end of a commit's message; text that a person typed can never forge one. */
export interface CommitMessage {
	subject: string;
	body?: string;
	trailers?: Record<string, string[]>;
	author: CommitAuthor;
}

export type MergeOutcome = { ok: true; commit: string; tree: string } | { ok: false; conflicts: MergeConflict[] };

/** The agent harness's repository of a workspace. Refs move by compare-and-swap: a lost race throws `conflict` / `ref-moved`. */
export interface HarnessPort {
	/** Commit a branch points to; null when there is no such branch. */
	head(workspaceId: string, branch: string): Promise<string | null>;
	treeOf(workspaceId: string, commit: string): Promise<string>;
	readFiles(workspaceId: string, commit: string): Promise<HarnessFiles>;
	/** Makes a branch at a commit; nothing happens when it is already there. */
	createBranch(workspaceId: string, branch: string, commit: string): Promise<void>;
	/**
	 * Commits changes on top of `parent` (default: the head) and moves the branch there from `expectedHead`. With a `parent`
	 * a branch that a crash left ahead of its row is taken back to what the row says.
	 */
	commit(
		workspaceId: string,
		input: { branch: string; expectedHead: string; parent?: string; changes: FileChanges; message: CommitMessage },
	): Promise<{ commit: string; tree: string }>;
	/**
	 * Merges `from` into `ours` (default: the head) without a work tree and moves the branch from `expectedHead`. Conflicts
	 * come back as data and move nothing; with `resolutions` (text or null for each conflicting path) those are taken.
	 */
	merge(
		workspaceId: string,
		input: { into: string; expectedHead: string; ours?: string; from: string; message: CommitMessage; resolutions?: FileChanges },
	): Promise<MergeOutcome>;
	diff(workspaceId: string, from: string, to: string): Promise<FileDiff[]>;
	/** The commit reachable from a branch that has `parent` among its parents (a landing); null when there is none. */
	findMergeOf(workspaceId: string, branch: string, parent: string): Promise<string | null>;
	/** What the studio wrote at the end of a commit's message. */
	readTrailers(workspaceId: string, commit: string): Promise<Partial<Record<string, string[]>>>;
	validate(workspaceId: string, files: HarnessFiles): Promise<Problem[]>;
	/** Keeps files for workers; returns their tree id. */
	keepFiles(files: HarnessFiles): Promise<string>;
	/** Pushes a branch to the remote where one is set; failing says so in the log and breaks nothing. */
	pushRemote(workspaceId: string, branch: string): Promise<void>;
}

export interface RunRequest {
	workspaceId: string;
	suiteVersionId: string;
	split: Split;
	/** Null for what was never committed. */
	commit: string | null;
	treeId: string;
	policyVersionId: string;
	judgeVersionId: string;
	trials: number;
	seed: number;
	/** Under variants of the harness, one for each trial. */
	variants?: VariantPlan | null;
	reason: "baseline" | "proposal" | "landing" | "round" | "release" | "loop" | "manual";
	requestedById: string;
}

export interface RunView {
	id: string;
	number: number;
	status: RunStatus;
	split: string;
	treeId: string;
	commit: string | null;
	suiteVersionId: string;
	suiteKey: string;
	policyVersionId: string;
	judgeVersionId: string;
	/** Null, or left out, for a run on the harness itself. */
	variants?: VariantPlan | null;
	/** Episodes recorded so far. */
	done: number;
	planned: number;
	summary: RunSummary | null;
	finishedAt: Date | null;
}

/** Numbers that the gate policy sets and the words of a comparison depend on. */
export interface ComparisonRule {
	deltaPoints: number;
	marginPoints: number;
	alpha: number;
	alarmMinNet: number;
	alarmMinShare: number;
}

/** What an editor may know of a case that passes: messages, loaded skills and replies; never a rubric. */
export type PassingCase = Parameters<EditingEngine["edit"]>[0]["passing"][number];

/** One row of a suite under variants: `inside-envelope` and `held-out-paraphrases` of T2, `tools` and `prompts` of T3. */
export interface VariantRow {
	row: string;
	plan: VariantPlan;
}

export interface EvaluationPort {
	/** The run for this request: an equal one that is done or under way is taken, else one is queued. Safe to repeat. */
	ensureRun(request: RunRequest): Promise<RunView>;
	/** A run over some cases only: a try, never a round's point, never taken for an equal run. */
	startPartial(request: RunRequest, caseIds: readonly string[]): Promise<RunView>;
	/** Runs by id, those that exist, in no order. */
	findRuns(ids: readonly string[]): Promise<RunView[]>;
	/** Throws `precondition` where a run is not done. */
	compare(baseRunId: string, runId: string, rule: ComparisonRule): Promise<Comparison>;
	/** Failed episodes of a dev run, one a case, as an engine may see them. Throws `forbidden` for any other split. */
	readFailures(runId: string): Promise<DiagnosisCase[]>;
	readPassing(runId: string): Promise<PassingCase[]>;
	/** How many failed cases of a run are the only one of their category and failure type, and how many failed. */
	countSparse(runId: string): Promise<{ alone: number; failures: number }>;
	/** An equal run that is done or under way; starts nothing. */
	findEqualRun(request: Omit<RunRequest, "reason" | "requestedById">): Promise<RunView | null>;
	/** The newest version of a suite; null when the workspace has no such suite. */
	currentSuiteVersion(workspaceId: string, suiteKey: string): Promise<{ id: string; key: string; version: number } | null>;
	/** The rows of T2 and T3 under the workspace's envelope, as runs of the same cases under variants. */
	planVariants(workspaceId: string, seed: number): Promise<VariantRow[]>;
	/** What T1 loses under variants, paired by case. Throws `precondition` where one of the two is not done. */
	gap(baseRunId: string, runId: string): Promise<RobustnessGap>;
	findSuiteVersion(id: string): Promise<{ id: string; key: string; version: number } | null>;
}

/** What the rules and pages of this domain need to know of a release. */
export interface ReleaseFact {
	tag: string;
	commit: string;
	treeId: string;
	policyVersionId: string;
	evolutionId: string | null;
	roundId: string | null;
	at: Date;
	current: boolean;
	/** A rollback and a released policy make a release too: no round is among what they were made of. */
	kind: "release" | "rollback" | "policy";
	/** Tag of the release before it, which its gate compared with; `base` for the first. */
	against: string;
	/** As it was decided when the release was made. */
	gate: GateResult;
	override: { verdict: "fail" | "inconclusive"; by: { id: string; name: string }; reason: string } | null;
	unattended: boolean;
	createdById: string;
}

export interface EvolutionDeps {
	db: Database;
	clock: Clock;
	harness: HarnessPort;
	evaluation: EvaluationPort;
	/** The engine that plays the role in a workspace: an endpoint's, else the built-in one. */
	diagnosisEngine(workspaceId: string): Promise<DiagnosisEngine>;
	/** `policyVersionId`: who acts, so that an engine can try an edit on that policy; null where it is not known. */
	editingEngine(workspaceId: string, policyVersionId: string | null): Promise<EditingEngine>;
	/** Policy and judge in force, and their names. */
	registry: {
		currentPolicy(workspaceId: string): Promise<{ id: string }>;
		currentJudge(workspaceId: string): Promise<{ id: string }>;
		describe(input: { policyVersionId: string; judgeVersionId: string }): Promise<{
			policy: { id: string; name: string; kind: string };
			judge: { id: string; name: string; engine: string };
		}>;
	};
	/** Names and addresses of people and service identities; ids without a person are left out. */
	people(ids: readonly string[]): Promise<Map<string, { id: string; name: string; email: string }>>;
	/** Releases of the workspace, oldest first (the release domain stands above this one). */
	listReleases(workspaceId: string): Promise<ReleaseFact[]>;
	/** How often the holdout was read for an evolution. */
	countHoldoutReadings(evolutionId: string): Promise<number>;
	/** Puts a task on the queue; the payload is its id. */
	enqueueTask(taskId: string): Promise<void>;
	/** Says that what this key names has changed (`evolution:<workspace id>`, `proposal:<id>`). */
	publish(key: string): Promise<void>;
}
