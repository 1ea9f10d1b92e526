import type { Database, DatabaseOrTransaction } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { sha256 } from "@/server/kernel/hash";
import { newId } from "@/server/kernel/id";
import { logger } from "@/server/kernel/logger";
import { type CaseContent, CaseContentSchema, type CaseRow, type Split, type SuiteInfo } from "../contract";
import type { ExistingCase, PlannedCase } from "./plan-import";
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

/** The suite of a key, made when it is missing. */
export async function ensureSuite(db: DatabaseOrTransaction, workspaceId: string, key: string, title: { en: string; zh: string }): Promise<string> {
	const suite = await db.suite.upsert({
		where: { workspaceId_key: { workspaceId, key } },
		create: { id: newId("sui"), workspaceId, key, title },
		update: {},
		select: { id: true },
	});
	return suite.id;
}

async function insertCases(db: DatabaseOrTransaction, workspaceId: string, cases: readonly PlannedCase[], createdById: string): Promise<void> {
	for (let i = 0; i < cases.length; i += 1_000) {
		const rows = cases.slice(i, i + 1_000).map((one) => ({
			id: newId("cas"),
			workspaceId,
			key: one.key,
			category: one.category,
			split: one.split,
			groupKey: one.groupKey,
			// The canary is no part of the hash, so that a second import of the same file changes nothing.
			content: (one.split === "holdout" ? { ...one.content, canary: `canary-${newId("hold")}` } : one.content) as Prisma.InputJsonValue,
			hash: one.hash,
			createdById,
		}));
		await db.case.createMany({ data: rows, skipDuplicates: true });
	}
}

/**
 * Stores planned cases and a new, immutable version of the suite that holds them (with the cases before, unless `replace`).
 * When the version would equal the newest one, nothing is made and that one is returned.
 */
export async function storeSuiteVersion(
	db: Database,
	input: {
		workspaceId: string;
		suiteId: string;
		cases: readonly PlannedCase[];
		mode: "append" | "replace";
		removeKeys?: readonly string[];
		createdById: string;
		note: string | null;
	},
	after: (tx: DatabaseOrTransaction, version: { id: string; version: number; created: boolean }) => Promise<void>,
): Promise<{ id: string; version: number; created: boolean }> {
	return db.$transaction(
		async (tx) => {
			// Two imports at once: the second waits, and builds on what the first made.
			await tx.$queryRaw`select id from "Suite" where id = ${input.suiteId} for update`;
			await insertCases(tx, input.workspaceId, input.cases, input.createdById);
			const latest = await tx.suiteVersion.findFirst({
				where: { suiteId: input.suiteId },
				orderBy: { version: "desc" },
				select: { id: true, version: true, hash: true },
			});
			const mine = await tx.case.findMany({
				where: { workspaceId: input.workspaceId, hash: { in: input.cases.map((one) => one.hash) } },
				select: { id: true, hash: true },
			});
			const gone = new Set([...input.cases.map((one) => one.key), ...(input.removeKeys ?? [])]);
			const before =
				input.mode === "append" && latest
					? await tx.case.findMany({ where: { versions: { some: { suiteVersionId: latest.id } } }, select: { id: true, key: true, hash: true } })
					: [];
			const members = [...mine, ...before.filter((row) => !gone.has(row.key))];
			const hash = sha256([...new Set(members.map((row) => row.hash))].sort((a, b) => (a < b ? -1 : 1)).join("\n"));
			if (latest?.hash === hash) {
				const same = { id: latest.id, version: latest.version, created: false };
				await after(tx, same);
				return same;
			}
			const made = { id: newId("suv"), version: (latest?.version ?? 0) + 1, created: true };
			await tx.suiteVersion.create({ data: { id: made.id, suiteId: input.suiteId, version: made.version, hash, note: input.note } });
			await tx.suiteVersionCase.createMany({ data: [...new Set(members.map((row) => row.id))].map((caseId) => ({ suiteVersionId: made.id, caseId })) });
			await after(tx, made);
			return made;
		},
		{ timeout: 120_000, maxWait: 20_000 },
	);
}

/** Suites of a workspace with their versions, the newest first, and how many cases each split has. */
export async function listSuites(db: DatabaseOrTransaction, workspaceId: string): Promise<SuiteInfo[]> {
	const suites = await db.suite.findMany({
		where: { workspaceId },
		orderBy: { createdAt: "asc" },
		select: {
			id: true,
			key: true,
			title: true,
			standing: true,
			versions: { orderBy: { version: "desc" }, select: { id: true, version: true, hash: true, note: true, createdAt: true } },
		},
	});
	const counts = await db.$queryRaw<{ version: string; split: Split; n: number }[]>`
		select s."suiteVersionId" as version, c.split, count(*)::int as n
		from "SuiteVersionCase" s join "Case" c on c.id = s."caseId" join "SuiteVersion" v on v.id = s."suiteVersionId" join "Suite" u on u.id = v."suiteId"
		where u."workspaceId" = ${workspaceId} group by 1, 2`;
	const countOf = (version: string, split: Split) => counts.find((row) => row.version === version && row.split === split)?.n ?? 0;
	return suites.map((suite) => ({
		id: suite.id,
		key: suite.key,
		title: suite.title as { en: string; zh: string },
		standing: suite.standing as SuiteInfo["standing"],
		versions: suite.versions.map((version) => ({
			...version,
			splits: { dev: countOf(version.id, "dev"), test: countOf(version.id, "test"), holdout: countOf(version.id, "holdout") },
		})),
	}));
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
export async function listCases(db: DatabaseOrTransaction, filter: CaseListFilter): Promise<{ rows: CaseRow[]; total: number }> {
	const where = whereOf(filter);
	const [rows, total] = await Promise.all([
		db.case.findMany({
			where,
			select: CASE,
			orderBy: [{ [COLUMN[filter.sort]]: filter.descending ? "desc" : "asc" }, { key: "asc" }],
			skip: filter.offset,
			take: filter.limit,
		}),
		db.case.count({ where }),
	]);
	return { rows: rows.map(toStored).map(toRow), total };
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

/** The latest version of a suite; null when the workspace has no such suite or it is empty. */
export async function findCurrentSuiteVersion(
	db: DatabaseOrTransaction,
	workspaceId: string,
	suiteKey: string,
): Promise<{ id: string; key: string; version: number } | null> {
	const row = await db.suiteVersion.findFirst({
		where: { suite: { workspaceId, key: suiteKey } },
		orderBy: { version: "desc" },
		select: { id: true, version: true },
	});
	return row ? { ...row, key: suiteKey } : null;
}

export async function findSuiteVersion(
	db: DatabaseOrTransaction,
	id: string,
): Promise<{ id: string; key: string; version: number; workspaceId: string } | null> {
	const row = await db.suiteVersion.findUnique({ where: { id }, select: { id: true, version: true, suite: { select: { key: true, workspaceId: true } } } });
	return row ? { id: row.id, version: row.version, key: row.suite.key, workspaceId: row.suite.workspaceId } : null;
}
