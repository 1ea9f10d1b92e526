import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { AblationDocumentSchema } from "@/server/training/contract";
import { helpNote } from "./help-notes";

const SOURCES = { train: "train", "retrain-advice": "retrain-advice", triggers: "triggers", advantages: "advantages" } as const;

describe("what --help says after the options", () => {
	it.each(["train", "hat-ablation", "harness-edit-test", "retrain-advice", "triggers", "advantages"])(
		"of %s: what it prints, how long it takes, how to cancel and to resume, in 80 columns",
		(command) => {
			const note = helpNote(command);
			for (const title of ["Prints under --json:", "Takes:", "Cancel:", "Resume:"]) expect(note).toMatch(new RegExp(`^${title}\\n  \\S`, "mu"));
			expect(Math.max(...note.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
		},
	);

	it("is nothing for a command that needs no note", () => {
		expect(helpNote("doctor")).toBe("");
		expect(helpNote("toString")).toBe("");
	});

	it.each(Object.entries(SOURCES))("names the fields of what %s prints", (command, file) => {
		const source = fs.readFileSync(`server/ops/commands/${file}.ts`, "utf8");
		const said = /\{([\s\S]*?)\}\.?/u.exec(helpNote(command).replace(/\s+/gu, " "))?.[1] ?? "";
		const fields = said
			.replace(/\([^)]*\)/gu, "")
			.replace(/[[\]{}:]/gu, ",")
			.split(/,| and /u)
			.map((field) => field.trim())
			.filter(Boolean);
		expect(fields.length).toBeGreaterThan(3);
		for (const field of fields) expect(source, field).toMatch(new RegExp(`\\b${field}\\b`, "u"));
	});

	it("names every field of an ablation's document", () => {
		for (const field of Object.keys(AblationDocumentSchema.shape)) expect(helpNote("hat-ablation")).toMatch(new RegExp(`\\b${field}\\b`, "u"));
	});
});
