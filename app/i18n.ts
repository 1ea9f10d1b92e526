import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cookies, headers } from "next/headers";
import { getRequestConfig } from "next-intl/server";
import { chooseLocale, DEFAULT_TIME_ZONE, isTimeZone, LOCALE_COOKIE, type Locale, TIME_ZONE_COOKIE } from "@/components/locale";

type Messages = Record<string, Record<string, unknown>>;

const cache = new Map<Locale, { stamp: string; messages: Messages }>();

/**
 * All areas of one language: `messages/<locale>/<area>.json`, namespace = area. The folder is read, so a new area needs no
 * entry in a shared list. A file that changes while the studio runs (in development) is read again.
 */
function loadMessages(locale: Locale): Messages {
	const folder = join(process.cwd(), "messages", locale);
	const files = readdirSync(folder)
		.filter((name) => name.endsWith(".json"))
		.sort();
	const texts = files.map((name) => readFileSync(join(folder, name), "utf8"));
	const stamp = texts.join("\u0000");
	const known = cache.get(locale);
	if (known?.stamp === stamp) return known.messages;
	const messages: Messages = {};
	files.forEach((name, index) => {
		messages[name.slice(0, -".json".length)] = JSON.parse(texts[index] ?? "{}") as Record<string, unknown>;
	});
	cache.set(locale, { stamp, messages });
	return messages;
}

/** No locale in the URL: a link that one person sends another opens in the reader's own language. */
export default getRequestConfig(async () => {
	const jar = await cookies();
	const locale = chooseLocale(jar.get(LOCALE_COOKIE)?.value, (await headers()).get("accept-language"));
	const zone = jar.get(TIME_ZONE_COOKIE)?.value;
	return {
		locale,
		messages: loadMessages(locale),
		timeZone: zone && isTimeZone(zone) ? zone : DEFAULT_TIME_ZONE,
		now: new Date(),
		formats: {
			dateTime: {
				day: { day: "numeric", month: "short" },
				date: { day: "numeric", month: "short", year: "numeric" },
				time: { hour: "2-digit", minute: "2-digit", hour12: false },
				moment: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hour12: false },
			},
		},
	};
});
