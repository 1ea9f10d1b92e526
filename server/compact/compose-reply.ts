import { countGraphemes, normalizeText } from "@/server/kernel/text";
import { encodeText, type FeatureWeights } from "./encode-text";
import type { Prohibition } from "./parse-skill";
import { coverage } from "./score-candidates";

/** Resolves `field` or `field.sub` to what may be said; null when it is not there. `{{Name}}` stands for itself where no tool gives anything. */
export type FieldSource = (path: string) => string | null;

const FIELD = /\{\{\s*([\p{L}_][\p{L}\p{N}_.]*)\s*\}\}/gu;
const CLAUSE = /[^，,；;。.！!？?\n]+(?:[，,；;。！!？?\n]+|\.(?=\s|$))?|[，,；;。.！!？?\n]+/gu;
const SENTENCE = /[^。！!？?\n]+[。！!？?\n]*/gu;
/** A sentence that shares this much with an unquoted prohibition is what it forbids. */
const FORBIDDEN_SHARE = 0.8;

/** A value of a tool's result as it is said; null for what cannot be said. */
export function sayValue(value: unknown): string | null {
	if (typeof value === "string") return value.trim() === "" ? null : value.trim();
	if (typeof value === "number") return Number.isFinite(value) ? String(value) : null;
	if (Array.isArray(value)) {
		const parts = value.map(sayValue);
		if (parts.length === 0 || parts.some((part) => part === null)) return null;
		return parts.join(/\p{Script=Han}/u.test(parts.join("")) ? "、" : ", ");
	}
	return null;
}

/** The value at a dotted path of a result. */
export function readPath(result: unknown, path: string): unknown {
	let value = result;
	for (const key of path.split(".")) {
		if (value === null || typeof value !== "object" || !Object.hasOwn(value, key)) return undefined;
		value = (value as Record<string, unknown>)[key];
	}
	return value;
}

export interface Filled {
	text: string;
	filled: number;
	missing: string[];
}

/**
 * Wording with its fields filled. A clause whose field has no value is left out; when that leaves no filled clause (or no
 * text at all) the wording cannot be used and the text is empty.
 */
export function fillWording(wording: string, source: FieldSource): Filled {
	const names = [...wording.matchAll(FIELD)].map((match) => match[1] as string);
	const missing = names.filter((name) => source(name) === null);
	const fill = (text: string) => text.replace(FIELD, (_all, name: string) => source(name) ?? "");
	if (missing.length === 0) return { text: tidy(fill(wording)), filled: names.length, missing };
	const kept = (wording.match(CLAUSE) ?? []).filter((clause) => ![...clause.matchAll(FIELD)].some((match) => source(match[1] as string) === null));
	const filled = kept.join("").matchAll(FIELD);
	const count = [...filled].length;
	return { text: count > 0 ? tidy(fill(kept.join(""))) : "", filled: count, missing };
}

/** Mends punctuation that filling leaves behind: doubled stops, a comma at the end. */
export function tidy(text: string): string {
	return text
		.replace(/([。！？；])[。；，]+/gu, "$1")
		.replace(/([，,；;])[，,；;]+/gu, "$1")
		.replace(/[，；、]$/u, "。")
		.trim();
}

/** Sentences of a text with their end marks. */
export function splitSentences(text: string): string[] {
	const han = /\p{Script=Han}/u.test(text);
	const parts = han ? (text.match(SENTENCE) ?? []) : text.split(/(?<=[.!?])\s+|\n+/u);
	return parts.map((part) => part.trim()).filter((part) => part.length > 0);
}

export interface Bounds {
	maxChars: number | null;
	banned: readonly string[];
	prohibitions: readonly Prohibition[];
	weights: FeatureWeights;
}

function breaks(sentence: string, bounds: Bounds): boolean {
	const plain = normalizeText(sentence);
	if (bounds.banned.some((word) => plain.includes(normalizeText(word)))) return true;
	return bounds.prohibitions.some((rule) =>
		rule.words.length > 0
			? rule.words.some((word) => plain.includes(normalizeText(word)))
			: rule.text.length > 0 && coverage(encodeText(sentence), rule.text, bounds.weights) >= FORBIDDEN_SHARE,
	);
}

function cut(sentence: string, maxChars: number): string {
	const clauses = sentence.match(CLAUSE) ?? [];
	let text = "";
	for (const clause of clauses) {
		if (countGraphemes(text + clause) > maxChars) break;
		text += clause;
	}
	return tidy(text);
}

/** Removes what is forbidden, clause by clause where a sentence can do without it. */
export function removeForbidden(text: string, bounds: Bounds): string {
	const kept = splitSentences(text).flatMap((sentence) => {
		if (!breaks(sentence, bounds)) return [sentence];
		const clauses = (sentence.match(CLAUSE) ?? []).filter((clause) => !breaks(clause, bounds));
		const rest = tidy(clauses.join(""));
		return rest !== "" && !breaks(rest, bounds) && /[\p{L}\p{N}]/u.test(rest) ? [rest] : [];
	});
	return joinSentences(kept);
}

/** Joins sentences in their script's manner. */
export function joinSentences(sentences: readonly string[]): string {
	let text = "";
	for (const sentence of sentences) {
		const han = /\p{Script=Han}/u.test(sentence) || /\p{Script=Han}/u.test(text);
		if (text === "") text = sentence;
		else if (han) text += (/[。！？!?；;，,\n]$/u.test(text) ? "" : "。") + sentence;
		else text += (/[.!?:\n]$/u.test(text) ? " " : ". ") + sentence;
	}
	return text;
}

/**
 * Puts parts together in order while the limit allows; the first is cut at a clause when it alone is too long. Parts that
 * are already said are not said twice.
 */
export function assemble(parts: readonly string[], bounds: Bounds): string {
	const said: string[] = [];
	for (const part of parts) {
		const clean = removeForbidden(part, bounds);
		if (clean === "" || said.some((other) => normalizeText(other).includes(normalizeText(clean)))) continue;
		const next = joinSentences([...said, clean]);
		if (bounds.maxChars === null || countGraphemes(next) <= bounds.maxChars) said.push(clean);
		else if (said.length === 0) {
			const shorter = cut(clean, bounds.maxChars);
			if (shorter !== "") said.push(shorter);
		}
	}
	return joinSentences(said);
}
