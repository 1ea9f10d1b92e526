"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";

/** Who wrote or judged something, as people say it: the built-in engine by a name of this language, a trigger and a model by their own. */
export function useEngineName(): (engine: string) => string {
	const t = useTranslations("common");
	return useCallback(
		(engine) => {
			if (engine === "built-in") return t("builtInEngine");
			if (engine === "rubric") return t("rubricEngine");
			const trigger = /^trigger: (.+)$/.exec(engine)?.[1];
			return trigger ? t("triggerEngine", { name: trigger }) : engine;
		},
		[t],
	);
}
