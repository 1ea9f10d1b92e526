import type { PolicyRequest } from "@/server/agent/contract";
import type { McpTool } from "@/server/harness/contract";
import { readPath, sayValue } from "./compose-reply";
import { fillArguments, Vocabulary } from "./fill-arguments";
import { chooseRemedy } from "./handle-failures";
import type { Offers } from "./offers";
import { parseSkillBody, type SkillRule } from "./parse-skill";
import { outputFields } from "./plan-reply";
import { type CallRecord, LOAD_SKILL } from "./read-situation";
import type { RankedRule } from "./route-message";
import { decide } from "./score-candidates";
import type { Action, Turn } from "./turn";

export const MAX_MODEL_STEPS = 8;

export interface CallState {
	tool: McpTool;
	state: "open" | "done" | "failed";
	/** Arguments to leave out this time. */
	drop: string[];
}

/** Guessed arguments of a call that an error quotes; all of them when it quotes none. */
function guiltyGuesses(call: CallRecord, guessed: readonly string[]): string[] {
	const args = call.call.arguments as Record<string, unknown> | null;
	const made = guessed.filter((name) => args !== null && typeof args === "object" && name in args);
	const quoted = made.filter((name) => (call.error ?? "").includes(String(args?.[name])));
	return quoted.length > 0 ? quoted : made;
}

/** Where a tool stands in this episode: still to be called, done, or failed for good. */
export function stateOf(tool: McpTool, turn: Turn, rule: SkillRule | null): CallState {
	const own = turn.situation.calls.filter((call) => call.call.name === tool.name);
	if (own.length === 0) return { tool, state: "open", drop: [] };
	const spent = turn.situation.modelSteps >= MAX_MODEL_STEPS;
	const done = own.filter((call) => call.ok);
	const failures = own.filter((call) => !call.ok);
	const { guessed } = fillFor(tool, turn, rule?.instructions ?? "", []);
	if (done.length > 0) {
		// A value that the rule needs is missing, and the call passed on a text of which the tool may have made nothing: once more without it.
		const verbatim = guessed.filter((name) => (done[0]?.call.arguments as Record<string, unknown> | undefined)?.[name] === turn.situation.message);
		const declared = new Set(outputFields(tool).map((field) => field.name));
		const lacking = (rule?.fields ?? []).some((field) => declared.has(field) && done.every((call) => sayValue(readPath(call.result, field)) === null));
		return { tool, state: lacking && verbatim.length > 0 && done.length === 1 && !spent ? "open" : "done", drop: verbatim };
	}
	if (spent) return { tool, state: "failed", drop: [] };
	const drop = guiltyGuesses(failures.at(-1) as CallRecord, guessed);
	const remedy = turn.remedyFor ? turn.remedyFor(tool, failures, drop.length > 0) : chooseRemedy(failures, drop.length > 0);
	return { tool, state: remedy === "give-up" ? "failed" : "open", drop: remedy === "without-guess" ? drop : [] };
}

const LONG_EXAMPLE = /“[^”]{5,}”|「[^」]{5,}」|"[^"]{5,}"/gu;

const schemaTexts = new WeakMap<readonly McpTool[], string>();

function schemaText(tools: readonly McpTool[]): string {
	const text = schemaTexts.get(tools) ?? JSON.stringify(tools.filter((tool) => tool.name !== LOAD_SKILL));
	schemaTexts.set(tools, text);
	return text;
}

interface KnownVocabulary {
	tools: PolicyRequest["tools"];
	vocabulary: Vocabulary;
}

const vocabularies = new WeakMap<PolicyRequest["view"]["promptBlocks"], WeakMap<Offers, KnownVocabulary>>();

/** The harness's own words, by which a name is told from a question; remembered by prompts, tools and what is offered. */
function vocabularyOf({ request, weights }: Turn): Vocabulary {
	const { promptBlocks } = request.view;
	const own = vocabularies.get(promptBlocks) ?? new WeakMap<Offers, KnownVocabulary>();
	vocabularies.set(promptBlocks, own);
	const known = own.get(weights);
	if (known?.tools === request.tools) return known.vocabulary;
	const vocabulary = new Vocabulary(collectVocabulary(request));
	own.set(weights, { tools: request.tools, vocabulary });
	return vocabulary;
}

/** Sample sentences are left out, since they hold names. */ function collectVocabulary({ view, tools }: PolicyRequest): string {
	const skills = view.skillIndex.map((skill) => skill.description.replace(LONG_EXAMPLE, " "));
	const conditions = view.loadedSkills.flatMap((skill) => parseSkillBody(skill.body).rules.map((rule) => rule.condition.replace(LONG_EXAMPLE, " ")));
	const prompts = view.promptBlocks.filter((block) => block.id !== "skill-index").map((block) => block.text);
	return [...prompts, ...skills, ...conditions, schemaText(tools)].join("\n");
}

/** Arguments of a call as the message and the harness give them, without those to leave out. */
export function fillFor(tool: McpTool, turn: Turn, instructions: string, drop: readonly string[]): ReturnType<typeof fillArguments> {
	const { situation } = turn;
	const properties = Object.keys((tool.inputSchema.properties ?? {}) as Record<string, unknown>);
	const objections = [...situation.hookMessages, ...situation.calls.filter((call) => call.call.name === tool.name).map((call) => call.error ?? "")];
	const rejected = new Set(
		properties.filter((name) => objections.some((text) => text.startsWith(`${name} `) || situation.hookMessages.some((message) => message.includes(name)))),
	);
	const vocabulary = vocabularyOf(turn);
	const filled = fillArguments(tool, { situation, instructions, vocabulary, rejected });
	for (const name of drop) delete filled.args[name];
	return filled;
}

/** The look-ups that are still open, as one step; null when there are none. */
export function callFor(states: readonly CallState[], rules: readonly RankedRule[], turn: Turn): Action | null {
	const open = states.filter((state) => state.state === "open");
	if (open.length === 0 || turn.situation.modelSteps >= MAX_MODEL_STEPS) return null;
	const instructions = rules.map((candidate) => candidate.rule.instructions).join("\n");
	const offered = turn.request.view.tools.map((tool) => ({ id: tool.name, score: open.some((state) => state.tool === tool) ? 1 : 0 }));
	for (const { tool } of open) turn.decisions.push(decide("tool", tool.name, [...offered, { id: "reply", score: 0 }]));
	return { kind: "call", calls: open.map(({ tool, drop }) => ({ name: tool.name, args: fillFor(tool, turn, instructions, drop).args })) };
}
