import { AppError } from "@/server/kernel/errors";

/** Errors of this domain, with the next step; each reason has a translation. */
export const errors = {
	evolutionUnknown: () => new AppError("not-found", "There is no such evolution in this workspace.", { reason: "evolution-unknown" }),
	roundUnknown: () => new AppError("not-found", "There is no such round in this workspace.", { reason: "round-unknown" }),
	findingUnknown: () => new AppError("not-found", "There is no such finding in this workspace.", { reason: "finding-unknown" }),
	proposalUnknown: () => new AppError("not-found", "There is no such proposal in this workspace.", { reason: "proposal-unknown" }),
	commentUnknown: () => new AppError("not-found", "There is no such comment on this proposal.", { reason: "comment-unknown" }),
	noHarness: () => new AppError("precondition", "This workspace has no harness yet.", { reason: "harness-missing", fix: "Import a harness first." }),
	noSuite: (key: string) =>
		new AppError("precondition", `This workspace has no suite ${key}.`, { reason: "suite-missing", params: { suite: key }, fix: "Import cases first." }),
	evolutionStopped: () =>
		new AppError("precondition", "This evolution has stopped: nothing may land until a reviewer reopens it with a reason.", {
			reason: "evolution-stopped",
			fix: "Ask a reviewer to reopen it, or start a new evolution.",
		}),
	evolutionClosed: () => new AppError("precondition", "This evolution is closed.", { reason: "evolution-closed", fix: "Start a new evolution." }),
	evolutionNotStopped: () => new AppError("precondition", "This evolution has not stopped.", { reason: "evolution-not-stopped" }),
	authorRule: () =>
		new AppError("forbidden", "You are an author of this proposal; somebody else has to approve it.", {
			reason: "author-rule",
			fix: "Ask another reviewer.",
		}),
	notAuthor: () =>
		new AppError("forbidden", "Only an author or a reviewer can withdraw a proposal.", { reason: "not-author", fix: "Ask an author, or a reviewer." }),
	baseMoved: (params: { base: string; head: string }) =>
		new AppError("conflict", "The branch has moved since this proposal was made: its evidence is about an older harness.", {
			reason: "proposal-base-moved",
			params,
			fix: "Update the proposal from the branch; it is then evaluated again by itself.",
		}),
	wrongStatus: (status: string, action: string) =>
		new AppError("precondition", `A proposal that is ${status} cannot be changed this way (${action}).`, {
			reason: "proposal-status",
			params: { status, action },
			fix: "Reload the proposal to see where it stands.",
		}),
	revisionStale: (params: { seen: number; last: number }) =>
		new AppError("conflict", "Somebody made another revision meanwhile.", {
			reason: "revision-stale",
			params,
			fix: "Look at the new revision, then decide or edit again. What you typed is kept on your screen.",
		}),
	noEvidence: () =>
		new AppError("precondition", "The last revision has no finished evaluation.", {
			reason: "proposal-no-evidence",
			fix: "Wait for the run, or evaluate it again.",
		}),
	indecisive: () =>
		new AppError("precondition", "The evaluation is indecisive: too many episodes failed for reasons of infrastructure.", {
			reason: "proposal-indecisive",
			fix: "Retry the run's errors, then decide.",
		}),
	noChange: () => new AppError("bad-input", "The proposal changes nothing.", { reason: "proposal-empty", fix: "Edit a file first." }),
	invalidHarness: (problems: unknown[]) =>
		new AppError("bad-input", `The harness does not validate: ${problems.length} problem(s).`, {
			reason: "harness-invalid",
			params: { count: problems.length },
			data: problems,
			fix: "Mend the files that are listed. Nothing was lost.",
		}),
	findingStatus: (status: string) =>
		new AppError("precondition", `A finding that is ${status} cannot be decided this way.`, { reason: "finding-status", params: { status } }),
	findingsNotConfirmed: () =>
		new AppError("precondition", "Only findings that a person accepted or modified can be edited for.", {
			reason: "findings-not-confirmed",
			fix: "Accept or modify the findings first.",
		}),
	roundEmpty: () =>
		new AppError("precondition", "Nothing has landed in this round.", { reason: "round-empty", fix: "Land a proposal, or close the evolution." }),
	roundNotOpen: (status: string) =>
		new AppError("precondition", `This round is ${status}.`, { reason: "round-not-open", params: { status }, fix: "Reload the page." }),
	roundBefore: () =>
		new AppError("precondition", "The round before this one is still being evaluated.", {
			reason: "round-before-open",
			fix: "Wait for its runs, or retry them.",
		}),
	gatePolicyChanged: () =>
		new AppError("conflict", "Somebody else changed the gate policy meanwhile.", {
			reason: "gate-policy-changed",
			fix: "Look at the new version, then change it again.",
		}),
};
