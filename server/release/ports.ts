import type { Database } from "@/server/db/client";
import type { EvolutionService, GateConditions, GateSide } from "@/server/evolution";
import type { HoldoutCounts } from "@/server/evolution/contract";
import type { CommitAuthor, FileDiff, HarnessFiles } from "@/server/harness/contract";
import type { Clock } from "@/server/kernel/clock";

export interface ReleaseMessage {
	subject: string;
	body: string;
	trailers: Record<string, string[]>;
	author: CommitAuthor;
}

/** The only domain that moves `main`. */
export interface ReleaseGit {
	head(workspaceId: string, branch: string): Promise<string | null>;
	treeOf(workspaceId: string, commit: string): Promise<string>;
	readFiles(workspaceId: string, revision: string): Promise<HarnessFiles>;
	diff(workspaceId: string, from: string, to: string): Promise<FileDiff[]>;
	/** Whether every commit of `ancestor` is in `commit`. */
	contains(workspaceId: string, commit: string, ancestor: string): Promise<boolean>;
	/** Writes a commit with exactly the files of `tree`'s commit; moves nothing. The same input gives the same commit. */
	writeCommit(workspaceId: string, input: { filesOf: string; parents: string[]; message: ReleaseMessage; at: Date }): Promise<string>;
	/** Makes an annotated tag; one that already names this commit is left alone. */
	tag(workspaceId: string, name: string, commit: string, message: ReleaseMessage): Promise<void>;
	/** Moves `main` by compare-and-swap; throws `conflict` / `ref-moved`. */
	moveMain(workspaceId: string, next: string, expected: string): Promise<void>;
	pushRemote(workspaceId: string): Promise<void>;
}

export type HoldoutOutcome = { status: "running" } | { status: "failed" } | { status: "done"; counts: HoldoutCounts };

export interface ReleaseDeps {
	db: Database;
	clock: Clock;
	evolution: EvolutionService;
	git: ReleaseGit;
	/** The sealed split: starts the two runs (or finds them) and gives overall counts only. Null where the suite has no holdout case. */
	holdout: {
		start(input: { conditions: GateConditions; candidate: GateSide; base: GateSide; requestedById: string }): Promise<string[] | null>;
		read(runIds: readonly string[], alpha: number): Promise<HoldoutOutcome>;
	};
	registry: {
		/** The policy in force. */
		currentPolicy(workspaceId: string): Promise<{ id: string }>;
		describe(input: { policyVersionId: string; judgeVersionId: string }): Promise<{
			policy: { id: string; name: string; kind: string };
			judge: { id: string; name: string; engine: string };
		}>;
	};
	people(ids: readonly string[]): Promise<Map<string, { id: string; name: string; email: string }>>;
	publish(key: string): Promise<void>;
}
