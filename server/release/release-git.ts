import type { HarnessService } from "@/server/harness";
import type { Clock } from "@/server/kernel/clock";
import { AppError } from "@/server/kernel/errors";
import type { ReleaseGit, ReleaseMessage } from "./ports";

/** The port over the harness domain's repository of a workspace's agent harness. */
export function createReleaseGit(harness: HarnessService, clock: Clock): ReleaseGit {
	const parts = ({ subject, body, trailers }: ReleaseMessage) => ({ subject, body, trailers });
	return {
		head: (workspaceId, branch) => harness.head(workspaceId, branch),
		treeOf: (workspaceId, commit) => harness.treeOf(workspaceId, commit),
		readFiles: (workspaceId, revision) => harness.readFiles(workspaceId, revision),
		diff: (workspaceId, from, to) => harness.diff(workspaceId, from, to),
		moveMain: (workspaceId, next, expected) => harness.moveBranch(workspaceId, "main", next, expected),
		pushRemote: (workspaceId) => harness.pushRemote(workspaceId, "main"),

		async contains(workspaceId, commit, ancestor) {
			return (await (await harness.repository(workspaceId)).mergeBase(commit, ancestor)) === ancestor;
		},

		async writeCommit(workspaceId, { filesOf, parents, message, at }) {
			const repository = await harness.repository(workspaceId);
			const files = await repository.readFiles(filesOf);
			const { commit } = await repository.writeCommit(files, parents, { message: parts(message), author: message.author, at });
			await harness.saveSnapshot(files);
			return commit;
		},

		async tag(workspaceId, name, commit, message) {
			const repository = await harness.repository(workspaceId);
			const taken = () =>
				new AppError("conflict", `The tag ${name} names another commit.`, {
					reason: "tag-taken",
					params: { tag: name },
					fix: "Remove the foreign tag from the repository.",
				});
			const there = await repository.resolve(name);
			if (there === commit) return;
			if (there !== null) throw taken();
			await repository.tag(name, commit, { message: parts(message), author: message.author, at: clock.now() }).catch(async (error: unknown) => {
				// Another one that finishes the same release made it meanwhile.
				if ((await repository.resolve(name)) !== commit) throw error;
			});
		},
	};
}
