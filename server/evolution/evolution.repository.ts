import { z } from "zod";
import type { DatabaseOrTransaction } from "@/server/db/client";
import { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/kernel/id";
import { CategorySchema } from "@/server/workspace/contract";
import { type CategoryTitles, type RoundStanding, RoundStandingSchema } from "./contract";
import {
	type EvolutionRow,
	ReopeningSchema,
	type RoundRow,
	StopReasonSchema,
	TaskInputSchema,
	type TaskResultInput,
	TaskResultSchema,
	type TaskRow,
} from "./rows";

type Db = DatabaseOrTransaction;

const evolutionSelect = {
	id: true,
	number: true,
	workspaceId: true,
	slug: true,
	title: true,
	branch: true,
	baseCommit: true,
	status: true,
	patience: true,
	policyVersionId: true,
	judgeVersionId: true,
	suiteVersionId: true,
	trials: true,
	seed: true,
	stopReason: true,
	stoppedAt: true,
	stoppedAfter: true,
	reopenings: true,
	createdById: true,
	createdAt: true,
	closedAt: true,
} as const satisfies Prisma.EvolutionSelect;

type EvolutionRecord = Prisma.EvolutionGetPayload<{ select: typeof evolutionSelect }>;

const toEvolution = (row: EvolutionRecord): EvolutionRow => ({
	...row,
	status: row.status as EvolutionRow["status"],
	stopReason: StopReasonSchema.nullable().parse(row.stopReason),
	reopenings: ReopeningSchema.array().parse(row.reopenings),
});

/** The evolution of this id in this workspace; null where it is of another workspace. */
export async function findEvolution(db: Db, workspaceId: string, id: string): Promise<EvolutionRow | null> {
	const row = await db.evolution.findFirst({ where: { id, workspaceId }, select: evolutionSelect });
	return row && toEvolution(row);
}

export async function getEvolution(db: Db, id: string): Promise<EvolutionRow> {
	return toEvolution(await db.evolution.findUniqueOrThrow({ where: { id }, select: evolutionSelect }));
}

/** Newest first. */
export async function listEvolutions(db: Db, workspaceId: string): Promise<EvolutionRow[]> {
	const rows = await db.evolution.findMany({ where: { workspaceId }, orderBy: { number: "desc" }, select: evolutionSelect });
	return rows.map(toEvolution);
}

export async function hasSlug(db: Db, workspaceId: string, slug: string): Promise<boolean> {
	return (await db.evolution.count({ where: { workspaceId, slug } })) > 0;
}

/** Serialises landing, closing and reopening of one evolution until the transaction ends. */
export async function lockEvolution(tx: Db, id: string): Promise<EvolutionRow> {
	await tx.$queryRaw`select 1 from "Evolution" where id = ${id} for update`;
	return getEvolution(tx, id);
}

export type NewEvolution = Pick<
	EvolutionRow,
	| "id"
	| "number"
	| "workspaceId"
	| "slug"
	| "title"
	| "branch"
	| "baseCommit"
	| "patience"
	| "policyVersionId"
	| "judgeVersionId"
	| "suiteVersionId"
	| "trials"
	| "seed"
	| "createdById"
>;

/** An evolution with its baseline (round 0, being evaluated) and the first open round. */
export async function insertEvolution(db: Db, input: NewEvolution & { baseTreeId: string; unattended: boolean }): Promise<void> {
	const { baseTreeId, unattended, ...data } = input;
	await db.evolution.create({ data: { ...data, status: "active" } });
	await db.round.createMany({
		data: [
			{
				id: newId("rnd"),
				evolutionId: data.id,
				index: 0,
				status: "closing",
				headCommit: data.baseCommit,
				treeId: baseTreeId,
				closedById: data.createdById,
				unattended,
			},
			{ id: newId("rnd"), evolutionId: data.id, index: 1, status: "open" },
		],
	});
}

export async function updateEvolution(
	db: Db,
	id: string,
	data: Partial<Pick<EvolutionRow, "status" | "stopReason" | "stoppedAt" | "stoppedAfter" | "reopenings" | "closedAt">>,
): Promise<void> {
	// A JSON column is emptied by the database's own null.
	const json = data.stopReason === null ? { stopReason: Prisma.DbNull } : {};
	await db.evolution.update({ where: { id }, data: { ...data, ...json } as Prisma.EvolutionUpdateInput });
}

// ---- rounds ----

const roundSelect = {
	id: true,
	evolutionId: true,
	index: true,
	status: true,
	headCommit: true,
	treeId: true,
	devRunId: true,
	testRunId: true,
	regressionRunIds: true,
	variantRunIds: true,
	standing: true,
	closedById: true,
	unattended: true,
	openedAt: true,
	closedAt: true,
} as const satisfies Prisma.RoundSelect;

const toRound = (row: Prisma.RoundGetPayload<{ select: typeof roundSelect }>): RoundRow => ({
	...row,
	status: row.status as RoundRow["status"],
	standing: RoundStandingSchema.nullable().parse(row.standing),
});

/** In order, the baseline first. */
export async function listRounds(db: Db, evolutionId: string): Promise<RoundRow[]> {
	return (await db.round.findMany({ where: { evolutionId }, orderBy: { index: "asc" }, select: roundSelect })).map(toRound);
}

export async function findRound(db: Db, workspaceId: string, id: string): Promise<RoundRow | null> {
	const row = await db.round.findFirst({ where: { id, evolution: { workspaceId } }, select: roundSelect });
	return row && toRound(row);
}

export async function getRound(db: Db, id: string): Promise<RoundRow> {
	return toRound(await db.round.findUniqueOrThrow({ where: { id }, select: roundSelect }));
}

export async function findOpenRound(db: Db, evolutionId: string): Promise<RoundRow | null> {
	const row = await db.round.findFirst({ where: { evolutionId, status: "open" }, orderBy: { index: "asc" }, select: roundSelect });
	return row && toRound(row);
}

export async function insertRound(db: Db, evolutionId: string, index: number): Promise<void> {
	// Repeating a closing finds the next round there already.
	await db.round.createMany({ data: [{ id: newId("rnd"), evolutionId, index, status: "open" }], skipDuplicates: true });
}

export async function updateRound(
	db: Db,
	id: string,
	data: Partial<Omit<RoundRow, "id" | "evolutionId" | "index" | "standing">> & { standing?: RoundStanding },
): Promise<void> {
	await db.round.update({ where: { id }, data: data as Prisma.RoundUpdateInput });
}

/** Rounds being closed that wait for a run. */
export async function findRoundsOfRun(db: Db, runId: string): Promise<{ id: string; evolutionId: string }[]> {
	return db.round.findMany({
		where: { status: "closing", OR: [{ devRunId: runId }, { testRunId: runId }, { regressionRunIds: { has: runId } }] },
		select: { id: true, evolutionId: true },
	});
}

// ---- tasks ----

const taskSelect = {
	id: true,
	workspaceId: true,
	evolutionId: true,
	kind: true,
	status: true,
	input: true,
	result: true,
	engine: true,
	notice: true,
	error: true,
	unattended: true,
	requestedById: true,
	createdAt: true,
	startedAt: true,
	finishedAt: true,
} as const satisfies Prisma.EvolutionTaskSelect;

const toTask = (row: Prisma.EvolutionTaskGetPayload<{ select: typeof taskSelect }>): TaskRow => ({
	...row,
	kind: row.kind as TaskRow["kind"],
	status: row.status as TaskRow["status"],
	input: TaskInputSchema.parse(row.input),
	result: TaskResultSchema.nullable().parse(row.result),
});

export async function insertTask(
	db: Db,
	input: Pick<TaskRow, "workspaceId" | "evolutionId" | "kind" | "input" | "unattended" | "requestedById">,
): Promise<string> {
	const id = newId("tsk");
	await db.evolutionTask.create({ data: { id, status: "queued", ...input, input: input.input as Prisma.InputJsonValue } });
	return id;
}

export async function getTask(db: Db, id: string): Promise<TaskRow> {
	return toTask(await db.evolutionTask.findUniqueOrThrow({ where: { id }, select: taskSelect }));
}

export async function findTask(db: Db, workspaceId: string, id: string): Promise<TaskRow | null> {
	const row = await db.evolutionTask.findFirst({ where: { id, workspaceId }, select: taskSelect });
	return row && toTask(row);
}

/** Newest first. */
export async function listTasks(db: Db, evolutionId: string, where: { status?: TaskRow["status"][]; kind?: TaskRow["kind"] }, take = 20): Promise<TaskRow[]> {
	const rows = await db.evolutionTask.findMany({
		where: { evolutionId, kind: where.kind, status: where.status && { in: where.status } },
		orderBy: { createdAt: "desc" },
		take,
		select: taskSelect,
	});
	return rows.map(toTask);
}

/** Who asked for these tasks, each once. */
export async function listRequesters(db: Db, taskIds: readonly string[]): Promise<string[]> {
	const rows = await db.evolutionTask.findMany({ where: { id: { in: [...taskIds] } }, distinct: ["requestedById"], select: { requestedById: true } });
	return rows.flatMap((row) => row.requestedById ?? []);
}

/** Queued tasks that wait for a run. */
export async function findTasksOfRun(db: Db, runId: string): Promise<TaskRow[]> {
	const rows = await db.evolutionTask.findMany({ where: { status: "queued", input: { path: ["runId"], equals: runId } }, select: taskSelect });
	return rows.map(toTask);
}

/** Takes a task for working on it; false when it is over (done, failed, cancelled). A job that is repeated takes it again. */
export async function claimTask(db: Db, id: string, now: Date): Promise<boolean> {
	const { count } = await db.evolutionTask.updateMany({ where: { id, status: { in: ["queued", "running"] } }, data: { status: "running", startedAt: now } });
	return count > 0;
}

/** Ends a task that is under way; false when somebody else did already, and then nothing else may be written. */
export async function finishTask(
	db: Db,
	id: string,
	data: { status: "done" | "failed" | "cancelled"; finishedAt: Date; result?: TaskResultInput; engine?: string; notice?: string | null; error?: string },
): Promise<boolean> {
	const { result, ...rest } = data;
	const { count } = await db.evolutionTask.updateMany({
		where: { id, status: { in: ["queued", "running"] } },
		data: { ...rest, ...(result ? { result: result as Prisma.InputJsonValue } : {}) },
	});
	return count > 0;
}

/** Language of the workspace's agent, for the engines' prompts. */
export async function findWorkspaceFacts(db: Db, workspaceId: string): Promise<{ slug: string; language: string; settings: unknown; titles: CategoryTitles }> {
	const row = await db.workspace.findUniqueOrThrow({ where: { id: workspaceId }, select: { slug: true, language: true, settings: true, categories: true } });
	const { categories, ...facts } = row;
	return {
		...facts,
		titles: Object.fromEntries(
			z
				.array(CategorySchema)
				.parse(categories)
				.map(({ id, title }) => [id, title]),
		),
	};
}
