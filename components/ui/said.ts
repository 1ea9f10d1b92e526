import { useLocale, useTranslations } from "next-intl";
import { useCallback } from "react";
import type { Phrase, Phrases, PhraseValue } from "@/server/kernel/phrase.contract";
import { langOf } from "./format";

/** A sentence of the server as it is shown, and the language that it has to be marked with where that is not the page's. */
export interface Said {
	text: string;
	lang: string | undefined;
}

interface Translator {
	(key: string, values?: Record<string, string | number>): string;
	has: (key: string) => boolean;
}

interface Reader {
	t: Translator;
	zh: boolean;
}

/** Null where this page does not know the phrase, or one inside it. `quoted` is for what goes into it, as inside markup. */
function say(reader: Reader, phrase: Phrase, quoted: (text: string) => string = asItIs): string | null {
	if (!reader.t.has(phrase.id)) return null;
	const values: Record<string, string> = {};
	for (const [name, value] of Object.entries(phrase.params)) {
		const text = sayValue(reader, value);
		if (text === null) return null;
		values[name] = quoted(text);
	}
	return reader.t(phrase.id, values);
}

function sayValue(reader: Reader, value: PhraseValue): string | null {
	if (typeof value !== "object") return String(value);
	if (Array.isArray(value)) {
		const texts = value.map((item) => sayValue(reader, item));
		return texts.includes(null) ? null : texts.join(reader.zh ? "、" : ", ");
	}
	return "id" in value ? say(reader, value) : reader.zh ? value.zh : value.en;
}

const asItIs = (text: string) => text;

/**
 * Says sentences of the server in the reader's language. Without a phrase (rows of old, a model's own words), or with one
 * that this page does not know, the text stands as it was written.
 */
export function useSaid(area: "evidence" | "problems" | "importNotes"): (phrase: Phrase | undefined, written: string) => Said {
	const t = useTranslations(area) as unknown as Translator;
	const zh = useLocale().startsWith("zh");
	return useCallback(
		(phrase, written) => {
			const text = phrase ? say({ t, zh }, phrase) : null;
			return text === null ? { text: written, lang: langOf(written) ?? "en" } : { text, lang: undefined };
		},
		[t, zh],
	);
}

const LINE = /^(\s*(?:[-*•] )?)(.*)$/s;

/**
 * Says a text that an engine or the studio wrote in a workspace's language, line by line, in the reader's. Lines without a
 * phrase (a person's, or changed by one) stand as they were written.
 */
export function useWritten(): (text: string, phrases: Phrases | undefined, quoted?: (text: string) => string) => Said {
	const t = useTranslations("written") as unknown as Translator;
	const zh = useLocale().startsWith("zh");
	return useCallback(
		(text, phrases, quoted) => {
			let strange = false;
			const lines = text.split("\n").map((line) => {
				const [, mark = "", rest = ""] = LINE.exec(line) ?? [];
				const phrase = phrases && Object.hasOwn(phrases, rest) ? phrases[rest] : undefined;
				const said = phrase ? say({ t, zh }, phrase, quoted) : null;
				if (said === null && rest !== "") strange = true;
				return said === null ? line : mark + said;
			});
			return { text: lines.join("\n"), lang: strange ? langOf(text) : undefined };
		},
		[t, zh],
	);
}
