import { lastPointer } from "./last-pointer";
import { monaco } from "./setup";
import type { DiffThread, MonacoDiffProps } from "./types";

type CodeEditor = monaco.editor.IStandaloneCodeEditor;

/** The line that the mouse rests on, as it is drawn now; null where something else lies there. */
function lineUnderPointer(editor: CodeEditor): number | null {
	const point = lastPointer();
	if (!point || !editor.getDomNode()?.contains(document.elementFromPoint(point.x, point.y))) return null;
	return editor.getTargetAtClientPoint(point.x, point.y)?.position?.lineNumber ?? null;
}

/**
 * A "+" beside the line under the pointer, and a menu entry with ⌥⌘C for the keyboard. The line is looked up where the
 * pointer is, not where it moves: one that came before the text did, or rests while lines move, has its "+" too. `look` looks
 * again, once what changed is drawn.
 */
export function commentable(editor: CodeEditor, side: DiffThread["side"], latest: { current: MonacoDiffProps }): { look(): void; dispose(): void } {
	const marks = editor.createDecorationsCollection();
	const { MouseTargetType } = monaco.editor;
	let marked: number | null = null;
	let frame = 0;
	const mark = (line: number | null) => {
		const wanted = latest.current.onAddComment ? line : null;
		// Setting the same again would draw it anew, and what is drawn anew is looked at again.
		if (wanted === marked && marks.length === (wanted === null ? 0 : 1)) return;
		marked = wanted;
		if (wanted === null) return marks.clear();
		const options = { glyphMarginClassName: "studio-add-comment", glyphMarginHoverMessage: { value: latest.current.commentLabel ?? "" } };
		marks.set([{ range: new monaco.Range(wanted, 1, wanted, 1), options }]);
	};
	const look = () => {
		cancelAnimationFrame(frame);
		frame = requestAnimationFrame(() => mark(lineUnderPointer(editor)));
	};
	const listeners = [
		editor.onMouseMove(({ target }) => mark(target.position?.lineNumber ?? null)),
		// Also said where the element under a resting pointer is drawn anew.
		editor.onMouseLeave(look),
		editor.onDidScrollChange(look),
		editor.onDidLayoutChange(look),
		editor.onDidChangeModel(look),
		editor.onMouseDown(({ target }) => {
			const line = target.position?.lineNumber;
			if (line && target.type === MouseTargetType.GUTTER_GLYPH_MARGIN) latest.current.onAddComment?.(latest.current.path, line, side);
		}),
	];
	const action = editor.addAction({
		id: `studio.comment.${side}`,
		label: latest.current.commentLabel ?? "Comment",
		keybindings: [monaco.KeyMod.CtrlCmd | monaco.KeyMod.Alt | monaco.KeyCode.KeyC],
		contextMenuGroupId: "navigation",
		run: (current) => {
			const line = current.getPosition()?.lineNumber;
			if (line) latest.current.onAddComment?.(latest.current.path, line, side);
		},
	});
	return {
		look,
		dispose() {
			cancelAnimationFrame(frame);
			for (const listener of listeners) listener.dispose();
			action.dispose();
		},
	};
}
