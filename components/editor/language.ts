import type { languages } from "monaco-editor/esm/vs/editor/editor.api.js";

/** Markdown with front matter and Liquid: prompts and skills. Three inks only: keys bold, wording and fields in the accent, comments grey. */
export const HARNESS_MARKDOWN = "harness-markdown";

export const harnessMarkdown: languages.IMonarchLanguage = {
	defaultToken: "",
	tokenizer: {
		root: [
			[/^---[ \t]*$/, { token: "comment", switchTo: "@front" }],
			[/(?=.)/, { token: "", switchTo: "@body" }],
		],
		front: [
			[/^---[ \t]*$/, { token: "comment", switchTo: "@body" }],
			[/^(\s*)([A-Za-z][\w-]*)(:)/, ["", "key", ""]],
			[/#.*$/, "comment"],
			{ include: "@wording" },
		],
		body: [[/^#{1,6}\s.*$/, "key"], [/<!--/, { token: "comment", next: "@comment" }], { include: "@wording" }],
		wording: [
			[/\{\{/, { token: "string", next: "@output" }],
			[/\{%/, { token: "string", next: "@tag" }],
			[/`[^`]*`/, "string"],
			[/“/, { token: "string", next: "@quote" }],
			[/"[^"\n]*"/, "string"],
		],
		output: [
			[/\}\}/, { token: "string", next: "@pop" }],
			[/[^}]+/, "string"],
			[/\}/, "string"],
		],
		tag: [
			[/%\}/, { token: "string", next: "@pop" }],
			[/[^%]+/, "string"],
			[/%/, "string"],
		],
		quote: [
			[/”/, { token: "string", next: "@pop" }],
			[/$/, { token: "string", next: "@pop" }],
			[/[^”]/, "string"],
		],
		comment: [
			[/-->/, { token: "comment", next: "@pop" }],
			[/[^-]+/, "comment"],
			[/-/, "comment"],
		],
	},
};

export const harnessMarkdownConfiguration: languages.LanguageConfiguration = {
	brackets: [
		["{{", "}}"],
		["{%", "%}"],
		["[", "]"],
		["(", ")"],
	],
	autoClosingPairs: [
		{ open: "{", close: "}" },
		{ open: "“", close: "”" },
		{ open: "`", close: "`" },
		{ open: "(", close: ")" },
	],
	wordPattern: /[\w-]+|[\p{Script=Han}]+/gu,
};

/** Language of a harness file by its path. */
export function languageOf(path: string): string {
	if (path.endsWith(".md")) return HARNESS_MARKDOWN;
	if (/\.ya?ml$/.test(path)) return "yaml";
	if (/\.(js|mjs)$/.test(path)) return "javascript";
	return "plaintext";
}
