import type { Database, DatabaseOrTransaction } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { sha256 } from "@/server/kernel/hash";
import { newId } from "@/server/kernel/id";
import type { Split, SuiteInfo } from "../contract";
import type { PlannedCase } from "./plan-import";

/** The suite of a key, made when it is missing; of two that make it at once the second waits for the first. */
async function ensureSuite(tx: DatabaseOrTransaction, workspaceId: string, key: string, title: { en: string; zh: string }): Promise<string> {
	await tx.suite.createMany({ data: [{ id: newId("sui"), workspaceId, key, title }], skipDuplicates: true });
	const suite = await tx.suite.findUniqueOrThrow({ where: { workspaceId_key: { workspaceId, key } }, select: { id: true } });
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
 * Stores planned cases and a new, immutable version of the suite that holds them (with the cases before, unless `replace`),
 * or nothing at all: a suite that is new is made with its first version.
 * When the version would equal the newest one, nothing is made and that one is returned.
 */
export async function storeSuiteVersion(
	db: Database,
	input: {
		workspaceId: string;
		suiteKey: string;
		/** Used when the suite does not exist yet. */
		suiteTitle: { en: string; zh: string };
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
			const suiteId = await ensureSuite(tx, input.workspaceId, input.suiteKey, input.suiteTitle);
			await tx.$queryRaw`select id from "Suite" where id = ${suiteId} for update`;
			await insertCases(tx, input.workspaceId, input.cases, input.createdById);
			const latest = await tx.suiteVersion.findFirst({
				where: { suiteId },
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
			await tx.suiteVersion.create({ data: { id: made.id, suiteId, version: made.version, hash, note: input.note } });
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
