import { describe, expect, it } from "vitest";
import { areaOf, isTight, workspacePath } from "./nav";

describe("navigation", () => {
	it.each([
		["/w/live-avatar/evolution", "evolution", false],
		["/w/live-avatar/evolution/care/rounds/1", "evolution", false],
		["/w/live-avatar/harness", "harness", true],
		["/w/live-avatar/reviews", "reviews", false],
		["/w/live-avatar/reviews/41", "reviews", true],
		["/w/live-avatar/runs/R-12", "runs", true],
		["/w/live-avatar/training/variants", "training", false],
		["/w/live-avatar/unknown", null, false],
		["/sign-in", null, false],
	])("%s belongs to %s, tight: %s", (path, area, tight) => {
		expect(areaOf(path)).toBe(area);
		expect(isTight(path)).toBe(tight);
	});

	it("escapes what a slug or an id may hold", () => {
		expect(workspacePath("a b", "runs", "x/y")).toBe("/w/a%20b/runs/x%2Fy");
	});
});
