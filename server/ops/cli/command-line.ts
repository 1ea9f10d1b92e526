import { Command } from "commander";
import { helpNote } from "../commands/help-notes";
import { type CommandResult, EXIT, printDocument, printError } from "../commands/output";
import type { withSession } from "../session";

/** Options of a command as they were typed; `readOptions` checks them. */
export type Options = Record<string, string | boolean | undefined>;

/** How a policy is named on the command line. */
export const WHO_ACTS = "compact (the embedded policy without a checkpoint), current (the policy in force), an endpoint's name, or a policy version";

/** What commands are registered with. */
export interface CommandLine {
	program: Command;
	/** Adds a command with the options that every command has. */
	command(usage: string, description: string): Command;
	/** Waits for a command's work, prints what it returns or throws, and ends the process with its exit code. */
	finish(work: Promise<CommandResult>): Promise<never>;
	/** Loaded when a command is called: `--help` starts nothing. */
	session(): Promise<typeof withSession>;
}

/** A command line without commands; with `json` it prints one document, nothing else, on stdout. */
export function createCommandLine(json: boolean): CommandLine {
	const program = new Command("studio")
		.description("Harness Evolution Studio from the command line")
		.exitOverride()
		// A bad use is said once, by whoever parses, in the same form as any other error.
		.configureOutput({ outputError: () => undefined });
	return {
		program,
		command(usage, description) {
			const made = program.command(usage);
			return made
				.description(description)
				.option("--json", "print one JSON document, nothing else, on stdout")
				.option("--verbose", "log more on stderr")
				.addHelpText("after", helpNote(made.name()));
		},
		async finish(work) {
			try {
				const { document, failed, unconfirmed } = await work;
				printDocument(document, json);
				return process.exit(unconfirmed ? EXIT.badUse : failed ? EXIT.failed : EXIT.done);
			} catch (error) {
				return process.exit(printError(error, json));
			}
		},
		session: async () => (await import("../session")).withSession,
	};
}
