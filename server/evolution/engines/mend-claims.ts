import type { SkillRule } from "@/server/compact";
import type { DiagnosisCase } from "../contract";
import { clusterTemplates, wordingOf } from "./cluster-cases";
import { replyGeneraliser, type Template } from "./generalise-reply";
import type { HarnessDraft } from "./harness-draft";
import type { ReadSkill } from "./read-components";
import { wordingSimilarity } from "./wording-similarity";

const SAME_SENTENCE = 0.5;
const CLAUSE = /[^，,；;。.！!？?]+[，,；;。.！!？?]*/gu;
const MIN_CASES = 2;

export interface Mended {
	caseIds: string[];
	words: { where: string; before: string; after: string };
}

/** The claim that a verdict found, from its words. */
function claimOf(rule: string): string | null {
	return /“([^”]+)”/u.exec(rule)?.[1] ?? null;
}

function sourceOf(skills: readonly ReadSkill[], sentence: string): { skill: ReadSkill; rule: SkillRule } | null {
	let best: { skill: ReadSkill; rule: SkillRule; score: number } | null = null;
	for (const skill of skills) {
		for (const rule of skill.parsed.rules) {
			for (const wording of rule.wordings) {
				const score = wordingSimilarity(wording, sentence);
				if (score >= SAME_SENTENCE && score > (best?.score ?? 0)) best = { skill, rule, score };
			}
		}
	}
	return best;
}

/**
 * Wording that promises too much: the rule that a forbidden sentence came from gets the wording of the references instead,
 * or loses the clause that makes the claim; the claim itself becomes a prohibition. Only where two or more cases show it.
 */
export function mendClaims(draft: HarnessDraft, cases: readonly DiagnosisCase[], all: readonly DiagnosisCase[]): Mended[] {
	const components = draft.read();
	if (!components) return [];
	const bySource = new Map<string, { skill: ReadSkill; rule: SkillRule; cases: DiagnosisCase[]; claims: Set<string> }>();
	for (const c of cases) {
		for (const item of c.evidence) {
			const claim = item.kind === "not-contains" && !item.ok ? claimOf(item.rule) : null;
			if (!claim || !item.sentence) continue;
			const source = sourceOf(components.skills, item.sentence);
			if (!source) continue;
			const key = `${source.skill.name}#${source.rule.index}`;
			const entry = bySource.get(key) ?? { ...source, cases: [], claims: new Set<string>() };
			if (!entry.cases.includes(c)) entry.cases.push(c);
			entry.claims.add(claim);
			bySource.set(key, entry);
		}
	}
	const mended: Mended[] = [];
	for (const { skill, rule, cases: shown, claims } of bySource.values()) {
		if (shown.length < MIN_CASES) continue;
		const templates = shown.map(replyGeneraliser(all, components)).filter((template): template is Template => template !== null);
		const group = clusterTemplates(templates)[0] ?? [];
		const better = group.length >= MIN_CASES ? wordingOf(group) : null;
		const softened = rule.wordings
			.map((wording) => (wording.match(CLAUSE) ?? []).filter((clause) => ![...claims].some((claim) => clause.includes(claim))).join(""))
			.filter((text) => text !== "");
		const wordings = better && better.text !== "" ? [better.text] : softened;
		if (wordings.length === 0 || [...claims].some((claim) => wordings.some((wording) => wording.includes(claim)))) continue;
		const tools = [
			...new Set([
				...(better?.fields.map((field) => field.tool) ?? []),
				...components.tools.filter((tool) => rule.instructions.includes(tool.name)).map((tool) => tool.name),
			]),
		];
		draft.replaceRule(
			skill,
			rule,
			draft.ruleText(
				rule.condition,
				tools.map((name) => ({ name, args: [] })),
				wordings,
			),
		);
		const fresh = draft.read()?.skills.find((candidate) => candidate.name === skill.name);
		if (fresh) draft.addProhibition(fresh, [...claims].slice(0, 4));
		mended.push({ caseIds: shown.map((c) => c.caseId), words: { where: skill.name, before: rule.wordings[0] ?? "", after: wordings[0] ?? "" } });
	}
	return mended;
}
