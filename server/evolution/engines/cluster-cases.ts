import type { Template } from "./generalise-reply";
import { wordingSimilarity } from "./wording-similarity";

const PLACEHOLDER = /\{\{[^{}]*\}\}/gu;
/** Replies that share less than this are about different things; long replies share more words by chance. */
const SAME_TOPIC = 0.5;

/** Groups templates whose wordings are alike: average linkage, merging the closest two while they share enough. */
export function clusterTemplates(templates: readonly Template[]): Template[][] {
	const n = templates.length;
	const similarity = templates.map((a) => templates.map((b) => wordingSimilarity(a.text, b.text)));
	let groups = templates.map((_, i) => [i]);
	const between = (a: readonly number[], b: readonly number[]): number => {
		let sum = 0;
		for (const i of a) for (const j of b) sum += similarity[i]?.[j] ?? 0;
		return sum / (a.length * b.length);
	};
	for (let step = 0; step < n; step++) {
		let best: { a: number; b: number; score: number } | null = null;
		for (let a = 0; a < groups.length; a++) {
			for (let b = a + 1; b < groups.length; b++) {
				const score = between(groups[a] as number[], groups[b] as number[]);
				if (score >= SAME_TOPIC && score > (best?.score ?? 0)) best = { a, b, score };
			}
		}
		if (!best) break;
		const { a, b } = best;
		const merged = [...(groups[a] as number[]), ...(groups[b] as number[])];
		groups = groups.filter((_, i) => i !== a && i !== b).concat([merged]);
	}
	return groups.map((group) => group.map((i) => templates[i] as Template)).sort((a, b) => b.length - a.length);
}

const CLAUSE = /[^，,；;。.！!？?\n]+(?:[，,；;。！!？?\n]+|\.(?=\s|$)\s*)?|[，,；;。.！!？?\n]+/gu;
const SAME_CLAUSE = 0.7;
const LEAST_KEPT = 0.4;
const NUMBER = /\d+(?:[.:]\d+)*/gu;

function clausesOf(text: string): string[] {
	return /\p{Script=Han}/u.test(text) ? (text.match(CLAUSE) ?? [text]) : text.split(/(?<=[.!?])\s+|(?<=\n)/u).filter((part) => part.trim() !== "");
}

/** The template that is most like the others; among equals the one with fewer numbers that nothing explains. */
export function medoid(group: readonly Template[]): Template {
	const scored = group.map((template) => ({
		template,
		score:
			group.reduce((sum, other) => sum + wordingSimilarity(template.text, other.text), 0) / group.length -
			template.literals.length * 0.05 +
			template.fields.length * 0.01,
	}));
	return (scored.sort((a, b) => b.score - a.score)[0] as { template: Template }).template;
}

/**
 * The wording of a group: its medoid without the clauses that half of the others or more lack, and without numbers, values and names that
 * no field explains and the others do not share. Null when nothing general is left.
 */
export function wordingOf(group: readonly Template[]): { text: string; fields: Template["fields"] } | null {
	const center = medoid(group);
	const others = group.filter((template) => template !== center);
	const clauses = clausesOf(center.text);
	const common = (clause: string): boolean =>
		others.filter((other) => other.text.includes(clause.trim()) || clausesOf(other.text).some((theirs) => wordingSimilarity(clause, theirs) >= SAME_CLAUSE))
			.length *
			2 >
			others.length || others.length === 0;
	const ownContent = (clause: string): boolean =>
		[...(clause.replace(PLACEHOLDER, "").match(NUMBER) ?? []), ...center.literals.filter((span) => clause.includes(span))].some(
			(span) => others.length === 0 || !others.every((other) => other.text.replace(PLACEHOLDER, "").includes(span)),
		);
	const general = clauses.filter((clause) => !ownContent(clause));
	const shared = general.filter(common);
	const kept = shared.join("").length >= center.text.length * LEAST_KEPT ? shared : general;
	const text = kept
		.join(/\p{Script=Han}/u.test(center.text) ? "" : " ")
		.replace(/[，,；;]\s*$/u, "。")
		.trim();
	if (!/[\p{L}]{2}/u.test(text.replace(PLACEHOLDER, "")) && !text.includes("{{")) return null;
	return { text, fields: center.fields.filter((field) => text.includes(`{{${field.name}}}`)) };
}
