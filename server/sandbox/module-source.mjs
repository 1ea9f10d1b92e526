import { parse } from "acorn";

/** Longest source that is compiled, in characters. */
export const MAX_SOURCE = 128 * 1024;

/**
 * Turns `export default { … }` into the text of a function that makes a new instance of the module. Only acorn's reading of
 * the text as one whole module decides where the export is, so no text can close the function early. Throws a SyntaxError.
 */
export function toFactory(source) {
	if (source.length > MAX_SOURCE) throw new SyntaxError(`The module is longer than ${MAX_SOURCE} characters.`);
	const program = parse(source, { ecmaVersion: 2023, sourceType: "module", allowAwaitOutsideFunction: false, allowHashBang: false });
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
