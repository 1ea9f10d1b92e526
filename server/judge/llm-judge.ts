import { z } from "zod";
import { type AgentDependencies, createEndpointPolicy, runEpisode } from "@/server/agent";
import type { Policy, Trajectory } from "@/server/agent/contract";
import type { Harness, Room } from "@/server/harness/contract";
import { AppError, type ErrorCode } from "@/server/kernel/errors";
import { fingerprint } from "@/server/kernel/hash";
import { type JsonAnswer, readJsonAnswer } from "@/server/models";
import type { ChatModel } from "@/server/models/contract";
import { blameComponent } from "./blame-component";
import type { Evidence, Judge, JudgeCase, JudgedHarness, RubricItem, Verdict } from "./contract";
import { toVotingHarness } from "./judge-harness";
import { judgeByRubric } from "./rubric-judge";
import { describeFact, readFact } from "./state-facts";
import { factsAboutRoom } from "./support-numbers";

/** Bumped whenever a verdict can change. */
export const LLM_JUDGE_VERSION = "2";
const VOTES = 3;
/** Votes of one temperature-zero model would be one vote. */
const TEMPERATURE = 0.7;
const MAX_FACTS = 16_000;
/** Of a reply; what is longer fails by its length anyway, and must not fill the judge's context. */
const MAX_REPLY = 8_000;
const MAX_SENTENCE = 500;
const MAX_EVIDENCE = 30;

const clipped = z.string().transform((text) => text.slice(0, MAX_SENTENCE));
const VoteEvidenceSchema = z.object({
	dimension: z.enum(["accuracy", "effectiveness"]),
	ok: z.boolean(),
	sentence: clipped.nullish(),
	fact: clipped.nullish(),
	rule: clipped,
});
/** The scores are what counts: a piece of evidence of another form is left out, and costs the vote nothing. */
const VoteSchema = z.object({
	accuracy: z.union([z.literal(0), z.literal(1)]),
	effectiveness: z.union([z.literal(0), z.literal(0.5), z.literal(1)]),
	evidence: z
		.array(z.unknown())
		.catch([])
		.transform((items) => items.flatMap((item) => VoteEvidenceSchema.safeParse(item).data ?? []).slice(0, MAX_EVIDENCE)),
});
type Vote = z.infer<typeof VoteSchema>;

/** The value that most votes have; without a majority the lowest. */
export function majorityOrLower(values: readonly number[]): number {
	for (const value of [...new Set(values)]) if (values.filter((other) => other === value).length * 2 > values.length) return value;
	return Math.min(...values);
}

function describeItem(item: RubricItem, world: Record<string, unknown>): string {
	switch (item.kind) {
		case "fact":
			return `[${item.dimension}] states ${describeFact(item.path, readFact(world, item.path))}${item.accept ? ` (also: ${item.accept.join(" / ")})` : ""}`;
		case "contains":
			return `[${item.dimension}] says something like: ${item.any.join(" / ")}`;
		case "not-contains":
			return `[${item.dimension}] does not claim: ${item.any.join(" / ")}`;
		case "regex":
			return `[${item.dimension}] ${item.negate ? "does not have" : "has"} the form /${item.pattern}/`;
		case "llm-rubric":
			return `[${item.dimension}] ${item.text}`;
		case "max-chars":
			return `[${item.dimension}] has at most ${item.value} characters`;
		case "reference":
			return `[${item.dimension}] means what the reference reply means`;
		default:
			return `[${item.dimension}] ${item.kind}`;
	}
}

/** Text of others inside a fence: nothing in it can close the fence. */
function fence(tag: string, text: string): string {
	return `<${tag}>\n${text.replaceAll("<", "‹")}\n</${tag}>`;
}

const clip = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}… (${text.length - most} characters left out)` : text);

function question(judged: JudgeCase, trajectory: Trajectory): string {
	const facts = JSON.stringify(factsAboutRoom(judged.room, judged.world)).slice(0, MAX_FACTS);
	const results = trajectory.steps.flatMap((step) =>
		step.type === "tool" ? [{ tool: step.name, ok: step.ok, result: step.ok ? step.result : step.error }] : [],
	);
	const parts = [
		fence("room", JSON.stringify(judged.room)),
		fence("facts", facts),
		fence("tool-results", JSON.stringify(results).slice(0, MAX_FACTS)),
		fence("history", trajectory.history.map((turn) => `${turn.role}: ${turn.text}`).join("\n")),
		fence("message", trajectory.message),
		fence("points", judged.rubric.map((item) => `- ${describeItem(item, judged.world)}`).join("\n")),
		...(judged.reference === null ? [] : [fence("reference", judged.reference)]),
		fence("reply", clip(trajectory.reply ?? "", MAX_REPLY)),
	];
	return parts.join("\n");
}

/** What a vote needs; one object for all votes of a judge. */
interface Booth {
	agent: AgentDependencies;
	harness: Harness;
	policy: Policy;
}

/** The fault of the judge's endpoint that ended a vote, as it was thrown. */
function faultOf(vote: Trajectory): AppError {
	const last = vote.steps.findLast((step) => step.type === "error");
	const message = vote.error ?? "The judge's endpoint failed.";
	if (last?.type !== "error" || last.reason === undefined)
		return new AppError("upstream", message, { reason: "judge-unreadable", params: { detail: message } });
	return new AppError(last.code as ErrorCode, message, { reason: last.reason, params: last.params ?? {} });
}

/** Tokens of all model calls of a vote, reasoning included. */
function tokensOf({ steps }: Trajectory): number {
	return steps.reduce((sum, step) => (step.type === "model" ? sum + step.usage.prompt + step.usage.completion + step.usage.reasoning : sum), 0);
}

function readVote(vote: Trajectory): JsonAnswer<Vote> | AppError {
	if (vote.outcome === "infra-error") return faultOf(vote);
	if (vote.outcome !== "replied") return { ok: false, reason: vote.error ?? vote.outcome, cutOff: false };
	return readJsonAnswer(vote.reply, VoteSchema);
}

/**
 * The votes that count, those that can be read, and what all of them cost. Each is an episode of the judge harness, with its
 * tools and hooks. Two of three are enough; with fewer the episode has no verdict.
 */
async function collectVotes(booth: Booth, room: Room, message: string, signal: AbortSignal): Promise<{ votes: Vote[]; tokens: number }> {
	const { agent, harness, policy } = booth;
	const cast = await Promise.all(Array.from({ length: VOTES }, (_, i) => runEpisode(agent, { harness, policy, room, message, seed: i + 1, signal })));
	const answers = cast.map(readVote);
	const votes = answers.flatMap((answer) => (!(answer instanceof AppError) && answer.ok ? [answer.value] : []));
	if (votes.length >= 2) return { votes, tokens: cast.reduce((sum, vote) => sum + tokensOf(vote), 0) };
	const fault = answers.find((answer) => answer instanceof AppError);
	if (fault instanceof AppError) throw fault;
	const why = answers.flatMap((answer) => (answer instanceof AppError || answer.ok ? [] : [answer.reason.slice(0, 200)]))[0] ?? "";
	throw new AppError("upstream", `The judge's model gave no verdict that can be read: ${why}`, {
		reason: "judge-unreadable",
		params: { detail: why },
		fix: "Use a model that follows the JSON form, or take the judge's endpoint away so that the rubric's own checkers score.",
	});
}

/** What a rubric holds of its own words: a model quotes them, and evidence travels to the engines that edit. */
function ownWordsOf(rubric: readonly RubricItem[]): string[] {
	return rubric.flatMap((item) => {
		if (item.kind === "contains") return item.any;
		if (item.kind === "fact") return item.accept ?? [];
		if (item.kind === "regex") return [item.pattern];
		return item.kind === "llm-rubric" ? [item.text] : [];
	});
}

/** A sentence of a vote without the rubric's own words; longer ones first, so that none is left in pieces. */
function withoutWords(text: string, words: readonly string[]): string {
	const found = words.filter((word) => word.length > 1).sort((a, b) => b.length - a.length);
	return found.reduce((rest, word) => rest.replace(new RegExp(word.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&"), "giu"), "a required point"), text);
}

function evidenceOf(votes: readonly Vote[], rubric: readonly RubricItem[], accuracy: number, effectiveness: number): Evidence[] {
	const words = ownWordsOf(rubric);
	const fitting = votes.find((vote) => vote.accuracy === accuracy && vote.effectiveness === effectiveness) ?? votes[0];
	return (fitting?.evidence ?? []).map((item) => ({
		item: null,
		kind: "llm",
		dimension: item.dimension,
		ok: item.ok,
		rule: withoutWords(item.rule, words),
		...(item.sentence ? { sentence: item.sentence } : {}),
		...(item.fact ? { fact: withoutWords(item.fact, words) } : {}),
	}));
}

/** Checks that no vote can overrule: what the reply says to the judge, its length, its form. */
const HARD = new Set(["addresses-judge", "max-chars", "json-schema"]);

function combine(rubric: Verdict, votes: readonly Vote[], judged: JudgeCase, engine: string): Verdict {
	const hard = rubric.evidence.filter((item) => HARD.has(item.kind));
	const broken = hard.some((item) => item.dimension === "accuracy" && !item.ok);
	const accuracy = broken ? 0 : majorityOrLower(votes.map((vote) => vote.accuracy));
	const effectiveness = majorityOrLower(votes.map((vote) => vote.effectiveness));
	const behaviour = rubric.evidence.filter((item) => item.dimension === "behaviour" && item.kind !== "llm-rubric");
	const failed = accuracy < 1 || effectiveness < 1;
	// What the rubric's own checks blame stays the best pointer where they agree that something is wrong.
	const blame =
		!failed || rubric.failureType !== null
			? null
			: blameComponent({ ...NOTHING_SEEN, accuracy, effectiveness, factualError: accuracy === 0, replySkill: null, skillSelection: rubric.skillSelection });
	return {
		...rubric,
		accuracy,
		effectiveness,
		recovered: rubric.recovered === null ? null : accuracy === 1 && effectiveness > 0,
		failureType: failed ? (rubric.failureType ?? blame?.failureType ?? null) : null,
		blamed: failed ? (rubric.blamed ?? blame?.blamed ?? null) : null,
		evidence: [...evidenceOf(votes, judged.rubric, accuracy, effectiveness), ...hard, ...behaviour],
		engine,
	};
}

const NOTHING_SEEN = {
	outcome: "replied",
	blockedBy: null,
	empty: false,
	evasive: false,
	addressesJudge: false,
	forbiddenClaim: false,
	unsupportedNumber: false,
	limitExceeded: false,
	offReference: false,
	expectedSkill: null,
	expectsSkill: false,
	missingTools: [],
	needlessTools: [],
	failedTool: null,
	faultUnhandled: false,
};

/**
 * The judge with a model: its harness is run like any harness (prompts, look-up tools, format hooks), three times; the votes
 * decide by majority, without one the lower score counts. The reply is fenced as data. Throws AppError `upstream`,
 * `rate-limited` or `timeout` when fewer than two votes can be read: an infrastructure fault of the episode, never a score.
 */
export function createLlmJudge(model: ChatModel, judgeHarness: Harness, agent: AgentDependencies): Judge {
	const { name, fingerprint: modelFingerprint, concurrency } = model.describe();
	const description = {
		name,
		fingerprint: fingerprint({ judge: "llm", version: LLM_JUDGE_VERSION, model: modelFingerprint, treeId: judgeHarness.treeId }),
		...(concurrency ? { concurrency } : {}),
	};
	const harness = toVotingHarness(judgeHarness);
	const responseFormat = harness.tools.length === 0 ? "json" : "text";
	const booth: Booth = { agent, harness, policy: createEndpointPolicy(model, { temperature: TEMPERATURE, useCache: false, responseFormat }) };
	return {
		describe: () => description,
		async judge({ case: judged, trajectory, harness: judgedHarness }: { case: JudgeCase; trajectory: Trajectory; harness: JudgedHarness }, signal) {
			const rubric = judgeByRubric(judged, trajectory, judgedHarness);
			// There is nothing to vote on: silence is silence.
			if ((trajectory.reply ?? "").trim() === "") return { ...rubric, engine: name };
			// The simulator has resolved and checked the room of a case; look-ups and templates of the judge stand in it.
			const { votes, tokens } = await collectVotes(booth, judged.room as Room, question(judged, trajectory), signal);
			return { ...combine(rubric, votes, judged, name), tokens };
		},
	};
}
