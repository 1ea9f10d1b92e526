import { stringify } from "yaml";
import { chrf } from "@/server/judge";
import { plainQuotes } from "./harness-draft";

/** A case that says which skill should answer it, with a reply that would. */
export interface DraftCase {
	category: string;
	skill: string;
	reference: string;
}

/** Replies of a category that are compared with each other: more would take longer and change little. Of ours. */
const MOST_COMPARED = 25;

const slugOf = (label: string) =>
	label
		.toLowerCase()
		.replace(/[^a-z0-9]+/gu, "-")
		.replace(/^-+|-+$/gu, "")
		.slice(0, 56) || "topic";
const topicOf = (label: string) => label.toLowerCase().replace(/[-_]+/gu, " ");

/** The reply that is most like the others of its category; the first of equals. */
function typicalReply(replies: readonly string[]): string {
	const compared = replies.slice(0, MOST_COMPARED);
	let best = { reply: compared[0] ?? "", score: Number.NEGATIVE_INFINITY };
	for (const reply of compared) {
		const score = compared.reduce((sum, other) => sum + chrf(reply, other), 0);
		if (score > best.score) best = { reply, score };
	}
	return best.reply;
}

/**
 * The first draft of a harness's skills out of a table: one skill for each label that the rows give, one rule for each of its
 * categories, worded with the table's own most typical reply. Nothing is written but what the table says. Paths → texts.
 */
export function draftSkills(cases: readonly DraftCase[], language: string): Record<string, string> {
	const zh = language.startsWith("zh");
	const bySkill = new Map<string, Map<string, string[]>>();
	for (const { skill, category, reference } of cases) {
		const own = bySkill.get(skill) ?? new Map<string, string[]>();
		bySkill.set(skill, own);
		own.set(category, [...(own.get(category) ?? []), reference]);
	}
	const files: Record<string, string> = {};
	for (const [skill, categories] of [...bySkill].sort(([a], [b]) => (a < b ? -1 : 1))) {
		const topics = [...categories.keys()].sort().map(topicOf);
		const description = zh
			? `回答${topicOf(skill)}一类的提问。有人问${topics.join("、")}时使用。`
			: `Answers requests about ${topicOf(skill)}. Use it when someone asks about ${topics.join(", ")}.`;
		const rules = [...categories]
			.sort(([a], [b]) => (a < b ? -1 : 1))
			.map(([category, replies]) => {
				const said = plainQuotes(typicalReply(replies));
				return zh ? `- 当 有人问${topicOf(category)}: 答“${said}”` : `- When someone asks about ${topicOf(category)}: answer “${said}”`;
			});
		const front = stringify({ name: slugOf(skill), description: description.slice(0, 1024), metadata: { type: "reply", tags: [skill] } }, { lineWidth: 0 });
		files[`skills/${slugOf(skill)}/SKILL.md`] = `---\n${front.trimEnd()}\n---\n# ${topicOf(skill)}\n\n${rules.join("\n")}\n`;
	}
	return files;
}
