import { type HarnessService, readCommitInfo } from "@/server/harness";
import type { FileChanges } from "@/server/harness/contract";
import type { Clock } from "@/server/kernel/clock";
import type { CommitMessage, HarnessPort, MergeOutcome } from "./ports";

type Repository = Awaited<ReturnType<HarnessService["repository"]>>;

/** The port over the harness domain: what this domain asks for beyond the service's own methods is put together here. */
export function createHarnessPort(harness: HarnessService, clock: Clock): HarnessPort {
	const commitInput = ({ author, ...message }: CommitMessage) => ({ author, message, at: clock.now() });

	/** Workers read trees from the database, so every tree that may be evaluated is kept there. */
	async function keep(repository: Repository, made: { commit: string; tree: string }) {
		await harness.saveSnapshot(await repository.readTree(made.tree));
		return made;
	}

	/** Takes the other side for every conflicting path, merges (now clean), and puts the resolutions on top. */
	async function mergeResolved(
		repository: Repository,
		input: { ours: string; from: string; paths: readonly string[]; resolutions: FileChanges; message: CommitMessage },
	): Promise<MergeOutcome> {
		const theirs = await repository.readFiles(input.from);
		const ours = await repository.readFiles(input.ours);
		const take = Object.fromEntries(
			input.paths.map((path) => [path, theirs[path] ?? null]).filter(([path, text]) => text !== null || (path as string) in ours),
		);
		const yielded = Object.keys(take).some((path) => ours[path] !== (theirs[path] ?? undefined))
			? (await repository.commitChanges(input.ours, take, commitInput({ ...input.message, subject: "Take the branch's side before resolving" }))).commit
			: input.ours;
		const merged = await repository.merge(yielded, input.from, commitInput(input.message));
		if (!merged.ok) return merged;
		const files = await repository.readTree(merged.tree);
		const changes = Object.fromEntries(Object.entries(input.resolutions).filter(([path, text]) => (text === null ? path in files : files[path] !== text)));
		if (Object.keys(changes).length === 0) return merged;
		return { ok: true, ...(await repository.commitChanges(merged.commit, changes, commitInput(input.message))) };
	}

	return {
		head: (workspaceId, branch) => harness.head(workspaceId, branch),
		treeOf: (workspaceId, commit) => harness.treeOf(workspaceId, commit),
		readFiles: (workspaceId, commit) => harness.readFiles(workspaceId, commit),
		createBranch: (workspaceId, branch, commit) => harness.createBranch(workspaceId, branch, commit),
		diff: (workspaceId, from, to) => harness.diff(workspaceId, from, to),
		findMergeOf: (workspaceId, branch, parent) => harness.findMergeOf(workspaceId, branch, parent),
		validate: (workspaceId, files) => harness.validate(workspaceId, files),
		keepFiles: (files) => harness.saveSnapshot(files),
		pushRemote: (workspaceId, branch) => harness.pushRemote(workspaceId, branch),

		async readTrailers(workspaceId, commit) {
			return (await readCommitInfo(await harness.repository(workspaceId), commit)).trailers;
		},

		async commit(workspaceId, input) {
			const repository = await harness.repository(workspaceId);
			const made = await keep(repository, await repository.commitChanges(input.parent ?? input.expectedHead, input.changes, commitInput(input.message)));
			await repository.moveBranch(input.branch, made.commit, input.expectedHead);
			return made;
		},

		async merge(workspaceId, input) {
			const repository = await harness.repository(workspaceId);
			const ours = input.ours ?? input.expectedHead;
			let merged: MergeOutcome = await repository.merge(ours, input.from, commitInput(input.message));
			if (!merged.ok && input.resolutions) {
				const { resolutions, from, message } = input;
				const open = merged.conflicts.filter((c) => !(c.path in resolutions));
				if (open.length > 0) return { ok: false, conflicts: merged.conflicts };
				merged = await mergeResolved(repository, { ours, from, message, resolutions, paths: merged.conflicts.map((c) => c.path) });
			}
			if (!merged.ok) return merged;
			await keep(repository, merged);
			await repository.moveBranch(input.into, merged.commit, input.expectedHead);
			return merged;
		},
	};
}
