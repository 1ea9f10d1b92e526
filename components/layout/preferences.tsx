"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTimeZone } from "next-intl";
import { useEffect } from "react";
import { LOCALE_COOKIE, type Locale, TIME_ZONE_COOKIE, writePreference } from "@/components/locale";

/** Switches the language in place: the server renders the page again, what was typed stays. */
export function useSetLocale(): (locale: Locale) => void {
	const router = useRouter();
	return (locale) => {
		writePreference(LOCALE_COOKIE, locale);
		router.refresh();
	};
}

/** The other language, under its own name. */
export function LanguageButton({ className }: { className?: string }) {
	const locale = useLocale();
	const setLocale = useSetLocale();
	const other: Locale = locale === "zh" ? "en" : "zh";
	return (
		<button
			type="button"
			lang={other === "zh" ? "zh-Hans" : "en"}
			onClick={() => setLocale(other)}
			className={className ?? "h-6 rounded-4 px-2 text-12 text-ink-2 hover:bg-hover hover:text-ink max-md:h-11 max-md:min-w-11 max-md:text-13"}
		>
			{other === "zh" ? "中文" : "English"}
		</button>
	);
}

/** Tells the server the browser's time zone, so that both write the same times. Renders again only when it was wrong. */
export function TimeZoneSync() {
	const router = useRouter();
	const known = useTimeZone();
	useEffect(() => {
		const actual = Intl.DateTimeFormat().resolvedOptions().timeZone;
		if (!actual || actual === known) return;
		writePreference(TIME_ZONE_COOKIE, actual);
		router.refresh();
	}, [known, router]);
	return null;
}
