import type { Database } from "@/server/db/client";
import type { Clock } from "@/server/kernel/clock";
import { AppError } from "@/server/kernel/errors";
import type { CommitAuthor, Draft, FileChanges, HarnessFiles, RebaseResult, WorkbenchKey } from "./contract";
import { applyChanges, changesBetween, pathProblem, pathRefused } from "./file-paths";
import { treeIdOf } from "./git-objects";
import type { GitRepository } from "./git-repository";
import * as repository from "./harness.repository";

export interface DraftDeps {
	db: Database;
	clock: Clock;
	repositoryOf(workspaceId: string, kind: WorkbenchKey["kind"]): Promise<GitRepository>;
}

export interface DraftService {
	/** The person's draft on a branch; null when there is none. */
	find(key: WorkbenchKey): Promise<Draft | null>;
	list(workspaceId: string, userId: string): Promise<Draft[]>;
	/**
	 * Merges a patch (text writes, null deletes, paths of `revert` go back to the base) into the draft, making one when
	 * `version` is 0. Null when nothing differs from the base any more (the draft is kept, empty). Throws `conflict` /
	 * `draft-moved` when another tab saved first. Any text is kept, valid or not.
	 */
	save(key: WorkbenchKey, input: { version: number; patch: FileChanges; revert?: readonly string[]; proposalId?: string | null }): Promise<Draft>;
	/** Puts the draft away; `restore` brings it back. */
	discard(key: WorkbenchKey, version: number): Promise<{ id: string }>;
	restore(id: string, workspaceId: string, userId: string): Promise<Draft>;
	/** Moves the draft on top of the branch's head. Conflicts come back as data; `choices` settles them file by file. */
	rebase(key: WorkbenchKey, version: number, author: CommitAuthor, choices?: Record<string, "draft" | "branch">): Promise<RebaseResult>;
}

const moved = () =>
	new AppError("conflict", "The draft was saved elsewhere meanwhile.", {
		reason: "draft-moved",
		fix: "Load it again: what you see here is older. Your text stays in this window until you do.",
	});
const missing = () =>
	new AppError("not-found", "There is no draft.", {
		reason: "draft-missing",
		fix: "It was submitted or discarded, perhaps in another window: load the page again.",
	});

export function createDraftService(deps: DraftDeps): DraftService {
	const { db } = deps;
	return {
		find: (key) => repository.findDraft(db, key),
		list: (workspaceId, userId) => repository.listDrafts(db, workspaceId, userId),
		save: (key, input) => saveDraft(deps, key, input),
		async discard(key, version) {
			const draft = await repository.findDraft(db, key);
			if (!draft) throw missing();
			if (!(await repository.updateDraft(db, draft.id, version, { discardedAt: deps.clock.now() }))) throw moved();
			return { id: draft.id };
		},
		async restore(id, workspaceId, userId) {
			const draft = await repository.findDiscarded(db, id, workspaceId, userId);
			if (!draft) throw missing();
			const { kind, branch } = draft;
			const key = { workspaceId, userId, kind, branch };
			return db.$transaction(async (tx) => {
				await repository.lockDrafts(tx, key);
				const current = await repository.findDraft(tx, key);
				if (current && Object.keys(current.changes).length > 0)
					throw new AppError("conflict", "There is a newer draft on this branch.", {
						reason: "draft-newer",
						fix: "Discard it first, then take this one back.",
					});
				if (current && !(await repository.updateDraft(tx, current.id, current.version, { discardedAt: deps.clock.now() }))) throw moved();
				const restored = await repository.updateDraft(tx, id, draft.version, { discardedAt: null });
				if (!restored) throw moved();
				return restored;
			});
		},
		rebase: (key, version, author, choices) => rebaseDraft(deps, key, version, author, choices ?? {}),
	};
}

async function saveDraft(deps: DraftDeps, key: WorkbenchKey, input: Parameters<DraftService["save"]>[1]): Promise<Draft> {
	for (const path of Object.keys(input.patch)) {
		const problem = pathProblem(path);
		if (problem) throw pathRefused(path, problem);
	}
	const git = await deps.repositoryOf(key.workspaceId, key.kind);
	const draft = await repository.findDraft(deps.db, key);
	if ((draft?.version ?? 0) !== input.version) throw moved();
	const baseCommit = draft?.baseCommit ?? (await git.requireCommit(key.branch));
	const base = await git.readFiles(baseCommit);
	const files: Record<string, string> = { ...base };
	const revert = new Set(input.revert);
	for (const [path, text] of Object.entries({ ...draft?.changes, ...input.patch })) {
		if (revert.has(path)) continue;
		if (text === null) delete files[path];
		else files[path] = text;
	}
	const changes = changesBetween(base, applyChanges(files, {}));
	const saved = draft
		? await repository.updateDraft(deps.db, draft.id, input.version, { changes })
		: await createFirst(deps.db, key, { baseCommit, changes, proposalId: input.proposalId ?? null });
	if (!saved) throw moved();
	return saved;
}

/** Makes the draft; null when another window made it meanwhile. */
function createFirst(db: Database, key: WorkbenchKey, values: Parameters<typeof repository.createDraft>[2]): Promise<Draft | null> {
	return db.$transaction(async (tx) => {
		await repository.lockDrafts(tx, key);
		return (await repository.findDraft(tx, key)) ? null : repository.createDraft(tx, key, values);
	});
}

async function rebaseDraft(
	deps: DraftDeps,
	key: WorkbenchKey,
	version: number,
	author: CommitAuthor,
	choices: Record<string, "draft" | "branch">,
): Promise<RebaseResult> {
	const git = await deps.repositoryOf(key.workspaceId, key.kind);
	const draft = await repository.findDraft(deps.db, key);
	if (!draft) throw missing();
	const head = await git.requireCommit(key.branch);
	const headFiles = await git.readFiles(head);
	const own = applyChanges(await git.readFiles(draft.baseCommit), draft.changes);
	let files: HarnessFiles = headFiles;
	if (Object.keys(draft.changes).length > 0 && treeIdOf(own) !== treeIdOf(headFiles)) {
		// A commit that no ref names: only what git merges with.
		const mine = await git.writeCommit(own, [draft.baseCommit], { message: { subject: "Draft" }, author, at: deps.clock.now() });
		const merged = await git.merge(head, mine.commit, { message: { subject: "Draft" }, author, at: deps.clock.now() });
		if (merged.ok) files = await git.readTree(merged.tree);
		else {
			const open = merged.conflicts.filter((conflict) => !choices[conflict.path]);
			if (open.length > 0) return { ok: false, conflicts: open, head };
			files = settle(headFiles, await git.readFiles(draft.baseCommit), own, choices);
		}
	}
	const saved = await repository.updateDraft(deps.db, draft.id, version, { baseCommit: head, changes: changesBetween(headFiles, files) });
	if (!saved) throw moved();
	return { ok: true, draft: saved };
}

/** Files by the person's choice: where both sides changed one, the chosen side; else whichever side changed it. */
function settle(head: HarnessFiles, base: HarnessFiles, own: HarnessFiles, choices: Record<string, "draft" | "branch">): HarnessFiles {
	const result: Record<string, string> = {};
	for (const path of new Set([...Object.keys(head), ...Object.keys(own)])) {
		const takeOwn = choices[path] ? choices[path] === "draft" : own[path] !== base[path];
		const text = takeOwn ? own[path] : head[path];
		if (text !== undefined) result[path] = text;
	}
	return result;
}
