import { Cron } from "croner";
import { AppError } from "@/server/kernel/errors";
import type { Schedule } from "./contract";

const FIELDS = ["minute", "hour", "day", "month", "weekday"] as const;

const isReadable = (line: string): boolean => {
	try {
		new Cron(line, { mode: "5-part", paused: true });
		return true;
	} catch {
		return false;
	}
};

function badCron(cron: string): AppError {
	const parts = cron.trim().split(/\s+/);
	if (parts.length !== FIELDS.length)
		return new AppError("bad-input", `“${cron}” is no schedule: five fields are needed, and there are ${parts.length}.`, {
			reason: "cron-fields",
			params: { cron, count: parts.length },
			fix: "Write minute, hour, day of the month, month and day of the week: 0 9 * * 1 is Mondays at nine.",
		});
	// Each field alone, between stars: the first that can't be read is the one to name.
	const at = Math.max(
		0,
		parts.findIndex((part, index) => !isReadable(FIELDS.map((_, other) => (other === index ? part : "*")).join(" "))),
	);
	const field = FIELDS[at] as string;
	return new AppError("bad-input", `“${parts[at]}” is no ${field}.`, {
		reason: "cron-field",
		params: { position: at + 1, value: parts[at] as string },
		fix: "Use numbers, lists (1,15), ranges (1-5), steps (*/10) or a star.",
	});
}

/**
 * A cron line of five fields in a time zone. Throws `bad-input` that names the field at fault, for a time zone that there is
 * not, and for times that never come (30 February).
 */
export function readCron({ cron, timeZone }: Schedule): { next(after: Date): Date } {
	if (!isReadable(cron)) throw badCron(cron);
	try {
		new Intl.DateTimeFormat("en", { timeZone });
	} catch {
		throw new AppError("bad-input", `There is no time zone “${timeZone}”.`, {
			reason: "time-zone-unknown",
			params: { timeZone },
			fix: "Use a name such as Asia/Shanghai, Europe/Berlin or UTC.",
		});
	}
	const schedule = new Cron(cron, { mode: "5-part", timezone: timeZone, paused: true });
	const never = () => new AppError("bad-input", `“${cron}” never comes.`, { reason: "cron-never", params: { cron }, fix: "Choose a day that the month has." });
	if (!schedule.nextRun()) throw never();
	return {
		next(after) {
			const next = schedule.nextRun(after);
			if (!next) throw never();
			return next;
		},
	};
}

/** The times of a schedule after `from` and up to `to`, at most `most`. */
export function timesBetween(schedule: Schedule, from: Date, to: Date, most: number): Date[] {
	const cron = readCron(schedule);
	const times: Date[] = [];
	for (let at = cron.next(from); at <= to && times.length < most; at = cron.next(at)) times.push(at);
	return times;
}
