import { fieldsOfSchema } from "./content-rules";
import type { EditorAssist, HarnessFiles, Room } from "./contract";
import { readManifest } from "./manifest-rules";
import { descriptionOf } from "./render-harness";
import { readTool } from "./tool-rules";
import { ALONE } from "./validate-harness";

const MAX_PATHS = 600;
const MAX_SAMPLE = 80;

/** What the editor may complete and explain, read from files that need not be valid. */
export function editorAssist(
	files: HarnessFiles,
	surroundings: { handlers: readonly string[]; connections: readonly string[]; rooms: readonly Room[] },
): EditorAssist {
	const { manifest } = readManifest(files["harness.yaml"] ?? "");
	const tools = Object.keys(files).flatMap((path) => {
		const stem = /^tools\/([^/]+)\.yaml$/.exec(path)?.[1];
		return stem ? (readTool(path, stem, files[path] as string, ALONE, null, null).tool ?? []) : [];
	});
	const fields = new Map<string, EditorAssist["fields"][number]>();
	for (const { tool } of tools) {
		for (const name of fieldsOfSchema(tool.outputSchema)) {
			const known = fields.get(name);
			if (known) known.tools.push(tool.name);
			else fields.set(name, { name, description: descriptionOf(tool.outputSchema, name) ?? "", tools: [tool.name] });
		}
	}
	return {
		constraints: manifest?.constraints ?? {},
		roomPaths: roomPaths(surroundings.rooms),
		fields: [...fields.values()],
		tools: tools.map(({ tool }) => ({ name: tool.name, title: tool.title ?? "", description: tool.description })),
		prompts: Object.keys(files).flatMap((path) => /^prompts\/([^/]+)\.md$/.exec(path)?.[1] ?? []),
		handlers: [...surroundings.handlers],
		connections: [...surroundings.connections],
	};
}

function roomPaths(rooms: readonly Room[]): EditorAssist["roomPaths"] {
	const found = new Map<string, string>();
	const visit = (value: unknown, path: string, depth: number) => {
		if (found.size >= MAX_PATHS || depth > 5) return;
		if (value !== null && typeof value === "object" && !Array.isArray(value)) {
			for (const [key, child] of Object.entries(value)) if (/^[\w-]+$/.test(key)) visit(child, `${path}.${key}`, depth + 1);
			return;
		}
		if (!found.has(path)) found.set(path, (typeof value === "string" ? value : JSON.stringify(value)).slice(0, MAX_SAMPLE));
	};
	for (const room of rooms) visit(room, "room", 0);
	return [...found].map(([path, sample]) => ({ path, sample }));
}
