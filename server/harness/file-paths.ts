import { AppError } from "@/server/kernel/errors";
import type { ComponentId, FileChanges, HarnessFiles } from "./contract";
import { reasonOf } from "./problem-texts";

/** Limits of a harness as a whole. */
export const HARNESS_LIMITS = { files: 2_000, fileBytes: 256 * 1024, totalBytes: 8 * 1024 * 1024, pathLength: 240, depth: 12 } as const;

/** Why a path may not stand in a harness; null when it may. Holds for editors, imports and commits alike. */
export function pathProblem(path: string): ReturnType<typeof reasonOf> | null {
	if (path === "" || path.length > HARNESS_LIMITS.pathLength) return reasonOf("path-length", { max: HARNESS_LIMITS.pathLength });
	if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return reasonOf("path-absolute");
	if (path.includes("\\")) return reasonOf("path-backslash");
	// Among them those that turn the reading direction, so that a name shows as another one: `ca\u202etxt.js`.
	// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
	if (/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/.test(path)) return reasonOf("path-control");
	if (/\p{Surrogate}/u.test(path) || path !== path.normalize("NFC")) return reasonOf("path-unicode");
	const segments = path.split("/");
	if (segments.length > HARNESS_LIMITS.depth) return reasonOf("path-depth");
	for (const segment of segments) {
		if (segment === "") return reasonOf("path-empty-part");
		if (segment === "." || segment === "..") return reasonOf("path-dots");
		// HFS+ and NTFS read some invisible characters and trailing dots away: `.g‌it`, `.git.`, `git~1`.
		const bare = segment
			.replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, "")
			.replace(/[. ]+$/, "")
			.toLowerCase();
		if (bare.startsWith(".git") || bare === "git~1") return reasonOf("path-git");
		if (segment.endsWith(" ") || segment.endsWith(".")) return reasonOf("path-trailing");
	}
	return null;
}

/** Refuses a path: what is wrong with it in English, and as a slug of its own for a screen. */
export const pathRefused = (path: string, problem: ReturnType<typeof reasonOf>) =>
	new AppError("bad-input", `“${path}” cannot be a file of a harness: ${problem.reason}.`, {
		reason: "path-not-allowed",
		params: { ...(problem.phrase.params as Record<string, string | number>), path, why: problem.reason, whyReason: problem.phrase.id },
		fix: "Give the file another path.",
	});

/** Throws `bad-input` for the first thing that a set of files must not have: a bad path, a collision, too much of it. */
export function assertFiles(files: HarnessFiles): void {
	const seen = new Map<string, string>();
	let total = 0;
	const paths = Object.keys(files);
	if (paths.length > HARNESS_LIMITS.files)
		throw new AppError("bad-input", `A harness has at most ${HARNESS_LIMITS.files} files.`, {
			reason: "harness-too-large",
			fix: "Remove files that no component uses.",
		});
	for (const path of paths) {
		const problem = pathProblem(path);
		if (problem) throw pathRefused(path, problem);
		const folded = path.toLowerCase();
		const other = seen.get(folded);
		if (other)
			throw new AppError("bad-input", `“${path}” and “${other}” differ only in case.`, {
				reason: "path-collides",
				params: { path, other },
				fix: "Rename one of them.",
			});
		seen.set(folded, path);
		const bytes = Buffer.byteLength(files[path] as string);
		total += bytes;
		if (bytes > HARNESS_LIMITS.fileBytes)
			throw new AppError("bad-input", `“${path}” is larger than ${HARNESS_LIMITS.fileBytes / 1024} KiB.`, {
				reason: "file-too-large",
				params: { path },
				fix: "Shorten it, or move a part into a file of its own.",
			});
	}
	if (total > HARNESS_LIMITS.totalBytes)
		throw new AppError("bad-input", "The harness is larger than 8 MiB.", { reason: "harness-too-large", fix: "Remove files that no component uses." });
	for (const path of paths) {
		for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
			const folder = path.slice(0, at);
			if (seen.has(folder.toLowerCase()))
				throw new AppError("bad-input", `“${folder}” is a file, and a folder of “${path}”.`, {
					reason: "path-file-and-folder",
					params: { path: folder, other: path },
					fix: "Rename one of them.",
				});
		}
	}
}

/** The component a file belongs to; null for a file that is none's (a README). */
export function componentOf(path: string): ComponentId | null {
	if (path === "harness.yaml") return "manifest:harness";
	const skill = /^skills\/([^/]+)\/./.exec(path);
	if (skill) return `skill:${skill[1]}`;
	const tool = /^tools\/([^/]+)\.yaml$/.exec(path);
	if (tool) return `tool:${tool[1]}`;
	const prompt = /^prompts\/([^/]+)\.md$/.exec(path);
	if (prompt) return `prompt:${prompt[1]}`;
	const hook = /^hooks\/([^/]+)\.js$/.exec(path);
	return hook ? `hook:${hook[1]}` : null;
}

/** Where a component's files live, as git understands it: a file, or a folder for a skill. */
export function componentPath(component: ComponentId): string {
	const at = component.indexOf(":");
	const kind = component.slice(0, at);
	const name = component.slice(at + 1);
	if (kind === "manifest") return "harness.yaml";
	if (kind === "skill") return `skills/${name}`;
	if (kind === "tool") return `tools/${name}.yaml`;
	if (kind === "prompt") return `prompts/${name}.md`;
	return `hooks/${name}.js`;
}

/** The file that a component is edited in. */
export function mainFileOf(component: ComponentId): string {
	return component.startsWith("skill:") ? `${componentPath(component)}/SKILL.md` : componentPath(component);
}

/** Files with changes applied: text writes, null deletes. Checks the result. */
export function applyChanges(files: HarnessFiles, changes: FileChanges): HarnessFiles {
	const next: HarnessFiles = { ...files };
	for (const [path, text] of Object.entries(changes)) {
		if (text === null) delete next[path];
		else next[path] = text;
	}
	assertFiles(next);
	return next;
}

/** The changes that make `after` of `before`; the inverse of `applyChanges`. */
export function changesBetween(before: HarnessFiles, after: HarnessFiles): FileChanges {
	const changes: FileChanges = {};
	for (const path of Object.keys(before)) if (!Object.hasOwn(after, path)) changes[path] = null;
	for (const [path, text] of Object.entries(after)) if (before[path] !== text) changes[path] = text;
	return changes;
}
