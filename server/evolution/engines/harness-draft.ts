import { parseDocument, stringify } from "yaml";
import type { SkillRule } from "@/server/compact";
import type { HarnessFiles } from "@/server/harness/contract";
import { type Components, type ReadSkill, readComponents } from "./read-components";

const MAX_DESCRIPTION = 1024;
const FRONT = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/u;
const RULE_LINE = /^\s*(?:[-*+]|\d+[.)])\s+/u;

/** Quotes are the format's own signs: inside a wording they become single ones. */
export function plainQuotes(text: string): string {
	return text
		.replace(/[“"「]/gu, "‘")
		.replace(/[”」]/gu, "’")
		.replace(/\s*\r?\n\s*/gu, " ")
		.trim();
}

/** Files of a harness while an engine edits them; each step can be taken back. */
export class HarnessDraft {
	private current: Components | null = null;

	constructor(
		private files: HarnessFiles,
		readonly language: string,
		/** What a category is called in the harness's language. */
		private readonly nameOf: (category: string) => string,
	) {}

	/** A point to come back to. */
	save(): HarnessFiles {
		return this.files;
	}

	restore(files: HarnessFiles): void {
		this.files = files;
		this.current = null;
	}

	/** The harness as it now reads; null when it no longer validates. */
	read(): Components | null {
		this.current ??= readComponents(this.files);
		return this.current;
	}

	/** Paths that differ from the start, with their text. */
	changesSince(start: HarnessFiles): Record<string, string | null> {
		const changes: Record<string, string | null> = {};
		for (const [path, text] of Object.entries(this.files)) if (start[path] !== text) changes[path] = text;
		return changes;
	}

	private write(path: string, text: string): void {
		this.files = { ...this.files, [path]: text };
		this.current = null;
	}

	get zh(): boolean {
		return this.language.startsWith("zh");
	}

	/** "when" with quoted phrases, in the language of the workspace. */
	condition(phrases: readonly string[]): string {
		const quoted = phrases.map((phrase) => `“${plainQuotes(phrase)}”`);
		return this.zh ? `观众问${quoted.join("、")}` : `the message is about ${quoted.join(", ")}`;
	}

	ruleText(condition: string, tools: readonly { name: string; args: string[] }[], wordings: readonly string[]): string {
		const said = wordings.map((wording) => `“${plainQuotes(wording)}”`);
		if (this.zh) {
			const calls = tools.map((tool) => `${tool.name}${tool.args.length > 0 ? ` 并带上 ${tool.args.join("、")}` : ""}`);
			return `当 ${condition}: ${calls.length > 0 ? `先调 ${calls.join(" 和 ")}，再答` : "答"}${said.join("，再补")}`;
		}
		const calls = tools.map((tool) => `${tool.name}${tool.args.length > 0 ? ` with ${tool.args.join(" and ")}` : ""}`);
		return `When ${condition}: ${calls.length > 0 ? `call ${calls.join(" and ")}, then answer ` : "answer "}${said.join(", then add ")}`;
	}

	addBullet(skill: ReadSkill, text: string): void {
		const lines = (this.files[skill.path] ?? "").replace(/\s+$/u, "").split("\n");
		const known = new Set(skill.parsed.rules.map((rule) => rule.text));
		const last = lines.findLastIndex((line) =>
			known.has(
				line
					.replace(RULE_LINE, "")
					.replace(/\*\*|__/gu, "")
					.trim(),
			),
		);
		lines.splice(last >= 0 ? last + 1 : lines.length, 0, `- ${text}`);
		this.write(skill.path, `${lines.join("\n")}\n`);
	}

	addProhibition(skill: ReadSkill, words: readonly string[]): void {
		const quoted = words.map((word) => `“${plainQuotes(word)}”`).join(this.zh ? "" : ", ");
		const lines = (this.files[skill.path] ?? "").replace(/\s+$/u, "");
		this.write(skill.path, `${lines}\n- ${this.zh ? `不要 说${quoted}` : `Never say ${quoted}`}\n`);
	}

	replaceRule(skill: ReadSkill, rule: SkillRule, text: string): void {
		const lines = (this.files[skill.path] ?? "").split("\n");
		const at = lines.findIndex(
			(line) =>
				line
					.replace(RULE_LINE, "")
					.replace(/\*\*|__/gu, "")
					.trim() === rule.text,
		);
		if (at < 0) return;
		lines[at] = `${RULE_LINE.exec(lines[at] ?? "")?.[0] ?? "- "}${text}`;
		this.write(skill.path, lines.join("\n"));
	}

	/** Adds ways to meet a rule's condition. */
	widenRule(skill: ReadSkill, rule: SkillRule, phrases: readonly string[]): void {
		const at = rule.text.indexOf(rule.action);
		const head = rule.text.slice(0, at).replace(/\s*[:：]\s*$/u, "");
		const added = phrases.map((phrase) => `“${plainQuotes(phrase)}”`).join(this.zh ? "、" : ", ");
		this.replaceRule(skill, rule, `${head}${this.zh ? "、" : ", "}${added}: ${rule.action}`);
	}

	/** Adds phrases to a skill's description, as many as its limit allows. */
	widenDescription(skill: ReadSkill, phrases: readonly string[]): void {
		let description = skill.description;
		const fresh = phrases.map(plainQuotes).filter((phrase) => !description.includes(phrase));
		if (fresh.length === 0) return;
		const kept: string[] = [];
		const tail = () => (this.zh ? `也用于${kept.map((phrase) => `“${phrase}”`).join("")}。` : ` Also for ${kept.map((phrase) => `“${phrase}”`).join(", ")}.`);
		for (const phrase of fresh) {
			kept.push(phrase);
			if ([...`${description}${tail()}`].length <= MAX_DESCRIPTION) continue;
			kept.pop();
			break;
		}
		if (kept.length === 0) return;
		description = `${description}${tail()}`;
		const text = this.files[skill.path] ?? "";
		const front = FRONT.exec(text);
		if (!front) return;
		const document = parseDocument(front[1] as string);
		document.set("description", description);
		this.write(skill.path, `---\n${document.toString({ lineWidth: 0, flowCollectionPadding: false }).trimEnd()}\n---\n${text.slice(front[0].length)}`);
	}

	/** A new reply skill for a category, with one rule. */
	createSkill(category: string, phrases: readonly string[], rule: string): string {
		const components = this.read();
		const base =
			category
				.toLowerCase()
				.replace(/[^a-z0-9]+/gu, "-")
				.replace(/^-+|-+$/gu, "")
				.slice(0, 56) || "topic";
		let name = base;
		for (let i = 2; components?.skills.some((skill) => skill.name === name) || `skills/${name}/SKILL.md` in this.files; i++) name = `${base}-${i}`;
		const quoted = phrases.map((phrase) => `“${plainQuotes(phrase)}”`);
		const topic = this.nameOf(category);
		const description = this.zh
			? `回答${topic}一类的提问。观众说${quoted.join("")}时使用。`
			: `Answers requests of the kind ${topic}. Use it for ${quoted.join(", ")}.`;
		const front = stringify(
			{ name, description: [...description].slice(0, MAX_DESCRIPTION).join(""), metadata: { type: "reply", tags: [category] } },
			{ lineWidth: 0 },
		);
		this.write(`skills/${name}/SKILL.md`, `---\n${front.trimEnd()}\n---\n# ${topic}\n\n- ${rule}\n`);
		return name;
	}
}
