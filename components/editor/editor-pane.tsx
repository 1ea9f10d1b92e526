"use client";

import { useEffect, useRef } from "react";
import { useResolvedTheme } from "@/components/layout/theme";
import type { Problem } from "@/server/harness/contract";
import { languageOf } from "./language";
import { changedLines } from "./line-changes";
import { setAssist, setProblems } from "./providers";
import { applySchemas, applyTheme, COMMON_OPTIONS, colourAtOnce, monaco, setupMonaco } from "./setup";
import type { MonacoEditorProps } from "./types";

const OWNER = "harness";
type StandaloneEditor = monaco.editor.IStandaloneCodeEditor;

const uriOf = (scope: string, path: string) => monaco.Uri.from({ scheme: "file", path: `/${scope}/${path}` });

function modelOf(scope: string, path: string, value: string): monaco.editor.ITextModel {
	const uri = uriOf(scope, path);
	return monaco.editor.getModel(uri) ?? monaco.editor.createModel(value, languageOf(path), uri);
}

function markerOf(problem: Problem): monaco.editor.IMarkerData {
	const sameSpot = problem.endLine === problem.line && problem.endColumn === problem.column;
	return {
		severity: problem.severity === "error" ? monaco.MarkerSeverity.Error : monaco.MarkerSeverity.Warning,
		message: problem.message,
		code: problem.rule,
		startLineNumber: problem.line,
		startColumn: problem.column,
		endLineNumber: problem.endLine ?? problem.line,
		// An empty range would not be seen.
		endColumn: sameSpot ? problem.column + 1 : (problem.endColumn ?? problem.column + 1),
	};
}

/** The editor itself; loaded on its own, in the browser only (`MonacoEditor` of ./index). */
export default function EditorPane(props: MonacoEditorProps) {
	const { scope, path, value, problems, settled = true, baseText, readOnly = false, assist, reveal, label, schemas } = props;
	const container = useRef<HTMLDivElement>(null);
	const editor = useRef<StandaloneEditor | null>(null);
	const views = useRef(new Map<string, monaco.editor.ICodeEditorViewState | null>());
	const marks = useRef<monaco.editor.IEditorDecorationsCollection | null>(null);
	const latest = useRef(props);
	latest.current = props;
	// True while we write into the model ourselves: that is no typing.
	const writing = useRef<boolean>(false);
	const theme = useResolvedTheme();

	useEffect(() => {
		const node = container.current;
		if (!node) return;
		setupMonaco();
		const created = monaco.editor.create(node, { ...COMMON_OPTIONS, model: null, glyphMargin: false, lineDecorationsWidth: 12, lineNumbersMinChars: 3 });
		editor.current = created;
		marks.current = created.createDecorationsCollection();
		const listeners = [
			created.onDidChangeModelContent(() => {
				if (!writing.current) latest.current.onChange(created.getValue());
			}),
			created.onDidChangeCursorPosition(({ position }) => latest.current.onCursor?.(position.lineNumber, position.column)),
		];
		return () => {
			for (const listener of listeners) listener.dispose();
			created.dispose();
			editor.current = null;
		};
	}, []);

	useEffect(() => applyTheme(theme), [theme]);
	useEffect(() => setAssist(assist), [assist]);
	useEffect(() => {
		if (schemas) applySchemas(schemas);
	}, [schemas]);
	useEffect(() => editor.current?.updateOptions({ readOnly, ariaLabel: label }), [readOnly, label]);

	// The file: its model keeps undo history; selection and scroll come back with it.
	useEffect(() => {
		const current = editor.current;
		if (!current) return;
		const key = `${scope}/${path}`;
		const model = modelOf(scope, path, latest.current.value);
		colourAtOnce(model);
		current.setModel(model);
		const view = views.current.get(key);
		if (view) current.restoreViewState(view);
		return () => {
			views.current.set(key, current.saveViewState());
		};
	}, [scope, path]);

	// Text from outside (another tab, a take-back, a fix): written as one step that can be undone.
	useEffect(() => {
		const model = monaco.editor.getModel(uriOf(scope, path));
		if (!model || model.getValue() === value) return;
		writing.current = true;
		model.pushEditOperations([], [{ range: model.getFullModelRange(), text: value }], () => null);
		writing.current = false;
	}, [scope, path, value]);

	useEffect(() => {
		const model = monaco.editor.getModel(uriOf(scope, path));
		if (!model) return;
		monaco.editor.setModelMarkers(model, OWNER, problems.map(markerOf));
	}, [scope, path, problems]);

	useEffect(() => {
		const model = monaco.editor.getModel(uriOf(scope, path));
		if (model) setProblems(model.uri.toString(), problems, settled && model.getValue() === latest.current.value ? model.getVersionId() : null);
	}, [scope, path, problems, settled]);

	useEffect(() => {
		const lines = baseText === null ? [] : changedLines(baseText, value);
		marks.current?.set(
			lines.map((line) => ({ range: new monaco.Range(line, 1, line, 1), options: { isWholeLine: true, linesDecorationsClassName: "studio-changed-line" } })),
		);
	}, [baseText, value]);

	useEffect(() => {
		const current = editor.current;
		if (!current || !reveal) return;
		current.setPosition({ lineNumber: reveal.line, column: reveal.column });
		current.revealLineInCenterIfOutsideViewport(reveal.line);
		current.focus();
	}, [reveal]);

	return <div ref={container} className="h-full min-h-0 w-full" data-testid="monaco-editor" />;
}
