/** Preferences that live in cookies, so that the server renders the first byte in the right language, theme and time zone. */
export const LOCALES = ["en", "zh"] as const;
export type Locale = (typeof LOCALES)[number];
export const LOCALE_COOKIE = "locale";
export const THEME_COOKIE = "theme";
export const TIME_ZONE_COOKIE = "tz";
export const DEFAULT_TIME_ZONE = "UTC";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** What `<html lang>` says: the script matters, because line heights and punctuation hang on it. */
export const HTML_LANG: Record<Locale, string> = { en: "en", zh: "zh-Hans" };

export function isLocale(value: string | undefined): value is Locale {
	return LOCALES.some((locale) => locale === value);
}

/** The cookie if it names a language that we have, else the best of Accept-Language, else English. */
export function chooseLocale(cookie: string | undefined, acceptLanguage: string | null): Locale {
	if (isLocale(cookie)) return cookie;
	const wanted = (acceptLanguage ?? "")
		.split(",")
		.map((part) => {
			const [tag = "", ...parameters] = part.trim().toLowerCase().split(";");
			const quality = parameters.map((item) => item.trim()).find((item) => item.startsWith("q="));
			return { language: tag.split("-")[0] ?? "", weight: quality ? Number(quality.slice(2)) || 0 : 1 };
		})
		.filter((item) => item.weight > 0)
		.sort((a, b) => b.weight - a.weight);
	for (const { language } of wanted) if (isLocale(language)) return language;
	return "en";
}

export function chooseTheme(cookie: string | undefined): Theme {
	return THEMES.find((theme) => theme === cookie) ?? "system";
}

/** Whether the value names a time zone that Intl knows: the cookie comes from outside. */
export function isTimeZone(value: string): boolean {
	try {
		new Intl.DateTimeFormat("en", { timeZone: value });
		return true;
	} catch {
		return false;
	}
}

/** Writes a preference of this browser for a year. */
export function writePreference(name: string, value: string): void {
	// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in Firefox and Safari yet
	document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=31536000; SameSite=Lax`;
}
