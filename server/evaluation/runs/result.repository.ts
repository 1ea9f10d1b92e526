import type { z } from "zod";
import { type Trajectory, TrajectorySchema } from "@/server/agent/contract";
import type { DatabaseOrTransaction } from "@/server/db/client";
import { Prisma } from "@/server/db/generated/client";
import { type Verdict, VerdictSchema } from "@/server/judge/contract";
import type { CaseScore, ResultFilter, ResultRow, ResultSortSchema, ResultVerdict } from "../contract";
import type { EpisodeScore } from "../statistics";

/** All episodes of a run as statistics need them. */
export async function readEpisodeScores(db: DatabaseOrTransaction, runId: string): Promise<EpisodeScore[]> {
	const rows = await db.$queryRaw<EpisodeScore[]>`
		select "caseId", category, trial, outcome, accuracy, effectiveness, "skillSelection", "toolRationality", "hookRetries", recovered, "limitsKept", "latencyMs",
			"promptTokens", "completionTokens", "reasoningToolTokens", "reasoningReplyTokens", "modelCalls", "cachedCalls"
		from "Episode" where "runId" = ${runId}`;
	return rows;
}

/** Mean scores per case over valid trials. */
export async function readCaseScores(db: DatabaseOrTransaction, runId: string): Promise<CaseScore[]> {
	return db.$queryRaw<CaseScore[]>`
		select "caseId", min(category) as category, count(*)::int as trials, avg(accuracy)::float8 as accuracy, avg(effectiveness)::float8 as effectiveness
		from "Episode" where "runId" = ${runId} and outcome <> 'infra-error' and accuracy is not null and effectiveness is not null
		group by "caseId" order by "caseId"`;
}

export interface LiveFigures {
	valid: number;
	infraErrors: number;
	perSecond: number;
	latencyMs: { p50: number; p95: number } | null;
	tokens: { prompt: number; completion: number; judge: number };
}

const RATE_SECONDS = 5;

/** Counts, speed over the last seconds, latency and tokens so far. */
export async function readLiveFigures(db: DatabaseOrTransaction, runId: string): Promise<LiveFigures> {
	const [row] = await db.$queryRaw<
		{
			valid: number;
			errors: number;
			recent: number;
			seconds: number | null;
			p50: number | null;
			p95: number | null;
			prompt: number;
			completion: number;
			judge: number;
		}[]
	>`
		select count(*) filter (where outcome <> 'infra-error')::int as valid, count(*) filter (where outcome = 'infra-error')::int as errors,
			count(*) filter (where "createdAt" > (now() at time zone 'utc') - make_interval(secs => ${RATE_SECONDS}))::int as recent,
			extract(epoch from (now() at time zone 'utc') - min("createdAt"))::float8 as seconds,
			percentile_disc(0.5) within group (order by "latencyMs") filter (where outcome <> 'infra-error') as p50,
			percentile_disc(0.95) within group (order by "latencyMs") filter (where outcome <> 'infra-error') as p95,
			coalesce(sum("promptTokens"), 0)::float8 as prompt,
			coalesce(sum("completionTokens" + "reasoningToolTokens" + "reasoningReplyTokens"), 0)::float8 as completion,
			coalesce(sum("judgeTokens"), 0)::float8 as judge
		from "Episode" where "runId" = ${runId}`;
	const seconds = Math.min(RATE_SECONDS, Math.max(0.5, row?.seconds ?? RATE_SECONDS));
	return {
		valid: row?.valid ?? 0,
		infraErrors: row?.errors ?? 0,
		perSecond: (row?.recent ?? 0) / seconds,
		latencyMs: row?.p50 === null || row?.p95 === null || row === undefined ? null : { p50: row.p50, p95: row.p95 },
		tokens: { prompt: row?.prompt ?? 0, completion: row?.completion ?? 0, judge: row?.judge ?? 0 },
	};
}

const EPISODE = {
	id: true,
	runId: true,
	caseId: true,
	caseKey: true,
	trial: true,
	outcome: true,
	category: true,
	accuracy: true,
	effectiveness: true,
	message: true,
	reply: true,
	skills: true,
	tools: true,
	faults: true,
	failureType: true,
	blamed: true,
	error: true,
	latencyMs: true,
	hookRetries: true,
	modelCalls: true,
	cachedCalls: true,
	promptTokens: true,
	completionTokens: true,
} satisfies Prisma.EpisodeSelect;

/** passed: both dimensions full; partial: accurate and half effective; failed: the rest; infra-error: not scored. */
export function verdictOf(row: { outcome: string; accuracy: number | null; effectiveness: number | null }): ResultVerdict {
	if (row.outcome === "infra-error" || row.accuracy === null || row.effectiveness === null) return "infra-error";
	if (row.accuracy === 1 && row.effectiveness === 1) return "passed";
	return row.accuracy === 1 && row.effectiveness > 0 ? "partial" : "failed";
}

function toResult(row: Prisma.EpisodeGetPayload<{ select: typeof EPISODE }>): ResultRow {
	const { runId: _runId, promptTokens, completionTokens, ...rest } = row;
	return { ...rest, outcome: row.outcome as ResultRow["outcome"], verdict: verdictOf(row), tokens: promptTokens + completionTokens };
}

const VERDICT_WHERE: Record<ResultVerdict, Prisma.EpisodeWhereInput> = {
	passed: { outcome: { not: "infra-error" }, accuracy: 1, effectiveness: 1 },
	partial: { outcome: { not: "infra-error" }, accuracy: 1, effectiveness: { gt: 0, lt: 1 } },
	failed: { outcome: { not: "infra-error" }, OR: [{ accuracy: 0 }, { effectiveness: 0 }] },
	"infra-error": { outcome: "infra-error" },
};

function whereOf(runId: string, filter: ResultFilter): Prisma.EpisodeWhereInput {
	const text = filter.text.trim();
	const and: Prisma.EpisodeWhereInput[] = [];
	if (filter.verdict.length > 0) and.push({ OR: filter.verdict.map((verdict) => VERDICT_WHERE[verdict]) });
	if (filter.category.length > 0) and.push({ category: { in: filter.category } });
	if (filter.skill.length > 0) and.push({ skills: { hasSome: filter.skill } });
	if (filter.tool.length > 0) and.push({ tools: { hasSome: filter.tool } });
	if (filter.fault.length > 0) and.push({ faults: { hasSome: filter.fault } });
	if (filter.failureType.length > 0) and.push({ failureType: { in: filter.failureType } });
	if (filter.caseIds.length > 0) and.push({ caseId: { in: filter.caseIds } });
	if (text) {
		const contains = { contains: text, mode: "insensitive" as const };
		and.push({ OR: [{ caseKey: contains }, { message: contains }, { reply: contains }] });
	}
	return { runId, ...(and.length > 0 ? { AND: and } : {}) };
}

const ORDER: Record<z.infer<typeof ResultSortSchema>, keyof typeof EPISODE> = {
	case: "caseKey",
	category: "category",
	accuracy: "accuracy",
	effectiveness: "effectiveness",
	latency: "latencyMs",
	tokens: "promptTokens",
};

/** A page of a run's results, filtered and sorted in the database. */
export async function listResults(
	db: DatabaseOrTransaction,
	runId: string,
	query: { filter: ResultFilter; sort: z.infer<typeof ResultSortSchema>; descending: boolean; offset: number; limit: number },
): Promise<{ rows: ResultRow[]; total: number }> {
	const where = whereOf(runId, query.filter);
	const [rows, total] = await Promise.all([
		db.episode.findMany({
			where,
			select: EPISODE,
			orderBy: [{ [ORDER[query.sort]]: query.descending ? "desc" : "asc" }, { caseKey: "asc" }, { trial: "asc" }],
			skip: query.offset,
			take: query.limit,
		}),
		db.episode.count({ where }),
	]);
	return { rows: rows.map(toResult), total };
}

/** What a run's results can be filtered by, with how many results each value has. */
export interface ResultFacets {
	verdict: { value: string; count: number }[];
	category: { value: string; count: number }[];
	skill: { value: string; count: number }[];
	tool: { value: string; count: number }[];
	fault: { value: string; count: number }[];
	failureType: { value: string; count: number }[];
}

export async function readFacets(db: DatabaseOrTransaction, runId: string): Promise<ResultFacets> {
	const rows = await db.$queryRaw<{ facet: keyof ResultFacets; value: string; count: number }[]>`
		with e as (select category, "failureType", skills, tools, faults,
			case when outcome = 'infra-error' or accuracy is null then 'infra-error' when accuracy = 1 and effectiveness = 1 then 'passed'
				when accuracy = 1 and effectiveness > 0 then 'partial' else 'failed' end as verdict
			from "Episode" where "runId" = ${runId})
		select 'verdict' as facet, verdict as value, count(*)::int as count from e group by 2
		union all select 'category', category, count(*)::int from e group by 2
		union all select 'failureType', "failureType", count(*)::int from e where "failureType" is not null group by 2
		union all select 'skill', s, count(*)::int from e, unnest(skills) s group by 2
		union all select 'tool', t, count(*)::int from e, unnest(tools) t group by 2
		union all select 'fault', f, count(*)::int from e, unnest(faults) f group by 2
		order by 1, 3 desc, 2`;
	const facets: ResultFacets = { verdict: [], category: [], skill: [], tool: [], fault: [], failureType: [] };
	for (const { facet, value, count } of rows) facets[facet].push({ value, count });
	return facets;
}

/** One result with its trajectory and verdict; null when there is none. */
export async function findEpisode(
	db: DatabaseOrTransaction,
	id: string,
): Promise<{ row: ResultRow; runId: string; trajectory: Trajectory | null; verdict: Verdict | null } | null> {
	const found = await db.episode.findUnique({ where: { id }, select: { ...EPISODE, record: { select: { trajectory: true, verdict: true } } } });
	if (!found) return null;
	const { record, ...row } = found;
	const trajectory = TrajectorySchema.safeParse(record?.trajectory);
	const verdict = VerdictSchema.safeParse(record?.verdict);
	return { row: toResult(row), runId: row.runId, trajectory: trajectory.success ? trajectory.data : null, verdict: verdict.success ? verdict.data : null };
}

/** First episode of each of these cases in a run, for a flip's two sides. */
export async function listEpisodesOfCases(
	db: DatabaseOrTransaction,
	runId: string,
	caseIds: readonly string[],
): Promise<{ id: string; caseId: string; caseKey: string; category: string; message: string }[]> {
	return db.episode.findMany({
		where: { runId, caseId: { in: [...caseIds] }, outcome: { not: "infra-error" } },
		distinct: ["caseId"],
		orderBy: [{ caseId: "asc" }, { trial: "asc" }],
		select: { id: true, caseId: true, caseKey: true, category: true, message: true },
	});
}

/** Episodes of one case across the runs of its workspace, the newest first. */
export async function listCaseEpisodes(db: DatabaseOrTransaction, workspaceId: string, caseIds: readonly string[], limit: number) {
	const rows = await db.episode.findMany({
		where: { caseId: { in: [...caseIds] }, run: { workspaceId, split: { in: ["dev", "test"] } } },
		orderBy: { createdAt: "desc" },
		take: limit,
		select: { ...EPISODE, createdAt: true, run: { select: { id: true, number: true, commit: true, treeId: true } } },
	});
	return rows.map(({ createdAt, run, ...row }) => ({ ...toResult(row), createdAt, run }));
}

/** The records (trajectory and verdict) of a run's episodes: failed ones, or passed ones, one per case. */
export async function listRecords(db: DatabaseOrTransaction, runId: string, which: "failed" | "passed") {
	const where = which === "failed" ? Prisma.sql`(e.accuracy = 0 or e.effectiveness < 1)` : Prisma.sql`(e.accuracy = 1 and e.effectiveness = 1)`;
	return db.$queryRaw<
		{
			id: string;
			caseId: string;
			category: string;
			message: string;
			reply: string | null;
			failureType: string | null;
			blamed: string | null;
			skills: string[];
			trajectory: unknown;
			verdict: unknown;
		}[]
	>`
		select distinct on (e."caseKey", e."caseId") e.id, e."caseId", e.category, e.message, e.reply, e."failureType", e.blamed, e.skills, r.trajectory, r.verdict
		from "Episode" e left join "EpisodeRecord" r on r."episodeId" = e.id
		where e."runId" = ${runId} and e.outcome <> 'infra-error' and e.accuracy is not null and ${where}
		order by e."caseKey", e."caseId", e.trial`;
}

/** Means of a policy's last finished run in a workspace, for an estimate; null when it never ran. */
export async function readHistory(db: DatabaseOrTransaction, workspaceId: string, policyVersionId: string) {
	const [row] = await db.$queryRaw<{ prompt: number | null; completion: number | null; perEpisodeMs: number | null }[]>`
		select avg(e."promptTokens")::float8 as prompt, avg(e."completionTokens" + e."reasoningToolTokens" + e."reasoningReplyTokens")::float8 as completion,
			(extract(epoch from max(r."finishedAt") - max(r."startedAt")) * 1000 / greatest(1, max(r.planned)))::float8 as "perEpisodeMs"
		from "Episode" e join "Run" r on r.id = e."runId"
		where e."runId" = (select id from "Run" where "workspaceId" = ${workspaceId} and "policyVersionId" = ${policyVersionId} and status = 'done' and valid > 0
			order by number desc limit 1) and e.outcome <> 'infra-error'`;
	return row?.prompt === null || row === undefined
		? null
		: { promptTokens: row.prompt, completionTokens: row.completion ?? 0, perEpisodeMs: row.perEpisodeMs ?? 0 };
}

/** Mean tokens of a judge's model per episode in its last finished run of a workspace; null when it never judged there. */
export async function readJudgeTokens(db: DatabaseOrTransaction, workspaceId: string, judgeVersionId: string): Promise<number | null> {
	const run = await db.run.findFirst({
		where: { workspaceId, judgeVersionId, status: "done", valid: { gt: 0 } },
		orderBy: { number: "desc" },
		select: { id: true },
	});
	if (!run) return null;
	const { _avg } = await db.episode.aggregate({ where: { runId: run.id, outcome: { not: "infra-error" } }, _avg: { judgeTokens: true } });
	return _avg.judgeTokens;
}

/** Share of cases whose Accuracy differed between the last two comparable runs of a suite and split; null when there are none. */
export async function readDiscordance(db: DatabaseOrTransaction, suiteVersionId: string, split: string): Promise<number | null> {
	const runs = await db.run.findMany({
		where: { suiteVersionId, split, status: "done", partial: false, variantKey: "" },
		orderBy: { number: "desc" },
		take: 20,
		select: { id: true, treeId: true, judgeVersionId: true },
	});
	const [last] = runs;
	const before = last && runs.find((run) => run.treeId !== last.treeId && run.judgeVersionId === last.judgeVersionId);
	if (!last || !before) return null;
	const [a, b] = await Promise.all([readCaseScores(db, last.id), readCaseScores(db, before.id)]);
	const byCase = new Map(b.map((score) => [score.caseId, score]));
	const pairs = a.filter((score) => byCase.has(score.caseId));
	return pairs.length === 0 ? null : pairs.filter((score) => score.accuracy !== byCase.get(score.caseId)?.accuracy).length / pairs.length;
}

/** Failed cases of a run that are alone in their category and failure type, and all that failed. */
export async function countSparse(db: DatabaseOrTransaction, runId: string): Promise<{ alone: number; failures: number }> {
	const [row] = await db.$queryRaw<{ alone: number; failures: number }[]>`
		with failed as (select "caseId", min(category) as category, min(coalesce("failureType", '')) as type from "Episode"
			where "runId" = ${runId} and outcome <> 'infra-error' and (accuracy = 0 or effectiveness < 1) group by "caseId"),
		sized as (select count(*) over (partition by category, type) as n from failed)
		select count(*) filter (where n = 1)::int as alone, count(*)::int as failures from sized`;
	return row ?? { alone: 0, failures: 0 };
}
