import type { HarnessFiles } from "@/server/harness/contract";
import type { FilePair, VariantMapping } from "./contract";

/** Where a file of the original stands in a variant; null for one that was masked. */
function placeOf(path: string, mapping: VariantMapping, after: HarnessFiles): string | null {
	const skill = /^skills\/([^/]+)\/(.*)$/u.exec(path);
	if (skill) {
		const name = mapping.skills[skill[1] as string];
		return name === undefined ? null : `skills/${name}/${skill[2]}`;
	}
	const tool = /^tools\/(.+)\.yaml$/u.exec(path)?.[1];
	const named = tool && mapping.tools[tool] ? `tools/${mapping.tools[tool]}.yaml` : path;
	return named in after ? named : path in after ? path : null;
}

/** The files in which a variant differs from its original, side by side; one side is missing where a skill was masked or added. */
export function pairFiles(before: HarnessFiles, after: HarnessFiles, mapping: VariantMapping): FilePair[] {
	const seen = new Set<string>();
	const pairs = Object.keys(before).map((path): FilePair => {
		const place = placeOf(path, mapping, after);
		if (place !== null) seen.add(place);
		return { before: { path, text: before[path] as string }, after: place === null ? null : { path: place, text: after[place] as string } };
	});
	const added = Object.keys(after).filter((path) => !seen.has(path));
	return [
		...pairs.filter((pair) => pair.before?.path !== pair.after?.path || pair.before?.text !== pair.after?.text),
		...added.map((path): FilePair => ({ before: null, after: { path, text: after[path] as string } })),
	];
}
