import { describe, expect, it } from "vitest";
import type { RunStatus } from "../contract";
import { nextStatus, type RunCommand } from "./run-state";

describe("commands on a run", () => {
	it.each([
		["cancel", "queued", "cancelling"],
		["cancel", "running", "cancelling"],
		["cancel", "cancelling", null],
		["cancel", "cancelled", null],
		["cancel", "done", "refused"],
		["cancel", "failed", "refused"],
		["resume", "cancelled", "queued"],
		["resume", "failed", "queued"],
		["resume", "running", null],
		["resume", "cancelling", "refused"],
		["resume", "done", "refused"],
		["retry-errors", "done", "queued"],
		["retry-errors", "failed", "queued"],
		["retry-errors", "running", "refused"],
	] as [RunCommand, RunStatus, RunStatus | null | "refused"][])("%s while %s gives %s", (command, status, after) => {
		const act = () => nextStatus(command, { status, unfinished: 0, infraErrors: 2 });
		if (after === "refused") expect(act).toThrow();
		else expect(act()).toBe(after);
	});
	it("has nothing to retry without an error", () =>
		expect(() => nextStatus("retry-errors", { status: "done", unfinished: 0, infraErrors: 0 })).toThrow(/No episode/));
});
