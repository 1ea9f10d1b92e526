import type { FileChanges, HarnessFiles, Problem } from "@/server/harness/contract";

/** Files as they stand: base, the saved draft, then what this window has not saved. */
export function effectiveFiles(base: HarnessFiles, ...layers: readonly FileChanges[]): HarnessFiles {
	const files: HarnessFiles = { ...base };
	for (const layer of layers) {
		for (const [path, text] of Object.entries(layer)) {
			if (text === null) delete files[path];
			else files[path] = text;
		}
	}
	return files;
}

/** What is left of unsaved changes after `saved` arrived: what was typed meanwhile stays. */
export function withoutSaved(local: FileChanges, saved: FileChanges): FileChanges {
	return Object.fromEntries(Object.entries(local).filter(([path, text]) => !(path in saved) || saved[path] !== text));
}

/** The text with a problem's fix put in its range. */
export function applyFix(text: string, problem: Problem): string {
	if (!problem.fix) return text;
	const lines = text.split("\n");
	const offset = (line: number, column: number) => lines.slice(0, line - 1).reduce((sum, entry) => sum + entry.length + 1, 0) + column - 1;
	return (
		text.slice(0, offset(problem.line, problem.column)) +
		problem.fix.text +
		text.slice(offset(problem.endLine ?? problem.line, problem.endColumn ?? problem.column))
	);
}

export type NewKind = "reply" | "strategy" | "tool" | "prompt" | "hook";

/** Names that a new component may have; the validator says the rest. */
export const NAME_RULE: Record<NewKind, RegExp> = {
	reply: /^[\p{Ll}\p{Lo}\d]+(-[\p{Ll}\p{Lo}\d]+)*$/u,
	strategy: /^[\p{Ll}\p{Lo}\d]+(-[\p{Ll}\p{Lo}\d]+)*$/u,
	tool: /^[A-Za-z0-9_.-]{1,128}$/,
	prompt: /^[\p{L}\d][\p{L}\d-]*$/u,
	hook: /^[A-Za-z0-9][A-Za-z0-9-]*$/,
};

/** Files of a new component: as little as validates, with the places to fill in marked by what they are. */
export function newComponent(
	kind: NewKind,
	name: string,
	files: HarnessFiles,
	words: { description: string; rule: string; body: string },
): { path: string; changes: FileChanges } {
	if (kind === "reply" || kind === "strategy") {
		const path = `skills/${name}/SKILL.md`;
		return {
			path,
			changes: { [path]: `---\nname: ${name}\ndescription: ${words.description}\nmetadata:\n  type: ${kind}\n  tags: []\n---\n# ${name}\n\n- ${words.rule}\n` },
		};
	}
	if (kind === "prompt") {
		const path = `prompts/${name}.md`;
		const manifest = files["harness.yaml"];
		const withId = manifest?.replace(
			/^(pipeline:\s*\[)([^\]\n]*)(\])/m,
			(_all, open: string, items: string, close: string) => `${open}${items}, ${name}${close}`,
		);
		return { path, changes: { [path]: `---\ntitle: ${name}\n---\n${words.body}\n`, ...(withId && withId !== manifest ? { "harness.yaml": withId } : {}) } };
	}
	if (kind === "tool") {
		const path = `tools/${name}.yaml`;
		const text = `tool:\n  name: ${name}\n  description: ${words.description}\n  inputSchema:\n    type: object\n    properties: {}\n    additionalProperties: false\n  outputSchema:\n    type: object\n    properties: {}\nbinding: { kind: simulator, handler: ${name} }\ntimeoutMs: 1500\nretry: { attempts: 1 }\n`;
		return { path, changes: { [path]: text } };
	}
	const path = `hooks/${name}.js`;
	return {
		path,
		changes: { [path]: `export default {\n\ton: "reply",\n\tfailure: "closed",\n\trun({ reply, constraints }) {\n\t\treturn pass();\n\t},\n};\n` },
	};
}

/** Changes that give a component another name, in its files and where the harness names it. */
export function renameComponent(id: string, to: string, files: HarnessFiles): { changes: FileChanges; path: string } | null {
	const kind = id.slice(0, id.indexOf(":"));
	const from = id.slice(id.indexOf(":") + 1);
	const changes: FileChanges = {};
	const move = (path: string, next: string, text: string) => {
		changes[path] = null;
		changes[next] = text;
	};
	if (kind === "skill") {
		for (const [path, text] of Object.entries(files)) {
			if (!path.startsWith(`skills/${from}/`)) continue;
			const next = `skills/${to}/${path.slice(`skills/${from}/`.length)}`;
			move(path, next, path.endsWith(`${from}/SKILL.md`) ? text.replace(/^name:.*$/m, `name: ${to}`) : text);
		}
		return { changes, path: `skills/${to}/SKILL.md` };
	}
	const paths: Record<string, (name: string) => string> = {
		tool: (name) => `tools/${name}.yaml`,
		prompt: (name) => `prompts/${name}.md`,
		hook: (name) => `hooks/${name}.js`,
	};
	const pathOf = paths[kind];
	const text = pathOf ? files[pathOf(from)] : undefined;
	if (!pathOf || text === undefined) return null;
	move(pathOf(from), pathOf(to), kind === "tool" ? text.replace(/^(\s+name:).*$/m, `$1 ${to}`) : text);
	const manifest = files["harness.yaml"];
	if (kind === "prompt" && manifest) {
		const escaped = from.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
		changes["harness.yaml"] = manifest.replace(/^pipeline:[\s\S]*?(?=^\S|$(?![\s\S]))/m, (block) =>
			block.replace(new RegExp(`(?<![\\p{L}\\d-])${escaped}(?![\\p{L}\\d-])`, "u"), to),
		);
	}
	return { changes, path: pathOf(to) };
}
