import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Deadline } from "./deadline";
import { EpisodeLog } from "./episode-log";

describe("the deadline of an episode", () => {
	beforeEach(() => void vi.useFakeTimers({ now: 0 }));
	afterEach(() => void vi.useRealTimers());

	function begin(ms: number) {
		const log = new EpisodeLog(() => Date.now(), undefined);
		const stop = new AbortController();
		return { log, stop, deadline: new Deadline(log, ms, stop) };
	}

	it("ends the episode when its time is up", () => {
		const { stop } = begin(1000);
		vi.advanceTimersByTime(999);
		expect(stop.signal.aborted).toBe(false);
		vi.advanceTimersByTime(1);
		expect(stop.signal.reason).toBe("deadline");
	});

	it("stands still while the policy waits for its endpoint's limits, in the times as well", () => {
		const { log, stop, deadline } = begin(1000);
		vi.advanceTimersByTime(400);
		deadline.onWait(true);
		vi.advanceTimersByTime(60_000);
		deadline.onWait(false);
		expect([log.elapsedMs(), deadline.remainingMs(), stop.signal.aborted]).toEqual([400, 600, false]);
		vi.advanceTimersByTime(599);
		expect(stop.signal.aborted).toBe(false);
		vi.advanceTimersByTime(1);
		expect(stop.signal.reason).toBe("deadline");
	});

	it("counts time that an injected fault used up", () => {
		const { log, deadline, stop } = begin(1000);
		log.skip(900);
		deadline.onWait(true);
		deadline.onWait(false);
		vi.advanceTimersByTime(100);
		expect(stop.signal.reason).toBe("deadline");
	});

	it("is over when it is closed, and never starts again after the end", () => {
		const { deadline, stop } = begin(1000);
		deadline.onWait(true);
		stop.abort("cancelled");
		deadline.onWait(false);
		expect(vi.getTimerCount()).toBe(0);
		const other = begin(1000);
		other.deadline.close();
		expect(vi.getTimerCount()).toBe(0);
	});
});
