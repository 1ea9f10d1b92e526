"use client";

import { useFormatter, useNow } from "next-intl";

/** When something happened, from now; the full moment is its title. Older than a week: the day. */
export function RelativeTime({ at, className }: { at: Date | string; className?: string }) {
	const format = useFormatter();
	const now = useNow({ updateInterval: 30_000 });
	const date = typeof at === "string" ? new Date(at) : at;
	const age = now.getTime() - date.getTime();
	const recent = Math.abs(age) < 7 * 86_400_000;
	// `now` is up to half a minute old, and clocks differ: what has just happened must not lie in the future.
	const text = recent ? format.relativeTime(date, age < 0 && age > -60_000 ? date : now) : format.dateTime(date, "date");
	return (
		<time dateTime={date.toISOString()} title={format.dateTime(date, "moment")} className={className}>
			{text}
		</time>
	);
}
