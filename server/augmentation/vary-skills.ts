import type { Random } from "@/server/kernel/random";
import type { VariantLogEntry } from "./contract";
import { renameOne } from "./names";
import type { Distractor } from "./phrase-book";
import { mentionsIn } from "./rename-mentions";
import { type BodyLine, parseBody, rewriteLine, shuffleBody } from "./skill-body";
import { type DraftSkill, draw, isKept, modelWay, reword, untouchableNames, type VariantDraft } from "./variant-draft";
import { rewriteSamples } from "./workspace-words";

/** A skill's description has at most so many characters. */
const MAX_DESCRIPTION = 1024;

const note = (draft: VariantDraft, entry: VariantLogEntry) => void draft.log.push(entry);

/** The next skills of a list that the harness does not have yet, as skills of the variant. */
function addSkills(draft: VariantDraft, list: readonly Distractor[], count: number, random: Random): DraftSkill[] {
	const added: DraftSkill[] = [];
	for (const distractor of random.shuffle(list)) {
		if (added.length >= count) break;
		if (draft.taken.has(distractor.name)) continue;
		draft.taken.add(distractor.name);
		added.push({ original: null, added: distractor, name: distractor.name, description: distractor.description, lines: parseBody(bodyOf(distractor)) });
	}
	draft.skills.push(...added);
	return added;
}

const bodyOf = ({ title, rules }: Distractor) => `# ${title}\n\n${rules.map((rule) => `- ${rule}`).join("\n")}\n`;

/** Whether what stays speaks of a skill by its name, so that it cannot be left out. */
function isReferredTo(draft: VariantDraft, name: string): boolean {
	const { parts } = draft;
	const texts = [
		...parts.prompts.map((prompt) => prompt.lines.map((line) => line.text).join("\n")),
		...parts.skills.filter((skill) => skill.name !== name).map((skill) => `${skill.description}\n${skill.lines.map((line) => line.text).join("\n")}`),
		...parts.hooks.flatMap((hook) => hook.texts.map((text) => text.value)),
	];
	return texts.some((text) => mentionsIn(text, [name], "skill").length > 0);
}

/** Skills that the task does not need leave; a distractor takes the place of each, so that their number tells nothing. */
export function maskSkills(draft: VariantDraft): void {
	const { strength, random } = draw(draft, "skillIdentity", "mask");
	if (strength === 0) return;
	const free = draft.skills.filter((skill) => skill.original && !isKept(draft.keep, "skills", skill.name) && !isReferredTo(draft, skill.name));
	const pool = [...draft.language.distractors, ...draft.language.noise];
	for (const skill of free) {
		if (random.next() >= strength) continue;
		const replies = draft.skills.filter((other) => other !== skill && other.original?.type === "reply");
		if (replies.length === 0) continue;
		const [stand] = addSkills(draft, pool, 1, random);
		if (!stand) break;
		draft.skills = draft.skills.filter((other) => other !== skill);
		draft.removedSkills.push(skill.name);
		note(draft, {
			dimension: "skillIdentity",
			transform: "mask",
			component: `skill:${skill.name}`,
			before: skill.name,
			after: stand.name,
			because: "same-count",
		});
	}
}

/** Distractors (work of colleagues that sounds plausible) and noise (beside any work). */
export function addDistractors(draft: VariantDraft): void {
	for (const transform of ["distractors", "noise"] as const) {
		const { strength, random } = draw(draft, "skillIdentity", transform);
		for (const skill of addSkills(draft, draft.language[transform], Math.round(strength), random))
			note(draft, { dimension: "skillIdentity", transform, component: `skill:${skill.name}`, before: "", after: skill.name, because: "not-needed" });
	}
}

export function rewriteDescriptions(draft: VariantDraft): void {
	const { strength, random } = draw(draft, "skillIdentity", "rewrite");
	if (strength === 0) return;
	for (const skill of draft.skills) {
		if (!skill.original) continue;
		const before = skill.description;
		const reworded = reword(draft, before, strength, random);
		const sampled = draft.words ? rewriteSamples(reworded, draft.words, strength, random) : reworded;
		// Other words may be longer ones.
		skill.description = [sampled, reworded].find((text) => [...text].length <= MAX_DESCRIPTION) ?? before;
		if (skill.description !== before)
			note(draft, {
				dimension: "skillIdentity",
				transform: "rewrite",
				component: `skill:${skill.name}`,
				before,
				after: skill.description,
				because: "same-meaning",
			});
	}
}

/** Gives skills, tools or arguments other names: a share of those that can be followed everywhere. */
export function renameComponents(draft: VariantDraft, kind: "skill" | "tool" | "argument"): void {
	const { strength, random } = kind === "skill" ? draw(draft, "skillIdentity", "rename") : draw(draft, "tools", kind === "tool" ? "rename" : "arguments");
	if (strength === 0) return;
	const untouchable = untouchableNames(draft.parts)[kind];
	const names =
		kind === "skill"
			? draft.skills.flatMap((skill) => (skill.original ? [skill.name] : []))
			: kind === "tool"
				? draft.parts.tools.map((tool) => tool.name)
				: [...new Set(draft.parts.tools.flatMap((tool) => tool.arguments))];
	for (const name of names) {
		if (random.next() >= strength) continue;
		const next = untouchable.has(name) ? null : renameOne(name, kind, draft.taken, draft.book, random);
		if (next !== null) draft.renames[kind].set(name, next);
		note(draft, {
			dimension: kind === "skill" ? "skillIdentity" : "tools",
			transform: kind === "argument" ? "arguments" : "rename",
			component: `${kind}:${name}`,
			before: name,
			after: next ?? name,
			because: next === null ? "left-alone" : kind === "skill" ? "same-identity" : "same-binding",
		});
	}
}

/** Rules that the task does not need leave; one rule of each skill stays. */
export function maskRules(draft: VariantDraft): void {
	const { strength, random } = draw(draft, "skillContent", "mask");
	if (strength === 0 || draft.keep === "everything") return;
	for (const skill of draft.skills) {
		if (!skill.original) continue;
		let left = skill.lines.filter((line) => line.kind === "rule").length;
		skill.lines = skill.lines.filter((line) => {
			const id = `${skill.name}#${line.rule}`;
			if (line.kind !== "rule" || isKept(draft.keep, "rules", id) || left <= 1 || random.next() >= strength) return true;
			left--;
			draft.removedRules.push(id);
			note(draft, { dimension: "skillContent", transform: "mask", component: `skill:${skill.name}`, before: line.text, after: "", because: "not-needed" });
			return false;
		});
	}
}

/** A line in other words, as long as it reads as the same kind of line. */
function rewriteSafely(line: BodyLine, draft: VariantDraft, strength: number, random: Random): BodyLine {
	const way = modelWay(draft, line.text, strength, random);
	if (way !== null) return { ...line, text: way };
	const next = rewriteLine(line, draft.book, strength, random, draft.words);
	return next.text === line.text || parseBody(next.text)[0]?.kind === line.kind ? next : line;
}

export function rewriteRules(draft: VariantDraft): void {
	const { strength, random } = draw(draft, "skillContent", "rewrite");
	if (strength === 0) return;
	for (const skill of draft.skills) {
		if (!skill.original) continue;
		skill.lines = skill.lines.map((line) => {
			const next = rewriteSafely(line, draft, strength, random);
			if (next.text !== line.text)
				note(draft, {
					dimension: "skillContent",
					transform: "rewrite",
					component: `skill:${skill.name}`,
					before: line.text,
					after: next.text,
					because: "same-meaning",
				});
			return next;
		});
	}
}

export function shuffleRules(draft: VariantDraft): void {
	const { strength, random } = draw(draft, "skillContent", "shuffle");
	for (const skill of draft.skills) {
		if (!skill.original || random.next() >= strength) continue;
		const before = skill.lines;
		skill.lines = shuffleBody(before, random);
		if (skill.lines.some((line, i) => line !== before[i])) {
			const order = (lines: readonly BodyLine[]) => lines.flatMap((line) => (line.rule === null ? [] : [line.rule])).join(" ");
			note(draft, {
				dimension: "skillContent",
				transform: "shuffle",
				component: `skill:${skill.name}`,
				before: order(before),
				after: order(skill.lines),
				because: "order-free",
			});
		}
	}
}
