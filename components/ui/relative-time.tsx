"use client";

import { useFormatter } from "next-intl";
import { useMovingNow } from "./use-moving-now";

/**
 * When something happened, from now; the full moment is its title. Further than a week: the day. Only what is `due` may lie
 * in the future: `now` moves in steps and clocks differ, and what has happened just now must not.
 */
export function RelativeTime({ at, due = false, className }: { at: Date | string; due?: boolean; className?: string }) {
	const format = useFormatter();
	const now = useMovingNow();
	const date = typeof at === "string" ? new Date(at) : at;
	const age = now - date.getTime();
	const text = Math.abs(age) < 7 * 86_400_000 ? format.relativeTime(date, age < 0 && !due ? date : now) : format.dateTime(date, "date");
	return (
		<time dateTime={date.toISOString()} title={format.dateTime(date, "moment")} className={className}>
			{text}
		</time>
	);
}
