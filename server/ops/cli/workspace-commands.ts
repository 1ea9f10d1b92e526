import { AppError } from "@/server/kernel/errors";
import { readOptions, TriggersOptions } from "../commands/read-options";
import type { CommandLine, Options } from "./command-line";

/* Commands about a workspace as a whole: its folder, what it is made of, who acts in it. */

/** What this machine has, and whether a folder is sound. */
export function registerChecks({ command, finish }: CommandLine): void {
	command("doctor", "what this machine has, and how to mend what it lacks").action(() => finish(import("../commands/doctor").then(({ doctor }) => doctor())));

	command("validate <dir>", "all problems of a harness folder").action((dir: string) =>
		finish(import("../commands/validate").then(({ validate }) => validate(dir))),
	);
}

/** Workspaces: made and deleted. */
export function registerWorkspaces({ command, finish, session }: CommandLine): void {
	command("create-workspace <name>", "make a workspace from a folder or from a table of requests with replies")
		.option("--from-folder <dir>", "a folder as docs/workspace-format.md describes it")
		.option("--from-csv <file>", "a CSV or JSONL of requests; its categories become the workspace's")
		.option("--starter <dir>", "harness to start from with --from-csv")
		.option("--map <pairs>", "columns, e.g. message=instruction,category=intent,reference=response")
		.option("--draft-skills", "write one skill for each value of the skills column, one rule for each of its categories", false)
		.option("--training-share <share>", "of the table's groups: kept apart from dev, test and holdout as messages to train on", "0")
		.action((name: string, options: Options) =>
			finish(
				(async () => {
					const { createWorkspace } = await import("../commands/import");
					return (await session())({}, (open) => createWorkspace(open, name, options as Parameters<typeof createWorkspace>[2]));
				})(),
			),
		);

	command("delete-workspace <name>", "delete a workspace, its repositories and uploads for ever; without --yes only say what would go (exit code 2)")
		.option("--yes", "delete it: there is no way back but a backup", false)
		.option("--cancel", "first cancel what is under way (runs, trainings, ablations, diagnoses and edits, tries), and wait until it is over", false)
		.action((name: string, options: { yes: boolean; cancel: boolean }) =>
			finish(
				(async () => {
					const { deleteWorkspace } = await import("../commands/delete-workspace");
					return (await session())({ endsItself: true }, (open) => deleteWorkspace(open, name, options));
				})(),
			),
		);
}

/** Cases, skills and tools from files. */
export function registerImports({ command, finish, session }: CommandLine): void {
	command("import-cases <file>", "import cases from CSV or JSONL; each bad row is listed with its reason")
		.requiredOption("--workspace <slug>", "the workspace")
		.option("--suite <key>", "the suite", "t1")
		.option("--map <pairs>", "columns, e.g. message=question,category=intent,reference=answer")
		.option("--encoding <name>", "encoding of the file", "auto")
		.option("--dry-run", "only say what would happen", false)
		.action((file: string, options: Options) =>
			finish(
				(async () => {
					const { importCases } = await import("../commands/import");
					return (await session())({}, (open) => importCases(open, file, options as Parameters<typeof importCases>[2]));
				})(),
			),
		);

	command("import-skills <source>", "check Agent Skills in a folder or zip, and with --into write them into a harness folder")
		.option("--into <dir>", "harness folder")
		.option("--strict", "reject what breaks a rule of the specification", false)
		.action((source: string, options: { into?: string; strict: boolean }) =>
			finish(import("../commands/import").then(({ importSkillsFrom }) => importSkillsFrom(source, options))),
		);

	command("import-tools <file>", "check an MCP tools/list result, and with --into write its tools into a harness folder")
		.option("--into <dir>", "harness folder")
		.option("--connection <name>", "the registered connection that the tools call", "mcp")
		.option("--strict", "reject what breaks a rule of the specification", false)
		.action((file: string, options: { into?: string; strict: boolean; connection: string }) =>
			finish(import("../commands/import").then(({ importToolsFrom }) => importToolsFrom(file, options))),
		);
}

/** What rules would have done. */
export function registerTriggers({ command, finish, session }: CommandLine): void {
	command("triggers <act>", "dry-run: for each event of the last days, what each rule would have done, and why; nothing is done")
		.requiredOption("--workspace <slug>", "the workspace")
		.option("--rule <rule>", "one rule by its key, name or id; all unless given")
		.option("--days <n>", "days to look back, 1 to 90", "30")
		.action((act: string, options: Options) =>
			finish(
				(async () => {
					if (act !== "dry-run") throw new AppError("bad-input", `There is no act “${act}”.`, { reason: "bad-options", fix: "Use: triggers dry-run." });
					const parsed = readOptions(TriggersOptions, options);
					const { dryRunTriggers } = await import("../commands/triggers");
					return (await session())({}, (open) => dryRunTriggers(open, parsed));
				})(),
			),
		);
}

/** People who may sign in. */
export function registerPeople({ command, finish, session }: CommandLine): void {
	command("create-admin <email>", "make the first admin of every workspace; prints a one-time password")
		.option("--name <name>", "the person's name", "Admin")
		.option("--reset", "a new one-time password for a person who exists already", false)
		.action((email: string, options: { name: string; reset: boolean }) =>
			finish(
				(async () => {
					const { createAdmin } = await import("../commands/create-admin");
					return (await session())({}, (open) => createAdmin(open, email, options));
				})(),
			),
		);
}
