import type { McpTool } from "@/server/harness/contract";
import { type FieldSource, fillWording, readPath, sayValue } from "./compose-reply";
import { encodeText, type FeatureWeights } from "./encode-text";
import type { Guard, SkillRule } from "./parse-skill";
import type { CallRecord, Situation } from "./read-situation";
import { type RankedRule, THRESHOLDS } from "./route-message";
import { coverage, scoreCandidate } from "./score-candidates";

const GUARD_BONUS = 0.12;
const FIELD_SHARE = 0.6;
const MAX_RULES = 3;

function mentions(text: string, name: string): boolean {
	return new RegExp(`(?<![\\w-])${name.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&")}(?![\\w-])`, "u").test(text);
}

/** Field names that a tool's output schema declares, with their descriptions. */
export function outputFields(tool: McpTool): { name: string; description: string }[] {
	const properties = (tool.outputSchema?.properties ?? {}) as Record<string, { description?: unknown }>;
	return Object.entries(properties).map(([name, property]) => ({ name, description: String(property?.description ?? "") }));
}

const needed = new WeakMap<readonly McpTool[], WeakMap<SkillRule, McpTool[]>>();

/** Tools that a rule needs: those that it names, else the one whose output has its fields. Remembered by the identity of both. */
export function toolsOfRule(rule: SkillRule, tools: readonly McpTool[]): McpTool[] {
	const own = needed.get(tools) ?? new WeakMap<SkillRule, McpTool[]>();
	needed.set(tools, own);
	const known = own.get(rule) ?? findTools(rule, tools);
	own.set(rule, known);
	return known;
}

function findTools(rule: SkillRule, tools: readonly McpTool[]): McpTool[] {
	const named = tools.filter((tool) => mentions(rule.instructions, tool.name));
	if (named.length > 0) return named;
	const fields = [...rule.fields, ...rule.guards.map((guard) => guard.field)].map((field) => field.split(".")[0] as string);
	if (fields.length === 0) return [];
	const fit = tools
		.map((tool) => ({ tool, hits: fields.filter((field) => outputFields(tool).some((output) => output.name === field)).length }))
		.sort((a, b) => b.hits - a.hits)[0];
	return fit && fit.hits > 0 ? [fit.tool] : [];
}

/** Values of the results so far, those of the rule's own tools first. */
export function fieldSource(calls: readonly CallRecord[], preferred: readonly string[], tools: readonly McpTool[]): FieldSource {
	// Where no tool gives anything, a placeholder is part of the wording (a template that another system fills).
	if (tools.length === 0) return (path) => `{{${path}}}`;
	const done = calls.filter((call) => call.ok);
	const ordered = [...done.filter((call) => preferred.includes(call.call.name)), ...done.filter((call) => !preferred.includes(call.call.name))].reverse();
	const byPreference = [...ordered.filter((call) => preferred.includes(call.call.name)), ...ordered.filter((call) => !preferred.includes(call.call.name))];
	return (path) => {
		for (const call of byPreference) {
			const value = sayValue(readPath(call.result, path));
			if (value !== null) return value;
		}
		return null;
	};
}

/** Whether a rule's guard holds: null while no result can tell. */
export function guardHolds(guard: Guard, calls: readonly CallRecord[]): boolean | null {
	const done = calls.filter((call) => call.ok);
	if (done.length === 0) return null;
	const values = done.map((call) => readPath(call.result, guard.field)).filter((value) => value !== undefined && value !== null && value !== "");
	if (guard.test === "absent") return values.length === 0;
	if (guard.test === "present") return values.length > 0;
	const wanted = guard.value ?? "";
	return values.some(
		(value) => String(value) === wanted || (value === false && /^(?:否|no|假)$/iu.test(wanted)) || (value === true && /^(?:是|yes|真)$/iu.test(wanted)),
	);
}

/** Rules in the light of the results: a guard that fails removes, one that holds is the more specific rule. */
export function applyGuards(ranked: readonly RankedRule[], calls: readonly CallRecord[]): RankedRule[] {
	return ranked
		.flatMap((candidate) => {
			const states = candidate.rule.guards.map((guard) => guardHolds(guard, calls));
			if (states.includes(false)) return [];
			const bonus = states.length > 0 && states.every((state) => state === true) && candidate.score >= THRESHOLDS.rule ? GUARD_BONUS : 0;
			return [{ ...candidate, score: candidate.score + bonus }];
		})
		.sort((a, b) => b.score - a.score);
}

/** The rules that answer the message: the best one, and for each further question its own, if it is clear enough. */
export function selectRules(situation: Situation, ranked: readonly RankedRule[], weights: FeatureWeights, usable: (rule: RankedRule) => boolean): RankedRule[] {
	const open = ranked.filter((candidate) => candidate.score >= THRESHOLDS.rule && usable(candidate));
	const main = open[0];
	if (!main) return [];
	const chosen = [main];
	if (situation.segments.length < 2) return chosen;
	for (const segment of situation.segments) {
		const encoded = encodeText(segment);
		const scored = open
			.map((candidate) => ({ candidate, score: scoreCandidate(encoded, candidate.rule.alternatives, candidate.rule.condition, weights) }))
			.sort((a, b) => b.score - a.score);
		const own = scored[0];
		if (own && own.score >= THRESHOLDS.extra && !chosen.includes(own.candidate) && chosen.length < MAX_RULES) chosen.push(own.candidate);
	}
	return chosen;
}

/** The text of a rule with the results so far; empty when a field that it cannot do without has no value. */
export function sayRule(rule: SkillRule, source: FieldSource): string[] {
	return rule.wordings.map((wording) => fillWording(wording, source).text).filter((text) => text !== "");
}

/** A field that the message asks for by its description, and the tool that gives it. */
export function askedField(situation: Situation, tools: readonly McpTool[], weights: FeatureWeights): { tool: McpTool; field: string; share: number } | null {
	let best: { tool: McpTool; field: string; share: number } | null = null;
	for (const tool of tools) {
		for (const { name, description } of outputFields(tool)) {
			if (description === "") continue;
			const share = coverage(situation.encoded, description, weights);
			if (share >= FIELD_SHARE && share > (best?.share ?? 0)) best = { tool, field: name, share };
		}
	}
	return best;
}
