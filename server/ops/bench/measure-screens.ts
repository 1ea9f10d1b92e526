import { newId } from "@/server/kernel/id";
import type { StudioUnderTest } from "./studio-under-test";

const COPIES = 10;
const REPEATS = 15;

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * Server time to open and to filter a run of 10,000 results: the run's 1,000 results are copied tenfold as further trials
 * of a new run. Milliseconds, medians.
 */
export async function measureLargeRun({ services }: StudioUnderTest, workspaceId: string, runId: string) {
	const copy = newId("run");
	await services.db.$executeRaw`
		insert into "Run" select (json_populate_record(r, json_build_object('id', ${copy}::text, 'number', 1000000, 'trials', ${COPIES}::int, 'planned', planned * ${COPIES}::int))).*
		from "Run" r where id = ${runId}`;
	await services.db.$executeRaw`
		insert into "Episode" select (json_populate_record(e, json_build_object('id', ${copy}::text || '.' || e.id || '.' || t, 'runId', ${copy}::text, 'trial', t))).*
		from "Episode" e, generate_series(0, ${COPIES - 1}::int) t where e."runId" = ${runId}`;
	await services.db.$executeRaw`
		insert into "EpisodeRecord" select (json_populate_record(r, json_build_object('episodeId', ${copy}::text || '.' || e.id || '.' || t))).*
		from "Episode" e join "EpisodeRecord" r on r."episodeId" = e.id, generate_series(0, ${COPIES - 1}::int) t where e."runId" = ${runId}`;
	await services.db.$executeRaw`analyze "Episode"`;
	const none = { verdict: [], category: [], skill: [], tool: [], fault: [], failureType: [], caseIds: [], text: "" };
	const page = (filter: object) =>
		services.evaluation.results(workspaceId, copy, { filter: { ...none, ...filter }, sort: "case", descending: false, offset: 0, limit: 100 });
	const time = async (work: () => Promise<unknown>) => {
		const times: number[] = [];
		for (let i = 0; i < REPEATS; i++) {
			const startedAt = performance.now();
			await work();
			times.push(performance.now() - startedAt);
		}
		return Math.round(median(times) * 10) / 10;
	};
	const { total } = await page({});
	return {
		runId: copy,
		results: total,
		openMs: await time(() => Promise.all([services.evaluation.get(workspaceId, copy), page({}), services.evaluation.facets(workspaceId, copy)])),
		filterMs: await time(() => page({ text: "parking", verdict: ["passed"] })),
	};
}
