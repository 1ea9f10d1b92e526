import { describe, expect, it } from "vitest";
import { readCron, timesBetween } from "./read-cron";

const reasonOf = (cron: string, timeZone = "UTC") => {
	try {
		readCron({ cron, timeZone });
		return null;
	} catch (error) {
		const { reason, params } = error as { reason: string; params: Record<string, unknown> };
		return { reason, ...params };
	}
};

describe("a cron line", () => {
	it.each([
		["every monday", { reason: "cron-fields", cron: "every monday", count: 2 }],
		["*/5 * * * * *", { reason: "cron-fields", cron: "*/5 * * * * *", count: 6 }],
		["61 * * * *", { reason: "cron-field", position: 1, value: "61" }],
		["0 9 * * monday!", { reason: "cron-field", position: 5, value: "monday!" }],
		["0 25 * * 1", { reason: "cron-field", position: 2, value: "25" }],
		["0 9 0 * *", { reason: "cron-field", position: 3, value: "0" }],
		["0 9 * 13 *", { reason: "cron-field", position: 4, value: "13" }],
		["0 0 30 2 *", { reason: "cron-never", cron: "0 0 30 2 *" }],
	])("%s is refused, and the error names what is wrong", (cron, expected) => expect(reasonOf(cron)).toEqual(expected));

	it("is refused in a time zone that there is not", () => {
		expect(reasonOf("0 9 * * 1", "Mars/Olympus")).toEqual({ reason: "time-zone-unknown", timeZone: "Mars/Olympus" });
		expect(reasonOf("0 9 * * 1", "Asia/Shanghai")).toBeNull();
	});

	it("is read in its time zone, also across a change of the clock", () => {
		const next = (cron: string, timeZone: string, after: string) => readCron({ cron, timeZone }).next(new Date(after)).toISOString();
		expect(next("0 9 * * 1", "Asia/Shanghai", "2026-11-30T00:59:59Z")).toBe("2026-11-30T01:00:00.000Z");
		expect(next("0 9 * * 1", "Asia/Shanghai", "2026-11-30T01:00:00Z")).toBe("2026-12-07T01:00:00.000Z");
		expect(next("0 9 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z")).toBe("2026-10-25T08:00:00.000Z");
		expect(next("0 9 * * *", "Europe/Berlin", "2026-10-23T12:00:00Z")).toBe("2026-10-24T07:00:00.000Z");
	});

	it("gives the times of a window, at most so many", () => {
		const daily = { cron: "0 6 * * *", timeZone: "UTC" };
		const [from, to] = [new Date("2026-11-01T00:00:00Z"), new Date("2026-11-30T12:00:00Z")];
		expect(timesBetween(daily, from, to, 100)).toHaveLength(30);
		expect(timesBetween(daily, from, to, 7)).toHaveLength(7);
	});
});
