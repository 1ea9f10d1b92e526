import fs from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { LRUCache } from "lru-cache";
import { AppError } from "@/server/kernel/errors";
import { newId } from "@/server/kernel/id";
import { composeMessage, identity, type MessageParts } from "./commit-message";
import type { CommitAuthor, FileChanges, HarnessFiles, MergeConflict } from "./contract";
import { applyChanges, assertFiles } from "./file-paths";
import { type GitObject, gitObject, treeObjects } from "./git-objects";
import { gitFailed, runGit } from "./git-process";
import { branchRef, isRefName, NO_OBJECT, OBJECT_ID, tagRef } from "./ref-names";

const compress = promisify(deflate);
const CACHED_TREES_CHARS = 64_000_000;

export interface CommitInput {
	message: MessageParts;
	author: CommitAuthor;
	at: Date;
}

export type MergeResult = { ok: true; commit: string; tree: string } | { ok: false; conflicts: MergeConflict[] };

/**
 * One bare repository. Objects are written by ourselves (nothing typed ever becomes an argument); refs move by git's own
 * compare-and-swap. There is no work tree and no index.
 */
export class GitRepository {
	readonly directory: string;
	private readonly trees = new LRUCache<string, HarnessFiles>({
		maxSize: CACHED_TREES_CHARS,
		sizeCalculation: (files) => Object.values(files).reduce((sum, text) => sum + text.length, 1),
	});

	constructor(directory: string) {
		this.directory = directory;
	}

	/** Makes the empty bare repository; nothing happens when it is there. */
	async create(): Promise<void> {
		await fs.mkdir(this.directory, { recursive: true });
		await runGit(this.directory, ["init", "--quiet", "--bare", "--template=", "--object-format=sha1", "--initial-branch=main", this.directory]);
	}

	async exists(): Promise<boolean> {
		return fs.access(path.join(this.directory, "HEAD")).then(
			() => true,
			() => false,
		);
	}

	/** Commit that a branch, a tag, or a full or shortened id names; null when there is none. */
	async resolve(revision: string): Promise<string | null> {
		const candidates = OBJECT_ID.test(revision)
			? [revision]
			: [...(isRefName(revision) ? [`refs/heads/${revision}`, `refs/tags/${revision}`] : []), ...(/^[0-9a-f]{7,39}$/.test(revision) ? [revision] : [])];
		for (const candidate of candidates) {
			const { code, stdout } = await runGit(this.directory, ["rev-parse", "--verify", "--quiet", `${candidate}^{commit}`], { accept: [1, 128] });
			if (code === 0) return stdout.toString().trim();
		}
		return null;
	}

	/** Like `resolve`, but throws `not-found`. */
	async requireCommit(revision: string): Promise<string> {
		const commit = await this.resolve(revision);
		if (commit) return commit;
		throw new AppError("not-found", `The harness has no commit or branch “${revision.slice(0, 80)}”.`, {
			reason: "revision-missing",
			params: { revision: revision.slice(0, 80) },
			fix: "Choose a version from the history: a branch may have been renamed or removed.",
		});
	}

	async head(branch: string): Promise<string | null> {
		const { code, stdout } = await runGit(this.directory, ["rev-parse", "--verify", "--quiet", `${branchRef(branch)}^{commit}`], { accept: [1, 128] });
		return code === 0 ? stdout.toString().trim() : null;
	}

	/** Branches and their commits, by name. */
	async branches(): Promise<{ name: string; commit: string }[]> {
		const { stdout } = await runGit(this.directory, ["for-each-ref", "--format=%(objectname) %(refname:lstrip=2)", "refs/heads/"]);
		return lines(stdout).map((line) => ({ commit: line.slice(0, 40), name: line.slice(41) }));
	}

	async treeOf(commit: string): Promise<string> {
		const { stdout } = await runGit(this.directory, ["rev-parse", "--verify", "--quiet", `${await this.requireCommit(commit)}^{tree}`]);
		return stdout.toString().trim();
	}

	/** Whether this repository holds a tree of this id. */
	async hasTree(tree: string): Promise<boolean> {
		const { code, stdout } = await runGit(this.directory, ["cat-file", "-t", tree], { accept: [1, 128] });
		return code === 0 && stdout.toString().trim() === "tree";
	}

	/** All files at a commit, branch or tag. */
	async readFiles(revision: string): Promise<HarnessFiles> {
		return this.readTree(await this.treeOf(revision));
	}

	/** All files of a tree; remembered, since a tree never changes. */
	async readTree(tree: string): Promise<HarnessFiles> {
		const known = this.trees.get(tree);
		if (known) return { ...known };
		const { stdout } = await runGit(this.directory, ["ls-tree", "-r", "-z", "--full-tree", tree]);
		const entries = stdout
			.toString()
			.split("\0")
			.filter(Boolean)
			.map((entry) => {
				const [meta = "", name = ""] = entry.split("\t");
				const [, type, id = ""] = meta.split(" ");
				if (type !== "blob")
					throw new AppError("precondition", `“${name}” is not a plain file.`, {
						reason: "path-not-allowed",
						params: { path: name, why: "not a plain file", whyReason: "path-not-plain" },
					});
				return { path: name, id };
			});
		const texts = await this.readBlobs([...new Set(entries.map((entry) => entry.id))]);
		const files = Object.fromEntries(entries.map((entry) => [entry.path, texts.get(entry.id) as string]));
		this.trees.set(tree, files);
		return { ...files };
	}

	/** Texts of blobs by id, in one process. */
	async readBlobs(ids: readonly string[]): Promise<Map<string, string>> {
		const texts = new Map<string, string>();
		if (ids.length === 0) return texts;
		const { stdout } = await runGit(this.directory, ["cat-file", "--batch"], { input: `${ids.join("\n")}\n` });
		let at = 0;
		for (const id of ids) {
			const end = stdout.indexOf(10, at);
			const header = stdout.subarray(at, end).toString().split(" ");
			const size = Number(header[2]);
			if (header[0] !== id || !Number.isInteger(size)) throw gitFailed("The harness repository is damaged.", header.join(" "));
			texts.set(id, stdout.subarray(end + 1, end + 1 + size).toString());
			at = end + 1 + size + 1;
		}
		return texts;
	}

	/** Writes a commit of these files; moves no ref. */
	async writeCommit(files: HarnessFiles, parents: readonly string[], input: CommitInput): Promise<{ commit: string; tree: string }> {
		assertFiles(files);
		const { tree, objects } = treeObjects(files);
		for (const object of objects) await this.writeObject(object);
		this.trees.set(tree, { ...files });
		return { commit: await this.writeCommitObject(tree, parents, input), tree };
	}

	private async writeCommitObject(tree: string, parents: readonly string[], input: CommitInput): Promise<string> {
		const who = `${identity(input.author)} ${Math.floor(input.at.getTime() / 1000)} +0000`;
		const text = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), `author ${who}`, `committer ${who}`, "", composeMessage(input.message)].join(
			"\n",
		);
		return this.writeObject(gitObject("commit", Buffer.from(text)));
	}

	/** Commits changes on top of a commit; moves no ref. Throws `bad-input` when nothing would change. */
	async commitChanges(parent: string, changes: FileChanges, input: CommitInput): Promise<{ commit: string; tree: string }> {
		const base = await this.requireCommit(parent);
		const [files, before] = [await this.readFiles(base), await this.treeOf(base)];
		const next = applyChanges(files, changes);
		if (treeObjects(next).tree === before)
			throw new AppError("bad-input", "There is nothing to commit: the files are already like this.", { reason: "no-change" });
		return this.writeCommit(next, [base], input);
	}

	/**
	 * Moves a branch from `expected` (null: it must not exist) to `next`. Throws `conflict` / `ref-moved` when it stands
	 * elsewhere: of two that race, exactly one gets through.
	 */
	async moveBranch(branch: string, next: string, expected: string | null): Promise<void> {
		await this.moveRef(branchRef(branch), next, expected, branch);
	}

	private async moveRef(ref: string, next: string, expected: string | null, name: string): Promise<void> {
		const { code, stderr } = await runGit(this.directory, ["update-ref", "--create-reflog", ref, next, expected ?? NO_OBJECT], { accept: [1, 128] });
		if (code === 0) return;
		throw new AppError("conflict", `“${name}” has moved since you read it.`, {
			reason: "ref-moved",
			params: { ref: name },
			fix: "Look at what changed, and try again on top of it.",
			cause: new Error(stderr.slice(0, 500)),
		});
	}

	async deleteBranch(branch: string, expected: string): Promise<void> {
		const { code, stderr } = await runGit(this.directory, ["update-ref", "-d", branchRef(branch), expected], { accept: [1, 128] });
		if (code !== 0)
			throw new AppError("conflict", `“${branch}” has moved since you read it.`, {
				reason: "ref-moved",
				params: { ref: branch },
				cause: new Error(stderr.slice(0, 500)),
			});
	}

	/** Merges `theirs` into `ours` without a work tree; conflicts come back as data, and no ref moves. */
	async merge(ours: string, theirs: string, input: CommitInput): Promise<MergeResult> {
		const [a, b] = [await this.requireCommit(ours), await this.requireCommit(theirs)];
		const { code, stdout, stderr } = await runGit(this.directory, ["merge-tree", "--write-tree", "-z", "--no-messages", a, b], { accept: [1, 128] });
		if (code === 128) throw gitFailed("The harness repository could not merge.", stderr.slice(0, 500));
		const [tree = "", ...rest] = stdout.toString().split("\0");
		if (code === 1) return { ok: false, conflicts: await this.readConflicts(rest) };
		// What git merged must still be a harness's set of files (two paths that differ in case, for one).
		assertFiles(await this.readTree(tree));
		return { ok: true, commit: await this.writeCommitObject(tree, [a, b], input), tree };
	}

	private async readConflicts(entries: readonly string[]): Promise<MergeConflict[]> {
		const stages = new Map<string, Map<string, string>>();
		for (const entry of entries) {
			const match = /^\d+ ([0-9a-f]{40}) ([123])\t(.*)$/s.exec(entry);
			if (!match) continue;
			const [, id, stage, name] = match as unknown as [string, string, string, string];
			const file = stages.get(name) ?? new Map<string, string>();
			file.set(stage, id);
			stages.set(name, file);
		}
		const texts = await this.readBlobs([...new Set([...stages.values()].flatMap((file) => [...file.values()]))]);
		const text = (file: Map<string, string>, stage: string) => texts.get(file.get(stage) ?? "") ?? null;
		return [...stages].map(([name, file]) => ({ path: name, base: text(file, "1"), ours: text(file, "2"), theirs: text(file, "3") }));
	}

	/** Makes an annotated tag. Throws `conflict` when the name is taken. */
	async tag(name: string, commit: string, input: CommitInput): Promise<string> {
		const ref = tagRef(name);
		const target = await this.requireCommit(commit);
		const text = `object ${target}\ntype commit\ntag ${name}\ntagger ${identity(input.author)} ${Math.floor(input.at.getTime() / 1000)} +0000\n\n${composeMessage(input.message)}`;
		const id = await this.writeObject(gitObject("tag", Buffer.from(text)));
		await this.moveRef(ref, id, null, name);
		return id;
	}

	/** The nearest commit that two have in common; null when there is none. */
	async mergeBase(a: string, b: string): Promise<string | null> {
		const { code, stdout } = await runGit(this.directory, ["merge-base", await this.requireCommit(a), await this.requireCommit(b)], { accept: [1] });
		return code === 0 ? stdout.toString().trim() : null;
	}

	/** Writes one loose object, as git does: compressed into a temporary file, then renamed to its id. */
	private async writeObject(object: GitObject): Promise<string> {
		const folder = path.join(this.directory, "objects", object.id.slice(0, 2));
		const file = path.join(folder, object.id.slice(2));
		const there = await fs.access(file).then(
			() => true,
			() => false,
		);
		if (there) return object.id;
		// Not in the object's own folder: packing takes that away when it becomes empty, at any moment.
		const temporary = path.join(this.directory, "objects", `tmp_obj_${newId("t")}`);
		const header = Buffer.from(`${object.type} ${object.content.length}\0`);
		await writeDurably(temporary, await compress(Buffer.concat([header, object.content])));
		for (let tries = 0; ; tries++) {
			await fs.mkdir(folder, { recursive: true });
			try {
				await fs.rename(temporary, file);
				return object.id;
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code !== "ENOENT" || tries === 5) throw error;
			}
		}
	}
}

/** A commit must not name an object that a power cut can empty. */
async function writeDurably(file: string, content: Buffer): Promise<void> {
	const handle = await fs.open(file, "wx", 0o444);
	try {
		await handle.writeFile(content);
		await handle.sync();
	} finally {
		await handle.close();
	}
}

const lines = (buffer: Buffer) => buffer.toString().split("\n").filter(Boolean);
