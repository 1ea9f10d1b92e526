import { parse } from "yaml";
import { type Archive, writeArchive } from "./archive-write";
import type { HarnessFiles } from "./contract";

/** The skills as Agent Skills: a zip with one folder a skill, byte for byte as they are. */
export function exportSkills(files: HarnessFiles): Archive {
	const skills = Object.fromEntries(
		Object.entries(files)
			.filter(([path]) => path.startsWith("skills/"))
			.map(([path, text]) => [path.slice("skills/".length), text]),
	);
	return writeArchive(skills, "zip");
}

/** The tools as an MCP `tools/list` result, with every field of MCP that their files hold. Files that are not YAML are left out. */
export function exportTools(files: HarnessFiles): { tools: Record<string, unknown>[] } {
	const tools = Object.keys(files)
		.filter((path) => /^tools\/[^/]+\.yaml$/.test(path))
		.sort((a, b) => (a < b ? -1 : 1))
		.flatMap((path): Record<string, unknown>[] => {
			try {
				const tool: unknown = (parse(files[path] as string, { schema: "core", logLevel: "silent", maxAliasCount: 16 }) as { tool?: unknown } | null)?.tool;
				return tool !== null && typeof tool === "object" && !Array.isArray(tool) ? [tool as Record<string, unknown>] : [];
			} catch {
				return [];
			}
		});
	return { tools };
}
