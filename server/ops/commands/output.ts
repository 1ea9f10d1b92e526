import { z } from "zod";
import { knownFailure } from "@/server/db/failures";
import { messageOf } from "@/server/kernel/errors";

/** Exit codes of the command line: done; a check failed; bad use. */
export const EXIT = { done: 0, failed: 1, badUse: 2 } as const;

/** Progress goes to stderr: stdout holds one JSON document. */
export function progress(line: string): void {
	process.stderr.write(`${line}\n`);
}

/** What a command returns: the document, and whether a check failed. */
export interface CommandResult {
	document: unknown;
	failed?: boolean;
	/** Whether it did nothing because it has to be told so in so many words. */
	unconfirmed?: boolean;
}

export function printDocument(document: unknown, json: boolean): void {
	process.stdout.write(`${JSON.stringify(document, null, json && !process.stdout.isTTY ? undefined : 2)}\n`);
}

/** The sentence of anything that was thrown; what a schema refused as lines instead of its JSON. */
const sentenceOf = (error: unknown) => (error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error));

/** One readable error on stderr, and as JSON on stdout under --json, so that a script sees it too. Returns the exit code. */
export function printError(error: unknown, json: boolean): number {
	const app = knownFailure(error);
	const badUse = app?.code === "bad-input" || app?.code === "not-found";
	const document = {
		error: {
			code: app?.code ?? "internal",
			reason: app?.reason ?? "internal",
			message: sentenceOf(app ?? error),
			fix: app?.fix ?? null,
			data: app?.data ?? null,
		},
	};
	process.stderr.write(`${document.error.message}${document.error.fix ? `\n${document.error.fix}` : ""}\n`);
	if (json) process.stdout.write(`${JSON.stringify(document)}\n`);
	return badUse ? EXIT.badUse : EXIT.failed;
}
