import type * as Monaco from "monaco-editor/esm/vs/editor/editor.api.js";
import type { EditorAssist, Problem } from "@/server/harness/contract";
import { HARNESS_MARKDOWN } from "./language";

type Api = typeof Monaco;

/** What completion and hover know of the harness on the screen; the workbench sets it. */
let assist: EditorAssist | null = null;
const problems = new Map<string, { list: readonly Problem[]; version: number | null }>();

export function setAssist(next: EditorAssist | null): void {
	assist = next;
}

/**
 * The problems of a model, for quick fixes. `version` is the version of the text that they are about, null where it is not
 * known: their places are wrong in any other text, and a fix put there would spoil it.
 */
export function setProblems(uri: string, list: readonly Problem[], version: number | null): void {
	problems.set(uri, { list, version });
}

const LANGUAGES = [HARNESS_MARKDOWN, "yaml", "javascript"];

export function registerProviders(monaco: Api): void {
	for (const language of LANGUAGES) {
		monaco.languages.registerCompletionItemProvider(language, {
			triggerCharacters: [".", "{", " ", "["],
			provideCompletionItems: (model, position) => ({ suggestions: complete(monaco, model, position) }),
		});
		monaco.languages.registerHoverProvider(language, { provideHover: (model, position) => hover(monaco, model, position) });
		monaco.languages.registerCodeActionProvider(
			language,
			{ provideCodeActions: (model, _range, context) => fixes(model, context) },
			{ providedCodeActionKinds: ["quickfix"] },
		);
	}
}

interface Suggestion {
	label: string;
	detail: string;
	documentation?: string;
}

const isSkill = (model: Monaco.editor.ITextModel) => model.uri.path.includes("/skills/");

function constraintsOf(known: EditorAssist): Suggestion[] {
	return Object.entries(known.constraints).map(([name, { value, min, max, unit }]) => ({
		label: name,
		detail: `${value}${unit ? ` ${unit}` : ""}`,
		documentation: `${min} … ${max}`,
	}));
}

/** Names one level below a dotted prefix, with the rest of the path as detail. */
function below(paths: EditorAssist["roomPaths"], prefix: string): Suggestion[] {
	const seen = new Map<string, Suggestion>();
	for (const { path, sample } of paths) {
		if (!path.startsWith(prefix)) continue;
		const rest = path.slice(prefix.length);
		const name = rest.split(".")[0] as string;
		if (name && !seen.has(name)) seen.set(name, { label: name, detail: rest === name ? sample : "{…}" });
	}
	return [...seen.values()];
}

function suggestionsFor(model: Monaco.editor.ITextModel, before: string, known: EditorAssist): Suggestion[] {
	if (/constraints\.\w*$/.test(before)) return constraintsOf(known);
	const room = /room\.([\w.]*\.)?\w*$/.exec(before);
	if (room) return below(known.roomPaths, `room.${room[1] ?? ""}`);
	if (model.getLanguageId() === HARNESS_MARKDOWN) {
		if (/\{\{[^}]*$/.test(before)) {
			if (isSkill(model)) return known.fields.map((field) => ({ label: field.name, detail: field.tools.join(", "), documentation: field.description }));
			return [
				{ label: "constraints", detail: Object.keys(known.constraints).join(", ") },
				{ label: "room", detail: "" },
			];
		}
		if (/^when:\s*\S*$/.test(before))
			return [
				{ label: "room", detail: "" },
				{ label: "constraints", detail: "" },
			];
		if (isSkill(model) && /(先调|call|调用)\s*\w*$/i.test(before))
			return known.tools.map((tool) => ({ label: tool.name, detail: tool.title, documentation: tool.description }));
	}
	if (model.uri.path.endsWith("/harness.yaml") && /^pipeline:.*[[,]\s*\w*$|^\s+-\s*\w*$/.test(before))
		return known.prompts.map((id) => ({ label: id, detail: "prompts/" }));
	if (/handler:\s*\w*$/.test(before)) return known.handlers.map((label) => ({ label, detail: "" }));
	if (/connection:\s*\w*$/.test(before)) return known.connections.map((label) => ({ label, detail: "" }));
	return [];
}

function complete(monaco: Api, model: Monaco.editor.ITextModel, position: Monaco.Position): Monaco.languages.CompletionItem[] {
	if (!assist) return [];
	const before = model.getLineContent(position.lineNumber).slice(0, position.column - 1);
	const typed = /[\w-]*$/.exec(before)?.[0] ?? "";
	const range = new monaco.Range(position.lineNumber, position.column - typed.length, position.lineNumber, position.column);
	return suggestionsFor(model, before, assist).map((item, index) => ({
		label: { label: item.label, description: item.detail.slice(0, 60) },
		kind: monaco.languages.CompletionItemKind.Field,
		insertText: item.label,
		...(item.documentation ? { documentation: item.documentation } : {}),
		sortText: String(index).padStart(4, "0"),
		range,
	}));
}

function hover(monaco: Api, model: Monaco.editor.ITextModel, position: Monaco.Position): Monaco.languages.Hover | null {
	if (!assist) return null;
	const line = model.getLineContent(position.lineNumber);
	for (const match of line.matchAll(/[A-Za-z_][\w-]*(?:\.[\w-]+)*/g)) {
		const start = match.index + 1;
		const end = start + match[0].length;
		if (position.column < start || position.column > end) continue;
		const text = explain(match[0], isSkill(model), assist);
		if (text) return { range: new monaco.Range(position.lineNumber, start, position.lineNumber, end), contents: text.map((value) => ({ value })) };
	}
	return null;
}

// Hovers are Markdown: text that people wrote must not become a link or an image.
const plain = (text: string) => text.replace(/[\\`*_{}[\]()#+!<>|]/g, "\\$&");

function explain(word: string, skill: boolean, known: EditorAssist): string[] | null {
	const [root, name = ""] = word.split(".");
	const constraint = root === "constraints" ? known.constraints[name] : undefined;
	if (constraint)
		return [`**${plain(name)}** = ${constraint.value}${constraint.unit ? ` ${plain(constraint.unit)}` : ""}`, `${constraint.min} … ${constraint.max}`];
	const own = known.constraints[word];
	if (own) return [`**${plain(word)}** = ${own.value}`, `${own.min} … ${own.max}`];
	const path = root === "room" ? known.roomPaths.find((entry) => entry.path === word) : undefined;
	if (path) return [`**${plain(word)}**`, plain(path.sample)];
	const tool = known.tools.find((entry) => entry.name === word);
	if (tool) return [`**${plain(tool.name)}** ${plain(tool.title)}`, plain(tool.description)];
	const field = skill ? known.fields.find((entry) => entry.name === word) : undefined;
	return field ? [`**${plain(field.name)}** ${plain(field.description)}`, plain(field.tools.join(", "))] : null;
}

function fixes(model: Monaco.editor.ITextModel, context: Monaco.languages.CodeActionContext): Monaco.languages.CodeActionList {
	const entry = problems.get(model.uri.toString());
	const known = entry && entry.version === model.getVersionId() ? entry.list : [];
	const actions = context.markers.flatMap((marker): Monaco.languages.CodeAction[] => {
		const problem = known.find((one) => one.fix && one.line === marker.startLineNumber && one.column === marker.startColumn && one.rule === marker.code);
		if (!problem?.fix) return [];
		const edit = {
			resource: model.uri,
			versionId: model.getVersionId(),
			textEdit: {
				range: {
					startLineNumber: problem.line,
					startColumn: problem.column,
					endLineNumber: problem.endLine ?? problem.line,
					endColumn: problem.endColumn ?? problem.column,
				},
				text: problem.fix.text,
			},
		};
		return [{ title: problem.fix.title, kind: "quickfix", diagnostics: [marker], isPreferred: true, edit: { edits: [edit] } }];
	});
	return { actions, dispose: () => undefined };
}
