import { Parser, tokTypes } from "acorn";

/** Longest source that is compiled, in characters. */
export const MAX_SOURCE = 128 * 1024;

/** Modules of the sandbox are functions, in which nothing waits at the top; acorn has no option against that. */
const ModuleParser = Parser.extend(
	(Base) =>
		class extends Base {
			get canAwait() {
				return this.inAsync && super.canAwait;
			}
		},
);

/**
 * Reads a text as a module, as the sandbox will take it. Throws acorn's SyntaxError with its `pos`.
 *
 * QuickJS reads the text inside of a script, in whose grammar `<!--` begins a comment: from there on the two would read
 * different programs, and one of them could close its wrapper. (`-->` at the beginning of a line is a comment there too; as a
 * module it does not parse.)
 */
export function parseModule(source) {
	return ModuleParser.parse(source, {
		ecmaVersion: 2023,
		sourceType: "module",
		allowHashBang: false,
		onToken({ type, start }) {
			if (type === tokTypes.relational && source.startsWith("<!--", start))
				throw Object.assign(new SyntaxError(`\`<!--\` begins a comment in scripts and none in modules (character ${start}).`), {
					pos: start,
					isHtmlComment: true,
				});
		},
	});
}

/**
 * Turns `export default { … }` into the text of a function that makes a new instance of the module. Acorn's reading of
 * the text as one whole module decides where the export is; that the engine too reads nothing but this one function, it
 * attests itself (`isWhole` in `lockdown.mjs`). Throws a SyntaxError.
 */
export function toFactory(source) {
	if (source.length > MAX_SOURCE) throw new SyntaxError(`The module is longer than ${MAX_SOURCE} characters.`);
	const program = parseModule(source);
	let found = null;
	for (const node of program.body) {
		if (node.type === "ImportDeclaration") throw new SyntaxError(`A module cannot import anything (character ${node.start}).`);
		if (node.type === "ExportNamedDeclaration" || node.type === "ExportAllDeclaration")
			throw new SyntaxError(`Only a default export is allowed (character ${node.start}).`);
		if (node.type === "ExportDefaultDeclaration") found = node;
	}
	if (!found) throw new SyntaxError("There is no `export default { … }`.");
	const { declaration } = found;
	const name = "$default";
	// No line is added before the code, so that positions in messages stay true.
	return `(function (globalThis) { "use strict"; ${source.slice(0, found.start)}const ${name} = (${source.slice(declaration.start, declaration.end)});${source.slice(found.end)}\nreturn ${name}; })`;
}
