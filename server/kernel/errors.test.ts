import { expect, it, vi } from "vitest";
import { AppError } from "./errors";

it("is recognised when the module was loaded twice, as a web build does", async () => {
	vi.resetModules();
	const other = await import("./errors");
	expect(other.AppError).not.toBe(AppError);
	expect(new other.AppError("conflict", "It moved.") instanceof AppError).toBe(true);
	expect(new Error("plain") instanceof AppError).toBe(false);
	for (const value of [null, undefined, "text", {}]) expect((value as unknown) instanceof AppError).toBe(false);
});
