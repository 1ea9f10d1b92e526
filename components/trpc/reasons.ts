"use client";

import { useTranslations } from "next-intl";
import { sayReason, type Translator } from "./error-text";

/**
 * Says why something is refused: the slugs of a DTO's `may` in words, through `errors.<slug>`. A slug without a translation
 * shows as it is: a stranger word is better than a silent button. Null when there is none.
 */
export function useReasons(): (reasons: readonly string[]) => string | null {
	const t = useTranslations("errors") as unknown as Translator;
	return (reasons) => (reasons.length === 0 ? null : reasons.map((reason) => (t.has(reason) ? t(reason, { roles: "" }) : reason)).join(" "));
}

/**
 * Says reasons that are stored with their values (why an engine gave way, why an episode has no score) in the reader's
 * language; `text`, the same in English, where one of them has no translation.
 */
export function useStoredReasons(): (reasons: readonly { reason: string; params?: Record<string, string | number> }[], text: string | null) => string | null {
	const t = useTranslations("errors") as unknown as Translator;
	return (reasons, text) =>
		reasons.length > 0 && reasons.every(({ reason }) => t.has(reason))
			? reasons.map(({ reason, params }) => sayReason(t, reason, params ?? {})).join(" ")
			: text;
}
