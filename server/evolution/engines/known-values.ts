import type { DiagnosisCase } from "../contract";
import type { OutputField } from "./read-components";

/** A value that a tool gives for a field, as it may stand in a reply. */
export interface KnownValue {
	text: string;
	tool: string;
	field: string;
	/** 0: this case's own results; 1: the judge's facts; 2: results of other cases. */
	rank: number;
}

function leavesOf(result: unknown): { path: string; value: string }[] {
	if (result === null || typeof result !== "object" || Array.isArray(result)) return [];
	return Object.entries(result).flatMap(([key, value]) => {
		if (typeof value === "number") return [{ path: key, value: String(value) }];
		if (typeof value === "string" && [...value.trim()].length >= 2) return [{ path: key, value: value.trim() }];
		return [];
	});
}

/** What the successful calls of cases gave, a value a leaf. */
export function valuesOfCalls(cases: readonly DiagnosisCase[], rank: number): KnownValue[] {
	return cases.flatMap((c) =>
		c.toolCalls
			.filter((call) => call.ok && call.fault === undefined)
			.flatMap((call) => leavesOf(call.result).map(({ path, value }) => ({ text: value, tool: call.name, field: path, rank }))),
	);
}

/** A field name in its words. */
export const words = (name: string) => name.split(/(?=[A-Z])|[_.-]/u).map((part) => part.toLowerCase());

/** The declared field that a fact's key names: the same name, else the one that the key begins with, else the one that shares the most words with it. */
function fieldNamed(key: string, fields: readonly OutputField[]): OutputField | null {
	const exact = fields.find((field) => field.name === key);
	if (exact) return exact;
	const headed = fields.find((field) => field.name.length > 3 && key.startsWith(field.name));
	if (headed) return headed;
	const wanted = words(key);
	const scored = fields
		.map((field) => ({ field, hits: words(field.name).filter((word) => wanted.includes(word) && word.length > 2).length / Math.max(wanted.length, 1) }))
		.sort((a, b) => b.hits - a.hits);
	return scored[0] && scored[0].hits >= 0.5 ? scored[0].field : null;
}

/** A list as tools and people say it: in one breath. */
function waysToSayList(value: string): string[] {
	try {
		const items: unknown = JSON.parse(value);
		if (!Array.isArray(items) || items.length === 0 || items.some((item) => typeof item !== "string")) return [value];
		return ["、", "，", ", "].map((sign) => items.join(sign));
	} catch {
		return [value];
	}
}

/** How a fact's value may stand in a reply. */
function waysToSay(value: string): string[] {
	const date = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}))?/u.exec(value);
	if (value.startsWith("[")) return waysToSayList(value);
	if (!date) return [value];
	const day = `${Number(date[2])}月${Number(date[3])}日`;
	const time = date[4] ? `${date[4]}:${date[5]}` : null;
	return time ? [`${day}${time}`, `今天${time}`, day, time] : [day];
}

/** The facts that a verdict names, under the fields that give them. */
export function valuesOfFacts(c: DiagnosisCase, fields: readonly OutputField[]): KnownValue[] {
	return c.evidence.flatMap((item) => {
		const match = /^([\w.\u4e00-\u9fff-]+) = (.+)$/su.exec(item.fact ?? "");
		if (!match) return [];
		const keys = (match[1] as string).split(".");
		const field = fieldNamed(keys.at(-1) ?? "", fields) ?? (keys.length > 2 ? fieldNamed(keys.at(-2) ?? "", fields) : null);
		if (!field) return [];
		return waysToSay((match[2] as string).trim()).map((text) => ({ text, tool: field.tool, field: field.name, rank: 1 }));
	});
}

/** What sort of thing a text is: only like stands for like. */
export function kindOf(text: string): "number" | "date" | "identifier" | "words" {
	if (/^\d+(?:[.:]\d+)*$/u.test(text)) return "number";
	if (/^\d{4}-\d{2}-\d{2}|\d+月\d+日/u.test(text)) return "date";
	return /^(?=.*\d)(?=.*[A-Za-z])[\w-]+$/u.test(text) ? "identifier" : "words";
}
