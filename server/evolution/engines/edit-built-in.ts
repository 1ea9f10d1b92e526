import { type SimulateRouting, type SkillRule, simulateRouting } from "@/server/compact";
import { phrasesOf, type Written } from "@/server/kernel/phrase";
import type { ChangeManifest, DiagnosisCase, EditingEngine, EngineNotice } from "../contract";
import { engineWriter } from "../written-texts";
import { repliesFitMessages } from "./check-coherence";
import { clusterTemplates } from "./cluster-cases";
import { replyGeneraliser, type Template } from "./generalise-reply";
import { HarnessDraft } from "./harness-draft";
import { mendClaims } from "./mend-claims";
import { applyEdit, type CurrentRule, type Group, type PlannedEdit, planEdit } from "./plan-edit";
import type { Components } from "./read-components";
import { movedMessages, type RoutedMessage, RoutingTable } from "./routing-check";

type EditInput = Parameters<EditingEngine["edit"]>[0];

/** Never a rule for one case alone. */
const MIN_CASES = 2;
const MAX_EDITS = 40;
const MAX_TRIMS = 6;
/** A passing message that goes elsewhere costs as much as three that are fixed. */
const BREAK_COST = 3;

interface Done {
	words: Written;
	fixes: string[];
	breaks: string[];
}

interface Session {
	draft: HarnessDraft;
	input: EditInput;
	all: DiagnosisCase[];
	passing: RoutedMessage[];
	done: Done[];
	route: SimulateRouting;
	write: ReturnType<typeof engineWriter>;
}

function uniqueCases(input: EditInput): DiagnosisCase[] {
	const byId = new Map<string, DiagnosisCase>();
	for (const c of input.failures ?? []) byId.set(c.caseId, c);
	for (const finding of input.findings) for (const c of finding.cases) byId.set(c.caseId, c);
	return [...byId.values()];
}

function ruleAt(components: Components, route: { skill: string; index: number } | null | undefined): { skill: string; rule: SkillRule } | null {
	const rule = route ? components.skills.find((skill) => skill.name === route.skill)?.parsed.rules[route.index] : undefined;
	return route && rule ? { skill: route.skill, rule } : null;
}

/** The rule that answers most of the group's messages today, when there is one. */
function currentRule(table: RoutingTable, group: Group, passing: readonly RoutedMessage[]): CurrentRule | null {
	const keys = group.cases.map((c) => table.key(c.caseId));
	const top = [...new Set(keys)].sort((a, b) => keys.filter((key) => key === b).length - keys.filter((key) => key === a).length)[0];
	if (!top || top === "none" || keys.filter((key) => key === top).length < MIN_CASES) return null;
	const caseId = group.cases[keys.indexOf(top)]?.caseId ?? "";
	const rule = ruleAt(table.components, table.route(caseId)?.rule);
	return rule
		? { ...rule, share: keys.filter((key) => key === top).length / keys.length, passing: passing.filter((message) => table.key(message.caseId) === top).length }
		: null;
}

function tryPlan(session: Session, plan: PlannedEdit, group: Group, before: RoutingTable): { fixes: string[]; breaks: string[] } | null {
	const { draft, passing } = session;
	const skill = applyEdit(draft, plan, group.category);
	const components = draft.read();
	if (!components || !skill) return null;
	if (plan.kind === "guard" || plan.kind === "replace") return { fixes: group.cases.map((c) => c.caseId), breaks: [] };
	const after = new RoutingTable(components, [...passing, ...group.cases], session.route);
	const answers = (caseId: string): boolean => {
		const rule = ruleAt(components, after.route(caseId)?.rule);
		return (
			rule?.skill === skill &&
			(plan.kind === "widen"
				? rule.rule.action === plan.rule?.action
				: rule.rule.wordings[0] !== undefined && rule.rule.action.includes(rule.rule.wordings[0]) && after.key(caseId) !== before.key(caseId))
		);
	};
	return { fixes: group.cases.filter((c) => answers(c.caseId)).map((c) => c.caseId), breaks: movedMessages(before, after, passing) };
}

/** Without a term: one that a stolen message says, else the least. */
function trimPlan(plan: PlannedEdit, stolen: readonly string[]): PlannedEdit | null {
	if (plan.terms.length <= 1) return null;
	const drop = plan.terms.find((term) => stolen.some((message) => message.toLowerCase().includes(term))) ?? plan.terms.at(-1);
	return { ...plan, terms: plan.terms.filter((term) => term !== drop) };
}

/** Tries a plan on the messages; terms that pull passing messages away are dropped, and a plan that does not pay is taken back. */
function carryOut(session: Session, plan: PlannedEdit, group: Group, before: RoutingTable): Done | null {
	const { draft, passing } = session;
	const start = draft.save();
	let best: { done: Done; files: ReturnType<HarnessDraft["save"]>; worth: number } | null = null;
	let current: PlannedEdit | null = plan;
	for (let trim = 0; current !== null && trim <= MAX_TRIMS; trim++) {
		draft.restore(start);
		const outcome = tryPlan(session, current, group, before);
		if (!outcome) break;
		const { fixes, breaks } = outcome;
		const worth = fixes.length - BREAK_COST * breaks.length;
		if (fixes.length >= MIN_CASES && breaks.length * BREAK_COST <= fixes.length && worth > (best?.worth ?? Number.NEGATIVE_INFINITY)) {
			best = { done: { words: describePlan(session, current, group), fixes, breaks }, files: draft.save(), worth };
		}
		if (breaks.length === 0) break;
		current = trimPlan(
			current,
			passing.filter((message) => breaks.includes(message.caseId)).map((message) => message.message),
		);
	}
	draft.restore(best?.files ?? start);
	return best?.done ?? null;
}

function describePlan({ write, input }: Session, plan: PlannedEdit, group: Group): Written {
	const terms = plan.terms.slice(0, 3);
	const where = plan.skill?.name ?? input.titles?.[group.category] ?? group.category;
	return write(`edit-${plan.kind}`, { where, terms, cases: group.cases.length });
}

function pairsOf(cases: readonly DiagnosisCase[]): { message: string; reply: string }[] {
	return cases.flatMap((c) => (c.reference === null ? [] : [{ message: c.message, reply: c.reference }]));
}

function editGroup(session: Session, group: Group): void {
	const { draft, input, all, passing } = session;
	const components = draft.read();
	if (!components || session.done.length >= MAX_EDITS || group.cases.length < MIN_CASES) return;
	const ids = new Set(group.cases.map((c) => c.caseId));
	const elsewhere = all.filter((c) => !ids.has(c.caseId));
	const before = new RoutingTable(components, [...passing, ...group.cases], session.route);
	const others = {
		messages: [...passing.map((c) => c.message), ...elsewhere.map((c) => c.message)],
		references: [...input.passing, ...elsewhere].flatMap((c) => (c.reference === null ? [] : [c.reference])),
	};
	if (!repliesFitMessages(pairsOf(group.cases), others.references)) return;
	const plan = planEdit(draft, group, all, others, currentRule(before, group, passing));
	if (!plan) return;
	const done = carryOut(session, plan, group, before);
	if (done) session.done.push(done);
}

function groupsOf(
	cases: readonly DiagnosisCase[],
	all: readonly DiagnosisCase[],
	components: Components,
	category: string,
	component: string | null,
): { groups: Group[]; left: DiagnosisCase[] } {
	const templates = cases.map(replyGeneraliser(all, components)).filter((template): template is Template => template !== null);
	const groups: Group[] = [];
	const left: DiagnosisCase[] = [];
	for (const cluster of clusterTemplates(templates)) {
		const members = cluster.flatMap((template) => cases.find((c) => c.caseId === template.caseId) ?? []);
		if (members.length >= MIN_CASES) groups.push({ category, component, cases: members, templates: cluster });
		else left.push(...members);
	}
	return { groups, left };
}

function editFindings(session: Session): void {
	const { draft, input, all } = session;
	const claimed = input.findings.flatMap((finding) => finding.cases).filter((c) => c.evidence.some((item) => item.kind === "not-contains" && !item.ok));
	for (const mended of mendClaims(draft, claimed, all))
		session.done.push({ words: session.write("edit-claims", mended.words), fixes: mended.caseIds, breaks: [] });
	const fixed = () => new Set(session.done.flatMap((done) => done.fixes));
	const left: DiagnosisCase[] = [];
	for (const finding of input.findings) {
		const components = draft.read();
		if (!components) return;
		// A finding whose evidence is not about its messages is no ground for an edit, even where a few of its cases look alike.
		const outside = all.filter((c) => !finding.cases.includes(c)).flatMap((c) => (c.reference === null ? [] : [c.reference]));
		if (!repliesFitMessages(pairsOf(finding.cases), [...outside, ...input.passing.flatMap((c) => (c.reference === null ? [] : [c.reference]))])) continue;
		const open = finding.cases.filter((c) => !fixed().has(c.caseId));
		const split = groupsOf(open, all, components, finding.category, finding.component);
		for (const group of split.groups) editGroup(session, group);
		left.push(...split.left);
	}
	// What is alone in its finding may have a sister in another one of the same category.
	for (const category of new Set(left.map((c) => c.category))) {
		const components = draft.read();
		if (!components) return;
		const rest = left.filter((c) => c.category === category && !fixed().has(c.caseId));
		for (const group of groupsOf(rest, all, components, category, rest[0]?.blamed ?? null).groups) editGroup(session, group);
	}
}

function manifestOf(session: Session, files: string[]): ChangeManifest {
	const { input, done, write } = session;
	const [first] = done;
	if (!first) throw new Error("an edit that changed files has said what it did");
	const fixes = new Set(done.flatMap((item) => item.fixes));
	const more = done.length - 1;
	const head = more > 0 ? write("edit-more", { first: first.words, count: more }) : first.words;
	const lines = more > 0 ? done.map(({ words }) => words) : [];
	return {
		summary: [head.text, ...lines.map(({ text }) => `- ${text}`)].join("\n").slice(0, 2000),
		phrases: phrasesOf([head, ...lines]),
		failurePattern: input.findings
			.filter((finding) => finding.cases.some(({ caseId }) => fixes.has(caseId)))
			.map((finding) => finding.title)
			.join("\n")
			.slice(0, 2000),
		files,
		predictedFixes: [...fixes],
		predictedBreaks: [...new Set(done.flatMap((item) => item.breaks))],
	};
}

const DOES_NOT_VALIDATE: EngineNotice = {
	text: "The harness does not validate; nothing was edited.",
	reasons: [{ reason: "engine-harness-invalid", params: {} }],
};
const NOTHING_GENERAL: EngineNotice = {
	text: "Nothing general follows from these cases.",
	reasons: [{ reason: "engine-nothing-general", params: {} }],
};

/**
 * The editing engine without a model. It sees trajectories, a verdict's evidence and the reference replies of `dev`; it
 * writes one rule for a cluster of failures that want the same answer, tries it on the messages with the routing of the
 * policy that acts (`route`), and takes back what does not pay. Same input, same edit.
 */
export function createBuiltInEditor(route: SimulateRouting = simulateRouting): EditingEngine {
	return {
		edit(input, signal) {
			signal.throwIfAborted();
			const named = input.language.startsWith("zh") ? "zh" : "en";
			const draft = new HarnessDraft(input.files, input.language, (category) => input.titles?.[category]?.[named] ?? category.replace(/[-_]/gu, " "));
			const components = draft.read();
			if (!components) return Promise.resolve({ engine: "built-in", notice: DOES_NOT_VALIDATE, value: null });
			const session: Session = {
				draft,
				input,
				all: uniqueCases(input),
				passing: input.passing.map(({ caseId, message }) => ({ caseId, message })),
				done: [],
				route,
				write: engineWriter(input.language),
			};
			editFindings(session);
			const changes = draft.changesSince(input.files);
			const files = Object.keys(changes).sort((a, b) => (a < b ? -1 : 1));
			if (files.length === 0 || !draft.read()) return Promise.resolve({ engine: "built-in", notice: NOTHING_GENERAL, value: null });
			return Promise.resolve({ engine: "built-in", notice: null, value: { changes, manifest: manifestOf(session, files) } });
		},
	};
}
