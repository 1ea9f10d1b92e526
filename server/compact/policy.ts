import { LRUCache } from "lru-cache";
import type { Policy, PolicyRequest, PolicyStep, ToolCall } from "@/server/agent/contract";
import { fingerprint, sha256 } from "@/server/kernel/hash";
import { type CallState, callFor, stateOf } from "./choose-calls";
import { assemble, type Bounds, readPath, sayValue } from "./compose-reply";
import { encodeText } from "./encode-text";
import { actLearned } from "./learned/act";
import type { Brain, TakenDecision } from "./learned/brain";
import type { Choose } from "./learned/decision";
import type { Parameters } from "./learned/parameters";
import { Scorer } from "./learned/scorer";
import { openTurn } from "./open-turn";
import { askedField, fieldSource, sayRule, selectRules, toolsOfRule } from "./plan-reply";
import { LOAD_SKILL } from "./read-situation";
import { chooseSkills, type RankedRule, type RankedSkill, THRESHOLDS } from "./route-message";
import { boundsOf, sayFallback, sayRules } from "./say-reply";
import { decide } from "./score-candidates";
import type { Action, Turn } from "./turn";

/** Bumped whenever an answer can change: it is part of the key of every cached result. */
const VERSION = "1";
/** The same for what acts with a checkpoint. */
const LEARNED_VERSION = "1";
const MAX_SKILLS = 2;
/** Longer texts stand by their digest in the hash of a request. */
const MAX_PLAIN = 200;

export interface CompactPolicyConfig {
	name?: string;
	/** Learned weights; without them the policy acts by text similarity alone. */
	checkpoint?: { parameters: Parameters; digest: string };
	/** Training only: how a candidate is picked, and who is told. */
	choose?: Choose;
	onDecision?: (taken: TakenDecision) => void;
	/** A scorer of the same weights, which remembers what it has encoded; its own unless given. */
	scorer?: Scorer;
}

const tokensOf = new Map<string, number>();

/** Estimated tokens of a text; a system prompt is the same at every step, so it is counted once. */
function estimateTokens(text: string): number {
	const known = tokensOf.get(text);
	if (known !== undefined) return known;
	const tokens = countTokens(text);
	if (tokensOf.size > 500) tokensOf.clear();
	tokensOf.set(text, tokens);
	return tokens;
}

const digests = new LRUCache<string, string>({ max: 2_000 });

/** Long texts come back at every step: of each the digest is taken once. */
function digestOf(text: string): string {
	if (text.length <= MAX_PLAIN) return text;
	const digest = digests.get(text) ?? sha256(text);
	digests.set(text, digest);
	return digest;
}

const shorten = <T extends { content: string } | { body: string }>(part: T): T =>
	"content" in part ? { ...part, content: digestOf(part.content) } : { ...part, body: digestOf(part.body) };

function countTokens(text: string): number {
	const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
	return Math.ceil(han * 0.7 + (text.length - han) / 4);
}

function loadSkills(turn: Turn): Action | null {
	const { situation, request, weights, decisions } = turn;
	const { skillIndex, requireReplySkill } = request.view;
	if (skillIndex.length === 0) return null;
	const load = (names: string[], ranked: RankedSkill[]): Action => {
		const candidates = ranked.map((skill) => ({ id: skill.name, score: skill.score }));
		for (const name of names) decisions.push(decide("skill", name, [...candidates, { id: "none", score: THRESHOLDS.skill }]));
		return { kind: "call", calls: names.map((name) => ({ name: LOAD_SKILL, args: { name } })) };
	};
	if (situation.skillLoads.length === 0) {
		const choice = chooseSkills(situation, skillIndex, weights, requireReplySkill, encodeText);
		if (choice.load.length > 0) return load(choice.load, choice.ranked);
		const urged = requireReplySkill || situation.hookMessages.some((text) => /skill|技能/iu.test(text));
		const first = choice.ranked.find((skill) => skill.type === "reply");
		if (urged && first) return load([first.name], choice.ranked);
		decisions.push(
			decide("skill", "none", [...choice.ranked.map((skill) => ({ id: skill.name, score: skill.score })), { id: "none", score: THRESHOLDS.skill }]),
		);
		return null;
	}
	if ((turn.rules[0]?.score ?? 0) >= THRESHOLDS.sure || situation.skillLoads.length >= MAX_SKILLS || situation.calls.length > 0) return null;
	const top = turn.skills[0]?.score ?? 0;
	const next = turn.skills.find((skill) => skill.type === "reply" && !situation.skillLoads.includes(skill.name));
	return next && next.score >= Math.max(THRESHOLDS.skill, top * THRESHOLDS.second) ? load([next.name], turn.skills) : null;
}

interface Plan {
	rules: RankedRule[];
	states: CallState[];
	/** The rule that fits best needs a look-up that failed for good: another rule would answer something else. */
	lost: boolean;
}

/** Rules that could be said once their look-ups are done, with what is still to be looked up. */
function planRules(turn: Turn): Plan {
	const { request, situation, weights } = turn;
	const statesOf = ({ rule }: RankedRule) => toolsOfRule(rule, request.view.tools).map((tool) => stateOf(tool, turn, rule));
	const sourceOf = (candidate: RankedRule) => {
		const names = toolsOfRule(candidate.rule, request.view.tools).map((tool) => tool.name);
		return fieldSource(situation.calls, names, request.view.tools);
	};
	const sayable = (candidate: RankedRule): boolean => {
		if (candidate.rule.wordings.length === 0) return false;
		return statesOf(candidate).some((state) => state.state === "open") || sayRule(candidate.rule, sourceOf(candidate)).length > 0;
	};
	const rules = selectRules(situation, turn.rules, weights, sayable);
	const top = turn.rules.find((candidate) => candidate.rule.wordings.length > 0);
	const lost = top !== undefined && top !== rules[0] && top.score >= THRESHOLDS.rule && statesOf(top).some((state) => state.state === "failed");
	const states = new Map<string, CallState>();
	for (const candidate of rules)
		for (const state of statesOf(candidate)) if (state.state === "open" || !states.has(state.tool.name)) states.set(state.tool.name, state);
	return { rules, states: [...states.values()], lost };
}

/** Without a rule: a field that the message asks for by name, if a tool has one. */
function answerField(turn: Turn, bounds: Bounds): Action | null {
	const { request, situation, weights } = turn;
	const asked = askedField(situation, request.view.tools, weights);
	if (!asked) return null;
	const state = stateOf(asked.tool, turn, null);
	if (state.state === "open") return callFor([state], [], turn);
	const value = situation.calls.filter((call) => call.ok && call.call.name === asked.tool.name).map((call) => sayValue(readPath(call.result, asked.field)))[0];
	if (!value) return null;
	turn.decisions.push(
		decide("fact", asked.field, [
			{ id: asked.field, score: asked.share },
			{ id: "none", score: 0.5 },
		]),
	);
	return { kind: "say", text: assemble([value], bounds) };
}

function chooseAction(turn: Turn): Action {
	const { situation } = turn;
	const load = loadSkills(turn);
	if (load) return load;
	const bounds = boundsOf(turn);
	const { rules, states, lost } = planRules(turn);
	if (lost) return { kind: "say", text: sayFallback(turn, bounds) };
	const call = callFor(states, rules, turn);
	if (call) return call;
	if (rules.length > 0) {
		const ranked = turn.rules.map((candidate) => ({ id: `${candidate.skill}#${candidate.rule.index}`, score: candidate.score }));
		for (const { skill, rule } of rules) turn.decisions.push(decide("rule", `${skill}#${rule.index}`, ranked));
		const text = sayRules(turn, rules, bounds);
		if (text !== "" && !situation.rejectedReplies.includes(text)) return { kind: "say", text };
		const main = sayRules(turn, rules.slice(0, 1), bounds);
		if (main !== "" && !situation.rejectedReplies.includes(main)) return { kind: "say", text: main };
	}
	if (turn.rules.every((candidate) => candidate.score < THRESHOLDS.rule)) {
		const field = answerField(turn, bounds);
		if (field?.kind === "call" || (field?.kind === "say" && field.text !== "")) return field;
	}
	return { kind: "say", text: sayFallback(turn, bounds) };
}

/** What was asked, as one hash. */
function hashOf({ systemPrompt, tools, messages, view }: PolicyRequest): string {
	return sha256(JSON.stringify([digestOf(systemPrompt), tools.map((tool) => tool.name), messages.map(shorten), view.loadedSkills.map(shorten)]));
}

/** `kept`: whether somebody will read what the step asked and cost; training keeps the decisions alone. */
function toStep(turn: Turn, action: Action, startedMs: number, kept: boolean): PolicyStep {
	const { request, situation } = turn;
	const toolCalls: ToolCall[] =
		action.kind === "call" ? action.calls.map((call, i) => ({ id: `c${situation.modelSteps}-${i}`, name: call.name, arguments: call.args })) : [];
	const said = action.kind === "say" ? action.text : JSON.stringify(toolCalls);
	const prompt = () => estimateTokens(request.systemPrompt) + request.messages.reduce((sum, message) => sum + estimateTokens(message.content), 0);
	return {
		content: action.kind === "say" ? action.text : null,
		toolCalls,
		reasoning: null,
		usage: { prompt: kept ? prompt() : 0, completion: kept ? estimateTokens(said) : 0, reasoning: 0 },
		latencyMs: performance.now() - startedMs,
		finishReason: action.kind === "say" ? "stop" : "tool-calls",
		cached: false,
		requestHash: kept ? hashOf(request) : "",
		decisions: turn.decisions,
	};
}

/**
 * The embedded policy: no key, no GPU, no language model. It reads the rendered harness as structure and decides step by
 * step; the same request gives the same step whatever the seed, since every decision takes the best candidate. With a
 * checkpoint the decisions are those of the learned scorer.
 */
export function createCompactPolicy(config: CompactPolicyConfig = {}): Policy {
	const { checkpoint, choose, onDecision } = config;
	const brain: Brain | null = checkpoint
		? { scorer: config.scorer ?? new Scorer(checkpoint.parameters), ...(choose && { choose }), ...(onDecision && { onDecision }) }
		: null;
	const base = { policy: "compact", version: VERSION, thresholds: THRESHOLDS };
	const description = {
		kind: checkpoint ? ("checkpoint" as const) : ("compact" as const),
		name: config.name ?? "compact",
		fingerprint: fingerprint(checkpoint ? { ...base, learned: LEARNED_VERSION, checkpoint: checkpoint.digest } : base),
		deterministic: true,
	};
	return {
		describe: () => description,
		act(request, signal) {
			signal.throwIfAborted();
			const startedMs = performance.now();
			const turn = openTurn(request);
			return Promise.resolve(toStep(turn, brain ? actLearned(turn, brain) : chooseAction(turn), startedMs, !onDecision));
		},
	};
}
