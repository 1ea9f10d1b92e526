import type { Database, DatabaseOrTransaction } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import type { AppError } from "@/server/kernel/errors";
import { fingerprint } from "@/server/kernel/hash";
import { newId } from "@/server/kernel/id";
import { emitEvent, nextNumber } from "@/server/workspace";
import {
	type RunEstimate,
	RunEstimateSchema,
	type RunReason,
	type RunStatus,
	type RunSummary,
	RunSummarySchema,
	type Split,
	type VariantPlan,
	VariantPlanSchema,
} from "../contract";
import { type RunError, readRunError, storeRunError } from "./run-error";

/** A run as stored, without names for people. */
export interface RunRow {
	id: string;
	number: number;
	workspaceId: string;
	suiteVersionId: string;
	suiteKey: string;
	suiteVersion: number;
	split: Split;
	treeId: string;
	commit: string | null;
	policyVersionId: string;
	judgeVersionId: string;
	bundleId: string | null;
	trials: number;
	seed: number;
	useCache: boolean;
	variants: VariantPlan | null;
	partial: boolean;
	status: RunStatus;
	reason: RunReason;
	requestedById: string;
	planned: number;
	valid: number;
	infraErrors: number;
	estimate: RunEstimate | null;
	summary: RunSummary | null;
	error: string | null;
	errorReasons: RunError["errorReasons"];
	createdAt: Date;
	startedAt: Date | null;
	finishedAt: Date | null;
}

const RUN = {
	id: true,
	number: true,
	workspaceId: true,
	suiteVersionId: true,
	suiteKey: true,
	split: true,
	treeId: true,
	commit: true,
	policyVersionId: true,
	judgeVersionId: true,
	bundleId: true,
	trials: true,
	seed: true,
	useCache: true,
	variants: true,
	partial: true,
	status: true,
	reason: true,
	requestedById: true,
	planned: true,
	valid: true,
	infraErrors: true,
	estimate: true,
	summary: true,
	error: true,
	createdAt: true,
	startedAt: true,
	finishedAt: true,
	suiteVersion: { select: { version: true } },
} satisfies Prisma.RunSelect;

function toRun(row: Prisma.RunGetPayload<{ select: typeof RUN }>): RunRow {
	const summary = RunSummarySchema.safeParse(row.summary);
	const estimate = RunEstimateSchema.safeParse(row.estimate);
	return {
		...row,
		...readRunError(row.error),
		suiteVersion: row.suiteVersion.version,
		variants: row.variants === null ? null : VariantPlanSchema.parse(row.variants),
		split: row.split as Split,
		status: row.status as RunStatus,
		reason: row.reason as RunReason,
		summary: summary.success ? summary.data : null,
		estimate: estimate.success ? estimate.data : null,
	};
}

export async function findRun(db: DatabaseOrTransaction, id: string): Promise<RunRow | null> {
	const row = await db.run.findUnique({ where: { id }, select: RUN });
	return row ? toRun(row) : null;
}

export async function findRuns(db: DatabaseOrTransaction, ids: readonly string[]): Promise<RunRow[]> {
	const rows = await db.run.findMany({ where: { id: { in: [...ids] } }, select: RUN });
	return rows.map(toRun);
}

/** A run of a workspace by its human-facing number. */
export async function findRunByNumber(db: DatabaseOrTransaction, workspaceId: string, number: number): Promise<RunRow | null> {
	const row = await db.run.findUnique({ where: { workspaceId_number: { workspaceId, number } }, select: RUN });
	return row ? toRun(row) : null;
}

export interface RunListFilter {
	workspaceId: string;
	status: RunStatus[];
	split: Split[];
	suiteKey: string[];
	reason: RunReason[];
	policyVersionId: string[];
	/** Part of a commit, a tree id or a number. */
	text: string;
	sort: "number" | "finished" | "accuracy" | "effectiveness" | "avg";
	descending: boolean;
	offset: number;
	limit: number;
}

/** A page of a workspace's runs. Sorting by score happens in the database, over the stored summary. */
export async function listRuns(db: DatabaseOrTransaction, filter: RunListFilter): Promise<{ rows: RunRow[]; total: number }> {
	const text = filter.text.trim();
	const number = Number(text.replace(/^#?R?-?/i, ""));
	const where: Prisma.RunWhereInput = {
		workspaceId: filter.workspaceId,
		...(filter.status.length > 0 ? { status: { in: filter.status } } : {}),
		...(filter.split.length > 0 ? { split: { in: filter.split } } : {}),
		...(filter.suiteKey.length > 0 ? { suiteKey: { in: filter.suiteKey } } : {}),
		...(filter.reason.length > 0 ? { reason: { in: filter.reason } } : {}),
		...(filter.policyVersionId.length > 0 ? { policyVersionId: { in: filter.policyVersionId } } : {}),
		...(text ? { OR: [{ commit: { startsWith: text } }, { treeId: { startsWith: text } }, ...(Number.isInteger(number) ? [{ number }] : [])] } : {}),
	};
	const direction = filter.descending ? "desc" : "asc";
	const total = await db.run.count({ where });
	if (filter.sort === "number" || filter.sort === "finished") {
		const orderBy = filter.sort === "number" ? { number: direction } : { finishedAt: { sort: direction, nulls: "last" } };
		const rows = await db.run.findMany({
			where,
			select: RUN,
			orderBy: [orderBy, { number: "desc" }] as Prisma.RunOrderByWithRelationInput[],
			skip: filter.offset,
			take: filter.limit,
		});
		return { rows: rows.map(toRun), total };
	}
	const matching = await db.run.findMany({ where, select: { id: true, number: true, summary: true } });
	const score = (summary: unknown): number => {
		const parsed = RunSummarySchema.safeParse(summary);
		return parsed.success ? parsed.data[filter.sort as "accuracy" | "effectiveness" | "avg"].value : -1;
	};
	const ordered = matching
		.map((row) => ({ id: row.id, number: row.number, score: score(row.summary) }))
		.sort((a, b) => (filter.descending ? b.score - a.score : a.score - b.score) || b.number - a.number)
		.slice(filter.offset, filter.offset + filter.limit);
	const rows = await findRuns(
		db,
		ordered.map((row) => row.id),
	);
	return { rows: ordered.flatMap((entry) => rows.find((row) => row.id === entry.id) ?? []), total };
}

export interface NewRun {
	workspaceId: string;
	suiteVersionId: string;
	suiteKey: string;
	split: Split;
	treeId: string;
	commit: string | null;
	policyVersionId: string;
	judgeVersionId: string;
	bundleId: string | null;
	trials: number;
	seed: number;
	useCache: boolean;
	variants: VariantPlan | null;
	partial: boolean;
	reason: RunReason;
	requestedById: string;
	planned: number;
	estimate: RunEstimate | null;
	chunks: string[][];
}

const variantKey = (variants: VariantPlan | null) => (variants ? fingerprint(variants) : "");

/**
 * Inserts a run with its chunks, queued, in one transaction. With `once`, an equal run that is done or under way is answered
 * instead; of several who ask in one moment, one inserts.
 */
export async function insertRun(db: Database, run: NewRun, { once }: { once: boolean }): Promise<{ id: string; isNew: boolean }> {
	const { chunks, estimate, variants, ...data } = run;
	const id = newId("run");
	const equal = await db.$transaction(async (tx) => {
		if (once) {
			await tx.$executeRaw`select pg_advisory_xact_lock(hashtext(${`run:${run.workspaceId}`}))`;
			const known = await findEqualRun(tx, run, { live: true });
			if (known) return known.id;
		}
		const number = await nextNumber(tx, run.workspaceId, "run");
		await tx.run.create({
			data: { id, number, status: "queued", ...data, variantKey: variantKey(variants), ...(variants ? { variants } : {}), ...(estimate ? { estimate } : {}) },
		});
		await tx.runChunk.createMany({ data: chunks.map((caseIds, index) => ({ id: `${id}.${index}`, runId: id, index, caseIds, status: "queued" })) });
		return null;
	});
	return { id: equal ?? id, isNew: equal === null };
}

/** The newest complete run that binds the same things; null when there is none. `live` also takes one that is under way. */
export async function findEqualRun(
	db: DatabaseOrTransaction,
	wanted: Pick<
		NewRun,
		"workspaceId" | "suiteVersionId" | "split" | "treeId" | "policyVersionId" | "judgeVersionId" | "bundleId" | "trials" | "seed" | "variants"
	>,
	options: { live: boolean },
): Promise<RunRow | null> {
	const { workspaceId, suiteVersionId, split, treeId, policyVersionId, judgeVersionId, bundleId, trials, seed, variants } = wanted;
	const row = await db.run.findFirst({
		where: {
			...{ workspaceId, suiteVersionId, split, treeId, policyVersionId, judgeVersionId, bundleId, trials, seed },
			variantKey: variantKey(variants),
			partial: false,
			infraErrors: options.live ? undefined : 0,
			status: { in: options.live ? ["done", "queued", "running"] : ["done"] },
		},
		orderBy: [{ status: "asc" }, { number: "desc" }],
		select: RUN,
	});
	return row ? toRun(row) : null;
}

/** Whole runs that are done on the same cases, harness, policy and judge, under variants or not; newest first, without the run itself. */
export async function findDoneBeside(
	db: DatabaseOrTransaction,
	{ id, workspaceId, suiteVersionId, split, treeId, policyVersionId, judgeVersionId }: RunRow,
): Promise<RunRow[]> {
	const rows = await db.run.findMany({
		where: { workspaceId, suiteVersionId, split, treeId, policyVersionId, judgeVersionId, partial: false, status: "done", id: { not: id } },
		orderBy: { number: "desc" },
		take: 50,
		select: RUN,
	});
	return rows.map(toRun);
}

/** Moves a run to a status if it is in one of those expected; says whether it did. */
export async function moveRun(
	db: DatabaseOrTransaction,
	id: string,
	from: readonly RunStatus[],
	data: { status: RunStatus; error?: string | null },
): Promise<boolean> {
	const moved = await db.run.updateMany({ where: { id, status: { in: [...from] } }, data });
	return moved.count === 1;
}

/**
 * Puts a run that is over back into the queue: chunks that lack results become free again; with `dropErrors`, episodes that
 * ended in an infrastructure error are deleted first (and only those). Results that are there stay.
 */
export async function requeueRun(db: Database, id: string, options: { dropErrors: boolean }): Promise<void> {
	await db.$transaction(async (tx) => {
		await tx.$queryRaw`select id from "Run" where id = ${id} for update`;
		if (options.dropErrors) await tx.episode.deleteMany({ where: { runId: id, outcome: "infra-error" } });
		await tx.$executeRaw`
			update "RunChunk" c set status = 'queued', owner = null, "leaseUntil" = null, attempt = 1
			from "Run" r where c."runId" = r.id and r.id = ${id}
				and (select count(*) from "Episode" e where e."runId" = ${id} and e."caseId" = any(c."caseIds")) < cardinality(c."caseIds") * r.trials`;
		await tx.$executeRaw`
			update "Run" set status = 'queued', summary = null, error = null, "finishedAt" = null,
				"infraErrors" = (select count(*)::int from "Episode" where "runId" = ${id} and outcome = 'infra-error')
			where id = ${id}`;
	});
}

/** Ends a run once: the caller that moves it writes the summary and the event, in one transaction. Says whether it was this one. */
export async function finishRun(
	db: Database,
	run: { id: string; workspaceId: string },
	from: readonly RunStatus[],
	end: { status: "done" | "cancelled" | "failed"; summary?: RunSummary; error?: AppError },
): Promise<boolean> {
	return db.$transaction(async (tx) => {
		const moved = await tx.run.updateMany({
			where: { id: run.id, status: { in: [...from] } },
			data: {
				status: end.status,
				finishedAt: new Date(),
				...(end.summary ? { summary: end.summary } : {}),
				...(end.error ? { error: storeRunError(end.error) } : {}),
			},
		});
		if (moved.count !== 1) return false;
		await emitEvent(tx, run.workspaceId, { type: "run.finished", runId: run.id, status: end.status });
		return true;
	});
}
