import type { RobustnessGap, RunInfo } from "@/server/evaluation/contract";
import type { CheckpointRow } from "../contract";

/** Under what figures of checkpoints can be compared with each other: the harness that is live, the suite's version and the judge in force. */
export interface CheckpointConditions {
	treeId: string;
	suiteVersionId: string;
	judgeVersionId: string;
}

interface CheckpointVersion {
	id: string;
	name: string;
	createdAt: Date;
}

/** What the list needs of the rest of the studio. */
export interface CheckpointListPorts {
	/** Policy versions that act with a checkpoint. */
	versions(workspaceId: string): Promise<CheckpointVersion[]>;
	currentPolicy(workspaceId: string): Promise<{ id: string }>;
	/** Null where there is no suite, or nothing on main. */
	conditions(workspaceId: string): Promise<CheckpointConditions | null>;
	/** Trainings, newest first. */
	trainings(workspaceId: string): Promise<{ id: string; number: number; policyVersionId: string | null }[]>;
	/** Runs on test of these policies that are not over or done, newest first. */
	runs(workspaceId: string, policyVersionIds: string[]): Promise<RunInfo[]>;
	/** T1−T2 gaps that a T1 run completes, the newest T2 first. */
	gapsOf(runId: string): Promise<{ t2: { id: string }; words: string; gap: RobustnessGap }[]>;
}

type Run = Pick<RunInfo, "id" | "number" | "status" | "policyVersionId" | "treeId" | "suiteVersionId" | "judgeVersionId" | "split" | "partial"> & {
	variants: unknown;
	summary: Pick<NonNullable<RunInfo["summary"]>, "avg" | "cases"> | null;
};

const OPEN = new Set<RunInfo["status"]>(["queued", "running"]);

/**
 * Of a policy's runs, newest first: the newest whole T1 on test that is comparable with that of other checkpoints, and
 * the comparable ones that are under way. What was measured on another harness, suite version or judge is not
 * comparable. Pure.
 */
export function pickComparable<R extends Run>(
	runs: readonly R[],
	policyVersionId: string,
	conditions: CheckpointConditions | null,
): { t1: R | null; open: string[] } {
	if (!conditions) return { t1: null, open: [] };
	const own = runs.filter(
		(run) =>
			run.policyVersionId === policyVersionId &&
			run.split === "test" &&
			!run.partial &&
			run.treeId === conditions.treeId &&
			run.suiteVersionId === conditions.suiteVersionId &&
			run.judgeVersionId === conditions.judgeVersionId,
	);
	const t1 = own.find((run) => run.variants === null && run.status === "done" && run.summary !== null) ?? null;
	return { t1, open: own.filter((run) => OPEN.has(run.status)).map(({ id }) => id) };
}

/** Checkpoints of a workspace, newest first, each with its newest comparable T1 on test and what it loses inside the envelope (T2), where they are measured. */
export async function listCheckpoints(ports: CheckpointListPorts, workspaceId: string): Promise<CheckpointRow[]> {
	const versions = await ports.versions(workspaceId);
	if (versions.length === 0) return [];
	const [current, conditions, trainings, runs] = await Promise.all([
		ports.currentPolicy(workspaceId),
		ports.conditions(workspaceId),
		ports.trainings(workspaceId),
		ports.runs(
			workspaceId,
			versions.map(({ id }) => id),
		),
	]);
	const rows = versions.map(async ({ id, name, createdAt }): Promise<CheckpointRow> => {
		const { t1, open } = pickComparable(runs, id, conditions);
		const measured = t1 && (await ports.gapsOf(t1.id)).find(({ words }) => words === "transforms");
		const maker = trainings.find((training) => training.policyVersionId === id);
		return {
			...{ id, name, createdAt, running: open },
			inForce: id === current.id,
			training: maker ? { id: maker.id, number: maker.number } : null,
			t1: t1?.summary ? { runId: t1.id, number: t1.number, cases: t1.summary.cases, avg: t1.summary.avg } : null,
			gap: measured && t1 ? { ...measured.gap.avg, cases: measured.gap.cases, runId: measured.t2.id, baseRunId: t1.id } : null,
		};
	});
	return (await Promise.all(rows)).sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
}
