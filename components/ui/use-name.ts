"use client";

import { useLocale, useTranslations } from "next-intl";
import { useCallback } from "react";
import { studioName } from "@/server/workspace/studio-names.contract";

/**
 * The one way to show a name: in the reader's language where the studio gave it (a service, an evolution of its own); a
 * person's stands as it is.
 */
export function useName(): (name: string) => string {
	const t = useTranslations("names");
	return useCallback(
		(name) => {
			const known = studioName(name);
			return known ? t(known.id, { ...known.values }) : name;
		},
		[t],
	);
}

/** Several names in a row, as the reader's language lists them. */
export function useNames(): (names: readonly string[]) => string {
	const nameOf = useName();
	const zh = useLocale().startsWith("zh");
	return useCallback((names) => names.map(nameOf).join(zh ? "、" : ", "), [nameOf, zh]);
}
