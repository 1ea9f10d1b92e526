"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";

/** Who wrote or judged something, as people say it: the built-in engine by a name of this language, a model by its own. */
export function useEngineName(): (engine: string) => string {
	const t = useTranslations("common");
	return useCallback((engine) => (engine === "built-in" ? t("builtInEngine") : engine === "rubric" ? t("rubricEngine") : engine), [t]);
}
