import { coverage, encodeText, weighFeatures } from "@/server/compact";
import type { DiagnosisCase } from "../contract";
import type { Components, OutputField } from "./read-components";
import { wordingSimilarity } from "./wording-similarity";

/** A reference reply with values replaced by fields. */
export interface Template {
	caseId: string;
	text: string;
	fields: { tool: string; name: string }[];
	/** Numbers of this case alone that no field explains. */
	literals: string[];
}

interface Value {
	text: string;
	tool: string;
	field: string;
	/** 0: this case's own results; 1: the judge's facts; 2: results of other cases. */
	rank: number;
}

const CONTEXT = 10;
const NUMBER = /\d+(?:[.:]\d+)*/gu;
const MIN_CONTEXT_SHARE = 0.45;
/** References that share this much want the same answer. */
const SISTERS = 0.5;
/** What a source is worth when the tool is chosen: own calls, the judge's facts, other cases' calls. */
const WORTH = [1, 0.9, 0.6];
const EXPECTED_WORTH = 2;

function leavesOf(result: unknown): { path: string; value: string }[] {
	if (result === null || typeof result !== "object" || Array.isArray(result)) return [];
	return Object.entries(result).flatMap(([key, value]) => {
		if (typeof value === "number") return [{ path: key, value: String(value) }];
		if (typeof value === "string" && [...value.trim()].length >= 2) return [{ path: key, value: value.trim() }];
		return [];
	});
}

function valuesOfCalls(cases: readonly DiagnosisCase[], rank: number): Value[] {
	return cases.flatMap((c) =>
		c.toolCalls
			.filter((call) => call.ok && call.fault === undefined)
			.flatMap((call) => leavesOf(call.result).map(({ path, value }) => ({ text: value, tool: call.name, field: path, rank }))),
	);
}

const words = (name: string) => name.split(/(?=[A-Z])|[_.-]/u).map((part) => part.toLowerCase());

/** The declared field that a fact's key names: the same name, else the one that shares the most words with it. */
function fieldNamed(key: string, fields: readonly OutputField[]): OutputField | null {
	const exact = fields.find((field) => field.name === key);
	if (exact) return exact;
	const wanted = words(key);
	const scored = fields
		.map((field) => ({ field, hits: words(field.name).filter((word) => wanted.includes(word) && word.length > 2).length / Math.max(wanted.length, 1) }))
		.sort((a, b) => b.hits - a.hits);
	return scored[0] && scored[0].hits >= 0.5 ? scored[0].field : null;
}

/** How a fact's value may stand in a reply. */
function waysToSay(value: string): string[] {
	const date = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}))?/u.exec(value);
	if (!date) return [value];
	const day = `${Number(date[2])}月${Number(date[3])}日`;
	const time = date[4] ? `${date[4]}:${date[5]}` : null;
	return time ? [`${day}${time}`, `今天${time}`, day, time] : [day];
}

function valuesOfFacts(c: DiagnosisCase, fields: readonly OutputField[]): Value[] {
	return c.evidence.flatMap((item) => {
		const match = /^([\w.\u4e00-\u9fff-]+) = (.+)$/su.exec(item.fact ?? "");
		if (!match) return [];
		const keys = (match[1] as string).split(".");
		const field = fieldNamed(keys.at(-1) ?? "", fields) ?? (keys.length > 2 ? fieldNamed(keys.at(-2) ?? "", fields) : null);
		if (!field) return [];
		return waysToSay((match[2] as string).trim()).map((text) => ({ text, tool: field.tool, field: field.name, rank: 1 }));
	});
}

function contextOf(text: string, start: number, end: number): string {
	return `${text.slice(Math.max(0, start - CONTEXT), start)} ${text.slice(end, end + CONTEXT)}`.replace(/\{\{[^{}]*\}\}/gu, " ");
}

function describes(context: string, field: OutputField, all: readonly OutputField[]): number {
	if (field.description === "") return 0;
	return coverage(encodeText(context), field.description, weighFeatures(all.map((other) => other.description)));
}

interface Slot {
	start: number;
	end: number;
	candidates: { tool: string; field: string; rank: number }[];
}

function occurrences(text: string, value: string): { start: number; end: number }[] {
	const found: { start: number; end: number }[] = [];
	for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
		const end = at + value.length;
		const cuts =
			/^\d/u.test(value) && (/[\d.]/u.test(text[at - 1] ?? "") || /\d/u.test(text[end] ?? "") || (text[end] === "." && /\d/u.test(text[end + 1] ?? "")));
		if (!cuts) found.push({ start: at, end });
	}
	return found;
}

/** Places of the text that hold a known value, longest first, none inside another. */
function findSlots(text: string, values: readonly Value[]): Slot[] {
	const slots: Slot[] = [];
	for (const value of [...values].sort((a, b) => b.text.length - a.text.length || a.rank - b.rank)) {
		for (const { start, end } of occurrences(text, value.text)) {
			const same = slots.find((slot) => slot.start === start && slot.end === end);
			if (same) same.candidates.push({ tool: value.tool, field: value.field, rank: value.rank });
			else if (!slots.some((slot) => start < slot.end && slot.start < end))
				slots.push({ start, end, candidates: [{ tool: value.tool, field: value.field, rank: value.rank }] });
		}
	}
	return slots.sort((a, b) => a.start - b.start);
}

/** Tools that the verdict says should have been called. */
function expectedTools(c: DiagnosisCase, components: Components): Set<string> {
	const handlers = c.evidence.flatMap((item) => (item.kind === "tool-rationality" ? (/^expected: ([^;]+);/u.exec(item.rule)?.[1] ?? "").split(", ") : []));
	const tools = components.harness.tools.filter((entry) => handlers.includes(entry.binding.kind === "simulator" ? entry.binding.handler : entry.binding.tool));
	return new Set(tools.map((entry) => entry.tool.name));
}

/** The tool that explains most of the reply; what the verdict says was needed weighs most. */
function primaryTool(slots: readonly Slot[], expected: ReadonlySet<string>): string | null {
	const votes = new Map<string, number>([...expected].map((tool) => [tool, EXPECTED_WORTH]));
	for (const slot of slots) {
		const best = new Map<string, number>();
		for (const { tool, rank } of slot.candidates) best.set(tool, Math.max(best.get(tool) ?? 0, WORTH[rank] ?? 0));
		for (const [tool, worth] of best) votes.set(tool, (votes.get(tool) ?? 0) + worth);
	}
	return [...votes].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? null;
}

function pickField(
	slot: Slot,
	text: string,
	primary: string | null,
	expected: ReadonlySet<string>,
	fields: readonly OutputField[],
): { tool: string; field: string } | null {
	const context = contextOf(text, slot.start, slot.end);
	const share = (candidate: { tool: string; field: string }) => describes(context, pick(fields, candidate), fields);
	const own = slot.candidates.filter((candidate) => candidate.tool === primary).sort((a, b) => a.rank - b.rank || share(b) - share(a))[0];
	if (own) return own;
	// The same value under the primary tool's own name for it.
	const twin = slot.candidates.flatMap((candidate) => {
		const wanted = words(candidate.field).at(-1) ?? "";
		return fields
			.filter((field) => field.tool === primary && (field.name === candidate.field || (wanted.length > 3 && words(field.name).at(-1) === wanted)))
			.map((field) => ({ tool: field.tool, field: field.name }));
	})[0];
	if (twin) return twin;
	const sure = slot.candidates
		.filter((candidate) => candidate.rank < 2 && (expected.size === 0 || expected.has(candidate.tool)))
		.sort((a, b) => a.rank - b.rank || share(b) - share(a))[0];
	return sure ?? null;
}

/** Spans that the viewer said and only this reply repeats: what a tool takes and gives back under one name. */
function echoSlots(c: DiagnosisCase, text: string, sisters: readonly string[], taken: readonly Slot[], tool: string | null, components: Components): Slot[] {
	const schema = components.tools.find((candidate) => candidate.name === tool);
	const inputs = Object.keys((schema?.inputSchema.properties ?? {}) as Record<string, unknown>);
	const twins = components.fields.filter((field) => field.tool === tool && inputs.includes(field.name) && !field.numeric);
	if (!tool || twins.length === 0 || sisters.length === 0) return [];
	const chars = [...text];
	for (let length = Math.min(8, chars.length); length >= 2; length--) {
		for (let i = 0; i + length <= chars.length; i++) {
			const span = chars.slice(i, i + length).join("");
			if (!/^[\p{L}\p{N}]+$/u.test(span) || !c.message.includes(span) || sisters.some((other) => other.includes(span))) continue;
			const start = chars.slice(0, i).join("").length;
			const end = start + span.length;
			if (taken.some((slot) => start < slot.end && slot.start < end)) continue;
			const field = [...twins].sort(
				(a, b) => describes(contextOf(text, start, end), b, components.fields) - describes(contextOf(text, start, end), a, components.fields),
			)[0] as OutputField;
			return [{ start, end, candidates: [{ tool, field: field.name, rank: 2 }] }];
		}
	}
	return [];
}

/** Spans where sister replies differ inside an else equal clause, each with the field whose description fits around it. */
function alignedSlots(text: string, sisters: readonly string[], taken: readonly Slot[], tool: string | null, fields: readonly OutputField[]): Slot[] {
	if (!tool) return [];
	const slots: Slot[] = [];
	for (const match of text.matchAll(/[^，,；;。！!？?\n]+/gu)) {
		const clause = match[0];
		for (const sister of sisters.flatMap((other) => other.match(/[^，,；;。！!？?\n]+/gu) ?? [])) {
			if (sister === clause) break;
			let prefix = 0;
			while (prefix < Math.min(clause.length, sister.length) && clause[prefix] === sister[prefix]) prefix++;
			let suffix = 0;
			while (suffix < Math.min(clause.length, sister.length) - prefix && clause[clause.length - 1 - suffix] === sister[sister.length - 1 - suffix]) suffix++;
			if (prefix + suffix < 3 || prefix + suffix >= clause.length || prefix + suffix < clause.length * 0.4) continue;
			const start = match.index + prefix;
			const end = match.index + clause.length - suffix;
			if (taken.concat(slots).some((slot) => start < slot.end && slot.start < end)) continue;
			const context = contextOf(text, start, end);
			const fit = fields
				.filter((field) => field.tool === tool)
				.map((field) => ({ field, share: describes(context, field, fields) }))
				.sort((a, b) => b.share - a.share)[0];
			if (fit && fit.share >= MIN_CONTEXT_SHARE) slots.push({ start, end, candidates: [{ tool, field: fit.field.name, rank: 2 }] });
		}
	}
	return slots;
}

/** Numbers left over that sister replies do not share, each with the numeric field whose description fits around it. */
function explainNumbers(
	text: string,
	sisters: readonly string[],
	taken: readonly Slot[],
	tool: string | null,
	fields: readonly OutputField[],
): { slots: Slot[]; literals: string[] } {
	const slots: Slot[] = [];
	const literals: string[] = [];
	for (const match of text.matchAll(NUMBER)) {
		const start = match.index;
		const end = start + match[0].length;
		if (taken.some((slot) => start < slot.end && slot.start < end)) continue;
		if (sisters.length > 0 && sisters.every((other) => occurrences(other, match[0]).length > 0)) continue;
		const fit = fields
			.filter((field) => field.numeric && field.tool === tool)
			.map((field) => ({ field, share: describes(contextOf(text, start, end), field, fields) }))
			.sort((a, b) => b.share - a.share)[0];
		if (fit && fit.share >= MIN_CONTEXT_SHARE) slots.push({ start, end, candidates: [{ tool: fit.field.tool, field: fit.field.name, rank: 2 }] });
		else literals.push(match[0]);
	}
	return { slots, literals };
}

/**
 * A case's reference with the values that tools give replaced by `{{field}}`: values of its own calls first, then facts that
 * the verdict names, then values seen in other cases' calls; then what the viewer said and the reply repeats, what differs
 * between replies of one kind, and numbers whose surroundings a field's description fits.
 */
export function generaliseReply(c: DiagnosisCase, all: readonly DiagnosisCase[], components: Components): Template | null {
	const text = c.reference;
	if (text === null || text.trim() === "") return null;
	const { fields } = components;
	const sisters = all.flatMap((other) =>
		other.caseId !== c.caseId && other.reference !== null && wordingSimilarity(other.reference, text) >= SISTERS ? [other.reference] : [],
	);
	const known = new Set(fields.map((field) => `${field.tool}.${field.name}`));
	const elsewhere = valuesOfCalls(all, 2).filter((value) => !/^\d/u.test(value.text) && value.text.length <= 40);
	const values = [...valuesOfCalls([c], 0), ...valuesOfFacts(c, fields), ...elsewhere].filter((value) => known.has(`${value.tool}.${value.field}`));
	const expected = expectedTools(c, components);
	const found = findSlots(text, values);
	const primary = primaryTool(found, expected);
	const chosen = found.flatMap((slot) => {
		const field = pickField(slot, text, primary, expected, fields);
		return field ? [{ ...slot, candidates: [{ ...field, rank: 0 }] }] : [];
	});
	const echoes = echoSlots(c, text, sisters, chosen, primary, components);
	const aligned = alignedSlots(text, sisters, [...chosen, ...echoes], primary, fields);
	const rest = explainNumbers(text, sisters, [...chosen, ...echoes, ...aligned], primary, fields);
	let out = "";
	let at = 0;
	const used: Template["fields"] = [];
	for (const slot of [...chosen, ...echoes, ...aligned, ...rest.slots].sort((a, b) => a.start - b.start)) {
		const field = slot.candidates[0] as { tool: string; field: string };
		out += `${text.slice(at, slot.start)}{{${field.field}}}`;
		used.push({ tool: field.tool, name: field.field });
		at = slot.end;
	}
	return { caseId: c.caseId, text: out + text.slice(at), fields: used, literals: rest.literals };
}

function pick(fields: readonly OutputField[], candidate: { tool: string; field: string }): OutputField {
	return (
		fields.find((field) => field.tool === candidate.tool && field.name === candidate.field) ?? {
			tool: candidate.tool,
			name: candidate.field,
			description: "",
			numeric: false,
		}
	);
}
