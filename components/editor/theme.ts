import type { editor } from "monaco-editor/esm/vs/editor/editor.api.js";

const NAMES = [
	"bg",
	"bg-sub",
	"bg-hover",
	"bg-pop",
	"line",
	"line-2",
	"line-ctl",
	"ink",
	"ink-2",
	"ink-3",
	"accent",
	"accent-soft",
	"accent-line",
	"down",
	"unsure",
	"add-bg",
	"add-word",
	"del-bg",
	"del-word",
	"code-str",
	"code-com",
] as const;
type Colours = Record<(typeof NAMES)[number], string>;

/** The tokens in force, as the editor needs them: it draws on its own and follows no CSS variable. */
function readTokens(): Colours {
	const style = getComputedStyle(document.documentElement);
	return Object.fromEntries(NAMES.map((name) => [name, longHex(style.getPropertyValue(`--${name}`).trim())])) as Colours;
}

/** The editor takes `#rrggbb` only; the build shortens `#ffffff`. What is no such colour becomes a visible grey. */
function longHex(colour: string): string {
	if (/^#[0-9a-f]{3}$/i.test(colour)) return `#${[...colour.slice(1)].map((digit) => digit + digit).join("")}`;
	return /^#[0-9a-f]{6}/i.test(colour) ? colour.slice(0, 7) : "#808080";
}

/** Three inks: text, accent for strings, grey for comments; keys are bold. */
export function themeData(kind: "light" | "dark"): editor.IStandaloneThemeData {
	const c = readTokens();
	const rule = (token: string, foreground: string, fontStyle = "") => ({ token, foreground: foreground.slice(1), fontStyle });
	return {
		base: kind === "dark" ? "vs-dark" : "vs",
		inherit: false,
		rules: [
			rule("", c.ink),
			rule("comment", c["code-com"]),
			rule("string", c["code-str"]),
			rule("regexp", c["code-str"]),
			rule("key", c.ink, "bold"),
			rule("type", c.ink, "bold"),
			rule("keyword", c.ink, "bold"),
			rule("number", c.ink),
			rule("delimiter", c["ink-2"]),
		],
		colors: {
			"editor.background": c.bg,
			"editor.foreground": c.ink,
			"editorLineNumber.foreground": c["ink-3"],
			// The number of a last line that is empty: quieter by itself, and still readable.
			"editorLineNumber.dimmedForeground": c["ink-3"],
			"editorLineNumber.activeForeground": c.ink,
			"editor.lineHighlightBackground": c["bg-hover"],
			"editor.lineHighlightBorder": "#00000000",
			"editor.selectionBackground": c["accent-soft"],
			"editor.inactiveSelectionBackground": c["accent-soft"],
			"editorCursor.foreground": c.accent,
			"editorIndentGuide.background1": c.line,
			"editorWhitespace.foreground": c["line-2"],
			"editorWidget.background": c["bg-pop"],
			"editorWidget.foreground": c.ink,
			"editorWidget.border": c["line-2"],
			"editorHoverWidget.background": c["bg-pop"],
			"editorHoverWidget.border": c["line-2"],
			"editorSuggestWidget.background": c["bg-pop"],
			"editorSuggestWidget.border": c["line-2"],
			"editorSuggestWidget.foreground": c.ink,
			"editorSuggestWidget.selectedBackground": c["accent-soft"],
			"editorSuggestWidget.selectedForeground": c.ink,
			"editorSuggestWidget.highlightForeground": c.accent,
			"list.hoverBackground": c["bg-hover"],
			"list.activeSelectionBackground": c["accent-soft"],
			"list.activeSelectionForeground": c.ink,
			"input.background": c.bg,
			"input.foreground": c.ink,
			"input.border": c["line-ctl"],
			focusBorder: c.accent,
			"editorError.foreground": c.down,
			"editorWarning.foreground": c.unsure,
			...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`editorBracketHighlight.foreground${level}`, c.ink])),
			"editorBracketHighlight.unexpectedBracket.foreground": c.ink,
			"editorBracketMatch.background": c["accent-soft"],
			"editorBracketMatch.border": c["accent-line"],
			"editorGutter.background": c.bg,
			"diffEditor.insertedLineBackground": c["add-bg"],
			"diffEditor.insertedTextBackground": c["add-word"],
			"diffEditor.removedLineBackground": c["del-bg"],
			"diffEditor.removedTextBackground": c["del-word"],
			"diffEditor.diagonalFill": c.line,
			"diffEditor.border": c.line,
			"diffEditor.unchangedRegionBackground": c["bg-sub"],
			"diffEditor.unchangedRegionForeground": c["ink-2"],
			"scrollbar.shadow": "#00000000",
			"scrollbarSlider.background": `${c["line-2"]}99`,
			"scrollbarSlider.hoverBackground": c["line-ctl"],
			"widget.shadow": "#00000022",
			"textLink.foreground": c.accent,
			"menu.background": c["bg-pop"],
			"menu.foreground": c.ink,
			"menu.selectionBackground": c["accent-soft"],
			"menu.selectionForeground": c.ink,
			"quickInput.background": c["bg-pop"],
			"quickInput.foreground": c.ink,
		},
	};
}
