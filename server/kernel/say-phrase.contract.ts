import type { Phrase, Phrases, PhraseValue } from "./phrase.contract";

/** A reader of sentences that are kept as data: templates by id, and the language that names in both languages are taken in. */
export interface PhraseReader {
	t: { (key: string, values?: Record<string, string | number>): string; has: (key: string) => boolean };
	zh: boolean;
}

const asItIs = (text: string) => text;

/** Null where the reader does not know the phrase, or one inside it. `quoted` is for what goes into it, as inside markup. Pure. */
export function sayPhrase(reader: PhraseReader, phrase: Phrase, quoted: (text: string) => string = asItIs): string | null {
	if (!reader.t.has(phrase.id)) return null;
	const values: Record<string, string> = {};
	for (const [name, value] of Object.entries(phrase.params)) {
		const text = sayValue(reader, value);
		if (text === null) return null;
		values[name] = quoted(text);
	}
	return reader.t(phrase.id, values);
}

function sayValue(reader: PhraseReader, value: PhraseValue): string | null {
	if (typeof value !== "object") return String(value);
	if (Array.isArray(value)) {
		const texts = value.map((item) => sayValue(reader, item));
		return texts.includes(null) ? null : texts.join(reader.zh ? "、" : ", ");
	}
	return "id" in value ? sayPhrase(reader, value) : reader.zh ? value.zh : value.en;
}

const LINE = /^(\s*(?:[-*•] )?)(.*)$/s;

/** A text line by line in the reader's language; lines without a phrase stand as written, and make it `strange`. Pure. */
export function sayWritten(
	reader: PhraseReader,
	text: string,
	phrases: Phrases | undefined,
	quoted?: (text: string) => string,
): { text: string; strange: boolean } {
	let strange = false;
	const lines = text.split("\n").map((line) => {
		const [, mark = "", rest = ""] = LINE.exec(line) ?? [];
		const phrase = phrases && Object.hasOwn(phrases, rest) ? phrases[rest] : undefined;
		const said = phrase ? sayPhrase(reader, phrase, quoted) : null;
		if (said === null && rest !== "") strange = true;
		return said === null ? line : mark + said;
	});
	return { text: lines.join("\n"), strange };
}
