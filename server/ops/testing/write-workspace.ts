import fs from "node:fs";
import path from "node:path";

export const roomsFile = (names: readonly string[]): string =>
	JSON.stringify(Object.fromEntries(names.map((name) => [name, { title: "Day", now: "2026-01-01T00:00:00Z", viewer: {}, notes: {} }])));

/** A small workspace `w` as a folder, with one prompt as its harness. Cases are lines of `cases/all.jsonl`. */
export function writeWorkspace(folder: string, options: { role: string; cases: readonly object[]; rooms?: readonly string[] }): void {
	const files = {
		"workspace.yaml": `apiVersion: workspace/v1
slug: w
title: { en: W, zh: W }
language: en
suite: { id: t1, title: { en: T1, zh: T1 } }
measure: rubric
categories: []
`,
		"rooms.json": roomsFile(options.rooms ?? ["day"]),
		"harness/harness.yaml": `apiVersion: harness/v1
kind: agent
name: sample
limits: { maxSteps: 2, maxHookRetries: 1, deadlineMs: 20000, targetP50Ms: 2000 }
constraints:
  replyMaxChars: { value: 400, min: 50, max: 500, unit: chars }
pipeline: [role]
skills: { requireReplySkill: false }
`,
		"harness/prompts/role.md": options.role,
		"cases/all.jsonl": options.cases.map((one) => JSON.stringify(one)).join("\n"),
	};
	for (const [name, text] of Object.entries(files)) {
		fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
		fs.writeFileSync(path.join(folder, name), text);
	}
}
