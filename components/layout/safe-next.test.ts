import { describe, expect, it } from "vitest";
import { safeNext } from "./safe-next";

describe("safeNext", () => {
	it.each([
		["/w/live-avatar/runs?status=done", "/w/live-avatar/runs?status=done"],
		[undefined, "/"],
		["", "/"],
		["https://example.invalid/", "/"],
		["//example.invalid", "/"],
		["/\\example.invalid", "/"],
		["/\t/example.invalid", "/"],
		["javascript:alert(1)", "/"],
		["/sign-in?next=/x", "/"],
		["/api/auth/sign-out", "/"],
	])("%s → %s", (next, expected) => {
		expect(safeNext(next)).toBe(expected);
	});
});
