import { coverage, encodeText, weighFeatures } from "@/server/compact";
import type { DiagnosisCase } from "../contract";
import { type KnownValue, kindOf, valuesOfCalls, valuesOfFacts, words } from "./known-values";
import type { Components, OutputField } from "./read-components";
import { wordingSimilarity } from "./wording-similarity";

/** A reference reply with values replaced by fields. */
export interface Template {
	caseId: string;
	text: string;
	fields: { tool: string; name: string }[];
	/** What belongs to this case alone and no field explains: numbers, values of tools, names that its message says. */
	literals: string[];
}

const CONTEXT = 10;
const NUMBER = /\d+(?:[.:]\d+)*/gu;
const CLAUSE = /[^，,；;。！!？?\n]+/gu;
/** References that share this much want the same answer. */
const SISTERS = 0.5;
/** A field explains a span only where its values stand in this many replies of one kind. */
const MIN_SUPPORT = 2;
/** A clause frame with fewer letters than this beside its slots fits anything. */
const MIN_FRAME = 3;
/** What a source is worth when the tool is chosen: own calls, the judge's facts, other cases' calls. */
const WORTH = [1, 0.9, 0.6];
const EXPECTED_WORTH = 2;
const MIN_CONTEXT_SHARE = 0.45;
/** Values of this many characters stand nowhere by chance. */
const LONG = 8;

function contextOf(text: string, start: number, end: number): string {
	return `${text.slice(Math.max(0, start - CONTEXT), start)} ${text.slice(end, end + CONTEXT)}`.replace(/\{\{[^{}]*\}\}/gu, " ");
}

function describes(context: string, field: OutputField, all: readonly OutputField[]): number {
	if (field.description === "") return 0;
	return coverage(encodeText(context), field.description, weighFeatures(all.map((other) => other.description)));
}

/** A place of a reply that holds a known value. */
interface Slot {
	start: number;
	end: number;
	candidates: { tool: string; field: string; rank: number }[];
}

/** A place of a reply with the field that explains it. */
interface Explained {
	start: number;
	end: number;
	tool: string;
	field: string;
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
function findSlots(text: string, values: readonly KnownValue[]): Slot[] {
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

const overlaps = (slots: readonly { start: number; end: number }[], start: number, end: number) => slots.some((slot) => start < slot.end && slot.start < end);

/** The places of a case's reply where a tool's value itself stands. */
function explain(c: DiagnosisCase, text: string, elsewhere: readonly KnownValue[], components: Components): { slots: Explained[]; found: Slot[] } {
	const { fields } = components;
	const known = new Set(fields.map((field) => `${field.tool}.${field.name}`));
	const values = [...valuesOfCalls([c], 0), ...valuesOfFacts(c, fields), ...elsewhere].filter((value) => known.has(`${value.tool}.${value.field}`));
	const found = findSlots(text, values);
	const expected = expectedTools(c, components);
	const primary = primaryTool(found, expected);
	const slots = found.flatMap((slot) => {
		const field = pickField(slot, text, primary, expected, fields);
		if (!field) return [];
		return [{ start: slot.start, end: slot.end, ...field }];
	});
	return { slots, found };
}

interface Sister {
	text: string;
	slots: Explained[];
}

/** The clauses of a sister that hold a slot, as patterns with the fields in order. */
function framesOf({ text, slots }: Sister): { pattern: RegExp; inside: Explained[] }[] {
	return [...text.matchAll(CLAUSE)].flatMap((match) => {
		const end = match.index + match[0].length;
		const inside = slots.filter((slot) => slot.start >= match.index && slot.end <= end);
		let at = match.index;
		const parts = inside.map((slot) => {
			const part = text.slice(at, slot.start);
			at = slot.end;
			return part;
		});
		parts.push(text.slice(at, end));
		if (inside.length === 0 || parts.join("").replace(/[^\p{L}]/gu, "").length < MIN_FRAME) return [];
		return [{ pattern: new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&")).join("(.{1,40}?)")}$`, "du"), inside }];
	});
}

/** Spans without a known value that stand where sister replies have a value of the same kind, in an else equal clause. */
function analogousSlots(text: string, sisters: readonly Sister[], taken: readonly Explained[]): Explained[] {
	const slots: Explained[] = [];
	for (const sister of sisters) {
		for (const { pattern, inside } of framesOf(sister)) {
			for (const clause of text.matchAll(CLAUSE)) {
				const groups = (pattern.exec(clause[0]) as (RegExpExecArray & { indices: ([number, number] | undefined)[] }) | null)?.indices.slice(1) ?? [];
				groups.forEach((span, i) => {
					const like = inside[i] as Explained;
					if (!span) return;
					const [start, end] = [clause.index + span[0], clause.index + span[1]];
					const said = text.slice(start, end);
					if (overlaps([...taken, ...slots], start, end) || kindOf(said) !== kindOf(sister.text.slice(like.start, like.end))) return;
					slots.push({ start, end, tool: like.tool, field: like.field });
				});
			}
		}
	}
	return slots;
}

/** The longest span that the message says and no sister reply repeats: a name of this case, not the topic. */
function ownName(message: string, text: string, sisters: readonly Sister[], taken: readonly Explained[]): string[] {
	if (sisters.length === 0) return [];
	for (let length = Math.min(8, text.length); length >= 2; length--) {
		for (let start = 0; start + length <= text.length; start++) {
			const span = text.slice(start, start + length);
			if (!/^[\p{L}\p{N}]+$/u.test(span) || !message.includes(span) || overlaps(taken, start, start + length)) continue;
			if (!sisters.some((other) => other.text.includes(span))) return [span];
		}
	}
	return [];
}

interface Read extends Sister {
	c: DiagnosisCase;
	found: Slot[];
	/** The text with its slots left blank. */
	frame: string;
}

function fill(text: string, slots: readonly Explained[], say: (slot: Explained) => string): string {
	let out = "";
	let at = 0;
	for (const slot of slots) {
		out += text.slice(at, slot.start) + say(slot);
		at = slot.end;
	}
	return out + text.slice(at);
}

const keyOf = (slot: Explained) => `${slot.tool}.${slot.field}`;

/** Replies of one kind: much the same wording, with or without their values, or nothing but the same fields. */
function areSisters(a: Read, b: Read): boolean {
	if (wordingSimilarity(a.text, b.text) >= SISTERS || wordingSimilarity(a.frame, b.frame) >= SISTERS) return true;
	const keys = [a, b].map((read) => [...new Set(read.slots.map(keyOf))].sort().join());
	return keys[0] !== "" && keys[0] === keys[1] && !/\p{L}{2}/u.test(a.frame + b.frame);
}

/** Keeps the slots that two or more replies show; a short value that never varies may be there by chance, so its surroundings must fit too. */
function supportedBy(reads: readonly Read[], fields: readonly OutputField[]): (slot: Explained, text: string) => boolean {
	return (slot, text) => {
		const spans = reads.flatMap((read) => {
			const same = read.slots.find((other) => keyOf(other) === keyOf(slot));
			return same ? [read.text.slice(same.start, same.end)] : [];
		});
		if (spans.length < MIN_SUPPORT) return false;
		if (new Set(spans).size > 1 || (kindOf(spans[0] as string) === "words" && [...(spans[0] as string)].length >= LONG)) return true;
		return describes(contextOf(text, slot.start, slot.end), pick(fields, slot), fields) >= MIN_CONTEXT_SHARE;
	};
}

/**
 * Reads the references of all failures and returns what turns one of them into a template with `{{field}}` for the values
 * that tools give. A field explains a span only where its value itself stands there (of the case's own calls, of facts that
 * the verdict names, of other cases' calls) and where replies of one kind show the field twice or
 * more. A span without a known value gets the field of its sisters when the rest of the clause is
 * equal and both are of one kind. What is left stays and is listed as literal, so that no rule is made of it.
 */
export function replyGeneraliser(all: readonly DiagnosisCase[], components: Components): (c: DiagnosisCase) => Template | null {
	const elsewhere = valuesOfCalls(all, 2).filter((value) => !/^\d/u.test(value.text) && value.text.length <= 40);
	const reads = all.flatMap((c): Read[] => {
		if (c.reference === null || c.reference.trim() === "") return [];
		const { slots, found } = explain(c, c.reference, elsewhere, components);
		return [{ c, text: c.reference, slots, found, frame: fill(c.reference, slots, () => " ") }];
	});
	return (c) => {
		const read = reads.find((other) => other.c.caseId === c.caseId);
		return read
			? templateOf(
					read,
					reads.filter((other) => other !== read && areSisters(read, other)),
					components.fields,
				)
			: null;
	};
}

function templateOf(read: Read, sisters: readonly Read[], fields: readonly OutputField[]): Template {
	const { c, text, slots, found } = read;
	const supported = supportedBy([read, ...sisters], fields);
	const sure = slots.filter((slot) => supported(slot, text));
	const kin = sisters.map((sister) => ({ ...sister, slots: sister.slots.filter((slot) => supported(slot, sister.text)) }));
	const chosen = [...sure, ...analogousSlots(text, kin, sure)].sort((a, b) => a.start - b.start);
	const open = (spans: readonly { start: number; end: number }[]) =>
		spans.filter(({ start, end }) => !overlaps(chosen, start, end)).map(({ start, end }) => text.slice(start, end));
	const numbers = open([...text.matchAll(NUMBER)].map((match) => ({ start: match.index, end: match.index + match[0].length })));
	const own = [...numbers, ...open(found)].filter((span) => sisters.length === 0 || !sisters.every((other) => occurrences(other.text, span).length > 0));
	return {
		caseId: c.caseId,
		text: fill(text, chosen, (slot) => `{{${slot.field}}}`),
		fields: chosen.map(({ tool, field }) => ({ tool, name: field })),
		literals: [...new Set([...own, ...ownName(c.message, text, sisters, chosen)])],
	};
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
