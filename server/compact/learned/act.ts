import type { McpTool } from "@/server/harness/contract";
import { type CallState, fillFor, MAX_MODEL_STEPS, stateOf } from "../choose-calls";
import { assemble, readPath, sayValue } from "../compose-reply";
import { encodeText } from "../encode-text";
import { chooseRemedy, type Remedy } from "../handle-failures";
import { skillText, toolText } from "../offers";
import type { SkillRule } from "../parse-skill";
import { askedField, fieldSource, outputFields, sayRule, toolsOfRule } from "../plan-reply";
import { LOAD_SKILL } from "../read-situation";
import { type RankedRule, rankRules, rankSkills, THRESHOLDS } from "../route-message";
import { boundsOf, sayFallback, sayRules } from "../say-reply";
import type { Action, Turn } from "../turn";
import { type Brain, type Option, takeDecision, toCandidate } from "./brain";
import type { DecisionKind } from "./decision";
import { type Features, toFeatures } from "./features";

/** Settings of ours: what may be opened and said in one episode, and after how many failures of a tool nothing is asked any more. */
const MAX_SKILLS = 3;
const MAX_RULES = 3;
const MAX_FAILURES = 3;
/** A fact that is asked for by name is said from this share on, if nothing was learned. */
const FACT_SHARE = 0.5;

/** The situation as text: the message, with the turn before it where there is one. */
function situationOf(turn: Turn): Features {
	const { situation } = turn;
	return toFeatures(situation.history.length > 0 ? situation.withHistory : situation.encoded);
}

/** Asks the brain; returns the option, or null for a way out. */
function ask<T extends Option>(turn: Turn, brain: Brain, kind: DecisionKind, options: readonly T[], situation = situationOf(turn)): T | null {
	const input = { kind, situation, candidates: options.map((option) => toCandidate(kind, option)) };
	const at = takeDecision(brain, turn.decisions, input, turn.situation.modelSteps);
	const chosen = options[at] as T;
	return chosen.text === null ? null : chosen;
}

const known = new WeakMap<Turn, Map<string, CallState>>();

/** `stateOf`, once a step for each rule and tool. */
function stateFor(turn: Turn, tool: McpTool, rule: SkillRule): CallState {
	const states = known.get(turn) ?? new Map<string, CallState>();
	known.set(turn, states);
	const key = `${tool.name}\n${rule.instructions}\n${rule.fields.join()}`;
	const state = states.get(key) ?? stateOf(tool, turn, rule);
	states.set(key, state);
	return state;
}

/** Overlap of the message with every tool's text. */
function scoreTools({ request, situation, weights }: Turn): Map<McpTool, number> {
	const { tools } = request.view;
	const scores = weights.scoreTools(situation.encoded, tools);
	return new Map(tools.map((tool, i) => [tool, scores[i] as number]));
}

/** Skills to open now; null when there is nothing more to open. */
export function decideSkill(turn: Turn, brain: Brain): Action | null {
	const { situation, request } = turn;
	const { skillIndex } = request.view;
	const loads = situation.skillLoads;
	if (skillIndex.length === 0 || loads.length >= MAX_SKILLS || situation.calls.length > 0) return null;
	const reminded = situation.rejectedReplies.length > 0;
	if (reminded && loads.length > 0) return null;
	let scores = new Map(turn.skills.map((skill) => [skill.name, skill.score]));
	if (Math.max(0, ...scores.values()) < THRESHOLDS.sure && situation.history.length > 0) {
		const wide = rankSkills([situation.withHistory], skillIndex, turn.weights);
		scores = new Map(wide.map((skill) => [skill.name, Math.max(skill.score, scores.get(skill.name) ?? 0)]));
	}
	const offered = skillIndex.filter((skill) => !loads.includes(skill.name) && (!reminded || skill.type === "reply"));
	const options: Option[] = offered.map((skill) => ({
		id: skill.name,
		text: skillText(skill),
		lexical: scores.get(skill.name) ?? 0,
	}));
	const chosen: string[] = [];
	if (loads.length === 0) {
		// Where a reply skill is required, opening none is no choice.
		const ways = reminded || request.view.requireReplySkill ? options : [...options, { id: "none", text: null, lexical: THRESHOLDS.skill }];
		const first = ways.length > 0 ? ask(turn, brain, "skill", ways) : null;
		if (!first) return null;
		chosen.push(first.id);
	}
	// Before it has read one, a skill that fits clearly is enough; afterwards, a rule that does.
	const enough = loads.length === 0 ? (scores.get(chosen[0] ?? "") ?? 0) >= THRESHOLDS.sure : (turn.rules[0]?.score ?? 0) >= THRESHOLDS.sure;
	while (!reminded && loads.length + chosen.length < MAX_SKILLS) {
		const rest = options.filter((option) => !chosen.includes(option.id));
		if (rest.length === 0) break;
		const next = ask(turn, brain, "more-skills", [...rest, { id: "none", text: null, lexical: THRESHOLDS.skill, plan: enough }]);
		if (!next) break;
		chosen.push(next.id);
	}
	return chosen.length > 0 ? { kind: "call", calls: chosen.map((name) => ({ name: LOAD_SKILL, args: { name } })) } : null;
}

interface RuleOption extends Option {
	candidate: RankedRule | null;
}

function sayableRules(turn: Turn): RankedRule[] {
	const { request, situation } = turn;
	return turn.rules.filter((candidate) => {
		if (candidate.rule.wordings.length === 0) return false;
		const tools = toolsOfRule(candidate.rule, request.view.tools);
		if (tools.some((tool) => stateFor(turn, tool, candidate.rule).state !== "done")) return true;
		const source = fieldSource(
			situation.calls,
			tools.map((tool) => tool.name),
			request.view.tools,
		);
		return sayRule(candidate.rule, source).length > 0;
	});
}

/** How well a rule's condition fits the single question of the message that it fits best. */
function scoresBySegment({ situation, request, weights }: Turn): (candidate: RankedRule) => number {
	const best = new Map<SkillRule, number>();
	for (const segment of situation.segments) {
		for (const { rule, score } of rankRules([encodeText(segment)], request.view.loadedSkills, [], weights))
			best.set(rule, Math.max(best.get(rule) ?? 0, score));
	}
	return ({ rule }) => best.get(rule) ?? 0;
}

/** The rules that make up the reply, in order: one, and for a message of several questions more until it stops. */
export function decideRules(turn: Turn, brain: Brain): RankedRule[] {
	const { situation } = turn;
	const offered = sayableRules(turn);
	if (offered.length === 0) return [];
	const toOption = (candidate: RankedRule, lexical: number): RuleOption => ({
		id: `${candidate.skill}#${candidate.rule.index}`,
		text: candidate.rule.condition,
		lexical,
		candidate,
	});
	const first = ask(turn, brain, "rule", [
		...offered.map((candidate) => toOption(candidate, candidate.score)),
		{ id: "none", text: null, lexical: THRESHOLDS.rule, candidate: null },
	]);
	if (!first?.candidate) return [];
	const chosen = [first.candidate];
	const own = situation.segments.length > 1 ? scoresBySegment(turn) : () => 0;
	while (situation.segments.length > 1 && chosen.length < MAX_RULES) {
		const rest = offered.filter((candidate) => !chosen.includes(candidate));
		if (rest.length === 0) break;
		const next = ask(turn, brain, "more-rules", [
			...rest.map((candidate) => toOption(candidate, own(candidate))),
			{ id: "stop", text: null, lexical: THRESHOLDS.extra, plan: true, candidate: null },
		]);
		if (!next?.candidate) break;
		chosen.push(next.candidate);
	}
	return chosen;
}

/** Which guesses to pass: each is asked about, those that a failure spoke against are left out. */
function argumentsFor(turn: Turn, brain: Brain, tool: McpTool, instructions: string, drop: readonly string[]): Record<string, unknown> {
	const { args, guessed } = fillFor(tool, turn, instructions, drop);
	const properties = (tool.inputSchema.properties ?? {}) as Record<string, { description?: unknown }>;
	for (const name of guessed.filter((guess) => guess in args)) {
		const pass = ask(turn, brain, "argument", [
			{ id: name, text: `${name} ${String(properties[name]?.description ?? "")}`, plan: true },
			{ id: "leave-out", text: null },
		]);
		if (!pass) delete args[name];
	}
	return args;
}

/** Tools to call now, one after the other, or none where it is time to reply. */
function decideCall(turn: Turn, brain: Brain, rules: readonly RankedRule[]): Action | null {
	const { request, situation } = turn;
	const states = new Map<string, CallState>();
	for (const { rule } of rules) {
		for (const tool of toolsOfRule(rule, request.view.tools)) {
			const state = stateFor(turn, tool, rule);
			if (state.state === "open" || !states.has(tool.name)) states.set(tool.name, state);
		}
	}
	const isOpen = (tool: McpTool) => states.get(tool.name)?.state === "open";
	const instructions = rules.map(({ rule }) => rule.instructions).join("\n");
	let offered = request.view.tools.filter((tool) => isOpen(tool) || !situation.calls.some((call) => call.call.name === tool.name));
	if (offered.length === 0 || situation.modelSteps >= MAX_MODEL_STEPS) return null;
	const lexical = scoreTools(turn);
	const calls: { name: string; args: Record<string, unknown> }[] = [];
	do {
		const options = offered.map((tool) => {
			return { id: tool.name, text: toolText(tool), lexical: lexical.get(tool) ?? 0, plan: isOpen(tool), tool };
		});
		const chosen = ask(turn, brain, "tool", [...options, { id: "reply", text: null, lexical: 0, plan: !offered.some(isOpen), tool: null }]);
		if (!chosen?.tool) break;
		const { tool } = chosen;
		calls.push({ name: tool.name, args: argumentsFor(turn, brain, tool, instructions, states.get(tool.name)?.drop ?? []) });
		offered = offered.filter((other) => other !== tool);
	} while (offered.some(isOpen));
	return calls.length > 0 ? { kind: "call", calls } : null;
}

/** What to do about a failed call, decided once a step and tool. */
function remediesOf(turn: Turn, brain: Brain): NonNullable<Turn["remedyFor"]> {
	const known = new Map<string, Remedy>();
	return (tool, failures, guessed) => {
		const before = known.get(tool.name);
		if (before) return before;
		const usual = chooseRemedy(failures, guessed);
		let remedy: Remedy = "give-up";
		if (failures.length < MAX_FAILURES) {
			const error = failures.at(-1)?.error ?? "";
			const options = (["retry", ...(guessed ? ["without-guess"] : [])] as Remedy[]).map((id) => ({ id, text: id, plan: usual === id }));
			const chosen = ask(
				turn,
				brain,
				"remedy",
				[...options, { id: "give-up" as Remedy, text: null, plan: usual === "give-up" }],
				toFeatures(encodeText(`${error.slice(0, 300)} ${failures.length > 1 ? "again" : "first"}`)),
			);
			remedy = (chosen?.id as Remedy | undefined) ?? "give-up";
		}
		known.set(tool.name, remedy);
		return remedy;
	};
}

/** Without a rule: a fact that the message asks for by name, if a tool has one. */
function decideFact(turn: Turn, brain: Brain): Action | null {
	const { request, situation, weights } = turn;
	const asked = askedField(situation, request.view.tools, weights);
	if (!asked) return null;
	const description = outputFields(asked.tool).find((field) => field.name === asked.field)?.description ?? "";
	const chosen = ask(turn, brain, "fact", [
		{ id: asked.field, text: description, lexical: asked.share },
		{ id: "none", text: null, lexical: FACT_SHARE },
	]);
	if (!chosen) return null;
	const state = stateOf(asked.tool, turn, null);
	if (state.state === "open" && situation.modelSteps < MAX_MODEL_STEPS)
		return { kind: "call", calls: [{ name: asked.tool.name, args: argumentsFor(turn, brain, asked.tool, "", state.drop) }] };
	const value = situation.calls.filter((call) => call.ok && call.call.name === asked.tool.name).map((call) => sayValue(readPath(call.result, asked.field)))[0];
	return value ? { kind: "say", text: assemble([value], boundsOf(turn)) } : null;
}

/**
 * One step under the learned scorer. Every choice is a softmax over the candidates that the harness offers now; what is
 * said, filled, bounded and forbidden is as in the untrained policy.
 */
export function actLearned(turn: Turn, brain: Brain): Action {
	const load = decideSkill(turn, brain);
	if (load) return load;
	turn.remedyFor = remediesOf(turn, brain);
	const bounds = boundsOf(turn);
	const rules = decideRules(turn, brain);
	if (rules.length === 0) {
		const fact = decideFact(turn, brain);
		if (fact && (fact.kind === "call" || fact.text !== "")) return fact;
	}
	const call = decideCall(turn, brain, rules);
	if (call) return call;
	for (const said of [rules, rules.slice(0, 1)]) {
		const text = said.length > 0 ? sayRules(turn, said, bounds) : "";
		if (text !== "" && !turn.situation.rejectedReplies.includes(text)) return { kind: "say", text };
	}
	return { kind: "say", text: sayFallback(turn, bounds) };
}
