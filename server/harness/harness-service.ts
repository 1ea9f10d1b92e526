import path from "node:path";
import { LRUCache } from "lru-cache";
import type { Database } from "@/server/db/client";
import type { Clock } from "@/server/kernel/clock";
import { AppError } from "@/server/kernel/errors";
import { logger } from "@/server/kernel/logger";
import { readFolder } from "./archive-read";
import type { MessageParts } from "./commit-message";
import type {
	CommitAuthor,
	FileChanges,
	FileDiff,
	Harness,
	HarnessFiles,
	HarnessKind,
	MergeConflict,
	Problem,
	Room,
	ValidationContext,
	WorkbenchKey,
	WorkbenchView,
} from "./contract";
import { diffFiles } from "./diff-files";
import { applyChanges } from "./file-paths";
import { findMergeOf } from "./git-history";
import { treeIdOf } from "./git-objects";
import { assertRemoteAllowed, pushBranch } from "./git-remote";
import { type CommitInput, GitRepository } from "./git-repository";
import * as rows from "./harness.repository";
import { createDraftService, type DraftService } from "./harness-drafts";
import type { HarnessSurroundings } from "./ports";
import { NO_OBJECT, OBJECT_ID } from "./ref-names";
import { ALONE, type Validation, validateHarness } from "./validate-harness";
import { workbenchView } from "./workbench-view";

export interface HarnessDeps {
	db: Database;
	clock: Clock;
	/** Folder that holds the bare repositories. */
	directory: string;
	surroundings: HarnessSurroundings;
}

export interface CommitMessage extends MessageParts {
	author: CommitAuthor;
}

export interface ResolvedHarness {
	/** Null for what has a tree and no commit. */
	commit: string | null;
	treeId: string;
	files: HarnessFiles;
	harness: Harness;
}

export interface LoadedFolder {
	files: HarnessFiles;
	treeId: string;
	problems: Problem[];
	harness: Harness | null;
}

/** Everything about harnesses, by workspace and kind (`agent` unless said). */
export class HarnessService {
	readonly drafts: DraftService;
	private readonly deps: HarnessDeps;
	private readonly repositories = new Map<string, GitRepository>();
	private readonly validated = new LRUCache<string, Harness>({ max: 200 });

	constructor(deps: HarnessDeps) {
		this.deps = deps;
		this.drafts = createDraftService({ db: deps.db, clock: deps.clock, repositoryOf: (workspaceId, kind) => this.repository(workspaceId, kind) });
	}

	// ---- the repository ----

	/** The bare repository. Throws `not-found` when the workspace has none of this kind. */
	async repository(workspaceId: string, kind: HarnessKind = "agent"): Promise<GitRepository> {
		const key = `${workspaceId}/${kind}`;
		const known = this.repositories.get(key);
		if (known) return known;
		const row = await rows.findRepository(this.deps.db, workspaceId, kind);
		if (!row)
			throw new AppError("not-found", `This workspace has no ${kind} harness yet.`, {
				reason: "harness-missing",
				params: { kind },
				fix: "Make the workspace from a folder that holds one: docs/workspace-format.md says how.",
			});
		const repository = new GitRepository(path.join(this.deps.directory, `${row.folder}.git`));
		this.repositories.set(key, repository);
		return repository;
	}

	/** Makes the repository with these files as the first commit of `main`. Nothing happens when `main` is there (safe to repeat). */
	async createFromFiles(workspaceId: string, kind: HarnessKind, files: HarnessFiles, message: CommitMessage): Promise<{ commit: string; tree: string }> {
		const row = await rows.ensureRepository(this.deps.db, workspaceId, kind);
		const repository = new GitRepository(path.join(this.deps.directory, `${row.folder}.git`));
		await repository.create();
		const head = await repository.head("main");
		if (head) return { commit: head, tree: await repository.treeOf(head) };
		const made = await repository.writeCommit(files, [], this.commitInput(message));
		await repository.moveBranch("main", made.commit, null);
		await rows.saveSnapshot(this.deps.db, made.tree, files);
		return made;
	}

	async head(workspaceId: string, branch: string, kind: HarnessKind = "agent"): Promise<string | null> {
		return (await this.repository(workspaceId, kind)).head(branch);
	}

	async treeOf(workspaceId: string, commit: string, kind: HarnessKind = "agent"): Promise<string> {
		return (await this.repository(workspaceId, kind)).treeOf(commit);
	}

	async readFiles(workspaceId: string, revision: string, kind: HarnessKind = "agent"): Promise<HarnessFiles> {
		return (await this.repository(workspaceId, kind)).readFiles(revision);
	}

	/** Makes a branch at a commit; nothing happens when it is already there. */
	async createBranch(workspaceId: string, branch: string, commit: string, kind: HarnessKind = "agent"): Promise<void> {
		const repository = await this.repository(workspaceId, kind);
		if (await repository.head(branch)) return;
		await repository.moveBranch(branch, await repository.requireCommit(commit), null).catch(async (error: unknown) => {
			// Someone made it meanwhile: that is what was asked for.
			if (!(await repository.head(branch))) throw error;
		});
	}

	/** Moves a branch by compare-and-swap (null: it must not exist). Throws `conflict` / `ref-moved`. */
	async moveBranch(workspaceId: string, branch: string, next: string, expected: string | null, kind: HarnessKind = "agent"): Promise<void> {
		await (await this.repository(workspaceId, kind)).moveBranch(branch, next, expected);
	}

	/** Commits changes on a branch whose head must be `expectedHead`. Throws `conflict` / `ref-moved`, `bad-input` / `no-change`. */
	async commit(
		workspaceId: string,
		input: { branch: string; expectedHead: string; changes: FileChanges; message: CommitMessage },
		kind: HarnessKind = "agent",
	): Promise<{ commit: string; tree: string }> {
		const repository = await this.repository(workspaceId, kind);
		const made = await repository.commitChanges(input.expectedHead, input.changes, this.commitInput(input.message));
		await repository.moveBranch(input.branch, made.commit, input.expectedHead);
		await rows.saveSnapshot(this.deps.db, made.tree, await repository.readTree(made.tree));
		return made;
	}

	/** Merges `from` into a branch whose head must be `expectedHead`; conflicts come back as data and move nothing. */
	async merge(
		workspaceId: string,
		input: { into: string; expectedHead: string; from: string; message: CommitMessage },
		kind: HarnessKind = "agent",
	): Promise<{ ok: true; commit: string; tree: string } | { ok: false; conflicts: MergeConflict[] }> {
		const repository = await this.repository(workspaceId, kind);
		const merged = await repository.merge(input.expectedHead, input.from, this.commitInput(input.message));
		if (!merged.ok) return merged;
		await repository.moveBranch(input.into, merged.commit, input.expectedHead);
		await rows.saveSnapshot(this.deps.db, merged.tree, await repository.readTree(merged.tree));
		return merged;
	}

	async diff(workspaceId: string, from: string, to: string, kind: HarnessKind = "agent"): Promise<FileDiff[]> {
		const repository = await this.repository(workspaceId, kind);
		return diffFiles(await repository.readFiles(from), await repository.readFiles(to));
	}

	async findMergeOf(workspaceId: string, branch: string, parent: string, kind: HarnessKind = "agent"): Promise<string | null> {
		return findMergeOf(await this.repository(workspaceId, kind), branch, parent);
	}

	/** Makes an annotated tag at a commit. Throws `conflict` when the name is taken. */
	async tag(workspaceId: string, name: string, commit: string, message: CommitMessage, kind: HarnessKind = "agent"): Promise<void> {
		await (await this.repository(workspaceId, kind)).tag(name, commit, this.commitInput(message));
	}

	/** Pushes a branch where a remote is set. What fails is logged and breaks nothing: the next push carries it. */
	async pushRemote(workspaceId: string, branch: string, kind: HarnessKind = "agent"): Promise<void> {
		const row = await rows.findRepository(this.deps.db, workspaceId, kind);
		if (!row?.remoteUrl) return;
		await pushBranch(await this.repository(workspaceId, kind), row.remoteUrl, branch).catch((error: unknown) => {
			logger.warn({ err: error, workspaceId, branch }, "the harness was not pushed to its remote");
		});
	}

	private commitInput({ author, ...message }: CommitMessage): CommitInput {
		return { message, author, at: this.deps.clock.now() };
	}

	// ---- validation and loading ----

	/** What the validator is told of a workspace. */
	async contextOf(workspaceId: string, kind: HarnessKind = "agent"): Promise<ValidationContext> {
		const { surroundings } = this.deps;
		const [handlers, connections, rooms] = await Promise.all([
			surroundings.handlers(workspaceId),
			surroundings.connections(workspaceId),
			surroundings.rooms(workspaceId),
		]);
		// A judge's templates do not stand in a room of the agent.
		return { handlers, connections, rooms: kind === "judge" ? [] : Object.values(rooms) };
	}

	async rooms(workspaceId: string): Promise<Record<string, Room>> {
		return this.deps.surroundings.rooms(workspaceId);
	}

	/** All problems of a harness in a workspace. */
	async check(workspaceId: string, files: HarnessFiles, kind: HarnessKind = "agent"): Promise<Validation> {
		return validateHarness(files, await this.contextOf(workspaceId, kind));
	}

	async validate(workspaceId: string, files: HarnessFiles, kind: HarnessKind = "agent"): Promise<Problem[]> {
		return (await this.check(workspaceId, files, kind)).problems;
	}

	/** A folder as a harness, with its problems: files that cannot be read are problems too. */
	async loadFolder(directory: string, context: ValidationContext = ALONE): Promise<LoadedFolder> {
		const loaded = await readFolder(directory);
		const { harness, problems } = validateHarness(loaded.files, context);
		const unread = loaded.rejected.map(
			({ at, reason, phrase }): Problem => ({
				file: at,
				line: 1,
				column: 1,
				rule: "file-unreadable",
				severity: "error",
				message: reason,
				...(phrase && { phrase }),
			}),
		);
		return { files: loaded.files, treeId: treeIdOf(loaded.files), problems: [...unread, ...problems], harness: unread.length > 0 ? null : harness };
	}

	/** Keeps files for workers and returns their tree id. */
	async saveSnapshot(files: HarnessFiles): Promise<string> {
		const treeId = treeIdOf(files);
		await rows.saveSnapshot(this.deps.db, treeId, files);
		return treeId;
	}

	/** Files of a tree that was kept. Throws `not-found`. */
	async loadSnapshot(treeId: string): Promise<HarnessFiles> {
		const files = await rows.loadSnapshot(this.deps.db, treeId);
		if (!files)
			throw new AppError("not-found", "These harness files were not kept.", {
				reason: "snapshot-missing",
				params: { tree: treeId.slice(0, 12) },
				fix: "Evaluate or try that version again: its files are kept anew from the repository.",
			});
		if (treeIdOf(files) !== treeId)
			throw new AppError("internal", "Stored harness files do not match their fingerprint.", {
				reason: "snapshot-damaged",
				fix: "Restore the database from a backup, or evaluate another version.",
			});
		return files;
	}

	/** The harness of a kept tree, for workers: needs no repository and remembers what it parsed. Throws `precondition` when it is not valid. */
	async loadHarness(treeId: string): Promise<Harness> {
		return this.validated.get(treeId) ?? this.requireHarness(await this.loadSnapshot(treeId));
	}

	/** The harness of some files. Throws `precondition` / `harness-invalid` with the problems as data. */
	requireHarness(files: HarnessFiles): Harness {
		const treeId = treeIdOf(files);
		const known = this.validated.get(treeId);
		if (known) return known;
		const { harness, problems } = validateHarness(files);
		if (!harness) {
			const errors = problems.filter((problem) => problem.severity === "error");
			throw new AppError("precondition", `The harness is not valid: ${errors[0]?.file}:${errors[0]?.line} ${errors[0]?.message}`, {
				reason: "harness-invalid",
				params: { count: errors.length },
				fix: "Fix the errors on the Harness page.",
				data: { problems: errors.slice(0, 100) },
			});
		}
		this.validated.set(treeId, harness);
		return harness;
	}

	/**
	 * A harness of the workspace by branch, tag, commit or tree id, kept for workers. Throws `not-found`, or `precondition` /
	 * `harness-invalid` when it cannot be run.
	 */
	async resolveHarness(workspaceId: string, what: string, kind: HarnessKind = "agent"): Promise<ResolvedHarness> {
		const repository = await this.repository(workspaceId, kind);
		const commit = await repository.resolve(what);
		// A tree is looked for in the workspace's own repository: kept snapshots are shared, and another workspace's are not to be run here.
		const isTree = !commit && OBJECT_ID.test(what) && what !== NO_OBJECT && (await repository.hasTree(what));
		const files = commit ? await repository.readFiles(commit) : isTree ? await repository.readTree(what) : null;
		if (!files)
			throw new AppError("not-found", `The harness has no branch, tag, commit or tree “${what.slice(0, 80)}”.`, {
				reason: "revision-missing",
				params: { revision: what.slice(0, 80) },
				fix: "Choose a version from the history: a branch may have been renamed or removed.",
			});
		const harness = this.requireHarness(files);
		await rows.saveSnapshot(this.deps.db, harness.treeId, files);
		return { commit, treeId: harness.treeId, files, harness };
	}

	// ---- the workbench ----

	/** A person's view of a harness: branch, draft and problems. */
	async openWorkbench(key: WorkbenchKey): Promise<WorkbenchView> {
		const repository = await this.repository(key.workspaceId, key.kind);
		const head = await repository.requireCommit(key.branch);
		const draft = await this.drafts.find(key);
		const baseCommit = draft?.baseCommit ?? head;
		const baseFiles = await repository.readFiles(baseCommit);
		return workbenchView({ ...key, head, baseCommit, baseFiles, draft, context: await this.contextOf(key.workspaceId, key.kind) });
	}

	/** Files of a person's draft with more changes on top (what the window has and did not save yet). */
	async draftFiles(key: WorkbenchKey, changes: FileChanges = {}): Promise<{ base: HarnessFiles; files: HarnessFiles }> {
		const repository = await this.repository(key.workspaceId, key.kind);
		const draft = await this.drafts.find(key);
		const base = await repository.readFiles(draft?.baseCommit ?? (await repository.requireCommit(key.branch)));
		return { base, files: applyChanges(base, { ...draft?.changes, ...changes }) };
	}

	/** Sets or clears the remote. Throws `bad-input` for an address that it may not have. */
	async setRemote(workspaceId: string, url: string | null, kind: HarnessKind = "agent"): Promise<void> {
		if (url !== null) assertRemoteAllowed(url);
		await rows.setRemote(this.deps.db, workspaceId, kind, url);
	}
}

/** Wires the service; see `HarnessService`. */
export function createHarnessService(deps: HarnessDeps): HarnessService {
	return new HarnessService(deps);
}
