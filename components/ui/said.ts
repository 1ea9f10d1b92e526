import { useTranslations } from "next-intl";
import { useCallback } from "react";
import type { Phrase } from "@/server/kernel/phrase.contract";
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

/**
 * Says sentences of the server in the reader's language. Without a phrase (rows of old, a model's own words), or with one
 * that this page does not know, the text stands as it was written.
 */
export function useSaid(area: "evidence" | "problems" | "importNotes"): (phrase: Phrase | undefined, written: string) => Said {
	const t = useTranslations(area) as unknown as Translator;
	return useCallback(
		(phrase, written) =>
			phrase && t.has(phrase.id) ? { text: t(phrase.id, phrase.params), lang: undefined } : { text: written, lang: langOf(written) ?? "en" },
		[t],
	);
}
