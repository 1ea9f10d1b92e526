import type { GateResult } from "@/server/evolution/contract";
import { AppError } from "@/server/kernel/errors";

export const errors = {
	releaseUnknown: (tag: string) => new AppError("not-found", `There is no release ${tag}.`, { reason: "release-unknown", params: { tag } }),
	noRelease: () => new AppError("not-found", "Nothing has been released yet.", { reason: "release-none", fix: "Release a round first." }),
	roundUnknown: () => new AppError("not-found", "There is no such round in this workspace.", { reason: "round-unknown" }),
	roundNotClosed: () =>
		new AppError("precondition", "Only a round that was closed and evaluated can be released.", {
			reason: "round-not-closed",
			fix: "Close the round and wait for its runs.",
		}),
	evaluating: (running: string[]) =>
		new AppError("precondition", "The gate's runs are under way.", {
			reason: "release-evaluating",
			params: { count: running.length },
			data: { running },
			fix: "Wait until they are done, then release.",
		}),
	gateInconclusive: (gate: GateResult) =>
		new AppError("precondition", "The gate is inconclusive: a reviewer can release with a written reason.", {
			reason: "gate-inconclusive",
			data: gate,
			fix: "Give a reason, or gather the evidence that is missing.",
		}),
	gateFailed: (gate: GateResult) =>
		new AppError("precondition", "The gate fails: an admin has to give written leave first.", {
			reason: "gate-failed",
			data: gate,
			fix: "Mend what the gate names, or ask an admin.",
		}),
	ownLeave: () =>
		new AppError("forbidden", "You gave the leave for this release yourself; somebody else has to make it.", {
			reason: "release-own-leave",
			fix: "Another reviewer releases it.",
		}),
	gateNotFailing: () => new AppError("precondition", "The gate does not fail: no leave is needed.", { reason: "gate-not-failing" }),
	mainMoved: () =>
		new AppError("conflict", "Something else was released meanwhile.", { reason: "release-main-moved", fix: "Look at what is live now, then release again." }),
	alreadyLive: (tag: string) =>
		new AppError("precondition", "The live harness already has exactly these files.", {
			reason: "release-already-live",
			params: { tag },
			fix: "There is nothing to do.",
		}),
	policyLive: (name: string) =>
		new AppError("precondition", `${name} is the policy in force already.`, {
			reason: "policy-already-live",
			params: { name },
			fix: "There is nothing to do.",
		}),
	confirmation: (expected: string) => new AppError("bad-input", `Type ${expected} to confirm.`, { reason: "rollback-confirmation", params: { expected } }),
	diffChanged: () =>
		new AppError("conflict", "What would be restored is not what you saw.", {
			reason: "rollback-changed",
			fix: "Look at the new preview, then confirm again.",
		}),
	unattendedForbidden: () =>
		new AppError("forbidden", "The unattended loop is not allowed in this workspace.", {
			reason: "unattended-forbidden",
			fix: "An admin allows it in Settings.",
		}),
};
