import { AppError } from "@/server/kernel/errors";

const SEGMENT = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u;

/** Stricter than `git check-ref-format`: parts of letters, digits, `. _ -`, which begin with a letter or a digit. */
export function isRefName(name: string): boolean {
	if (name.length === 0 || name.length > 200) return false;
	return name.split("/").every((part) => SEGMENT.test(part) && !part.includes("..") && !part.endsWith(".") && !part.toLowerCase().endsWith(".lock"));
}

/** Full name of a branch; throws `bad-input` for a name that no branch can have. */
export function branchRef(branch: string): string {
	if (!isRefName(branch) || /^[0-9a-f]{40}$/.test(branch)) throw badName(branch);
	return `refs/heads/${branch}`;
}

/** Full name of a tag; throws `bad-input` for a name that no tag can have. */
export function tagRef(tag: string): string {
	if (!isRefName(tag)) throw badName(tag);
	return `refs/tags/${tag}`;
}

function badName(name: string): AppError {
	return new AppError("bad-input", `“${name.slice(0, 80)}” cannot name a branch or a tag.`, {
		reason: "ref-name",
		params: { name: name.slice(0, 80) },
		fix: "Use letters, digits, dots, hyphens and underscores.",
	});
}

export const OBJECT_ID = /^[0-9a-f]{40}$/;
export const NO_OBJECT = "0".repeat(40);
