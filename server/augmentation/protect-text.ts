/** A stretch of text that a rewriting may touch, or must leave as it is. */
export interface Stretch {
	text: string;
	free: boolean;
}

/**
 * What no rewriting touches: templates and placeholders, code, quoted wording, addresses, numbers with what hangs on them,
 * identifiers (snake, camel, kebab, dotted), and the examples that a schema's description lists.
 */
const PROTECTED = new RegExp(
	[
		"\\{\\{[^{}]*\\}\\}",
		"\\{%[^%]*%\\}",
		"`[^`\\n]*`",
		"“[^”\\n]*”",
		"「[^」\\n]*」",
		'"[^"\\n]*"',
		"https?://[^\\s）)]+",
		"(?:例如|比如|如：|e\\.g\\.|for example|such as|examples?:)[^；;。\\n]*",
		"\\d[\\d.,:/%-]*\\s?[\\p{Script=Han}A-Za-z]?",
		"[A-Za-z][A-Za-z0-9]*(?:[_.-][A-Za-z0-9]+)+",
		"[a-z]+[A-Z][A-Za-z0-9]*",
	].join("|"),
	"giu",
);
// Camel case needs a pattern that knows case: the big one does not.
const CAMEL = /^[a-z]+[A-Z][A-Za-z0-9]*$/;

/** Splits a text into protected and free stretches; joined, they are the text. */
export function splitStretches(text: string): Stretch[] {
	const stretches: Stretch[] = [];
	let at = 0;
	for (const match of text.matchAll(PROTECTED)) {
		const found = match[0];
		if (/^[A-Za-z]+$/.test(found) && !CAMEL.test(found)) continue;
		if (match.index > at) stretches.push({ text: text.slice(at, match.index), free: true });
		stretches.push({ text: found, free: false });
		at = match.index + found.length;
	}
	if (at < text.length) stretches.push({ text: text.slice(at), free: true });
	return stretches;
}

const PLACEHOLDER = /\{\{[^{}]*\}\}|\{%[^%]*%\}/gu;
const QUOTE = /“[^”]*”|「[^」]*」|"[^"\n]*"/gu;
const NUMBER = /\d+(?:\.\d+)?/gu;
/** Signs of forbidding, in both languages. */
const FORBIDDING =
	/不要|不得|禁止|不可以|不可|不能|不许|切勿|不说|别说|不提|不承诺|不应允|不答应|不保证|不引导|不指引|不劝|\bnever\b|\bdo not\b|\bdon't\b|\bmust not\b|\bno\b|\bnot\b|\bnothing\b/giu;

const sorted = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[0]).sort();
const same = (a: readonly string[], b: readonly string[]) => a.length === b.length && a.every((value, i) => value === b[i]);

/** Why a rewriting of a text loses something that the task needs; null when nothing is lost. */
export function findLoss(before: string, after: string): "placeholders" | "quotes" | "numbers" | "prohibitions" | null {
	if (!same(sorted(before, PLACEHOLDER), sorted(after, PLACEHOLDER))) return "placeholders";
	if (!same(sorted(before, QUOTE), sorted(after, QUOTE))) return "quotes";
	const plain = (text: string) => text.replace(PLACEHOLDER, "").replace(QUOTE, "");
	if (!same(sorted(plain(before), NUMBER), sorted(plain(after), NUMBER))) return "numbers";
	return sorted(plain(before), FORBIDDING).length > sorted(plain(after), FORBIDDING).length ? "prohibitions" : null;
}
