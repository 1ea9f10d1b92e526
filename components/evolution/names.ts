"use client";

import { useTranslations } from "next-intl";

/** A round's name as people say it: "Evo.2", or the word for the baseline. `inline` is the form inside a sentence. */
export function useRoundName(): (name: string, inline?: boolean) => string {
	const t = useTranslations("evolution");
	return (name, inline = false) => (name === "base" ? t(inline ? "baselineInline" : "baseline") : name);
}
