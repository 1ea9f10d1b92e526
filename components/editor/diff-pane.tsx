"use client";

import { useTranslations } from "next-intl";
import { type CSSProperties, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useResolvedTheme } from "@/components/layout/theme";
import { cn } from "@/components/ui/cn";
import { commentable } from "./commentable";
import { EditorSkeleton } from "./editor-skeleton";
import { languageOf } from "./language";
import { applyTheme, COMMON_OPTIONS, colourAtOnce, monaco, setupMonaco } from "./setup";
import type { DiffThread, MonacoDiffProps } from "./types";

const SIDE_BY_SIDE_WIDTH = 900;
const UNCHANGED = { contextLineCount: 3, minimumLineCount: 4, revealLineCount: 20 };
/** Monaco's own marks of an added line. */
const ADDED = {
	isWholeLine: true,
	className: "line-insert",
	marginClassName: "gutter-insert",
	linesDecorationsClassName: "insert-sign codicon codicon-diff-insert",
};

interface Zone {
	id: string;
	node: HTMLElement;
}

/** The diff itself; loaded on its own, in the browser only (`MonacoDiff` of ./index). */
export default function DiffPane(props: MonacoDiffProps) {
	const { path, original: before, modified, layout = "auto", threads = [], label } = props;
	// An empty text has a line too: beside it a new file would lose one. It is shown as it is, each line as added.
	const isNew = before === null;
	const original = before ?? modified;
	const t = useTranslations("common");
	const container = useRef<HTMLDivElement>(null);
	const editor = useRef<monaco.editor.IStandaloneDiffEditor | null>(null);
	const latest = useRef(props);
	latest.current = props;
	// Null until the width is known: an editor that is made one way and laid out anew the other way jumps.
	const [chosenInline, setInline] = useState<boolean | null>(null);
	const measured = chosenInline !== null;
	const inline = chosenInline === true || isNew;
	const asked = useRef(inline);
	asked.current = inline;
	const theme = useResolvedTheme();
	const [ready, setReady] = useState(false);
	const looks = useRef<(() => void)[]>([]);
	const drawn = useDrawn(editor, ready);
	const mayComment = props.onAddComment !== undefined;
	// A pointer that was there before there was anything to see, or before its person might comment.
	useEffect(() => {
		if (drawn && mayComment) for (const look of looks.current) look();
	}, [drawn, mayComment]);

	useEffect(() => {
		const node = container.current;
		if (!node || !measured) return;
		setupMonaco();
		const created = monaco.editor.createDiffEditor(node, {
			...COMMON_OPTIONS,
			readOnly: true,
			originalEditable: false,
			// Our own width decides (below).
			useInlineViewWhenSpaceIsLimited: false,
			renderOverviewRuler: false,
			glyphMargin: true,
			lineNumbersMinChars: 3,
			hideUnchangedRegions: { ...UNCHANGED, enabled: true },
			diffWordWrap: "on",
			renderSideBySide: !asked.current,
		});
		editor.current = created;
		const comments = [commentable(created.getModifiedEditor(), "modified", latest), commentable(created.getOriginalEditor(), "original", latest)];
		// What is under a resting pointer changes with every diff.
		const updates = created.onDidUpdateDiff(() => {
			for (const { look } of comments) look();
		});
		looks.current = comments.map(({ look }) => look);
		setReady(true);
		return () => {
			updates.dispose();
			looks.current = [];
			for (const { dispose } of comments) dispose();
			const model = created.getModel();
			created.dispose();
			disposeLater(model);
			editor.current = null;
		};
	}, [measured]);

	useEffect(() => applyTheme(theme), [theme]);

	useLayoutEffect(() => {
		const node = container.current;
		if (!node) return;
		if (layout !== "auto") {
			setInline(layout === "inline");
			return;
		}
		const measure = () => setInline(node.clientWidth < SIDE_BY_SIDE_WIDTH);
		measure();
		const observer = new ResizeObserver(measure);
		observer.observe(node);
		return () => observer.disconnect();
	}, [layout]);
	const talkedAbout = threads.length > 0;
	useEffect(() => {
		if (!measured) return;
		// The names go with every update: the diff editor forgets them with the next change of its options.
		const options: monaco.editor.IDiffEditorConstructionOptions = {
			renderSideBySide: !inline,
			originalAriaLabel: label,
			modifiedAriaLabel: label,
			// A thread on a line that is folded away would be folded away with it.
			hideUnchangedRegions: { ...UNCHANGED, enabled: !talkedAbout && !isNew },
		};
		editor.current?.updateOptions(options);
		editor.current?.getOriginalEditor().updateOptions({ lineNumbers: isNew ? "off" : "on" });
	}, [measured, inline, label, talkedAbout, isNew]);

	useEffect(() => {
		const current = editor.current;
		if (!current || !measured) return;
		const shown = current.getModel();
		const language = languageOf(path);
		const pair = { original: monaco.editor.createModel(original, language), modified: monaco.editor.createModel(modified, language) };
		colourAtOnce(pair.original);
		colourAtOnce(pair.modified);
		current.setModel(pair);
		if (isNew) pair.modified.deltaDecorations([], [{ range: pair.modified.getFullModelRange(), options: ADDED }]);
		disposeLater(shown);
	}, [measured, path, original, modified, isNew]);

	return (
		<>
			<div className="relative h-full min-h-0 w-full">
				{!drawn && (
					<div className="absolute inset-0">
						<EditorSkeleton />
					</div>
				)}
				<div
					ref={container}
					className={cn("h-full min-h-0 w-full", !drawn && "invisible")}
					style={{ "--studio-folded": JSON.stringify(t("foldedLines")) } as CSSProperties}
					data-testid="monaco-diff"
				/>
			</div>
			{ready &&
				threads.map((thread) => (
					// Zones belong to the text on the screen: with another text they are made anew.
					<ThreadZone key={`${thread.id}/${inline}/${path}/${original.length}/${modified.length}`} editor={editor.current} thread={thread} inline={inline} />
				))}
		</>
	);
}

/** A diff that takes longer than this to compute is shown as far as it is. */
const DRAWN_AFTER_MS = 3_000;

/** Whether the first diff stands where it will stay: before, Monaco moves its lines to make room for what was taken away. */
function useDrawn(editor: RefObject<monaco.editor.IStandaloneDiffEditor | null>, ready: boolean): boolean {
	const [drawn, setDrawn] = useState(false);
	useEffect(() => {
		const current = editor.current;
		if (!ready || !current) return;
		let frame = 0;
		const show = () => {
			// Folded lines and room are made in the frame after the diff.
			frame = requestAnimationFrame(() => setDrawn(true));
		};
		const listener = current.onDidUpdateDiff(show);
		// It may have come between the making of the editor and this.
		if (current.getLineChanges() !== null) show();
		const timer = setTimeout(show, DRAWN_AFTER_MS);
		return () => {
			listener.dispose();
			clearTimeout(timer);
			cancelAnimationFrame(frame);
		};
	}, [editor, ready]);
	return drawn;
}

/** A diff that is still being computed fails loudly when its texts go away under it. */
const DISPOSE_AFTER_MS = 5_000;

function disposeLater(model: monaco.editor.IDiffEditorModel | null): void {
	if (!model) return;
	setTimeout(() => {
		model.original.dispose();
		model.modified.dispose();
	}, DISPOSE_AFTER_MS);
}

/** React content below a line of the diff. Monaco owns the place; the height follows the content. */
function ThreadZone({ editor, thread, inline }: { editor: monaco.editor.IStandaloneDiffEditor | null; thread: DiffThread; inline: boolean }) {
	const [zone, setZone] = useState<Zone | null>(null);
	const { line, side } = thread;

	useEffect(() => {
		if (!editor) return;
		// In the inline view the original has no editor of its own: its threads stand by the nearest line.
		const target = inline || side === "modified" ? editor.getModifiedEditor() : editor.getOriginalEditor();
		const node = document.createElement("div");
		node.className = "studio-thread-zone";
		const description: monaco.editor.IViewZone = { afterLineNumber: line, heightInPx: 40, domNode: node, suppressMouseDown: false };
		let id = "";
		target.changeViewZones((accessor) => {
			id = accessor.addZone(description);
		});
		// Monaco hides its zones from assistive technology: they are decoration to it, and conversation to us.
		node.parentElement?.removeAttribute("aria-hidden");
		const content = document.createElement("div");
		node.append(content);
		setZone({ id, node: content });
		const observer = new ResizeObserver(() => {
			description.heightInPx = content.offsetHeight + 8;
			target.changeViewZones((accessor) => accessor.layoutZone(id));
		});
		observer.observe(content);
		return () => {
			observer.disconnect();
			target.changeViewZones((accessor) => accessor.removeZone(id));
		};
	}, [editor, inline, line, side]);

	return zone ? createPortal(thread.content, zone.node) : null;
}
