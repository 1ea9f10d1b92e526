import { AppError } from "@/server/kernel/errors";
import { parseMessage } from "./commit-message";
import type { BlameLine, CommitInfo, ComponentId, FileChanges } from "./contract";
import { changesBetween, componentPath, pathProblem, pathRefused } from "./file-paths";
import { runGit } from "./git-process";
import type { GitRepository } from "./git-repository";

const FIELD = "\x1f";
const FORMAT = ["%H", "%T", "%P", "%an", "%ae", "%at", "%B"].join("%x1f");

export interface HistoryOptions {
	limit?: number;
	skip?: number;
	/** Only commits that touched this component. */
	component?: ComponentId;
	/** Only commits that are not reachable from this one. */
	since?: string;
	/** Only the branch's own line: what was merged counts as the merge alone. */
	firstParent?: boolean;
}

/** Commits reachable from a revision, newest first; of one component when asked. */
export async function history(repository: GitRepository, revision: string, options: HistoryOptions = {}): Promise<CommitInfo[]> {
	const commit = await repository.requireCommit(revision);
	const since = options.since ? [`^${await repository.requireCommit(options.since)}`] : [];
	const where = options.component ? ["--", componentPath(options.component)] : ["--"];
	const { stdout } = await runGit(repository.directory, [
		"log",
		"-z",
		`--format=${FORMAT}`,
		`--max-count=${Math.min(options.limit ?? 50, 1_000)}`,
		`--skip=${options.skip ?? 0}`,
		...(options.firstParent ? ["--first-parent"] : []),
		commit,
		...since,
		...where,
	]);
	return stdout.toString().split("\0").filter(Boolean).map(readCommit);
}

/** One commit. Throws `not-found`. */
export async function readCommitInfo(repository: GitRepository, revision: string): Promise<CommitInfo> {
	const [info] = await history(repository, revision, { limit: 1 });
	if (!info)
		throw new AppError("not-found", "There is no such commit.", {
			reason: "revision-missing",
			params: { revision },
			fix: "Choose a version from the history: a branch may have been renamed or removed.",
		});
	return info;
}

function readCommit(record: string): CommitInfo {
	const [commit = "", tree = "", parents = "", name = "", email = "", at = "0", ...message] = record.replace(/^\n/, "").split(FIELD);
	return {
		commit,
		tree,
		parents: parents.split(" ").filter(Boolean),
		author: { name, email },
		at: new Date(Number(at) * 1000),
		...parseMessage(message.join(FIELD)),
	};
}

/** Who wrote each line of a file, and in which commit. Throws `not-found` for a file that is not there. */
export async function blame(repository: GitRepository, revision: string, file: string): Promise<BlameLine[]> {
	const commit = await repository.requireCommit(revision);
	const problem = pathProblem(file);
	if (problem) throw pathRefused(file.slice(0, 80), problem);
	const { code, stdout } = await runGit(repository.directory, ["blame", "--line-porcelain", commit, "--", file], { accept: [128] });
	if (code !== 0) throw new AppError("not-found", `“${file}” is not in this version.`, { reason: "file-missing", params: { path: file } });
	const result: BlameLine[] = [];
	let fields: Partial<Record<string, string>> = {};
	for (const line of stdout.toString().split("\n")) {
		const head = /^([0-9a-f]{40}) \d+ (\d+)/.exec(line);
		if (head && fields.commit === undefined) fields = { commit: head[1] as string, line: head[2] as string };
		else if (line.startsWith("\t")) {
			result.push({
				line: Number(fields.line),
				text: line.slice(1),
				commit: fields.commit ?? "",
				author: fields.author ?? "",
				at: new Date(Number(fields["author-time"]) * 1000),
				subject: fields.summary ?? "",
			});
			fields = {};
		} else {
			const space = line.indexOf(" ");
			if (space > 0) fields[line.slice(0, space)] = line.slice(space + 1);
		}
	}
	return result;
}

/** The changes that bring one component back to how it was at a commit (deleting it when it was not there), on top of `head`. */
export async function takeBack(repository: GitRepository, head: string, component: ComponentId, commit: string): Promise<FileChanges> {
	const path = componentPath(component);
	const own = (files: Record<string, string>) => Object.fromEntries(Object.entries(files).filter(([file]) => file === path || file.startsWith(`${path}/`)));
	const [now, then] = [await repository.readFiles(head), await repository.readFiles(commit)];
	const changes = changesBetween(own(now), own(then));
	if (Object.keys(changes).length === 0) throw new AppError("bad-input", "The component is already as it was then.", { reason: "no-change" });
	return changes;
}

/** The commit reachable from a branch that has `parent` among its parents besides the first: the landing of it. */
export async function findMergeOf(repository: GitRepository, branch: string, parent: string): Promise<string | null> {
	const head = await repository.head(branch);
	if (!head) return null;
	const target = await repository.resolve(parent);
	if (!target) return null;
	const { stdout } = await runGit(repository.directory, ["rev-list", "--parents", "--min-parents=2", head, `^${target}`, "--"]);
	for (const line of stdout.toString().split("\n")) {
		const [commit, , ...others] = line.split(" ");
		if (commit && others.includes(target)) return commit;
	}
	return null;
}
