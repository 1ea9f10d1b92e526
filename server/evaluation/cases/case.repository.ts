import type { DatabaseOrTransaction } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { logger } from "@/server/kernel/logger";
import { type CaseContent, CaseContentSchema, type CaseRow, type Split, TRAINING_SUITE } from "../contract";
import type { ExistingCase } from "./plan-import";
import { comparedText } from "./plan-import";

export interface StoredCase {
	id: string;
	key: string;
	category: string;
	split: Split;
	groupKey: string;
	content: CaseContent;
	createdAt: Date;
}

const CASE = { id: true, key: true, category: true, split: true, groupKey: true, content: true, createdAt: true } satisfies Prisma.CaseSelect;

const toStored = (row: Prisma.CaseGetPayload<{ select: typeof CASE }>): StoredCase => ({
	...row,
	split: row.split as Split,
	content: CaseContentSchema.parse(row.content),
});

/** Why someone reads the holdout. A reading by a person or for an engine is none of them. */
export type HoldoutPurpose = "execute" | "group-near-duplicates";

/**
 * THE ONLY FUNCTION THAT READS HOLDOUT CASES. It serves the worker that executes a release gate's run, and the search for
 * near-duplicates at import, whose result is a group key. Neither hands a text on: no procedure, export, stream, log or job
 * payload may. Each case carries a canary, and a test sweeps for it.
 */
export async function readHoldoutCases(
	db: DatabaseOrTransaction,
	where: { suiteVersionId: string } | { workspaceId: string; suiteKey: string },
	purpose: HoldoutPurpose,
	ids?: readonly string[],
): Promise<StoredCase[]> {
	const rows = await db.case.findMany({
		where: {
			split: "holdout",
			...(ids ? { id: { in: [...ids] } } : {}),
			versions: {
				some:
					"suiteVersionId" in where
						? { suiteVersionId: where.suiteVersionId }
						: { suiteVersion: { suite: { workspaceId: where.workspaceId, key: where.suiteKey } } },
			},
		},
		select: CASE,
	});
	logger.debug({ purpose, count: rows.length }, "holdout cases read");
	return rows.map(toStored);
}

/** Cases of `dev` or `test` of a suite version, by id or all. */
export async function readOpenCases(db: DatabaseOrTransaction, suiteVersionId: string, split: "dev" | "test", ids?: readonly string[]): Promise<StoredCase[]> {
	const rows = await db.case.findMany({
		where: { split, ...(ids ? { id: { in: [...ids] } } : {}), versions: { some: { suiteVersionId } } },
		select: CASE,
		orderBy: { key: "asc" },
	});
	return rows.map(toStored);
}

/**
 * Cases of `test` of a suite version, and of the newest version of every other suite of its workspace; each id once, and of
 * the others none that shares a group with a case of dev or holdout, of which only group keys are read.
 */
export async function readMeasuredCases(db: DatabaseOrTransaction, suiteVersionId: string): Promise<StoredCase[]> {
	const version = await db.suiteVersion.findUnique({ where: { id: suiteVersionId }, select: { suiteId: true, suite: { select: { workspaceId: true } } } });
	if (!version) return [];
	const others = await db.suiteVersion.findMany({
		where: { suite: { workspaceId: version.suite.workspaceId, id: { not: version.suiteId }, key: { not: TRAINING_SUITE } } },
		orderBy: [{ suiteId: "asc" }, { version: "desc" }],
		distinct: ["suiteId"],
		select: { id: true },
	});
	const [own = [], ...more] = await Promise.all([suiteVersionId, ...others.map(({ id }) => id)].map((id) => readOpenCases(db, id, "test")));
	const { workspaceId } = version.suite;
	const apart = await db.case.findMany({ where: { workspaceId, split: { in: ["dev", "holdout"] } }, select: { groupKey: true } });
	const [keys, groups] = [new Set(own.map(({ key }) => key)), new Set(apart.map(({ groupKey }) => groupKey))];
	const read = [...own];
	for (const one of more.flat()) {
		if (keys.has(one.key) || groups.has(one.groupKey)) continue;
		keys.add(one.key);
		read.push(one);
	}
	return read;
}

/**
 * All that a training may see: dev cases of a suite version, and the messages of the training suite. None shares a group
 * with a case of `test` or `holdout` of the workspace; of those only group keys are read.
 */
export async function readTrainingCases(db: DatabaseOrTransaction, suiteVersionId: string): Promise<{ dev: StoredCase[]; pool: StoredCase[] }> {
	const version = await db.suiteVersion.findUnique({ where: { id: suiteVersionId }, select: { suite: { select: { workspaceId: true } } } });
	if (!version) return { dev: [], pool: [] };
	const { workspaceId } = version.suite;
	const training = await db.suiteVersion.findFirst({
		where: { suite: { workspaceId, key: TRAINING_SUITE } },
		orderBy: { version: "desc" },
		select: { id: true },
	});
	const [open, pool, others] = await Promise.all([
		readOpenCases(db, suiteVersionId, "dev"),
		training && training.id !== suiteVersionId ? readOpenCases(db, training.id, "dev") : [],
		db.case.findMany({ where: { workspaceId, split: { in: ["test", "holdout"] } }, select: { groupKey: true } }),
	]);
	const taken = new Set(others.map((row) => row.groupKey));
	const free = (one: StoredCase) => !taken.has(one.groupKey);
	return { dev: open.filter(free), pool: pool.filter(free) };
}

/** One open case of a workspace; null when there is none, and for a holdout case. */
export async function findOpenCase(db: DatabaseOrTransaction, workspaceId: string, id: string): Promise<StoredCase | null> {
	const row = await db.case.findFirst({ where: { id, workspaceId, split: { in: ["dev", "test"] } }, select: CASE });
	return row ? toStored(row) : null;
}

/** Earlier and later texts under a case's key, the newest first. */
export async function listCaseHistory(db: DatabaseOrTransaction, workspaceId: string, key: string): Promise<StoredCase[]> {
	const rows = await db.case.findMany({ where: { workspaceId, key, split: { in: ["dev", "test"] } }, select: CASE, orderBy: { createdAt: "desc" }, take: 50 });
	return rows.map(toStored);
}

/** Keys of cases of `dev` and `test`, by id. */
export async function listCaseKeys(db: DatabaseOrTransaction, workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
	const rows = await db.case.findMany({ where: { workspaceId, id: { in: [...ids] }, split: { in: ["dev", "test"] } }, select: { id: true, key: true } });
	return new Map(rows.map(({ id, key }) => [id, key]));
}

/** Ids of a suite version's cases in a split, ordered by key: what a run is planned from. Ids only, for every split. */
export async function listCaseIds(db: DatabaseOrTransaction, suiteVersionId: string, split: Split): Promise<{ id: string; category: string }[]> {
	return db.case.findMany({ where: { split, versions: { some: { suiteVersionId } } }, select: { id: true, category: true }, orderBy: { key: "asc" } });
}

/** Reference replies of `dev` by category, at most `limit` each, for the measure `reference-intent`. */
export async function readReferences(db: DatabaseOrTransaction, suiteVersionId: string, limit: number): Promise<Record<string, string[]>> {
	const rows = await db.$queryRaw<{ category: string; reference: string }[]>`
		select category, reference from (
			select c.category, c.content->>'reference' as reference, row_number() over (partition by c.category order by c.key) as position
			from "Case" c join "SuiteVersionCase" s on s."caseId" = c.id
			where s."suiteVersionId" = ${suiteVersionId} and c.split = 'dev' and c.content->>'reference' is not null
		) ranked where position <= ${limit}`;
	const byCategory: Record<string, string[]> = {};
	for (const row of rows) {
		const list = byCategory[row.category];
		if (list) list.push(row.reference);
		else byCategory[row.category] = [row.reference];
	}
	return byCategory;
}

/** What the plan of an import must know of a suite's present cases, for every split. */
export async function listExisting(db: DatabaseOrTransaction, workspaceId: string, suiteKey: string): Promise<ExistingCase[]> {
	const version = await db.suiteVersion.findFirst({ where: { suite: { workspaceId, key: suiteKey } }, orderBy: { version: "desc" }, select: { id: true } });
	if (!version) return [];
	const open = await db.case.findMany({
		where: { split: { not: "holdout" }, versions: { some: { suiteVersionId: version.id } } },
		select: { ...CASE, hash: true },
	});
	const sealed = await readHoldoutCases(db, { suiteVersionId: version.id }, "group-near-duplicates");
	const hashes = await db.case.findMany({ where: { split: "holdout", versions: { some: { suiteVersionId: version.id } } }, select: { id: true, hash: true } });
	const hashOf = new Map([...hashes, ...open].map((row) => [row.id, row.hash]));
	return [...open.map(toStored), ...sealed].map((one) => ({
		key: one.key,
		split: one.split,
		groupKey: one.groupKey,
		hash: hashOf.get(one.id) ?? "",
		text: comparedText(one.content),
	}));
}

/** The same of the workspace's other suites, whose groups an import has to share. */
export async function listNeighbours(db: DatabaseOrTransaction, workspaceId: string, suiteKey: string): Promise<ExistingCase[]> {
	const others = await db.suite.findMany({ where: { workspaceId, key: { not: suiteKey } }, select: { key: true }, orderBy: { key: "asc" } });
	return (await Promise.all(others.map(({ key }) => listExisting(db, workspaceId, key)))).flat();
}

export interface CaseListFilter {
	suiteVersionId: string;
	split: ("dev" | "test")[];
	category: string[];
	tag: string[];
	group: string | null;
	text: string;
	sort: "key" | "category" | "split" | "group" | "created";
	descending: boolean;
	offset: number;
	limit: number;
}

function whereOf(filter: CaseListFilter): Prisma.CaseWhereInput {
	const text = filter.text.trim();
	return {
		versions: { some: { suiteVersionId: filter.suiteVersionId } },
		split: { in: filter.split.length > 0 ? filter.split : ["dev", "test"] },
		...(filter.category.length > 0 ? { category: { in: filter.category } } : {}),
		...(filter.group ? { groupKey: filter.group } : {}),
		...(filter.tag.length > 0 ? { OR: filter.tag.map((tag) => ({ content: { path: ["tags"], array_contains: [tag] } })) } : {}),
		...(text
			? { AND: [{ OR: [{ key: { contains: text, mode: "insensitive" } }, { content: { path: ["message"], string_contains: text, mode: "insensitive" } }] }] }
			: {}),
	};
}

const COLUMN = { key: "key", category: "category", split: "split", group: "groupKey", created: "createdAt" } as const;

/** A page of the open cases of a suite version. */
export async function listCases(db: DatabaseOrTransaction, filter: CaseListFilter): Promise<{ rows: CaseRow[]; total: number; categories: string[] }> {
	const where = whereOf(filter);
	const [rows, total, categories] = await Promise.all([
		db.case.findMany({
			where,
			select: CASE,
			orderBy: [{ [COLUMN[filter.sort]]: filter.descending ? "desc" : "asc" }, { key: "asc" }],
			skip: filter.offset,
			take: filter.limit,
		}),
		db.case.count({ where }),
		db.case.findMany({
			where: { versions: { some: { suiteVersionId: filter.suiteVersionId } }, split: { not: "holdout" } },
			distinct: ["category"],
			select: { category: true },
			orderBy: { category: "asc" },
		}),
	]);
	return { rows: rows.map(toStored).map(toRow), total, categories: categories.map((row) => row.category) };
}

function toRow({ content, ...one }: StoredCase): CaseRow {
	return {
		id: one.id,
		key: one.key,
		category: one.category,
		split: one.split as "dev" | "test",
		groupKey: one.groupKey,
		message: content.message,
		historyTurns: content.history.length,
		room: content.room?.base ?? null,
		faults: content.faults.map((fault) => `${fault.handler}: ${fault.kind}`),
		tags: content.tags,
		hasReference: content.reference !== undefined,
		rubricItems: content.rubric.length,
		createdAt: one.createdAt,
	};
}
