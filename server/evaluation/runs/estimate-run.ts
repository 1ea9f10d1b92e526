import type { Database } from "@/server/db/client";
import type { RunEstimate, Split } from "../contract";
import type { EvaluationPorts } from "../ports";
import { minimumDetectableEffect } from "../statistics";
import { readDiscordance, readHistory, readJudgeTokens } from "./result.repository";

export interface EstimateInput {
	workspaceId: string;
	suiteVersionId: string;
	split: Split;
	treeId: string;
	policyVersionId: string;
	judgeVersionId: string;
	cases: number;
	trials: number;
}

/** Without any history: two model steps an episode, four characters a token at worst two in CJK, 800 ms each at 50 at once. */
const CHARS_PER_TOKEN = 2.5;
const STEPS_PER_EPISODE = 2.5;
const COMPLETION_TOKENS = 120;
const EPISODE_MS = 40;
/** Usual share of cases that change between two harnesses, where none was observed. */
const USUAL_DISCORDANCE = 0.1;
/** Below this the observed share says more about two equal harnesses than about the next edit. */
const LEAST_DISCORDANCE = 0.02;

/** Tokens, cost and time that a run will take, and the smallest effect it can show. */
export async function estimateRun(db: Database, ports: EvaluationPorts, input: EstimateInput): Promise<RunEstimate> {
	const planned = input.cases * input.trials;
	const [history, judgeEach, discordance, facts] = await Promise.all([
		readHistory(db, input.workspaceId, input.policyVersionId),
		readJudgeTokens(db, input.workspaceId, input.judgeVersionId),
		readDiscordance(db, input.suiteVersionId, input.split),
		ports.workspaceFacts(input.workspaceId),
	]);
	const perEpisode = history ?? {
		promptTokens: ((await ports.harnessSize(input.treeId)) / CHARS_PER_TOKEN) * STEPS_PER_EPISODE,
		completionTokens: COMPLETION_TOKENS,
		perEpisodeMs: EPISODE_MS,
	};
	const promptTokens = Math.round(planned * perEpisode.promptTokens);
	const completionTokens = Math.round(planned * perEpisode.completionTokens);
	const judgeTokens = judgeEach === null ? null : Math.round(planned * judgeEach);
	const share = discordance === null ? USUAL_DISCORDANCE : Math.max(LEAST_DISCORDANCE, discordance);
	return {
		planned,
		promptTokens,
		completionTokens,
		judgeTokens,
		cost: facts.pricePerMillionTokens > 0 ? ((promptTokens + completionTokens + (judgeTokens ?? 0)) / 1e6) * facts.pricePerMillionTokens : null,
		wallMs: Math.round(planned * perEpisode.perEpisodeMs),
		basis: history ? "history" : "size",
		mde: minimumDetectableEffect(input.cases, share),
		discordance: share,
		discordanceObserved: discordance !== null,
	};
}
