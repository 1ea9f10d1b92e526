import { useTranslations } from "next-intl";
import { useCallback } from "react";
import type { Phrase } from "@/server/kernel/phrase.contract";
import { type Said, useSaid } from "./said";

interface Translator {
	(key: string, values: Record<string, string | number>): string;
	has: (key: string) => boolean;
}

/**
 * Says a piece of evidence as it came out: a rule that was broken reads as broken ("required point missing"). Rules whose
 * sentence names the fault itself have one form.
 */
export function useEvidence(): (evidence: { phrase?: Phrase | undefined; rule: string; ok: boolean }) => Said {
	const said = useSaid("evidence");
	const failed = useTranslations("evidenceFailed") as unknown as Translator;
	return useCallback(
		({ phrase, rule, ok }) =>
			// What a rule of a judge says it with is plain words and figures.
			phrase && !ok && failed.has(phrase.id)
				? { text: failed(phrase.id, phrase.params as Record<string, string | number>), lang: undefined }
				: said(phrase, rule),
		[said, failed],
	);
}
