import { describe, expect, it } from "vitest";
import { type EpisodeRow, episodeId } from "./episode-row";
import { createResultCommitter } from "./result-committer";

function row(trial: number, reply: string): EpisodeRow {
	return {
		id: episodeId("run", "cas_1", trial),
		runId: "run",
		caseId: "cas_1",
		caseKey: "c1",
		trial,
		outcome: "replied",
		category: "a",
		accuracy: 1,
		effectiveness: 1,
		skillSelection: 1,
		toolRationality: null,
		hookRetries: 0,
		recovered: null,
		latencyMs: 5,
		promptTokens: 1,
		judgeTokens: 0,
		completionTokens: 1,
		reasoningToolTokens: 0,
		reasoningReplyTokens: 0,
		modelCalls: 1,
		limitsKept: null,
		cachedCalls: 0,
		message: "m",
		reply,
		skills: [],
		tools: [],
		faults: [],
		failureType: null,
		blamed: null,
		error: null,
		record: { trajectory: {} as never, verdict: null },
	};
}

/** A store that refuses the replies of `bad` as PostgreSQL does, seen through Prisma. */
function store(bad: (row: EpisodeRow) => boolean) {
	const rows = new Map<number, EpisodeRow>();
	const done: string[] = [];
	const committer = createResultCommitter(
		async (_, batch, chunks) => {
			if (batch.some(bad)) throw Object.assign(new Error("raw query failed"), { code: "P2010", meta: { code: "22P05" } });
			if (chunks.length > 0) expect(rows.size + batch.length, "a chunk ends with its last results").toBe(9);
			for (const one of batch) rows.set(one.trial, one);
			done.push(...chunks);
		},
		() => undefined,
	);
	return { rows, done, committer };
}

describe("a result that the database refuses", () => {
	it.each([[[0]], [[4]], [[8]], [[0, 1, 8]], [[0, 1, 2, 3, 4, 5, 6, 7, 8]]])("costs its neighbours nothing (bad: %j)", async (bad) => {
		const { rows, done, committer } = store((one) => one.reply === "bad");
		for (let trial = 0; trial < 9; trial++) committer.add(row(trial, bad.includes(trial) ? "bad" : "good"));
		committer.chunkDone("run", "chunk");
		await committer.flush();
		expect([...rows.values()].filter((one) => one.outcome === "infra-error").map((one) => one.trial)).toEqual(bad);
		expect([...rows.values()].filter((one) => one.reply === "good")).toHaveLength(9 - bad.length);
		expect(done).toEqual(["chunk"]);
	});

	it("is left out when even its bare row is refused, and its chunk ends", async () => {
		const done: string[] = [];
		const committer = createResultCommitter(
			async (_, batch, chunks) => {
				if (batch.length > 0) throw Object.assign(new Error("constraint"), { code: "P2010", meta: { code: "23502" } });
				done.push(...chunks);
			},
			() => undefined,
		);
		committer.add(row(0, "x"));
		committer.chunkDone("run", "chunk");
		await committer.flush();
		expect(done).toEqual(["chunk"]);
	});
});

it("waits for a database that is away", async () => {
	let calls = 0;
	const committer = createResultCommitter(
		async () => {
			if (++calls <= 2) throw Object.assign(new Error("connect ECONNREFUSED"), { code: "P1001" });
		},
		() => undefined,
	);
	committer.add(row(0, "x"));
	await committer.flush();
	expect(calls).toBe(3);
});
