import { AppError } from "@/server/kernel/errors";

/** Errors of this domain, with the next step; each reason has a translation. */
export const errors = {
	unknown: () => new AppError("not-found", "There is no such trigger in this workspace.", { reason: "trigger-unknown" }),
	changed: () =>
		new AppError("conflict", "Someone else changed this trigger meanwhile.", { reason: "trigger-changed", fix: "Look at its state, then decide again." }),
	builtIn: () =>
		new AppError("precondition", "The two rules of the loop can be switched, and neither changed nor deleted.", {
			reason: "trigger-built-in",
			fix: "Turn it off, and make a trigger of your own beside it.",
		}),
	firesItself: () =>
		new AppError("bad-input", "What this trigger does would set it off again.", {
			reason: "trigger-fires-itself",
			fix: "Add a condition that its own runs do not meet, or choose another action.",
		}),
	loopEvent: () =>
		new AppError("bad-input", "What the loop evaluates follows a landing or a closed round only.", {
			reason: "trigger-loop-event",
			fix: "Choose one of these two events, or name the suites to run.",
		}),
	noSecret: () =>
		new AppError("bad-input", "A webhook needs a secret that signs its calls.", {
			reason: "webhook-secret-missing",
			fix: "Enter a secret of at least 16 characters; the receiver checks the signature with it.",
		}),
	suiteUnknown: (suite: string) =>
		new AppError("bad-input", `There is no suite "${suite}" in this workspace.`, {
			reason: "trigger-suite-unknown",
			params: { suite },
			fix: "Use the key of one of the workspace's suites, or t2, t3-tool or t3-prompt.",
		}),
	noBudget: () => new AppError("bad-input", "A trigger needs a budget per day.", { reason: "trigger-budget", fix: "Enter how often it may fire in 24 hours." }),
	noEvolution: () =>
		new AppError("precondition", "There is no evolution to open a finding in.", { reason: "trigger-no-evolution", fix: "Start an evolution first." }),
	retrainingUnknown: () => new AppError("not-found", "There is no such retraining proposal.", { reason: "retraining-unknown" }),
	retrainingDecided: (status: string) =>
		new AppError("conflict", `This retraining was ${status} already.`, { reason: "retraining-decided", params: { status } }),
	callTooOften: () => new AppError("rate-limited", "This trigger is called too often.", { reason: "trigger-calls", fix: "Wait a minute, then call again." }),
	notCallable: () =>
		new AppError("precondition", "This trigger does not follow calls, or it is turned off.", {
			reason: "trigger-not-callable",
			fix: "An admin turns it on, or chooses the event “a call of the API”.",
		}),
};
