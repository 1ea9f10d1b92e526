import type { Random } from "@/server/kernel/random";
import type { Synonyms } from "./contract";
import { bookFor, paraphrase } from "./paraphrase";
import type { PhraseBook } from "./phrase-book";
import { rewriteSamples } from "./workspace-words";

/** A line of a skill's body. Rules are counted from 0 in their order, as the built-in policy counts them. */
export interface BodyLine {
	kind: "rule" | "prohibition" | "bullet" | "other";
	text: string;
	/** Of a rule: its index in the original. */
	rule: number | null;
}

const BULLET = /^(\s*(?:[-*+]|\d+[.)])\s+)(.*)$/u;
const PROHIBITION = /^(?:不要|不得|禁止|不可以?|不能|不许|切勿|勿|别|never\b|do not\b|don't\b|must not\b|avoid\b)/iu;
const RULE_HEAD = /^(?:当|如果|若|when\b|if\b)/iu;

/** The colon that ends a rule's condition: the first outside quotation marks; -1 without one. */
function findColon(text: string): number {
	const plain = text.replace(/“[^”]*”|「[^」]*」|"[^"]*"/gu, (quoted) => " ".repeat(quoted.length));
	return plain.search(/[:：]/u);
}

/** The lines of a body with what each of them is. */
export function parseBody(body: string): BodyLine[] {
	let rules = 0;
	return body.split("\n").map((text): BodyLine => {
		const bullet = BULLET.exec(text)?.[2]?.trim();
		if (!bullet) return { kind: "other", text, rule: null };
		if (PROHIBITION.test(bullet)) return { kind: "prohibition", text, rule: null };
		if (RULE_HEAD.test(bullet) && findColon(bullet) > 0) return { kind: "rule", text, rule: rules++ };
		return { kind: "bullet", text, rule: null };
	});
}

const isListed = (line: BodyLine) => line.kind !== "other" && /^[-*+]\s/u.test(line.text);

/** Shuffles each run of bullets of one list; numbered steps, nested items and everything between lists stay. */
export function shuffleLines<T extends { text: string }>(lines: readonly T[], movable: (line: T) => boolean, random: Random): T[] {
	const result = [...lines];
	let start = 0;
	while (start < result.length) {
		let end = start;
		while (end < result.length && movable(result[end] as T)) end++;
		// What is indented below an item belongs to it: such a list stays.
		if (end - start > 1 && !/^\s+\S/u.test(result[end]?.text ?? "")) result.splice(start, end - start, ...random.shuffle(result.slice(start, end)));
		start = end + 1;
	}
	return result;
}

export const shuffleBody = (lines: readonly BodyLine[], random: Random): BodyLine[] => shuffleLines(lines, isListed, random);

/** A rule, prohibition or guidance in other words: head, condition and action each on their own. */
export function rewriteLine(line: BodyLine, book: PhraseBook, strength: number, random: Random, words: Synonyms | null = null): BodyLine {
	const [, mark = "", content = ""] = BULLET.exec(line.text) ?? [];
	if (line.kind === "other") return /^\s*(?:#|$|```|\|)/u.test(line.text) ? line : { ...line, text: paraphrase(line.text, book, strength, random) };
	if (line.kind === "bullet") return { ...line, text: mark + paraphrase(content, book, strength, random) };
	const language = bookFor(content, book);
	if (line.kind === "prohibition") {
		const head = PROHIBITION.exec(content)?.[0] ?? "";
		// `avoid` takes another form of the verb than the other heads.
		const other = /^avoid/iu.test(head) || random.next() >= strength ? head : random.pick(language.prohibitionHeads);
		return { ...line, text: mark + other + paraphrase(content.slice(head.length), book, strength, random) };
	}
	const head = RULE_HEAD.exec(content)?.[0] ?? "";
	const colon = findColon(content);
	const condition = content.slice(head.length, colon);
	const action = content.slice(colon);
	const otherHead = language.ruleHeads.length > 0 && random.next() < strength ? random.pick(language.ruleHeads) : head;
	// A condition on a result's field is a formula, not a phrase.
	const formula = condition.includes("{{");
	const reworded = formula ? condition : rewriteCondition(condition, book, strength, random);
	const said = words && !formula ? rewriteSamples(reworded, words, strength, random) : reworded;
	return { ...line, text: mark + otherHead + said + paraphrase(action, book, strength, random) };
}

const SUBJECT = /^\s*(?:\p{Script=Han}{2}|someone|somebody|a person|the (?:viewer|customer|user))?\s*(?:问|说|担心|要求|提到|asks?(?: for| about)?|says?)\s*/iu;

/** The ways to meet a condition in another order; the first keeps who says it. */
function rewriteCondition(condition: string, book: PhraseBook, strength: number, random: Random): string {
	const subject = SUBJECT.exec(condition)?.[0];
	const parts = condition.slice(subject?.length ?? 0).split("、");
	const speaker = subject?.trim().slice(0, 2) ?? "";
	const movable = subject !== undefined && parts.length > 1 && !parts.some((part) => /“|「|"/u.test(part) || (speaker !== "" && part.includes(speaker)));
	const reordered = movable && random.next() < strength ? `${subject}${random.shuffle(parts).join("、")}` : condition;
	return paraphrase(reordered, book, strength, random);
}
