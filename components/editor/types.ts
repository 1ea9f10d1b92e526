import type { ReactNode } from "react";
import type { EditorAssist, Problem } from "@/server/harness/contract";

export interface MonacoEditorProps {
	/** Keeps models of different harnesses apart. */
	scope: string;
	/** The file: chooses the language, and keeps its own undo history, selection and scroll. */
	path: string;
	value: string;
	onChange: (text: string) => void;
	/** Problems of this file; those with a fix get a quick fix (⌘.). */
	problems: readonly Problem[];
	/** False while the problems are about an older text than `value`: they are shown, and none is fixed. */
	settled?: boolean;
	/** The text that it is compared with: changed lines get a mark beside their number. */
	baseText: string | null;
	readOnly?: boolean;
	/** What completion and hover know. */
	assist: EditorAssist | null;
	/** Moves the cursor there; a new object moves it again. */
	reveal?: { line: number; column: number } | null;
	onCursor?: (line: number, column: number) => void;
	/** Name for assistive technology. */
	label: string;
	/** JSON Schemas of the YAML files. */
	schemas?: { manifest: unknown; tool: unknown } | null;
}

export interface DiffThread {
	id: string;
	line: number;
	side: "original" | "modified";
	content: ReactNode;
}

export interface MonacoDiffProps {
	path: string;
	/** Null: there was no such file; all of it is new. */
	original: string | null;
	modified: string;
	/** `auto`: side by side where it is wide enough (900 px). */
	layout?: "auto" | "side" | "inline";
	/** Shown below their lines. */
	threads?: readonly DiffThread[];
	/** A line's "+" was pressed (or ⌥⌘C on it). */
	onAddComment?: (path: string, line: number, side: DiffThread["side"]) => void;
	label: string;
	/** Words of the comment action, for its menu entry and the mark's title. */
	commentLabel?: string;
}
