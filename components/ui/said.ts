import { useLocale, useTranslations } from "next-intl";
import { useCallback } from "react";
import type { Phrase, Phrases } from "@/server/kernel/phrase.contract";
import { type PhraseReader, sayPhrase, sayWritten } from "@/server/kernel/say-phrase.contract";
import { langOf } from "./format";

/** A sentence of the server as it is shown, and the language that it has to be marked with where that is not the page's. */
export interface Said {
	text: string;
	lang: string | undefined;
}

type Translator = PhraseReader["t"];

/**
 * Says sentences of the server in the reader's language. Without a phrase (rows of old, a model's own words), or with one
 * that this page does not know, the text stands as it was written.
 */
export function useSaid(area: "evidence" | "problems" | "importNotes"): (phrase: Phrase | undefined, written: string) => Said {
	const t = useTranslations(area) as unknown as Translator;
	const zh = useLocale().startsWith("zh");
	return useCallback(
		(phrase, written) => {
			const text = phrase ? sayPhrase({ t, zh }, phrase) : null;
			return text === null ? { text: written, lang: langOf(written) ?? "en" } : { text, lang: undefined };
		},
		[t, zh],
	);
}

/**
 * Says a text that an engine or the studio wrote in a workspace's language, line by line, in the reader's. Lines without a
 * phrase (a person's, or changed by one) stand as they were written.
 */
export function useWritten(): (text: string, phrases: Phrases | undefined, quoted?: (text: string) => string) => Said {
	const t = useTranslations("written") as unknown as Translator;
	const zh = useLocale().startsWith("zh");
	return useCallback(
		(text, phrases, quoted) => {
			const { text: shown, strange } = sayWritten({ t, zh }, text, phrases, quoted);
			return { text: shown, lang: strange ? langOf(text) : undefined };
		},
		[t, zh],
	);
}
