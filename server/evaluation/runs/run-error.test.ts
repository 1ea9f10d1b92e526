import { describe, expect, it } from "vitest";
import { AppError } from "@/server/kernel/errors";
import { readRunError, storeRunError } from "./run-error";

describe("why a run failed", () => {
	it("comes back as it was thrown, in English and for a screen", () => {
		const error = new AppError("precondition", "judge-6 can no longer score.", { reason: "judge-changed", params: { name: "judge-6" } });
		expect(readRunError(storeRunError(error))).toEqual({
			error: "judge-6 can no longer score.",
			errorReasons: [{ reason: "judge-changed", params: { name: "judge-6" } }],
		});
	});

	it.each(["The disk is full.", "{", "null", '{"message":"half of it"}'])("stands as it was written where it is no such record: %s", (text) => {
		expect(readRunError(text)).toEqual({ error: text, errorReasons: [] });
	});

	it("is nothing where nothing failed", () => {
		expect(readRunError(null)).toEqual({ error: null, errorReasons: [] });
	});
});
