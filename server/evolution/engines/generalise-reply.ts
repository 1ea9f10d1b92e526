import { coverage, encodeText, weighFeatures } from "@/server/compact";
import type { DiagnosisCase } from "../contract";
import type { OutputField } from "./read-components";

/** A reference reply with values replaced by fields. */
export interface Template {
	caseId: string;
	text: string;
	fields: { tool: string; name: string }[];
	/** Numbers that no field explains. */
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

/** Numbers left over, each with the numeric field whose description fits the words around it. */
function explainNumbers(
	text: string,
	slots: readonly Slot[],
	fields: readonly OutputField[],
	tools: ReadonlySet<string>,
): { slots: Slot[]; literals: string[] } {
	const more: Slot[] = [];
	const literals: string[] = [];
	for (const match of text.matchAll(NUMBER)) {
		const start = match.index;
		const end = start + match[0].length;
		if (slots.some((slot) => start < slot.end && slot.start < end)) continue;
		const context = contextOf(text, start, end);
		const fit = fields
			.filter((field) => field.numeric && (tools.size === 0 || tools.has(field.tool)))
			.map((field) => ({ field, share: describes(context, field, fields) }))
			.sort((a, b) => b.share - a.share)[0];
		if (fit && fit.share >= MIN_CONTEXT_SHARE) more.push({ start, end, candidates: [{ tool: fit.field.tool, field: fit.field.name, rank: 3 }] });
		else literals.push(match[0]);
	}
	return { slots: more, literals };
}

/**
 * A case's reference with the values that tools give replaced by `{{field}}`: values of its own calls first, then facts that
 * the verdict names, then values seen in other cases' calls, then numbers whose surroundings a field's description fits.
 */
export function generaliseReply(c: DiagnosisCase, all: readonly DiagnosisCase[], fields: readonly OutputField[]): Template | null {
	const text = c.reference;
	if (text === null || text.trim() === "") return null;
	const known = new Set(fields.map((field) => `${field.tool}.${field.name}`));
	const elsewhere = valuesOfCalls(all, 2).filter((value) => !/^\d/u.test(value.text) && value.text.length <= 40);
	const values = [...valuesOfCalls([c], 0), ...valuesOfFacts(c, fields), ...elsewhere].filter((value) => known.has(`${value.tool}.${value.field}`));
	const slots = findSlots(text, values);
	const tools = new Set(slots.flatMap((slot) => slot.candidates.filter((candidate) => candidate.rank < 2).map((candidate) => candidate.tool)));
	const rest = explainNumbers(text, slots, fields, tools);
	const votes = new Map<string, number>();
	for (const slot of [...slots, ...rest.slots])
		for (const tool of new Set(slot.candidates.map((candidate) => candidate.tool))) votes.set(tool, (votes.get(tool) ?? 0) + 1);
	let out = "";
	let at = 0;
	const used: Template["fields"] = [];
	for (const slot of [...slots, ...rest.slots].sort((a, b) => a.start - b.start)) {
		const context = contextOf(text, slot.start, slot.end);
		// Of several fields with the value: the nearest source, then the tool that explains most, then the description that fits.
		const best = [...slot.candidates].sort(
			(a, b) =>
				a.rank - b.rank ||
				(votes.get(b.tool) ?? 0) - (votes.get(a.tool) ?? 0) ||
				describes(context, pick(fields, b), fields) - describes(context, pick(fields, a), fields),
		)[0] as Slot["candidates"][number];
		out += `${text.slice(at, slot.start)}{{${best.field}}}`;
		used.push({ tool: best.tool, name: best.field });
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
