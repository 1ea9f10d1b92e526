import fs from "node:fs";
import path from "node:path";
import { readFolder } from "@/server/harness";
import type { Harness, HarnessFiles } from "@/server/harness/contract";
import type { Keep } from "../contract";

export interface SampleCase {
	id: string;
	skills: string[];
	tools: string[];
}

/** The sample workspaces that come with a harness, with what their cases expect. */
export async function loadSamples(): Promise<{ name: string; files: HarnessFiles; cases: SampleCase[] }[]> {
	const root = path.resolve("examples");
	return Promise.all(
		fs.readdirSync(root).map(async (name) => {
			const folder = path.join(root, name, "cases");
			const rows = fs.existsSync(folder) ? fs.readdirSync(folder).flatMap((file) => fs.readFileSync(path.join(folder, file), "utf8").split("\n")) : [];
			const cases = rows
				.filter((row) => row.trim() !== "")
				.map((row) => JSON.parse(row) as { id: string; expect?: { skills?: string[]; tools?: string[] } })
				.map(({ id, expect }) => ({ id, skills: expect?.skills ?? [], tools: expect?.tools ?? [] }));
			return { name, files: (await readFolder(path.join(root, name, "harness"))).files, cases };
		}),
	);
}

const toolIds = (harness: Harness, handlers: readonly string[]) =>
	harness.tools.flatMap(({ tool, binding }) => (binding.kind === "simulator" && handlers.includes(binding.handler) ? [tool.name] : []));

/** Skills that can serve a case: those of an expected name or tag. */
export const skillsOf = (harness: Harness, wanted: readonly string[]): string[] =>
	harness.skills.filter((skill) => wanted.includes(skill.name) || skill.tags.some((tag) => wanted.includes(tag))).map((skill) => skill.name);

/** What a passing trajectory of a case would use at most: its skills with all their rules, and its tools. */
export function keepOf(harness: Harness, one: SampleCase): Exclude<Keep, "everything"> {
	const skills = skillsOf(harness, one.skills);
	return { skills, tools: toolIds(harness, one.tools), rules: skills.flatMap((name) => Array.from({ length: 60 }, (_, i) => `${name}#${i}`)) };
}
