import type { ComponentId, ComponentKind, ComponentView, FileStatus, HarnessFiles, Problem, WorkbenchView } from "./contract";
import { componentOf, componentPath, mainFileOf } from "./file-paths";
import { blobIdOf, treeIdOf } from "./git-objects";

const ORDER: ComponentKind[] = ["skill", "tool", "prompt", "hook", "manifest"];

/** The components of a harness for a tree: what changed against a base, and how many problems each has. */
export function componentViews(base: HarnessFiles, files: HarnessFiles, problems: readonly Problem[]): Pick<WorkbenchView, "components" | "otherFiles"> {
	const paths = [...new Set([...Object.keys(base), ...Object.keys(files), ...problems.map((problem) => problem.file)])].sort((a, b) => (a < b ? -1 : 1));
	const groups = new Map<ComponentId, { path: string; status: FileStatus }[]>();
	const otherFiles: { path: string; status: FileStatus }[] = [];
	for (const path of paths) {
		const there = base[path] !== undefined || files[path] !== undefined;
		const entry = { path, status: statusOf(base[path], files[path]) };
		const component = componentOf(path);
		if (!component) {
			if (there) otherFiles.push(entry);
			continue;
		}
		// A problem may name a file that is missing: its component shows, the file does not.
		groups.set(component, [...(groups.get(component) ?? []), ...(there ? [entry] : [])]);
	}
	const components = [...groups].map(([id, own]) => viewOf(id, own, files, problems));
	components.sort(
		(a, b) =>
			ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || Number(a.skillType === "strategy") - Number(b.skillType === "strategy") || (a.name < b.name ? -1 : 1),
	);
	return { components, otherFiles };
}

function viewOf(id: ComponentId, own: ComponentView["files"], files: HarnessFiles, problems: readonly Problem[]): ComponentView {
	const at = id.indexOf(":");
	const kind = id.slice(0, at) as ComponentKind;
	const path = mainFileOf(id);
	const mine = problems.filter((problem) => componentOf(problem.file) === id);
	const errors = mine.filter((problem) => problem.severity === "error").length;
	const statuses = new Set(own.map((file) => file.status));
	const status: FileStatus = statuses.size === 1 ? ([...statuses][0] as FileStatus) : statuses.size === 0 ? "same" : "modified";
	const text = files[path];
	return {
		id,
		kind,
		name: id.slice(at + 1),
		path,
		fingerprint: fingerprintOf(id, files),
		files: own,
		skillType: kind !== "skill" ? null : text !== undefined && /^\s+type:\s*["']?strategy["']?\s*$/m.test(text.slice(0, 4_000)) ? "strategy" : "reply",
		status,
		errors,
		warnings: mine.length - errors,
	};
}

/** Git's id of a component: the blob of its file, or the subtree of a skill's folder. */
export function fingerprintOf(id: ComponentId, files: HarnessFiles): string | null {
	const path = componentPath(id);
	const text = files[path];
	if (text !== undefined) return blobIdOf(text);
	const own = Object.entries(files).flatMap(([file, content]) => (file.startsWith(`${path}/`) ? [[file.slice(path.length + 1), content]] : []));
	return own.length > 0 ? treeIdOf(Object.fromEntries(own)) : null;
}

function statusOf(before: string | undefined, after: string | undefined): FileStatus {
	if (before === after) return "same";
	return before === undefined ? "added" : after === undefined ? "deleted" : "modified";
}
