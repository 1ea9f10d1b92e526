"use client";

import { useTranslations } from "next-intl";
import type { Translator } from "./error-text";

/**
 * Says why something is refused: the slugs of a DTO's `may` in words, through `errors.<slug>`. A slug without a translation
 * shows as it is: a stranger word is better than a silent button. Null when there is none.
 */
export function useReasons(): (reasons: readonly string[]) => string | null {
	const t = useTranslations("errors") as unknown as Translator;
	return (reasons) => (reasons.length === 0 ? null : reasons.map((reason) => (t.has(reason) ? t(reason, { roles: "" }) : reason)).join(" "));
}
