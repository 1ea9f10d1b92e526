import type { Step } from "@/server/agent/contract";

/** Names of the skills that a draft changes; one that it deletes cannot be loaded. */
export function changedSkills(changes: Readonly<Record<string, string | null>>): string[] {
	const names = Object.entries(changes).flatMap(([path, text]) => (text === null ? [] : (/^skills\/([^/]+)\//.exec(path)?.[1] ?? [])));
	return [...new Set(names)];
}

/** The changed skills, where an episode loaded none of them: then it says nothing about the change. */
export function skillsLeftOut(changed: readonly string[], steps: readonly Step[]): readonly string[] {
	const loaded = steps.flatMap((step) => (step.type === "skill" && step.ok ? step.name : []));
	return changed.some((name) => loaded.includes(name)) ? [] : changed;
}
