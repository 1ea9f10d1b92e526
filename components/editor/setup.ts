import "monaco-editor/esm/vs/editor/edcore.main.js";
import "monaco-editor/esm/vs/basic-languages/javascript/javascript.contribution.js";
import "monaco-editor/esm/vs/basic-languages/yaml/yaml.contribution.js";
import * as monaco from "monaco-editor/esm/vs/editor/editor.api.js";
import { configureMonacoYaml, type MonacoYaml } from "monaco-yaml";
import { HARNESS_MARKDOWN, harnessMarkdown, harnessMarkdownConfiguration } from "./language";
import { registerProviders } from "./providers";
import { themeData } from "./theme";
import "./editor.css";

const THEME = "studio";

let yaml: MonacoYaml | null = null;
let ready = false;
let schemaText = "";

/** Registers workers, languages and providers, once a page. Everything is local: nothing comes from another host. */
export function setupMonaco(): typeof monaco {
	if (ready) return monaco;
	ready = true;
	window.MonacoEnvironment = {
		getWorker(_id, label) {
			return label === "yaml"
				? new Worker(new URL("./yaml.worker.ts", import.meta.url), { type: "module" })
				: new Worker(new URL("./editor.worker.ts", import.meta.url), { type: "module" });
		},
	};
	monaco.languages.register({ id: HARNESS_MARKDOWN });
	monaco.languages.setMonarchTokensProvider(HARNESS_MARKDOWN, harnessMarkdown);
	monaco.languages.setLanguageConfiguration(HARNESS_MARKDOWN, harnessMarkdownConfiguration);
	registerProviders(monaco);
	return monaco;
}

/** Draws all editors of the page in a theme; read again whenever the tokens change. */
export function applyTheme(kind: "light" | "dark"): void {
	monaco.editor.defineTheme(THEME, themeData(kind));
	monaco.editor.setTheme(THEME);
}

/** Completion and hover of the YAML files. Problems come from the studio's own validator, so this one keeps silent. */
export function applySchemas(schemas: { manifest: unknown; tool: unknown }): void {
	const text = JSON.stringify(schemas);
	if (text === schemaText) return;
	schemaText = text;
	const options = {
		enableSchemaRequest: false,
		validate: false,
		format: { enable: false },
		schemas: [
			{ uri: "inmemory://studio/harness.json", fileMatch: ["**/harness.yaml"], schema: schemas.manifest as object },
			{ uri: "inmemory://studio/tool.json", fileMatch: ["**/tools/*.yaml"], schema: schemas.tool as object },
		],
	};
	if (yaml) void yaml.update(options);
	else yaml = configureMonacoYaml(monaco as unknown as Parameters<typeof configureMonacoYaml>[0], options);
}

/** More lines than a screen shows. */
const LINES_AT_ONCE = 200;

/**
 * Colours the beginning of a text before it is drawn. Left to itself the editor draws first and colours when the browser is
 * idle: on a busy machine the text then stands there without colours for a while.
 */
export function colourAtOnce(model: monaco.editor.ITextModel): void {
	// Not in the published types; without it the colours come later, as they always did.
	const { tokenization } = model as monaco.editor.ITextModel & { tokenization?: { forceTokenization?: (line: number) => void } };
	tokenization?.forceTokenization?.(Math.min(model.getLineCount(), LINES_AT_ONCE));
}

/** Options that every editor of the studio has. */
export const COMMON_OPTIONS: monaco.editor.IEditorOptions & monaco.editor.IGlobalEditorOptions = {
	automaticLayout: true,
	minimap: { enabled: false },
	fontSize: 12.5,
	lineHeight: 21,
	// The token's stack has the CJK fonts that the editor's own default lacks.
	fontFamily:
		"ui-monospace, SFMono-Regular, 'SF Mono', Menlo, 'Cascadia Mono', Consolas, 'DejaVu Sans Mono', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans Mono CJK SC', monospace",
	wordWrap: "on",
	wrappingIndent: "same",
	scrollBeyondLastLine: false,
	renderLineHighlight: "line",
	overviewRulerLanes: 0,
	hideCursorInOverviewRuler: true,
	overviewRulerBorder: false,
	padding: { top: 8, bottom: 8 },
	fixedOverflowWidgets: true,
	// Curly quotes and full-width punctuation are what the people here write.
	unicodeHighlight: { ambiguousCharacters: false, invisibleCharacters: true },
	occurrencesHighlight: "off",
	guides: { indentation: false },
	scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
	stickyScroll: { enabled: false },
	folding: false,
	quickSuggestions: { other: true, comments: false, strings: true },
	tabSize: 2,
};

export { monaco };
