import { expect, it } from "vitest";
import { assertFiles } from "./file-paths";

it.each([
	["two names that differ in case", { "a/B.md": "", "a/b.md": "" }, { reason: "path-collides", params: { path: "a/b.md", other: "a/B.md" } }],
	["a file that is a folder too", { "a/b": "", "a/b/c.md": "" }, { reason: "path-file-and-folder", params: { path: "a/b", other: "a/b/c.md" } }],
	[
		"a path that leaves the harness",
		{ "../a.md": "" },
		{ reason: "path-not-allowed", params: expect.objectContaining({ path: "../a.md", whyReason: "path-dots" }) },
	],
	["a file that is too large", { "a.md": "x".repeat(300_000) }, { reason: "file-too-large", params: { path: "a.md" } }],
	["too much of all", Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${i}.md`, "x".repeat(250_000)])), { reason: "harness-too-large" }],
])("refuses %s with what it is and what to do", (_name, files: Record<string, string>, expected) => {
	expect(() => assertFiles(files)).toThrow(expect.objectContaining({ code: "bad-input", fix: expect.any(String), ...expected }));
});
