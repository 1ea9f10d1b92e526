import { listCandidates } from "./candidate";
import { type CreateRelease, createRelease, finishPending, giveLeave } from "./create-release";
import { evaluatePolicy, givePolicyLeave, previewPolicy, releasePolicy } from "./policy-candidate";
import type { ReleaseDeps } from "./ports";
import { compareReleases, fetchRelease, previewRelease, readReleases, releaseFacts } from "./read-releases";
import { countReadings, currentRelease, listTagsOfPolicy } from "./release.repository";
import { previewRollback, type Rollback, rollback } from "./rollback-release";

/** Releases, rollback, and what production takes. The only domain that moves `main`. Roles are checked by whoever calls. */
export function createReleaseService(deps: ReleaseDeps) {
	return {
		list: (workspaceId: string) => readReleases(deps, workspaceId),
		candidates: (workspaceId: string) => listCandidates(deps, workspaceId),
		preview: (input: { workspaceId: string; roundId: string }) => previewRelease(deps, input),
		create: (input: CreateRelease) => createRelease(deps, input),
		giveLeave: (input: Parameters<typeof giveLeave>[1]) => giveLeave(deps, input),
		previewRollback: (input: { workspaceId: string; target: string }) => previewRollback(deps, input),
		rollback: (input: Rollback) => rollback(deps, input),
		previewPolicy: (input: Parameters<typeof previewPolicy>[1]) => previewPolicy(deps, input),
		evaluatePolicy: (input: Parameters<typeof evaluatePolicy>[1]) => evaluatePolicy(deps, input),
		releasePolicy: (input: Parameters<typeof releasePolicy>[1]) => releasePolicy(deps, input),
		givePolicyLeave: (input: Parameters<typeof givePolicyLeave>[1]) => givePolicyLeave(deps, input),
		compare: (input: { workspaceId: string; from: string; to: string }) => compareReleases(deps, input),
		/** For production: archive, digest and manifest of a tag or of `current`. */
		fetch: (input: { workspaceId: string; slug: string; tag: string }) => fetchRelease(deps, input),
		/** Tag, commit and round of what is live, for the top bar; null before the first release. */
		async current(workspaceId: string) {
			const row = await currentRelease(deps.db, workspaceId);
			return row && { tag: row.tag, commit: row.commit, roundId: row.roundId, at: row.createdAt };
		},
		/** Tags of all releases, for whoever reads them by git. */
		async tags(workspaceId: string) {
			await finishPending(deps, workspaceId);
			return (await releaseFacts(deps, workspaceId)).map(({ tag }) => tag);
		},
		/** Tags of the releases that refer to a policy version. */
		tagsOfPolicy: (workspaceId: string, policyVersionId: string) => listTagsOfPolicy(deps.db, workspaceId, policyVersionId),
		facts: (workspaceId: string) => releaseFacts(deps, workspaceId),
		finishPending: (workspaceId: string) => finishPending(deps, workspaceId),
		holdoutReadings: (evolutionId: string) => countReadings(deps.db, evolutionId),
	};
}

export type ReleaseService = ReturnType<typeof createReleaseService>;
