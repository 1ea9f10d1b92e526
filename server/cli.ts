import type { CommanderError } from "commander";
import { setEnvironment } from "@/server/kernel/env";
import { AppError } from "@/server/kernel/errors";
import { createCommandLine } from "./ops/cli/command-line";
import { registerEvaluation, registerLoop, registerPublished, registerVariants } from "./ops/cli/evaluation-commands";
import { registerCheckpoints, registerPretraining, registerReports, registerStudies, registerTraining } from "./ops/cli/training-commands";
import { registerChecks, registerImports, registerPeople, registerTriggers, registerWorkspaces } from "./ops/cli/workspace-commands";
import { EXIT, printError } from "./ops/commands/output";

/*
 * `npm run -s studio -- <command>`: one JSON document on stdout, progress on stderr; exit code 0 done, 1 a check failed,
 * 2 bad use. Commands are loaded when they are called: `--help` starts nothing.
 */

setEnvironment({ STUDIO_LOG_LEVEL: process.argv.includes("--verbose") ? "info" : "error" });

const json = process.argv.includes("--json");
const commandLine = createCommandLine(json);

// In the order of `--help`.
for (const register of [
	registerChecks,
	registerWorkspaces,
	registerImports,
	registerEvaluation,
	registerVariants,
	registerLoop,
	registerTraining,
	registerCheckpoints,
	registerStudies,
	registerReports,
	registerTriggers,
	registerPretraining,
	registerPublished,
	registerPeople,
])
	register(commandLine);

try {
	await commandLine.program.parseAsync();
} catch (error) {
	const { exitCode, code, message } = error as CommanderError;
	if (exitCode === 0) process.exit(EXIT.done); // help was asked for
	const said = code === "commander.help" ? "Which command?" : message.replace(/^error: /, "");
	process.exit(printError(new AppError("bad-input", said, { reason: "bad-options", fix: "See --help." }), json));
}
